//! The bench: one thread searches fixed positions to a fixed depth.
//!
//! The number of nodes is a signature of the search: it changes exactly when the search does. The
//! nodes per second compare the speed of builds and machines.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::Position as _;
use thiserror::Error;

use crate::evaluation::Network;
use crate::evaluation::wdl::shown_score;
use crate::position::Position;
use crate::position::epd::{Epd, line_content};
use crate::position::notation::format_move;
use crate::search::{Control, Engine, Limits, MemoryError, Outcome, ThreadError, nodes_per_second};
use crate::units::Depth;

/// Default search depth.
pub const DEFAULT_DEPTH: Depth = Depth::new(12);

/// Size of the transposition table in megabytes.
const TABLE_MEGABYTES: usize = 16;

/// Positions from all phases of the game, in EPD.
const POSITIONS: &str = include_str!("../../epd/bench.epd");

/// Result of one position.
#[derive(Clone, Debug)]
pub struct PositionResult {
    /// Number of the position, from 1.
    pub number: usize,
    /// Number of all positions.
    pub total: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// Best move and its score, as text for people.
    pub found: String,
}

/// Totals of all positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchSummary {
    /// Checksum and description of the network.
    pub network: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent searching.
    pub elapsed: Duration,
}

/// Reasons why the bench has no result.
#[derive(Debug, Error)]
pub enum BenchError {
    /// The bench was stopped before its end.
    #[error("the bench was stopped")]
    Stopped,
    /// There is not enough memory for the transposition table.
    #[error("the bench cannot run: {0}")]
    Table(#[from] MemoryError),
    /// No thread could be started.
    #[error("the bench cannot run: {0}")]
    Thread(#[from] ThreadError),
}

impl fmt::Display for PositionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionResult { number, total, nodes, found } = self;
        write!(f, "{number:2}/{total}: {nodes:9} nodes, {found}")
    }
}

/// Writes the last lines of the bench. OpenBench and other test frameworks read the last line.
impl fmt::Display for BenchSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "network {}", self.network)?;
        write!(f, "{} nodes {} nps", self.nodes, nodes_per_second(self.nodes, self.elapsed))
    }
}

/// Searches all positions to `depth` with a new engine of one thread and this network, and reports each
/// position.
///
/// # Errors
///
/// Fails if the bench is stopped, or if there is no memory for the table or no thread to search with.
pub fn run(
    depth: Depth,
    network: Arc<Network>,
    control: &Control,
    on_result: &mut dyn FnMut(PositionResult),
) -> Result<BenchSummary, BenchError> {
    let positions = positions();
    let mut engine = Engine::new(1, TABLE_MEGABYTES)?;
    let mut summary =
        BenchSummary { network: network.to_string(), nodes: 0, elapsed: Duration::ZERO };
    engine.set_network(network);
    for (index, position) in positions.iter().enumerate() {
        let started = Instant::now();
        let outcome = engine.go(position, &Limits::depth(depth.plies()), control, &mut |_| {})?;
        summary.elapsed += started.elapsed();
        summary.nodes += outcome.nodes;
        if control.is_stopped() {
            return Err(BenchError::Stopped);
        }
        on_result(PositionResult {
            number: index + 1,
            total: positions.len(),
            nodes: outcome.nodes,
            found: best_move_and_score(position, &outcome),
        });
    }
    Ok(summary)
}

fn best_move_and_score(position: &Position, outcome: &Outcome) -> String {
    let castling = position.chess().castles().mode();
    let best = outcome.best.map_or_else(|| "(none)".to_owned(), |mv| format_move(mv, castling));
    let shown = shown_score(outcome.score);
    format!("{best} {shown}")
}

fn positions() -> Vec<Position> {
    let lines = POSITIONS.lines().filter_map(line_content);
    lines
        .map(|line| {
            let epd: Epd = line.parse().expect("the bench positions are legal");
            Position::new(epd.chess)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_at_least_forty_positions_and_each_has_a_legal_move() {
        let positions = positions();
        assert!(positions.len() >= 40);
        assert!(positions.iter().all(|position| !position.board().legal_moves().is_empty()));
    }

    #[test]
    fn the_positions_keep_their_move_counters() {
        let positions = positions();
        assert!(positions.iter().any(|position| position.chess().halfmoves() > 0));
        assert!(positions.iter().all(|position| position.chess().fullmoves().get() > 1));
    }

    #[test]
    fn two_runs_count_the_same_nodes() {
        let run = || run(Depth::new(3), Network::built_in(), &Control::default(), &mut |_| {});
        let (first, second) = (run().unwrap(), run().unwrap());
        assert!(first.nodes > 0);
        assert_eq!(first.nodes, second.nodes);
    }

    #[test]
    fn the_last_line_has_the_form_that_test_frameworks_read() {
        let network = "0123abcd (of some kind)".to_owned();
        let summary = BenchSummary { network, nodes: 1200, elapsed: Duration::from_millis(600) };
        assert_eq!(summary.to_string(), "network 0123abcd (of some kind)\n1200 nodes 2000 nps");
    }

    #[test]
    fn a_stopped_bench_has_no_signature() {
        let control = Control::default();
        control.stop();
        assert!(matches!(
            run(Depth::ONE, Network::built_in(), &control, &mut |_| {}),
            Err(BenchError::Stopped)
        ));
    }
}
