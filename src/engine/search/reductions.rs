//! Reductions: unpromising nodes and moves are searched to a smaller depth.

use shakmaty::Move;

use super::node::{Candidate, MoveLoop, Node};
use super::parameters;
use super::picker::Stage;
use super::report::Bound;
use super::worker::Worker;
use crate::position::is_tactical;
use crate::units::Depth;

/// Base reductions by depth and move count, in 1024ths of a ply. The product of two logarithms
/// comes from the experiments of Fruit and Stockfish.
pub(super) struct ReductionTable([[i32; SIZE]; SIZE]);

/// One ply in the unit of the table.
pub(super) const ONE_PLY: i32 = 1024;
/// Number of depths and of move counts in the table, from 0. Greater ones use the last entry.
const SIZE: usize = 64;

impl ReductionTable {
    /// Fills the table from the parameters.
    pub(super) fn new() -> ReductionTable {
        let logarithms: [f64; SIZE] = std::array::from_fn(|n| (n.max(1) as f64).ln());
        let base = parameters::late_move_reduction_base();
        let scale = f64::from(parameters::late_move_reduction_scale());
        ReductionTable(std::array::from_fn(|depth| {
            std::array::from_fn(|move_count| {
                base + (logarithms[depth] * logarithms[move_count] * scale) as i32
            })
        }))
    }

    /// Returns the reduction of the move with this number at this depth, in 1024ths of a ply.
    pub(super) fn get(&self, depth: Depth, move_count: usize) -> i32 {
        self.0[(depth.plies().max(0) as usize).min(SIZE - 1)][move_count.min(SIZE - 1)]
    }
}

/// Internal iterative reduction (IIR; Schröder 2020): a node without a known best move is searched
/// a ply less, and finds a best move for the next visit. Returns the reduction in plies.
pub(super) fn internal_iterative_reduction(node: &Node, tt_move: Option<Move>) -> i32 {
    // At an expected all-node, no move is better than the others, so no best move can be found.
    let may_have_best_move = node.pv || node.cut_node;
    let deep = node.depth >= Depth::new(parameters::internal_iterative_reduction_min_depth());
    i32::from(may_have_best_move && deep && tt_move.is_none() && node.excluded.is_none())
}

/// Returns the change of depth, in plies, for a move whose reduced search beat the best score by
/// `gain` centipawns.
pub(super) fn depth_change_after_reduced_search(gain: i32, depth: Depth) -> i32 {
    let deeper = gain > parameters::late_move_deeper_margin() + depth.plies();
    let shallower = gain < parameters::late_move_shallower_margin();
    i32::from(deeper) - i32::from(shallower)
}

impl Worker<'_> {
    /// Late move reductions (LMR; in Fruit, Letouzey 2005, as history pruning): returns the
    /// reduction of the null-window search of a late move, in plies. The move must already be made.
    /// Zero means full depth at once, and a negative number means a deeper search.
    pub(super) fn late_move_reduction(
        &self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
    ) -> i32 {
        if moves.depth < Depth::new(parameters::late_move_reduction_min_depth()) {
            return 0;
        }
        let reduction = self.shared.reduction_table.get(moves.depth, candidate.move_count)
            + reduction_by_node(node, moves)
            + self.reduction_by_move(node, candidate);
        let extendable = node.pv || node.cut_node;
        let max_extension = if extendable { parameters::late_move_extension_max() } else { 0 };
        reduction.div_euclid(ONE_PLY).max(-max_extension)
    }

    /// Returns the depth of a late move after a reduction by its number and, if it is quiet, its
    /// history, at least zero. The rules that prune a move before it is made use this depth.
    pub(super) fn lmr_depth(&self, moves: &MoveLoop, candidate: &Candidate) -> Depth {
        let reduction = self.shared.reduction_table.get(moves.depth, candidate.move_count)
            - candidate.history * parameters::pruning_history_weight() / 256;
        Depth::new(((moves.depth.plies() * ONE_PLY - reduction) / ONE_PLY).max(0))
    }

    /// Returns the part of the reduction that depends on the move, in 1024ths of a ply.
    fn reduction_by_move(&self, node: &Node, candidate: &Candidate) -> i32 {
        let mut reduction = 0;
        // The move is made, so the opponent is the side that may be in check.
        if self.position.board().in_check() {
            reduction -= parameters::late_move_reduction_check();
        }
        let replies = i32::from(self.stack_before(node.ply.next(), 0).cutoffs);
        if replies > parameters::late_move_reduction_cutoff_count() {
            reduction += parameters::late_move_reduction_cutoffs();
        }
        match candidate.stage {
            Stage::BadCaptures => {}
            _ if is_tactical(candidate.mv) => {
                let histories = &self.thread_data.histories;
                let history = histories.capture(!self.position.turn(), candidate.mv);
                reduction -= parameters::late_move_reduction_tactical()
                    + history * ONE_PLY / parameters::late_move_reduction_capture_history();
            }
            stage => {
                reduction -=
                    candidate.history * ONE_PLY / parameters::late_move_reduction_history();
                if stage == Stage::Refutations {
                    reduction -= parameters::late_move_reduction_refutation();
                }
            }
        }
        reduction
    }
}

/// Returns the part of the reduction that is the same for all moves of a node, in 1024ths of a ply.
fn reduction_by_node(node: &Node, moves: &MoveLoop) -> i32 {
    let alpha = moves.window.alpha;
    let mut reduction = 0;
    if node.pv {
        reduction -= parameters::late_move_reduction_pv();
    }
    if node.cut_node {
        reduction += parameters::late_move_reduction_cut_node();
        if moves.tt_move.is_none() {
            reduction += parameters::late_move_reduction_no_tt_move();
        }
    }
    if let Some(entry) = node.tt_entry
        && entry.bound == Bound::Upper
        && entry.score <= alpha
    {
        reduction += parameters::late_move_reduction_tt_fail_low();
    }
    if node.tt_pv {
        reduction -= parameters::late_move_reduction_tt_pv();
        if let Some(entry) = node.tt_entry {
            reduction -=
                i32::from(entry.score > alpha) * parameters::late_move_reduction_tt_pv_score();
            reduction -= i32::from(entry.depth >= moves.depth)
                * parameters::late_move_reduction_tt_pv_depth();
        }
    }
    if !node.improving {
        reduction += parameters::late_move_reduction_not_improving();
    }
    if moves.tt_move.is_some_and(is_tactical) {
        reduction += parameters::late_move_reduction_tt_tactical();
    }
    if node.opponent_worsening {
        reduction += parameters::late_move_reduction_opponent_worsening();
    }
    if !node.in_check {
        let limit = parameters::late_move_reduction_evaluation_max();
        let shortfall = alpha - node.static_evaluation;
        reduction +=
            (shortfall * parameters::late_move_reduction_evaluation()).clamp(-limit, limit);
    }
    reduction - node.correction * parameters::late_move_reduction_correction()
}
