//! The limits of a search and its other settings.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use shakmaty::Move;

use super::strength_limit::StrengthLimit;
use crate::tablebases::TablebaseRules;
use crate::units::Depth;

/// The hard limit of nodes as a multiple of the soft one, after which no iteration begins.
const HARD_LIMIT_FACTOR: u64 = 8;

/// The limits of one search. Whatever is reached first ends it; with none set it goes on to the
/// greatest depth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// End after the iteration of this depth.
    pub depth: Option<Depth>,
    /// End once this number of positions has been entered, by all threads together.
    pub nodes: Option<u64>,
    /// Begin no further iteration once this number of positions has been entered.
    pub soft_nodes: Option<u64>,
    /// End once a mate in at most this number of full moves is found.
    pub mate: Option<u32>,
    /// Use exactly this time, less the overhead.
    pub move_time: Option<Duration>,
    /// Share out the time on the clock.
    pub clock: Option<ClockTime>,
    /// Do not return before being stopped, even if there is nothing left to search.
    pub infinite: bool,
    /// Think on the opponent's time: no limit of time counts, and the search does not return,
    /// before [`Control::ponder_hit`](super::Control::ponder_hit) or a stop.
    pub ponder: bool,
    /// Search only these moves of the root; empty for all.
    pub search_moves: Vec<Move>,
    /// How many best lines to find (MultiPV), at least 1.
    pub lines: usize,
    /// Whether scores fade towards a draw as the fifty-move count rises: right for play, but a
    /// network that is trained on scores must not learn the count.
    pub fade_scores: bool,
    /// How endgame tables are probed, if the engine has some.
    pub tablebases: TablebaseRules,
    /// Limits the playing strength.
    pub strength_limit: Option<StrengthLimit>,
    /// Time that passes between our decision and the stop of the clock.
    pub move_overhead: Duration,
    /// When the time began to run; if `None`, when the search begins.
    pub started: Option<Instant>,
    /// Measure time in nodes, and look at no other clock.
    pub node_time: Option<NodeTime>,
}

/// Time that is measured in nodes, that is positions entered (`nodestime` in Stockfish, 2015): games
/// by it are the same on a slow machine and on a busy one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeTime {
    /// How many nodes count as a millisecond.
    pub per_millisecond: NonZeroU32,
}

impl NodeTime {
    /// What a number of nodes counts for.
    pub fn to_duration(self, nodes: u64) -> Duration {
        Duration::from_micros(nodes.saturating_mul(1_000) / u64::from(self.per_millisecond.get()))
    }

    /// The nodes that a time counts for.
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
    /// No limits at all, one line.
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

impl Limits {
    /// Search to a fixed depth in plies.
    pub fn depth(plies: i32) -> Limits {
        Limits { depth: Some(Depth::new(plies)), ..Limits::default() }
    }

    /// Search a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// For data to train on: begin no further iteration after this number of nodes, so that most
    /// searches end with a whole one, and stop within an iteration only after eight times as many.
    /// Scores do not fade with the fifty-move count.
    pub fn soft_nodes(nodes: u64) -> Limits {
        Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(HARD_LIMIT_FACTOR)),
            fade_scores: false,
            ..Limits::default()
        }
    }

    /// Whether the time for this move is limited.
    pub(crate) fn has_time_limit(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Search for a fixed time.
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
        fn a_time_that_was_counted_in_nodes_is_that_time_again(
            milliseconds in 0_u64..10_000_000, rate in 1_u32..=10_000,
        ) {
            let node_time = NodeTime { per_millisecond: NonZeroU32::new(rate).unwrap() };
            let time = Duration::from_millis(milliseconds);
            prop_assert_eq!(node_time.to_duration(node_time.to_nodes(time)), time);
        }
    }
}
