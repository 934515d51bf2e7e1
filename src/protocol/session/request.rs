//! What a session can be asked to do, as plain values.

use std::time::{Duration, Instant};

use shakmaty::{Color, Move};

use super::settings::Settings;
use crate::engine::search::{ClockTime, Limits};
use crate::engine::units::Depth;

/// Where a game starts and what was played since.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionRequest {
    /// The first position.
    pub start: Start,
    /// The moves played from it, in long algebraic notation.
    pub moves: Vec<String>,
}

/// The first position of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// The initial position of standard chess.
    #[default]
    Initial,
    /// A position given as FEN, not yet checked.
    Fen(String),
}

/// What a search is asked for. Times are as the clock says, before any overhead is taken off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchRequest {
    /// Depth in plies to search to.
    pub depth: Option<Depth>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Full moves within which a mate is wanted.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// White's time left.
    pub white_time: Option<Duration>,
    /// Black's time left.
    pub black_time: Option<Duration>,
    /// White's increment.
    pub white_increment: Option<Duration>,
    /// Black's increment.
    pub black_increment: Option<Duration>,
    /// Moves until time is added to the clocks.
    pub moves_to_go: Option<u32>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Search only these moves, in long algebraic notation; empty for all.
    pub search_moves: Vec<String>,
}

impl SearchRequest {
    /// The limits that this request means for the side to move.
    pub(super) fn limits(
        &self,
        turn: Color,
        search_moves: Vec<Move>,
        settings: &Settings,
        seed: u64,
        started: Instant,
    ) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            move_time: self.move_time,
            clock: self.clock(turn),
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            started,
            ..settings.limits(seed)
        }
    }

    /// Whether a move is wanted to play at once in a game, and the engine is free in its choice.
    pub(super) fn may_use_book(&self) -> bool {
        !self.infinite && !self.ponder && self.mate.is_none() && self.search_moves.is_empty()
    }

    /// Whether anything but `stop` ends the search, or nothing is meant to.
    pub fn has_limit(&self) -> bool {
        let clocks = [self.white_time, self.black_time, self.white_increment, self.black_increment];
        self.infinite
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || clocks.iter().any(Option::is_some)
    }

    /// The clock of the side to move. If any clock is told, the game is played by the clock, so a
    /// time that is missing then is taken for none left rather than for no limit.
    fn clock(&self, turn: Color) -> Option<ClockTime> {
        let times = [self.white_time, self.black_time, self.white_increment, self.black_increment];
        times.iter().any(Option::is_some).then(|| ClockTime {
            remaining: turn.fold_wb(self.white_time, self.black_time).unwrap_or_default(),
            increment: turn.fold_wb(self.white_increment, self.black_increment).unwrap_or_default(),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits(request: &SearchRequest, turn: Color) -> Limits {
        request.limits(turn, Vec::new(), &Settings::default(), 0, Instant::now())
    }

    #[test]
    fn each_side_searches_by_its_own_clock() {
        let request = SearchRequest {
            white_time: Some(60 * SECOND),
            black_time: Some(30 * SECOND),
            white_increment: Some(SECOND),
            moves_to_go: Some(12),
            ..SearchRequest::default()
        };
        let white = ClockTime { remaining: 60 * SECOND, increment: SECOND, moves_to_go: Some(12) };
        let black =
            ClockTime { remaining: 30 * SECOND, increment: Duration::ZERO, moves_to_go: Some(12) };
        assert_eq!(limits(&request, Color::White).clock, Some(white));
        assert_eq!(limits(&request, Color::Black).clock, Some(black));
    }

    #[test]
    fn without_clocks_no_time_is_shared_out() {
        let request = SearchRequest { moves_to_go: Some(3), ..SearchRequest::default() };
        assert_eq!(limits(&request, Color::White).clock, None);
    }

    #[test]
    fn a_side_whose_clock_is_not_told_does_not_search_forever() {
        let request = SearchRequest { white_time: Some(SECOND), ..SearchRequest::default() };
        let clock = limits(&request, Color::Black).clock;
        assert_eq!(clock.map(|clock| clock.remaining), Some(Duration::ZERO));
    }
}
