//! What a session can be asked to do, as plain values, and how they are read.

use std::time::Duration;

use shakmaty::{ByColor, CastlingMode, Chess, Color, Move};

use super::message::Message;
use outrider_engine::position::Position;
use outrider_engine::position::notation::{
    MoveError, dropped_castling_rights, format_fen, parse_fen, parse_move,
};
use outrider_engine::search::{ClockTime, Limits};

/// Where a game starts and what was played since.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionRequest {
    pub start: Start,
    /// In long algebraic notation.
    pub moves: Vec<String>,
}

/// The first position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// The initial position of standard chess.
    #[default]
    Initial,
    /// Not yet checked.
    Fen(String),
}

impl PositionRequest {
    /// Plays the game; the message names what was left out of its start.
    ///
    /// # Errors
    ///
    /// Fails if the FEN or one of the moves is wrong.
    pub fn play(&self, chess960: bool) -> Result<(Position, Option<Message>), Message> {
        let (start, message) = self.start.read(CastlingMode::from_chess960(chess960))?;
        let mut position = Position::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            let mv = parse_move(position.chess(), text)
                .map_err(|error| Message::MoveRefused { number: index + 1, error })?;
            position.push(mv);
        }
        Ok((position, message))
    }
}

impl Start {
    fn read(&self, mode: CastlingMode) -> Result<(Chess, Option<Message>), Message> {
        match self {
            Start::Fen(fen) => {
                let chess = parse_fen(fen, mode)?;
                let left_out = dropped_castling_rights(fen, &chess);
                Ok((chess, left_out.map(|(given, kept)| Message::CastlingLeftOut { given, kept })))
            }
            // The mode belongs to the position, and the usual start comes with the standard one.
            Start::Initial if mode.is_chess960() => {
                Ok((parse_fen(&format_fen(&Chess::default()), mode)?, None))
            }
            Start::Initial => Ok((Chess::default(), None)),
        }
    }
}

/// What a search is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchRequest {
    /// What ends the search. The session fills in the clock, the moves to search, and what the
    /// settings say.
    pub limits: Limits,
    pub clocks: Clocks,
    /// Search only these moves, in long algebraic notation; empty for all.
    pub search_moves: Vec<String>,
    /// What a player of limited strength misses in this game follows from it. Without one the session
    /// draws it, again each time that the engine forgets.
    pub game_seed: Option<u64>,
}

/// The clocks of a game, as far as they were given; times are as the clock shows them, before any
/// overhead is taken off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    pub remaining: ByColor<Option<Duration>>,
    /// Time added after each move of a side.
    pub increment: ByColor<Option<Duration>>,
    /// Moves until time is added to both clocks.
    pub moves_to_go: Option<u32>,
}

impl SearchRequest {
    /// The legal ones of the moves to search, each once, with a message on the others.
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

    /// Whether a move is wanted to play at once in a game, and the engine is free in its choice.
    pub(super) fn may_use_book(&self) -> bool {
        let limits = &self.limits;
        !limits.infinite && !limits.ponder && limits.mate.is_none() && self.search_moves.is_empty()
    }

    /// Whether anything but `stop` ends the search, or nothing is meant to.
    pub(crate) fn has_limit(&self) -> bool {
        let limits = &self.limits;
        limits.infinite
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.move_time.is_some()
            || self.clocks.any_given()
    }
}

impl Clocks {
    fn any_given(&self) -> bool {
        self.remaining.iter().chain(self.increment.iter()).any(Option::is_some)
    }

    /// The clock of one side. If any clock was given, the game is played by the clock, so a time
    /// that is missing then means none left, not no limit.
    pub(super) fn for_side(&self, color: Color) -> Option<ClockTime> {
        self.any_given().then(|| ClockTime {
            remaining: self.remaining.get(color).unwrap_or_default(),
            increment: self.increment.get(color).unwrap_or_default(),
            // Some programs send 0 where no moves are counted.
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn each_side_searches_by_its_own_clock() {
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
    fn without_clocks_no_time_is_shared_out() {
        let clocks = Clocks { moves_to_go: Some(3), ..Clocks::default() };
        assert_eq!(clocks.for_side(Color::White), None);
    }

    #[test]
    fn a_side_whose_clock_is_not_given_does_not_search_forever() {
        let remaining = ByColor { white: Some(SECOND), black: None };
        let clock = Clocks { remaining, ..Clocks::default() }.for_side(Color::Black);
        assert_eq!(clock.map(|clock| clock.remaining), Some(Duration::ZERO));
    }
}
