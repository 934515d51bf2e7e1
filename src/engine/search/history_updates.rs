//! What a node updates: when it is finished killers and histories by its best move, correction
//! history by its score, and its entry in the transposition table (TT); on its way the histories of
//! moves whose evaluation or second search tells something of them.

use shakmaty::{Color, Move};

use super::history::{HistoryContext, bonus};
use super::node::{MoveLoop, Node, NodeType, ScoreWindow};
use super::parameters;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::Worker;
use crate::position::{PackedMove, is_tactical};
use crate::units::{Ply, Score};

impl Worker<'_> {
    /// Updates the histories and the table with what a finished node found; `alpha` is that of its
    /// window before its first move.
    pub(super) fn record_node<N: NodeType>(&mut self, node: &Node, moves: &MoveLoop, alpha: Score) {
        let bound = ScoreWindow::new(alpha, moves.window.beta).bound(moves.best_score);
        if let Some(best_move) = moves.best_move {
            self.update_histories(node, moves, best_move);
            if !N::ROOT && bound == Bound::Lower {
                self.punish_move_before(node);
            }
        } else if !N::ROOT {
            self.reward_move_before(node, moves);
        }
        // A search of some of the root's moves does not know the value of the position.
        let all_moves = self.pv_index == 0 && self.shared.limits.search_moves.is_empty();
        if N::ROOT && !all_moves {
            return;
        }
        self.update_correction_history(node, moves, bound);
        let entry = TableEntry {
            mv: moves.best_move.map(PackedMove::new),
            score: moves.best_score,
            bound,
            depth: node.depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }

    /// Updates the history of the quiet move that led to this node by how much it changed the
    /// static evaluation.
    pub(super) fn update_history_from_evaluation(&mut self, ply: Ply) {
        let evaluation = |plies| self.stack_before(ply, plies).static_evaluation;
        if let Some(now) = evaluation(0)
            && let Some(earlier) = evaluation(1)
            && let Some((side, mv, context)) = self.quiet_move_before(ply)
        {
            // Each evaluation is for its side to move, and these are different sides.
            self.thread_data.histories.hint(side, mv, -now - earlier, &context);
        }
    }

    /// The quiet move that led to this ply, if one did, with its side and context.
    fn quiet_move_before(&self, ply: Ply) -> Option<(Color, Move, HistoryContext)> {
        let mv = self.stack_before(ply, 1).mv.filter(|&mv| !is_tactical(mv))?;
        Some((!self.position.turn(), mv, self.context(ply.previous())))
    }

    /// A node failed low: the quiet move that led to it was good.
    fn reward_move_before(&mut self, node: &Node, moves: &MoveLoop) {
        let Some((side, mv, context)) = self.quiet_move_before(node.ply) else { return };
        let surprise = !node.in_check
            && moves.best_score + parameters::fail_low_margin() <= node.static_evaluation;
        let percent = parameters::fail_low_bonus() * if surprise { 2 } else { 1 };
        let bonus = bonus(node.depth) * percent / 100;
        self.thread_data.histories.update_quiet(side, mv, bonus, &context);
    }

    /// A node failed high: if the quiet move that led to it was the first of its node, the
    /// continuation histories thought too well of it.
    fn punish_move_before(&mut self, node: &Node) {
        let before = self.quiet_move_before(node.ply);
        let is_first = self.stack_before(node.ply, 1).is_first;
        let Some((side, mv, context)) = before.filter(|_| is_first) else { return };
        let malus = (parameters::first_move_malus() * node.depth.plies())
            .min(parameters::first_move_malus_max());
        self.thread_data.histories.update_continuation(side, mv, -malus, &context);
    }

    /// The search at full depth confirmed what a reduced one found of a quiet move, or not. The move
    /// is made.
    pub(super) fn update_after_re_search(&mut self, node: &Node, mv: Move, confirmed: bool) {
        let bonus = bonus(node.depth) * parameters::re_search_bonus() / 100;
        let bonus = if confirmed { bonus } else { -bonus };
        let (side, context) = (!self.position.turn(), self.context(node.ply));
        self.thread_data.histories.update_continuation(side, mv, bonus, &context);
    }

    /// Updates histories by the best move, which caused a cut-off or is that of an exact score: it
    /// becomes a killer, if it is quiet, and its histories rise; those of the searched moves that did
    /// not raise alpha fall.
    fn update_histories(&mut self, node: &Node, moves: &MoveLoop, best_move: Move) {
        let side = self.position.turn();
        let context = self.context(node.ply);
        if !is_tactical(best_move) {
            let killers = &mut self.stack(node.ply).killers;
            if killers[0] != Some(best_move) {
                *killers = [Some(best_move), killers[0]];
            }
            let histories = &mut self.thread_data.histories;
            histories.update_quiets(side, best_move, &moves.quiets, node.depth, &context);
        }
        let histories = &mut self.thread_data.histories;
        histories.update_captures(side, best_move, &moves.captures, node.depth);
    }

    /// Updates correction history by how much the score differs from the static evaluation.
    fn update_correction_history(&mut self, node: &Node, moves: &MoveLoop, bound: Bound) {
        if node.in_check {
            return;
        }
        let quiet = moves.best_move.is_none_or(|mv| !is_tactical(mv));
        // A score that is at least 20 does not contradict an evaluation of 50.
        let error = moves.best_score - node.static_evaluation;
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        // Where a capture is best, the score differs by what it wins, not by an error of
        // evaluation.
        if quiet && contradicts && !moves.best_score.is_decisive() {
            let context = self.context(node.ply);
            let history = &mut self.thread_data.correction_history;
            history.update(self.position.board(), node.depth, error, &context);
        }
    }
}
