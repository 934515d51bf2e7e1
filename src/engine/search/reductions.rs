//! Reductions: by how many plies less unpromising nodes and moves are searched.

use shakmaty::Move;

use super::history::role_and_squares;
use super::node::{Candidate, Node};
use super::parameters;
use super::picker::Stage;
use super::thread_data::ONE_PLY;
use super::worker::Worker;
use crate::engine::position::is_tactical;
use crate::engine::units::Depth;

/// Internal iterative reduction (IIR; Schröder 2020): a node whose best move is unknown is searched
/// a ply less, and finds one for the next visit. Returns the plies.
pub(super) fn internal_iterative_reduction(node: &Node, tt_move: Option<Move>) -> i32 {
    // At an expected all-node no move is better than the others, so there is none to find.
    let wanted = node.pv || node.cut_node;
    let deep = node.depth >= Depth::new(parameters::internal_iterative_reduction_min_depth());
    i32::from(wanted && deep && tt_move.is_none() && node.excluded.is_none())
}

impl Worker<'_> {
    /// Late move reductions (LMR; in Fruit, Letouzey 2005, as history pruning): by how many plies
    /// the null-window search of a late move is reduced, to be called after the move was made. Zero
    /// for moves that are searched to full depth at once.
    pub(super) fn late_move_reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        if node.depth < Depth::new(parameters::late_move_reduction_min_depth()) {
            return 0;
        }
        let mut reduction = self.reduction_table.get(node.depth, candidate.move_count);
        if node.cut_node {
            reduction += parameters::late_move_reduction_cut_node();
        }
        if node.tt_pv {
            reduction -= parameters::late_move_reduction_tt_pv();
        }
        if !node.improving {
            reduction += parameters::late_move_reduction_not_improving();
        }
        // The move was made: now it is the opponent who may be in check.
        if self.position.board().in_check() {
            reduction -= parameters::late_move_reduction_check();
        }
        reduction -= if is_tactical(candidate.mv) {
            parameters::late_move_reduction_tactical()
        } else {
            let context = self.context(node.ply);
            let history = self.thread_data.histories.quiet(!self.position.turn(), &context);
            let history = history(role_and_squares(candidate.mv));
            history * ONE_PLY / parameters::late_move_reduction_history()
        };
        if candidate.stage == Stage::Refutations {
            reduction -= parameters::late_move_reduction_refutation();
        }
        (reduction / ONE_PLY).max(0)
    }
}
