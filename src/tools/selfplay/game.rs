//! A stored game: a start position, a result, and moves with scores.

use shakmaty::packed::PackedSetup;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup as _};
use shakmaty::{Position as _, PositionError};

use super::frame::Fields;
use outrider_engine::position::{MAX_PIECES_OF_A_SIDE, PackedMove};
use outrider_engine::units::Score;

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Black won.
    BlackWins = 0,
    /// A draw.
    Draw = 1,
    /// White won.
    WhiteWins = 2,
}

/// A move with the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move played, which is the best move of the search.
    pub mv: PackedMove,
    /// Score of the position before the move, from White's point of view.
    pub score: Score,
}

/// A position off the line of play, reached by a random move from a position of the game. It was
/// searched but not played on, so its result is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deviation {
    /// Ply of the game, from 0, at which the random move replaces the move played.
    pub ply: u16,
    /// The random move.
    pub mv: PackedMove,
    /// Best move and score in the position after the random move.
    pub found: ScoredMove,
}

/// A game of self-play, beginning after its random opening.
///
/// The body of its frame:
///
/// - the game's number (4 bytes);
/// - flags (1): bits 0 and 1 are the result (0 Black won, 1 draw, 2 White won), bit 2 Chess960, bit 3
///   played out, bit 4 has deviations;
/// - a length (1) and as many bytes of the start position in shakmaty's packed form, which includes the
///   side to move, the squares of the rooks that may castle, the en passant square and both move
///   counters;
/// - if bit 4 is set, the number of deviations (2) and 8 bytes for each: the ply (2), the random move (2)
///   and a position (4);
/// - the positions of the game.
///
/// A position is 4 bytes: the move (2) as [`PackedMove`] describes it, and White's score (2, signed) in
/// centipawns, with mates as in [`Score`], or [`ScoredMove::NO_LABEL`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Number of the game within the run that the header describes.
    pub number: u32,
    /// The first position that was searched.
    pub start: Chess,
    /// Result by the rules or by adjudication.
    pub result: GameResult,
    /// The game was played to its end by the rules, without adjudication.
    pub is_played_out: bool,
    /// The moves with their scores.
    pub moves: Vec<ScoredMove>,
    /// Positions off the line of play, in the order of their plies.
    pub deviations: Vec<Deviation>,
}

impl ScoredMove {
    /// Replaces the score of a position that must not be trained on. No search returns it.
    pub const NO_LABEL: Score = Score::INFINITE;

    fn to_bytes(self) -> [u8; 4] {
        let [a, b] = PackedMove::to_bits(Some(self.mv)).to_le_bytes();
        let score = self.score.clamp(-Score::INFINITE, Score::INFINITE).centipawns() as i16;
        let [c, d] = score.to_le_bytes();
        [a, b, c, d]
    }

    fn from_bytes([a, b, c, d]: [u8; 4]) -> Option<ScoredMove> {
        let mv = PackedMove::from_bits(u16::from_le_bytes([a, b]))?;
        let score = Score::new(i32::from(i16::from_le_bytes([c, d])));
        let is_a_score = (Score::MINUS_INFINITE..=Score::INFINITE).contains(&score);
        is_a_score.then_some(ScoredMove { mv, score })
    }
}

impl Deviation {
    fn to_bytes(self) -> [u8; 8] {
        let [a, b] = self.ply.to_le_bytes();
        let [c, d] = PackedMove::to_bits(Some(self.mv)).to_le_bytes();
        let [e, f, g, h] = self.found.to_bytes();
        [a, b, c, d, e, f, g, h]
    }

    fn from_fields(fields: &mut Fields) -> Option<Deviation> {
        let ply = u16::from_le_bytes(fields.array()?);
        let mv = PackedMove::from_bits(u16::from_le_bytes(fields.array()?))?;
        Some(Deviation { ply, mv, found: ScoredMove::from_bytes(fields.array()?)? })
    }
}

const CHESS960: u8 = 4;
const PLAYED_OUT: u8 = 8;
const DEVIATIONS: u8 = 16;

impl GameResult {
    /// Returns the result if `winner` won; a draw if it is `None`.
    pub fn from_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// Points of `color`: 0, 0.5 or 1.
    pub fn points_for(self, color: Color) -> f32 {
        let white = f32::from(self as u8) / 2.0;
        color.fold_wb(white, 1.0 - white)
    }

    fn from_bits(bits: u8) -> Option<GameResult> {
        [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins]
            .into_iter()
            .find(|&result| result as u8 == bits)
    }
}

impl Game {
    /// Encodes the game without its number: two games with the same bytes are the same game.
    ///
    /// # Panics
    ///
    /// Panics if the start position cannot be packed, for example with pieces in hand.
    pub fn to_bytes(&self) -> Vec<u8> {
        let flags = [
            (CHESS960, self.start.castles().mode().is_chess960()),
            (PLAYED_OUT, self.is_played_out),
            (DEVIATIONS, !self.deviations.is_empty()),
        ];
        let flags = flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag));
        let flags = flags.fold(self.result as u8, |flags, flag| flags | flag);
        let start = self.packed_start();
        let start = start.as_bytes();
        let mut bytes =
            Vec::with_capacity(4 + start.len() + 8 * self.deviations.len() + 4 * self.moves.len());
        bytes.extend([flags, start.len() as u8]);
        bytes.extend(start);
        if !self.deviations.is_empty() {
            // A game with more deviations does not fit into a frame.
            bytes.extend((self.deviations.len() as u16).to_le_bytes());
            bytes.extend(self.deviations.iter().flat_map(|deviation| deviation.to_bytes()));
        }
        bytes.extend(self.moves.iter().flat_map(|scored| scored.to_bytes()));
        bytes
    }

    /// Encodes the start position and the moves without scores: relabelling does not change these bytes.
    ///
    /// # Panics
    ///
    /// Panics in the same cases as [`Game::to_bytes`].
    pub fn moves_to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.packed_start().as_bytes().to_vec();
        let moves = self.moves.iter().map(|scored| PackedMove::to_bits(Some(scored.mv)));
        bytes.extend(moves.flat_map(u16::to_le_bytes));
        bytes
    }

    fn packed_start(&self) -> PackedSetup {
        PackedSetup::pack_standard(&self.start.to_setup(EnPassantMode::Legal))
            .expect("every position of chess can be packed")
    }

    pub(super) fn to_body(&self) -> Vec<u8> {
        [&self.number.to_le_bytes()[..], &self.to_bytes()].concat()
    }

    /// Reads the body of a frame. Returns `None` if it is not a game. Illegal moves are found only by
    /// replaying it.
    pub(super) fn from_body(body: &[u8]) -> Option<Game> {
        let mut fields = Fields(body);
        let number = u32::from_le_bytes(fields.array()?);
        let flags = fields.byte()?;
        let mode = CastlingMode::from_chess960(flags & CHESS960 != 0);
        let result = GameResult::from_bits(flags & !(CHESS960 | PLAYED_OUT | DEVIATIONS))?;
        let start = unpack(fields.length_prefixed()?, mode)?;
        let count = if flags & DEVIATIONS == 0 { 0 } else { u16::from_le_bytes(fields.array()?) };
        let deviations: Option<Vec<_>> =
            (0..count).map(|_| Deviation::from_fields(&mut fields)).collect();
        let (moves, []) = fields.0.as_chunks() else {
            return None;
        };
        let moves = moves.iter().copied().map(ScoredMove::from_bytes);
        Some(Game {
            number,
            start,
            result,
            is_played_out: flags & PLAYED_OUT != 0,
            moves: moves.collect::<Option<_>>()?,
            deviations: deviations?,
        })
    }

    /// Number of positions, including those off the line of play.
    pub fn position_count(&self) -> u64 {
        (self.moves.len() + self.deviations.len()) as u64
    }
}

/// Number of plies played since the beginning of the game, including the opening.
pub(super) fn plies_played(chess: &Chess) -> u32 {
    let moves = chess.fullmoves().get() - 1;
    moves.saturating_mul(2).saturating_add(chess.turn().fold_wb(0, 1))
}

fn unpack(bytes: &[u8], mode: CastlingMode) -> Option<Chess> {
    let setup = PackedSetup::try_from_bytes(bytes).ok()?.unpack_standard().ok()?;
    if setup.board.white().count().max(setup.board.black().count()) > MAX_PIECES_OF_A_SIDE {
        return None;
    }
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
