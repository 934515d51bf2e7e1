//! The limits of a search and its other settings.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use shakmaty::Move;

use super::strength_limit::StrengthLimit;
use crate::tablebases::TablebaseRules;
use crate::units::Depth;

/// Hard limit of nodes as a multiple of the soft limit in [`Limits::soft_nodes()`].
const HARD_LIMIT_FACTOR: u64 = 8;

/// Limits and settings of one search. The limit reached first ends it. Without limits it goes on to
/// the greatest depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Ends after the iteration of this depth.
    pub depth: Option<Depth>,
    /// Ends after this number of nodes (positions entered) of all threads together.
    pub nodes: Option<u64>,
    /// Begins no further iteration after this number of nodes of all threads together.
    pub soft_nodes: Option<u64>,
    /// Ends after a mate in at most this number of full moves is found.
    pub mate: Option<u32>,
    /// Uses exactly this time, less the overhead.
    pub move_time: Option<Duration>,
    /// Uses a share of the time on the clock.
    pub clock: Option<ClockTime>,
    /// Does not return before a stop, even if there is nothing left to search.
    pub infinite: bool,
    /// Searches on the opponent's time: before [`Control::ponder_hit`](super::Control::ponder_hit)
    /// or a stop, the search does not return, and time limits do not apply unless time is short.
    pub ponder: bool,
    /// Root moves to search; empty for all.
    pub search_moves: Vec<Move>,
    /// Number of best lines to find (MultiPV), at least 1.
    pub lines: usize,
    /// Scores fade towards a draw as the fifty-move count rises. That is right for play, but a
    /// network trained on scores must not learn the count.
    pub fade_scores: bool,
    /// Rules for probing endgame tables, if the engine has some.
    pub tablebases: TablebaseRules,
    /// Limit of the playing strength.
    pub strength_limit: Option<StrengthLimit>,
    /// Time between the engine's answer and the stop of its clock.
    pub move_overhead: Duration,
    /// Time at which the clock started; `None` for the start of the search.
    pub started: Option<Instant>,
    /// Measures time in nodes and reads no other clock.
    pub node_time: Option<NodeTime>,
}

/// Time measured in nodes (`nodestime` in Stockfish, 2015). It makes games independent of the speed
/// and the load of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeTime {
    /// Number of nodes that count as a millisecond.
    pub per_millisecond: NonZeroU32,
}

impl NodeTime {
    /// Converts nodes to time.
    pub fn to_duration(self, nodes: u64) -> Duration {
        Duration::from_micros(nodes.saturating_mul(1_000) / u64::from(self.per_millisecond.get()))
    }

    /// Converts time to nodes.
    pub fn to_nodes(self, time: Duration) -> u64 {
        let nodes = time.as_micros() * u128::from(self.per_millisecond.get()) / 1_000;
        u64::try_from(nodes).unwrap_or(u64::MAX)
    }
}

/// The game clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTime {
    /// Time left on the clock.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Default for Limits {
    /// No limits, one line.
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            lines: 1,
            fade_scores: true,
            tablebases: TablebaseRules::default(),
            strength_limit: None,
            move_overhead: Duration::ZERO,
            started: None,
            node_time: None,
        }
    }
}

/// Number of moves for which the clock is assumed to last, and the most that `moves_to_go` counts.
const ASSUMED_MOVES: u32 = 40;

impl Limits {
    /// Returns the time planned for this move: `move_time`, or an even share of the clock plus the
    /// increment. `None` if the time is not limited. The limits of the search are not used here: they
    /// depend on the number of the move and on tuned parameters, so tuning would change the levels.
    pub(crate) fn time_for_move(&self) -> Option<Duration> {
        let of_clock = |clock: ClockTime| {
            let moves = clock.moves_to_go.unwrap_or(ASSUMED_MOVES).clamp(1, ASSUMED_MOVES);
            (clock.remaining / moves).saturating_add(clock.increment)
        };
        self.move_time.or_else(|| self.clock.map(of_clock))
    }

    /// Searches to a fixed depth in plies.
    pub fn depth(plies: i32) -> Limits {
        Limits { depth: Some(Depth::new(plies)), ..Limits::default() }
    }

    /// Searches a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Limits for training data. The search begins no further iteration after `nodes` nodes, so
    /// that most searches end with a complete iteration. It stops within an iteration only after
    /// eight times as many nodes. Scores do not fade with the fifty-move count.
    pub fn soft_nodes(nodes: u64) -> Limits {
        Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(HARD_LIMIT_FACTOR)),
            fade_scores: false,
            ..Limits::default()
        }
    }

    /// Returns true if there is a limit other than a stop.
    pub fn has_limit(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
            || self.mate.is_some()
            || self.has_time_limit()
    }

    /// Returns true if the time for this move is limited.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Searches for a fixed time.
    pub fn move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn time_converted_to_nodes_and_back_is_unchanged(
            milliseconds in 0_u64..10_000_000, rate in 1_u32..=10_000,
        ) {
            let node_time = NodeTime { per_millisecond: NonZeroU32::new(rate).unwrap() };
            let time = Duration::from_millis(milliseconds);
            prop_assert_eq!(node_time.to_duration(node_time.to_nodes(time)), time);
        }
    }

    #[test]
    fn the_time_for_a_move_is_that_of_the_move_or_an_even_share_of_the_clock() {
        let clock = |moves_to_go| Limits {
            clock: Some(ClockTime {
                remaining: Duration::from_secs(60),
                increment: Duration::from_millis(600),
                moves_to_go,
            }),
            ..Limits::default()
        };
        let milliseconds = |limits: &Limits| limits.time_for_move().map(|time| time.as_millis());
        assert_eq!(milliseconds(&clock(None)), Some(2_100));
        assert_eq!(milliseconds(&clock(Some(10))), Some(6_600));
        assert_eq!(milliseconds(&clock(Some(0))), Some(60_600));
        assert_eq!(
            milliseconds(&Limits { move_time: Some(Duration::ZERO), ..clock(None) }),
            Some(0)
        );
        assert_eq!(milliseconds(&Limits::nodes(1)), None);
    }
}
