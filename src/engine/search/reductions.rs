//! Reductions: by how many plies less unpromising nodes and moves are searched.

use shakmaty::Move;

use super::history::role_and_squares;
use super::node::{Candidate, MoveLoop, Node};
use super::parameters;
use super::picker::Stage;
use super::report::Bound;
use super::worker::Worker;
use crate::position::is_tactical;
use crate::units::{Depth, Ply};

/// Base reductions by depth and move count, in 1024ths of a ply: the product of logarithms that
/// grew out of Fruit's and Stockfish's experiments.
pub(super) struct ReductionTable([[i32; SIZE]; SIZE]);

/// A ply in the table's unit.
pub(super) const ONE_PLY: i32 = 1024;
/// Depths and move counts from 0; greater ones count as the last.
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

    /// The reduction of the move with this number at this depth, in 1024ths of a ply.
    pub(super) fn get(&self, depth: Depth, move_count: usize) -> i32 {
        self.0[(depth.plies().max(0) as usize).min(SIZE - 1)][move_count.min(SIZE - 1)]
    }
}

/// Internal iterative reduction (IIR; Schröder 2020): a node whose best move is unknown is searched
/// a ply less, and finds one for the next visit. Returns the plies.
pub(super) fn internal_iterative_reduction(node: &Node, tt_move: Option<Move>) -> i32 {
    // At an expected all-node no move is better than the others, so there is none to find.
    let wanted = node.pv || node.cut_node;
    let deep = node.depth >= Depth::new(parameters::internal_iterative_reduction_min_depth());
    i32::from(wanted && deep && tt_move.is_none() && node.excluded.is_none())
}

/// By how many plies the depth changes for a move whose reduced search beat the best score by
/// `gain` centipawns.
pub(super) fn depth_change_after_reduced_search(gain: i32, depth: Depth) -> i32 {
    let deeper = gain > parameters::late_move_deeper_margin() + depth.plies();
    let shallower = gain < parameters::late_move_shallower_margin();
    i32::from(deeper) - i32::from(shallower)
}

impl Worker<'_> {
    /// Late move reductions (LMR; in Fruit, Letouzey 2005, as history pruning): by how many plies
    /// the null-window search of a late move is reduced, to be called after the move was made. Zero
    /// for moves that are searched to full depth at once, negative for those that are searched
    /// deeper.
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

    /// The depth that its number and, if it is quiet, its history would leave to a late move, at least
    /// zero: what pruning goes by before the move is made.
    pub(super) fn lmr_depth(&self, moves: &MoveLoop, candidate: &Candidate) -> Depth {
        let reduction = self.shared.reduction_table.get(moves.depth, candidate.move_count)
            - candidate.history * parameters::pruning_history_weight() / 256;
        Depth::new(((moves.depth.plies() * ONE_PLY - reduction) / ONE_PLY).max(0))
    }

    /// The history of a quiet move of the side to move at this ply.
    pub(super) fn quiet_history(&self, ply: Ply, mv: Move) -> i32 {
        let histories = &self.thread_data.histories;
        histories.quiet(self.position.turn(), &self.context(ply))(role_and_squares(mv))
    }

    /// The part of the reduction that the move decides, in 1024ths of a ply.
    fn reduction_by_move(&self, node: &Node, candidate: &Candidate) -> i32 {
        let mut reduction = 0;
        // The move was made: now it is the opponent who may be in check.
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

/// The part of the reduction that is the same for all moves of a node, in 1024ths of a ply.
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
