//! What a search reports: events on its way and an outcome at its end, as plain values.

use std::time::Duration;

use shakmaty::Move;

use crate::tablebases::TablebaseError;
use crate::units::{Depth, Score};

/// How the score of a search relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most the score (the search failed low).
    Upper = 1,
    /// The true value is at least the score (the search failed high).
    Lower = 2,
    /// The score is the value.
    Exact = 3,
}

/// An event of a search that is under way. Before it answers, it reports its lines once more as
/// they are at that moment, or that there is no move.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line was searched to a depth, or failed high or low on the way there.
    Line(Line),
    /// The main thread begins to search this move of the root; reported only in long searches.
    CurrentMove {
        /// Depth of the iteration in plies.
        depth: Depth,
        /// The root move that is searched next.
        mv: Move,
        /// Its number in the order, from 1.
        number: usize,
    },
    /// How far the search is, reported once a second while there is nothing else to report.
    Progress(Progress),
    /// No move is legal; the score is that of mate or stalemate.
    NoMove(Score),
    /// A mate that was asked for was not found.
    NoMateFound {
        /// The full moves within which it was wanted.
        moves: u32,
        /// Whether it is proven that there is none; otherwise that is undecided.
        excluded: bool,
    },
    /// A file of endgame tables is broken; the engine goes on without tables.
    TablebasesFailed(TablebaseError),
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Positions entered so far by all threads.
    pub nodes: u64,
    /// Positions found in the endgame tables so far by all threads.
    pub tablebase_hits: u64,
    /// Fill of the transposition table in permille, entries of this search only.
    pub hashfull: usize,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// One line of play with its score.
#[derive(Clone, Debug)]
pub struct Line {
    /// Depth of the iteration in plies.
    pub depth: Depth,
    /// The greatest distance from the root that was reached, in plies.
    pub seldepth: usize,
    /// Rank among the lines asked for, from 1.
    pub rank: usize,
    /// The score for the side to move at the root, in centipawns of the search;
    /// [`WDL_MODEL`](crate::evaluation::wdl::WDL_MODEL) makes of them those that are shown.
    pub score: Score,
    /// What the score means; inexact if an aspiration window was left.
    pub bound: Bound,
    /// How far the search was when it found the line.
    pub progress: Progress,
    /// The moves: legal one after another, ending where the game ends.
    pub moves: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move to play; `None` if there is no legal move.
    pub best: Option<Move>,
    /// The reply that is expected, for pondering.
    pub ponder: Option<Move>,
    /// The score of the best move for the side to move, in centipawns of the search.
    pub score: Score,
    /// The last iteration that was finished.
    pub depth: Depth,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// Nodes per second; a time too short to be measured counts as a microsecond.
pub fn nodes_per_second(nodes: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_even_when_no_time_has_passed() {
        assert_eq!(nodes_per_second(500, Duration::from_millis(250)), 2000);
        assert_eq!(nodes_per_second(3, Duration::ZERO), 3_000_000);
        assert_eq!(nodes_per_second(u64::MAX, Duration::ZERO), u64::MAX);
    }
}
