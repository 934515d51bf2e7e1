//! A training sample: a position in 40 bytes with the score of the search and the result of the game.
//!
//! Millions of samples are kept in memory. All are turned so that the side to move is White: the network
//! sees "own" and "other" pieces and does not need to know the side to move.

use arrayvec::ArrayVec;
use bytemuck::{Pod, Zeroable};
use shakmaty::{Bitboard, Board, Color, Piece, Position as _, Role, Square};

use crate::selfplay;
use outrider_engine::evaluation::network::features::{INPUTS, View, is_mirrored};
use outrider_engine::evaluation::network::threats::threatened;
use outrider_engine::position::Attacks;
use outrider_engine::units::Score;

/// Largest number of pieces on a board, including pawns and kings.
pub(super) const MAX_PIECES: usize = 32;
/// First of the features for threatened pieces, after the inputs for pieces.
pub(super) const THREATS: usize = INPUTS;
/// Largest number of active features: all pieces are threatened.
const MAX_FEATURES: usize = 2 * MAX_PIECES;

/// A position from the point of view of the side to move, with its score and the game's result.
///
/// `pieces` has four bits per piece in the order of the squares in `occupied`: the role from 1 (pawn) to 6
/// (king), and in the highest bit 1 for a piece of the other side.
///
/// In a [file](super::SampleFile) the fields have the same order and sizes, in little-endian numbers:
///
/// | bytes    | content                                                       |
/// |----------|---------------------------------------------------------------|
/// | 0 to 7   | occupied squares, A1 in the lowest bit                        |
/// | 8 to 15  | squares of threatened pieces                                  |
/// | 16 to 31 | pieces                                                        |
/// | 32, 33   | score in centipawns, signed                                   |
/// | 34       | 1 if there are points                                         |
/// | 35       | bit 0: own perspective mirrored, bit 1: other one mirrored    |
/// | 36 to 39 | points, 0 to 1, single precision                              |
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Sample {
    occupied: u64,
    /// Squares of the threatened pieces.
    threatened: u64,
    pieces: [u8; MAX_PIECES / 2],
    score: i16,
    /// 1 if there are points, else 0.
    has_points: u8,
    /// Bit 0: the own perspective is mirrored. Bit 1: the other perspective is mirrored.
    mirrored: u8,
    /// Points of the side to move, 0 to 1.
    points: f32,
}

const OTHER_SIDE: u8 = 8;

/// Active features of a position for both perspectives.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Features of the side to move.
    pub own: ArrayVec<u16, MAX_FEATURES>,
    /// Features of the other side.
    pub other: ArrayVec<u16, MAX_FEATURES>,
}

impl Sample {
    /// Packs a position with its score and result. Returns `None` if it has more than 32 pieces or a
    /// side has no king.
    pub fn new(position: &selfplay::LabelledPosition) -> Option<Sample> {
        let chess = position.board.chess();
        let score = position.score_for_mover().clamp_static().centipawns() as i16;
        let points = position.points_for_mover();
        Sample::from_board(chess.board(), chess.turn(), score, points)
    }

    /// Packs a position with a score and points, 0 to 1, of the side to move. Returns `None` in the same
    /// cases as [`Sample::new`].
    pub(super) fn from_board(
        board: &Board,
        turn: Color,
        score: i16,
        points: Option<f32>,
    ) -> Option<Sample> {
        let seen = |square: Square| turn.fold_wb(square, square.flip_vertical());
        let king = |color: Color| board.king_of(color);
        let (own, other) = (king(turn)?, king(!turn)?);
        let mirrored = u8::from(is_mirrored(own)) | u8::from(is_mirrored(other)) << 1;
        let seen_all = |squares: Bitboard| turn.fold_wb(squares, squares.flip_vertical());
        let [occupied, threatened] =
            [board.occupied(), threatened(board, &Attacks::of_both(board))].map(seen_all);
        let mut pieces = [0; MAX_PIECES / 2];
        if occupied.count() > MAX_PIECES {
            return None;
        }
        for (index, square) in occupied.into_iter().enumerate() {
            let piece = board.piece_at(seen(square))?;
            let bits = piece.role as u8 | if piece.color == turn { 0 } else { OTHER_SIDE };
            pieces[index / 2] |= bits << (index % 2 * 4);
        }
        let (has_points, points) = (points.is_some().into(), points.unwrap_or_default());
        let (occupied, threatened) = (occupied.0, threatened.0);
        Some(Sample { occupied, threatened, pieces, score, has_points, mirrored, points })
    }

    /// Bytes of a sample in a file.
    pub const BYTES: usize = 40;

    /// Encodes the sample for a file.
    pub(super) fn to_bytes(self) -> [u8; Sample::BYTES] {
        let mut bytes = [0; Sample::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.threatened.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.pieces);
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&[self.has_points, self.mirrored]);
        bytes[36..].copy_from_slice(&self.points.to_le_bytes());
        bytes
    }

    /// Decodes a sample. Returns `None` if it is no position: too many pieces, a side without exactly one
    /// king, or a field out of its range.
    pub(super) fn from_bytes(bytes: [u8; Sample::BYTES]) -> Option<Sample> {
        let (occupied, rest) = bytes.split_first_chunk()?;
        let (threatened, rest) = rest.split_first_chunk()?;
        let (pieces, rest) = rest.split_first_chunk()?;
        let (score, rest) = rest.split_first_chunk()?;
        let (&[has_points, mirrored], points) = rest.split_first_chunk()?;
        let sample = Sample {
            occupied: u64::from_le_bytes(*occupied),
            threatened: u64::from_le_bytes(*threatened),
            pieces: *pieces,
            score: i16::from_le_bytes(*score),
            has_points,
            mirrored,
            points: f32::from_le_bytes(points.try_into().ok()?),
        };
        sample.is_position().then_some(sample)
    }

    fn is_position(&self) -> bool {
        let count = self.piece_count();
        let codes = (0..count.min(MAX_PIECES)).map(|index| self.piece_code(index));
        let kings =
            |color: u8| codes.clone().filter(|&code| code == Role::King as u8 | color).count();
        count <= MAX_PIECES
            && codes.clone().all(|code| (1..=6).contains(&(code & !OTHER_SIDE)))
            && [0, OTHER_SIDE].into_iter().all(|color| kings(color) == 1)
            && self.threatened & !self.occupied == 0
            && self.score().clamp_static() == self.score()
            && self.has_points <= 1
            && self.mirrored <= 3
            && (0.0..=1.0).contains(&self.points)
    }

    /// Four bits of the piece with this index.
    fn piece_code(&self, index: usize) -> u8 {
        self.pieces[index / 2] >> (index % 2 * 4) & 15
    }

    /// Score of the search for the side to move.
    pub fn score(&self) -> Score {
        Score::new(i32::from(self.score))
    }

    /// Replaces the score for the side to move, which must be a static one.
    pub(super) fn with_score(self, score: Score) -> Sample {
        Sample { score: score.centipawns() as i16, ..self }
    }

    /// Replaces the points of the side to move, 0 to 1.
    pub(super) fn with_points(self, points: f32) -> Sample {
        Sample { has_points: 1, points, ..self }
    }

    /// Points of the side to move, 0 to 1, if known.
    pub fn points(&self) -> Option<f32> {
        (self.has_points != 0).then_some(self.points)
    }

    /// Number of pieces on the board, including pawns and kings.
    pub fn piece_count(&self) -> usize {
        Bitboard(self.occupied).count()
    }

    /// Returns the pieces, turned so that the side to move is White.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Bitboard(self.occupied).into_iter().enumerate().map(|(index, square)| {
            let bits = self.piece_code(index);
            let color = Color::from_white(bits & OTHER_SIDE == 0);
            let role = Role::ALL[usize::from((bits & 7).saturating_sub(1)).min(5)];
            (square, Piece { color, role })
        })
    }

    /// Computes the active features.
    pub fn features(&self) -> Features {
        let king = |color: Color| {
            let of_color = |&(_, piece): &(Square, Piece)| piece == Role::King.of(color);
            self.pieces().find(of_color).map_or_else(View::default, |(at, _)| View::new(color, at))
        };
        let [own, other] = [king(Color::White), king(Color::Black)];
        let mut features = Features::default();
        for (square, piece) in self.pieces() {
            features.own.push(own.input(Color::White, piece, square) as u16);
            features.other.push(other.input(Color::Black, piece, square) as u16);
            if Bitboard(self.threatened).contains(square) {
                let threat = |view: View, color| THREATS + view.feature(color, piece, square);
                features.own.push(threat(own, Color::White) as u16);
                features.other.push(threat(other, Color::Black) as u16);
            }
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;

    fn sample(fen: &str) -> Sample {
        let chess = parse_fen_any(fen).unwrap();
        Sample::from_board(chess.board(), chess.turn(), -35, Some(1.0)).unwrap()
    }

    #[test]
    fn an_unpacked_position_equals_the_packed_one() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let sample = sample(fen);
        let board: Board = sample.pieces().collect();
        assert_eq!(&board, parse_fen_any(fen).unwrap().board());
        assert_eq!(
            (sample.score(), sample.points(), sample.piece_count()),
            (Score::new(-35), Some(1.0), 32)
        );
        assert_eq!(size_of::<Sample>(), 40);
    }

    #[test]
    fn a_sample_in_a_file_is_as_it_is_in_memory() {
        let sample = sample("4k3/pp6/8/3q4/8/8/5PPP/R5K1 b - - 3 20");
        let bytes = sample.to_bytes();
        assert_eq!(Sample::from_bytes(bytes), Some(sample));
        if cfg!(target_endian = "little") {
            assert_eq!(bytes, bytemuck::bytes_of(&sample));
        }
    }

    #[test]
    fn the_script_that_labels_samples_reads_the_same_bytes() {
        let script = include_str!("teacher.py");
        let (_, fields) = script.split_once("np.dtype(").expect("it describes a sample");
        let fields = fields.split_once("\n)").expect("the description ends").0;
        let names =
            fields.lines().filter_map(|line| line.trim().strip_prefix("(\"")?.split('"').next());
        let types = ["<u8", "<u8", "u1\", 16", "<i2", "u1", "u1", "<f4"];
        let found: Vec<&str> = names.collect();
        let fields_here =
            ["occupied", "threatened", "pieces", "score", "has_points", "mirrored", "points"];
        assert_eq!(found, fields_here);
        let places = [
            std::mem::offset_of!(Sample, occupied),
            std::mem::offset_of!(Sample, threatened),
            std::mem::offset_of!(Sample, pieces),
            std::mem::offset_of!(Sample, score),
            std::mem::offset_of!(Sample, has_points),
            std::mem::offset_of!(Sample, mirrored),
            std::mem::offset_of!(Sample, points),
        ];
        assert_eq!(places, [0, 8, 16, 32, 34, 35, 36]);
        for (name, kind) in fields_here.into_iter().zip(types) {
            assert!(fields.contains(&format!("(\"{name}\", \"{kind}")), "{name}");
        }
    }

    #[test]
    fn bytes_that_are_no_position_are_refused() {
        let bytes = sample("4k3/pp6/8/3q4/8/8/5PPP/R5K1 b - - 3 20").to_bytes();
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes;
            bytes[at] = byte;
            Sample::from_bytes(bytes)
        };
        assert!(with(32, 1).is_some(), "another score");
        // A square more, a threatened square without a piece, a piece without a role, a second king, a score
        // of mate, and fields out of their ranges.
        let broken =
            [(3, 255), (12, 255), (16, 0), (16, 0x66), (33, 127), (34, 2), (35, 4), (39, 127)];
        for (at, byte) in broken {
            assert_eq!(with(at, byte), None, "{at}");
        }
    }

    #[test]
    fn a_sample_is_the_same_with_colours_exchanged() {
        let black = sample("4k3/pp6/8/3q4/8/8/5PPP/R5K1 b - - 3 20");
        let white = sample("r5k1/5ppp/8/8/3Q4/8/PP6/4K3 w - - 3 20");
        assert_eq!(black, white);
    }

    #[test]
    fn the_features_equal_those_of_the_engine() {
        let fen = "4k3/pp6/8/3q4/8/8/5PPP/R5K1 b - - 3 20";
        let (chess, features) = (parse_fen_any(fen).unwrap(), sample(fen).features());
        let of = |color: Color| -> Vec<u16> {
            let view = View::new(color, chess.board().king_of(color).unwrap());
            let threatened = threatened(chess.board(), &Attacks::of_both(chess.board()));
            let of_piece = |(square, piece)| {
                let threat = THREATS + view.feature(color, piece, square);
                let threat = threatened.contains(square).then_some(threat);
                let input = view.input(color, piece, square);
                [input].into_iter().chain(threat).map(|feature| feature as u16)
            };
            let mut all: Vec<u16> = chess.board().into_iter().flat_map(of_piece).collect();
            all.sort_unstable();
            all
        };
        let sorted = |mut features: ArrayVec<u16, MAX_FEATURES>| {
            features.sort_unstable();
            features.to_vec()
        };
        assert_eq!(sorted(features.own), of(Color::Black));
        assert_eq!(sorted(features.other), of(Color::White));
    }
}
