//! What a finished node adds to: killers and histories from its cut-off, correction history from
//! its score, and the transposition table.

use shakmaty::Move;

use super::move_loop::MoveLoop;
use super::node::{Node, NodeType};
use super::report::Bound;
use super::table::Entry;
use super::worker::Worker;
use crate::engine::position::{PackedMove, is_tactical};
use crate::engine::units::{Ply, Score};

impl Worker<'_> {
    /// Writes down what a finished node found out; `alpha` is that of its window when the moves
    /// began.
    pub fn learn<N: NodeType>(&mut self, node: &Node, moves: &MoveLoop, alpha: Score) {
        let bound = if moves.best_score >= moves.window.beta {
            Bound::Lower
        } else if N::PV && moves.best_score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if bound == Bound::Lower
            && let Some(best_move) = moves.best_move
        {
            self.reward(node, moves, best_move);
        }
        // What is best among some of the root's moves says nothing of the position.
        let all_moves = self.pv_index == 0 && self.shared.limits.search_moves.is_empty();
        if N::ROOT && !all_moves {
            return;
        }
        self.correct_evaluation(node, moves, bound);
        let entry = Entry {
            mv: moves.best_move.map(PackedMove::new),
            score: moves.best_score,
            bound,
            depth: node.depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }

    /// What the static evaluation of a node says of the quiet move that led to it.
    pub fn learn_from_evaluation(&mut self, ply: Ply) {
        let (now, before) = (self.stack_before(ply, 0), self.stack_before(ply, 1));
        let quiet = before.mv.filter(|&mv| !is_tactical(mv));
        if let (Some(mv), Some(now), Some(earlier)) =
            (quiet, now.static_evaluation, before.static_evaluation)
        {
            // The evaluations are the two sides'.
            let gain = -now - earlier;
            let (side, context) = (!self.position.turn(), self.context(Ply::new(ply.index() - 1)));
            self.thread_data.histories.hint(side, mv, gain, &context);
        }
    }

    /// The move that caused a cut-off becomes a killer, if it is quiet, and its histories rise; those
    /// of the moves searched before it that did not raise alpha fall.
    fn reward(&mut self, node: &Node, moves: &MoveLoop, best_move: Move) {
        let side = self.position.turn();
        let context = self.context(node.ply);
        if !is_tactical(best_move) {
            let killers = &mut self.stack(node.ply).killers;
            if killers[0] != Some(best_move) {
                *killers = [Some(best_move), killers[0]];
            }
            let histories = &mut self.thread_data.histories;
            histories.reward_quiet(side, best_move, &moves.quiets, node.depth, &context);
        }
        let histories = &mut self.thread_data.histories;
        histories.reward_capture(side, best_move, &moves.captures, node.depth);
    }

    /// Teaches correction history by how much the score differs from the static evaluation.
    fn correct_evaluation(&mut self, node: &Node, moves: &MoveLoop, bound: Bound) {
        let Some(raw) = node.raw_evaluation else {
            return;
        };
        let quiet = moves.best_move.is_none_or(|mv| !is_tactical(mv));
        // A bound on the side where the evaluation stands already says nothing.
        let held = self.corrected(raw);
        let says_something = match bound {
            Bound::Exact => true,
            Bound::Lower => moves.best_score > held,
            Bound::Upper => moves.best_score < held,
        };
        if quiet && says_something && !moves.best_score.is_decisive() {
            let error = moves.best_score - raw;
            self.thread_data.histories.correct(self.position.board(), node.depth, error);
        }
    }
}
