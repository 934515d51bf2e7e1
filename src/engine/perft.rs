//! Perft: counts the leaves of the tree of legal moves, the classic test of move generation.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Move, Position as _};

use crate::position::Board;
use crate::position::notation::format_move;
use crate::search::{Control, nodes_per_second};

/// Valid depths, in plies. The greatest of them would take years.
pub const DEPTHS: RangeInclusive<u32> = 1..=32;

/// Subtrees of this depth, in plies, are counted without checking for a stop.
const UNINTERRUPTED_DEPTH: u32 = 4;

/// Counts the move sequences of exactly `depth` plies. The moves of the last ply are counted but not
/// played.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| perft(&board.after_move(mv), depth - 1)).sum()
}

/// Count for one move of the root.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Root move.
    pub mv: Move,
    /// Notation of castling.
    pub castling: CastlingMode,
    /// Number of move sequences that begin with this move.
    pub nodes: u64,
}

/// Total over all moves of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftSummary {
    /// Number of move sequences of the full depth.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", format_move(self.mv, self.castling), self.nodes)
    }
}

impl fmt::Display for PerftSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        writeln!(f, "Nodes searched: {}", self.nodes)?;
        writeln!(f, "Time: {} ms", self.elapsed.as_millis())?;
        write!(f, "Nodes per second: {}", nodes_per_second(self.nodes, self.elapsed))
    }
}

/// Counts the move sequences of `depth` plies, at least 1, and reports each root move. Returns `None` if
/// `control` was stopped.
pub fn run(
    board: &Board,
    depth: u32,
    control: &Control,
    on_branch: &mut dyn FnMut(Branch),
) -> Option<PerftSummary> {
    let started = Instant::now();
    let castling = board.chess().castles().mode();
    let mut total = 0;
    for mv in board.legal_moves() {
        let nodes = count(&board.after_move(mv), depth.saturating_sub(1), control)?;
        total += nodes;
        on_branch(Branch { mv, castling, nodes });
    }
    Some(PerftSummary { nodes: total, elapsed: started.elapsed() })
}

/// Counts like [`perft`], but can be stopped: it checks for that above each subtree of
/// [`UNINTERRUPTED_DEPTH`] plies, which takes a moment.
fn count(board: &Board, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(perft(board, depth));
    }
    let moves = board.legal_moves().into_iter();
    moves.map(|mv| count(&board.after_move(mv), depth - 1, control)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn the_branches_add_up_to_the_total() {
        let mut branches = Vec::new();
        let board = Board::new(Chess::default());
        let summary =
            run(&board, 6, &Control::default(), &mut |branch| branches.push(branch.nodes));
        assert_eq!(branches.len(), 20);
        assert_eq!(summary.map(|summary| summary.nodes), Some(119_060_324));
        assert_eq!(branches.iter().sum::<u64>(), 119_060_324);
    }

    #[test]
    fn a_depth_of_one_ply_counts_the_moves() {
        let board = Board::new(Chess::default());
        let summary = run(&board, 1, &Control::default(), &mut |branch| {
            assert_eq!(branch.nodes, 1);
        });
        assert_eq!(summary.map(|summary| summary.nodes), Some(20));
    }

    #[test]
    fn a_count_that_was_stopped_has_no_total() {
        let control = Control::default();
        control.stop();
        let board = Board::new(Chess::default());
        assert_eq!(run(&board, 20, &control, &mut |_| {}), None);
    }
}
