//! Requests to a session as plain values: positions and searches.

use std::time::Duration;

use shakmaty::{ByColor, CastlingMode, Chess, Color, Move};
use thiserror::Error;

use super::message::Message;
use outrider_engine::position::Position;
use outrider_engine::position::notation::{
    FenError, MoveError, dropped_castling_rights, format_fen, parse_fen, parse_move,
};
use outrider_engine::search::{ClockTime, Limits};

/// The start of a game and its moves so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionRequest {
    /// First position of the game.
    pub start: Start,
    /// Moves played since, in long algebraic notation.
    pub moves: Vec<String>,
}

/// The first position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// The initial position of standard chess.
    #[default]
    Initial,
    /// A FEN, not yet checked.
    Fen(String),
}

/// Reason why a position cannot be set.
#[derive(Debug, Error)]
pub enum PositionError {
    /// The FEN cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of the game cannot be played.
    #[error("move {number} of the position: {error}")]
    Move {
        /// Number of the move in the list, from 1.
        number: usize,
        /// Reason of the refusal.
        error: MoveError,
    },
    /// The request has no position that could be read. The field says why.
    #[error("{0}")]
    Request(String),
}

impl PositionRequest {
    /// Plays the game. Returns its position, and a message if castling rights were left out.
    ///
    /// # Errors
    ///
    /// Fails if the FEN or one of the moves is invalid.
    pub fn play(&self, chess960: bool) -> Result<(Position, Option<Message>), PositionError> {
        let (start, message) = self.start.read(CastlingMode::from_chess960(chess960))?;
        let mut position = Position::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            let mv = parse_move(position.chess(), text)
                .map_err(|error| PositionError::Move { number: index + 1, error })?;
            position.push(mv);
        }
        Ok((position, message))
    }
}

impl Start {
    fn read(&self, mode: CastlingMode) -> Result<(Chess, Option<Message>), FenError> {
        match self {
            Start::Fen(fen) => {
                let chess = parse_fen(fen, mode)?;
                let left_out = dropped_castling_rights(fen, &chess);
                Ok((chess, left_out.map(|(given, kept)| Message::CastlingLeftOut { given, kept })))
            }
            // A position has a castling mode; that of `Chess::default` is the standard one.
            Start::Initial if mode.is_chess960() => {
                Ok((parse_fen(&format_fen(&Chess::default()), mode)?, None))
            }
            Start::Initial => Ok((Chess::default(), None)),
        }
    }
}

/// Limits, clocks and moves of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchRequest {
    /// Limits of the search. The session fills in the clock, the moves to search and the values of
    /// the settings.
    pub limits: Limits,
    /// Clocks of both sides.
    pub clocks: Clocks,
    /// Moves to search, in long algebraic notation; empty for all.
    pub search_moves: Vec<String>,
    /// Seed of the errors of a player of limited strength in this game. If `None`, the session uses
    /// its own, which changes with each [`EngineChange::Forget`](super::EngineChange::Forget).
    pub game_seed: Option<u64>,
}

/// Clocks of a game, as far as they are known. Times are those on the clock; no overhead has been
/// subtracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left of each side.
    pub remaining: ByColor<Option<Duration>>,
    /// Time added after each move of a side.
    pub increment: ByColor<Option<Duration>>,
    /// Moves until time is added to both clocks.
    pub moves_to_go: Option<u32>,
}

impl SearchRequest {
    /// Returns the legal moves to search, each once, and a message about the others.
    pub(super) fn legal_search_moves(&self, chess: &Chess) -> (Vec<Move>, Option<Message>) {
        let mut moves = Vec::new();
        let mut wrong: Vec<MoveError> = Vec::new();
        for text in &self.search_moves {
            match parse_move(chess, text) {
                Ok(mv) if !moves.contains(&mv) => moves.push(mv),
                Ok(_) => {}
                Err(error) => wrong.push(error),
            }
        }
        let left_out = wrong.len();
        let message = wrong.into_iter().next().map(|first| {
            if moves.is_empty() {
                Message::SearchMovesIgnored { first }
            } else {
                Message::SearchMovesLeftOut { first, left_out }
            }
        });
        (moves, message)
    }

    /// A book move may be played: the search is not infinite, does not ponder or look for a mate, and
    /// is not restricted to some moves.
    pub(super) fn may_use_book(&self) -> bool {
        let limits = &self.limits;
        !limits.infinite && !limits.ponder && limits.mate.is_none() && self.search_moves.is_empty()
    }

    /// Returns true if the search has a limit other than `stop`, or is infinite on purpose.
    pub(crate) fn has_limit(&self) -> bool {
        self.limits.infinite || self.limits.has_limit() || self.clocks.any_given()
    }
}

impl Clocks {
    fn any_given(&self) -> bool {
        self.remaining.iter().chain(self.increment.iter()).any(Option::is_some)
    }

    /// Returns the clock of one side, or `None` without any clock. If only the other side's clock is
    /// known, this side has no time left rather than no limit.
    pub(super) fn for_side(&self, color: Color) -> Option<ClockTime> {
        self.any_given().then(|| ClockTime {
            remaining: self.remaining.get(color).unwrap_or_default(),
            increment: self.increment.get(color).unwrap_or_default(),
            // Some programs send 0 if there is no next time control.
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn each_side_has_its_own_clock() {
        let clocks = Clocks {
            remaining: ByColor { white: Some(60 * SECOND), black: Some(30 * SECOND) },
            increment: ByColor { white: Some(SECOND), black: None },
            moves_to_go: Some(12),
        };
        let white = ClockTime { remaining: 60 * SECOND, increment: SECOND, moves_to_go: Some(12) };
        let black =
            ClockTime { remaining: 30 * SECOND, increment: Duration::ZERO, moves_to_go: Some(12) };
        assert_eq!(clocks.for_side(Color::White), Some(white));
        assert_eq!(clocks.for_side(Color::Black), Some(black));
    }

    #[test]
    fn moves_to_go_without_clocks_give_no_time_limit() {
        let clocks = Clocks { moves_to_go: Some(3), ..Clocks::default() };
        assert_eq!(clocks.for_side(Color::White), None);
    }

    #[test]
    fn a_side_without_a_clock_has_no_time_if_the_other_side_has_one() {
        let remaining = ByColor { white: Some(SECOND), black: None };
        let clock = Clocks { remaining, ..Clocks::default() }.for_side(Color::Black);
        assert_eq!(clock.map(|clock| clock.remaining), Some(Duration::ZERO));
    }
}
