//! A game as it is stored: a start, a result, and moves with scores.

use shakmaty::packed::PackedSetup;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup as _};
use shakmaty::{Position as _, PositionError};

use super::frame::Fields;
use crate::engine::position::{MAX_PIECES_OF_A_SIDE, PackedMove};
use crate::engine::units::Score;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

/// A move with what the search that chose it thought of the position before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move played, which is the search's best.
    pub mv: PackedMove,
    /// The search's score of the position before the move, from White's point of view.
    pub score: Score,
}

/// A game of self-play, from the end of its random opening on.
///
/// The body of its frame: the game's number (4 bytes); flags (1), of which bits 0 and 1 are the
/// result (0 Black won, 1 draw, 2 White won), bit 2 says Chess960 and bit 3 played out; a length (1)
/// and as many bytes of the start in shakmaty's packed form, which keeps the side to move, the
/// squares of the rooks that may castle, the en passant square and both counters of moves; then 4
/// bytes a position: the move's sixteen bits as [`PackedMove`] describes them, and White's score in
/// centipawns (signed), mates being what [`Score`] makes of them, or [`ScoredMove::NO_LABEL`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Its number within the run that its header describes.
    pub number: u32,
    /// The first position that was searched.
    pub start: Chess,
    pub result: GameResult,
    /// Whether it was played to its end by the rules, when other games would have been decided by
    /// their scores.
    pub is_played_out: bool,
    /// The moves with their scores.
    pub moves: Vec<ScoredMove>,
}

impl ScoredMove {
    /// In the place of a score: the position is not to be learned from. No search returns it.
    pub const NO_LABEL: Score = Score::INFINITE;
}

const CHESS960: u8 = 4;
const PLAYED_OUT: u8 = 8;

impl GameResult {
    /// The result if `winner` won, a draw without one.
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// The result as the winner's points seen by `color`: 0, 0.5 or 1.
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
    /// What happened, as bytes: two games with the same bytes are the same game, whatever their
    /// numbers.
    ///
    /// # Panics
    ///
    /// Panics if the start is no position of a game, such as one with pieces in hand.
    pub fn to_bytes(&self) -> Vec<u8> {
        let flags = [
            (CHESS960, self.start.castles().mode().is_chess960()),
            (PLAYED_OUT, self.is_played_out),
        ];
        let flags = flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag));
        let flags = flags.fold(self.result as u8, |flags, flag| flags | flag);
        let start = PackedSetup::pack_standard(&self.start.to_setup(EnPassantMode::Legal))
            .expect("every position of chess can be packed");
        let start = start.as_bytes();
        let mut bytes = Vec::with_capacity(2 + start.len() + 4 * self.moves.len());
        bytes.extend([flags, start.len() as u8]);
        bytes.extend(start);
        for scored in &self.moves {
            bytes.extend(PackedMove::to_bits(Some(scored.mv)).to_le_bytes());
            let score = scored.score.clamp(-Score::INFINITE, Score::INFINITE).centipawns() as i16;
            bytes.extend(score.to_le_bytes());
        }
        bytes
    }

    pub(super) fn to_body(&self) -> Vec<u8> {
        [&self.number.to_le_bytes()[..], &self.to_bytes()].concat()
    }

    /// `None` if these bytes are no game. Whether its moves are legal shows when it is replayed.
    pub(super) fn from_body(body: &[u8]) -> Option<Game> {
        let mut fields = Fields(body);
        let number = u32::from_le_bytes(fields.array()?);
        let flags = fields.byte()?;
        let mode = CastlingMode::from_chess960(flags & CHESS960 != 0);
        let result = GameResult::from_bits(flags & !(CHESS960 | PLAYED_OUT))?;
        let start = unpack(fields.short()?, mode)?;
        let (moves, []) = fields.0.as_chunks() else {
            return None;
        };
        let moves = moves.iter().map(|&[a, b, c, d]| {
            let mv = PackedMove::from_bits(u16::from_le_bytes([a, b]))?;
            let score = Score::new(i32::from(i16::from_le_bytes([c, d])));
            let is_a_score = (Score::MINUS_INFINITE..=Score::INFINITE).contains(&score);
            is_a_score.then_some(ScoredMove { mv, score })
        });
        Some(Game {
            number,
            start,
            result,
            is_played_out: flags & PLAYED_OUT != 0,
            moves: moves.collect::<Option<_>>()?,
        })
    }
}

/// Plies since the beginning of the game, the opening's included.
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
