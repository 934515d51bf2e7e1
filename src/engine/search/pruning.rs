//! Pruning: which nodes need no search, and which moves are left out.
//!
//! Each rule is a function with the name that the field has for it. What it goes by is the [`Node`]
//! that was built once and a few facts of the move; its numbers are in [`parameters`]. A rule about
//! a whole node returns its score as [`Settled`]; a rule about moves returns whether they are left
//! out, and changes nothing.

use shakmaty::Move;

use super::node::{Candidate, Node, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::picker::{MovePicker, Stage};
use super::report::Bound;
use super::worker::{Stopped, Worker};
use crate::position::{Board, is_tactical, see_ge};
use crate::units::{Depth, Ply, Score};

/// Mate distance pruning (Chess Programming Wiki, under this name): no score below this node is
/// better than a mate by the next move or worse than being mated now. Narrows the window to that;
/// if nothing is left of it, a shorter mate is known elsewhere and the node is settled.
pub(super) fn mate_distance_pruning(window: &mut ScoreWindow, ply: Ply) -> Option<Settled> {
    window.alpha = window.alpha.max(Score::mated_in(ply));
    window.beta = window.beta.min(Score::mate_in(ply.next()));
    (window.alpha >= window.beta).then_some(Settled(window.alpha))
}

/// Reverse futility pruning (RFP), also called static null move pruning (Chess Programming Wiki):
/// futility pruning seen from the other side. Near the horizon and so far above beta, no reply
/// will bring the score below it.
pub(super) fn reverse_futility_pruning(node: &Node, beta: Score) -> Option<Settled> {
    let plies = node.depth.plies() - i32::from(node.improving);
    let worsening = i32::from(node.opponent_worsening);
    let margin = parameters::reverse_futility_margin() * plies
        - parameters::reverse_futility_opponent_worsening() * worsening;
    let prunes = node.depth <= Depth::new(parameters::reverse_futility_max_depth())
        && node.tt_adjusted_evaluation - margin.max(0) >= beta
        && !beta.is_loss();
    prunes.then(|| {
        let trust = parameters::reverse_futility_trust();
        Settled(trusted(node.tt_adjusted_evaluation, beta, trust))
    })
}

/// The score of a node whose estimate is above beta: `trust` percent of the way from beta to the
/// estimate, since what was not searched may be less.
pub(super) fn trusted(estimate: Score, beta: Score, trust: i32) -> Score {
    beta + (estimate - beta) * trust / 100
}

/// Draws a score above beta towards beta: by how much a move fails high a shallow search hardly knows
/// (Stockfish, which stores it so, too).
pub(super) fn damp_fail_high(best: Score, beta: Score, depth: Depth) -> Score {
    let applies = parameters::fail_high_damping() > 0
        && best > beta
        && !best.is_decisive()
        && !beta.is_decisive();
    if applies { best - (best - beta) / (depth.plies() + 1) } else { best }
}

/// Late move pruning (LMP), also called move count pruning (Chess Programming Wiki, "Futility
/// pruning"): after a number of moves near the horizon, no quiet move will help any more. All
/// moves count, those that were pruned too.
pub(super) fn late_move_pruning(node: &Node, move_count: usize) -> bool {
    let limit = parameters::late_move_pruning_base() + node.depth.plies() * node.depth.plies();
    let percent = if node.improving { 100 } else { parameters::late_move_pruning_not_improving() };
    move_count as i32 >= limit * percent / 100
}

/// History pruning (in Fruit, Letouzey 2005, as a reduction): near the horizon a quiet move that
/// mostly failed is left out. Near is judged by `lmr_depth`, the depth that late move reductions would
/// leave.
fn history_pruning(node: &Node, candidate: &Candidate, lmr_depth: Depth) -> bool {
    !is_tactical(candidate.mv)
        && lmr_depth <= Depth::new(parameters::history_pruning_max_depth())
        && candidate.history < -parameters::history_pruning_margin() * node.depth.plies()
}

/// Futility pruning (FP; Heinz 1998, "Extended futility pruning"): near the horizon and far below
/// alpha, a quiet move that gives no check will not help. Near is judged by `lmr_depth`, the depth
/// that late move reductions would leave.
fn futility_pruning(node: &Node, mv: Move, lmr_depth: Depth, alpha: Score, board: &Board) -> bool {
    let margin = parameters::futility_base() + parameters::futility_margin() * lmr_depth.plies();
    !is_tactical(mv)
        && !node.in_check
        && lmr_depth <= Depth::new(parameters::futility_max_depth())
        && !alpha.is_win()
        && node.tt_adjusted_evaluation + margin <= alpha
        && !board.gives_check(mv)
}

/// Pruning by static exchange evaluation (SEE; Chess Programming Wiki, under this name): near the
/// horizon, a move that loses too much material in exchanges on its square is left out.
fn exchange_pruning(node: &Node, mv: Move, lmr_depth: Depth, board: &Board) -> bool {
    let may_lose = if is_tactical(mv) {
        parameters::exchange_pruning_capture_margin() * node.depth.plies()
    } else {
        parameters::exchange_pruning_quiet_margin() * lmr_depth.plies() * lmr_depth.plies()
    };
    node.depth <= Depth::new(parameters::exchange_pruning_max_depth())
        && !see_ge(board.chess(), mv, -may_lose)
}

/// Whether moves may be pruned at all: some move has shown that the side to move is not being
/// mated, and it has material besides king and pawns, so that judging moves without a search is
/// safe from most zugzwangs.
pub(super) fn may_prune_moves(board: &Board, best_score: Score) -> bool {
    !best_score.is_loss() && board.has_non_pawn_material()
}

impl Worker<'_> {
    /// Whether a static evaluation of at least beta is not to be trusted, since the king has no square
    /// to go to: of mates the evaluation knows nothing, and after a null move only checks would show
    /// them. Games are not decided by it, but mates are found.
    pub(super) fn is_boxed_in_above_beta(&self, node: &Node, beta: Score) -> bool {
        parameters::boxed_in_king_guard() > 0
            && node.tt_adjusted_evaluation >= beta
            && self.position.board().king_is_boxed_in()
    }

    /// Whether a move is left out. If its history is the reason, so are the quiet moves to come.
    pub(super) fn prune_move(
        &self,
        node: &Node,
        candidate: &Candidate,
        alpha: Score,
        picker: &mut MovePicker,
    ) -> bool {
        // Good captures have just passed a test of exchanges, whose threshold their history sets, and
        // are too few to be worth more tests.
        if candidate.stage == Stage::GoodCaptures {
            return false;
        }
        let (mv, board) = (candidate.mv, self.position.board());
        let lmr_depth = self.lmr_depth(node, candidate);
        // Step 13. History pruning. Most quiet moves to come have less history still.
        if history_pruning(node, candidate, lmr_depth) {
            picker.skip_quiets();
            return true;
        }
        // Step 14. Futility pruning (FP). Step 15. Pruning by static exchange (SEE).
        futility_pruning(node, mv, lmr_depth, alpha, board)
            || exchange_pruning(node, mv, lmr_depth, board)
    }

    /// Razoring (Birmingham and Kent 1977, "Tree-searching and tree-pruning techniques", in
    /// today's form): far below alpha near the horizon, only captures could help.
    pub(super) fn razoring(
        &mut self,
        node: &Node,
        beta: Score,
    ) -> Result<Option<Settled>, Stopped> {
        let margin = parameters::razoring_margin() * node.depth.plies();
        if node.depth > Depth::new(parameters::razoring_max_depth())
            || node.tt_adjusted_evaluation + margin >= beta
            || beta.is_decisive()
        {
            return Ok(None);
        }
        let score = self.quiescence::<NullWindow>(ScoreWindow::null(beta - 1), node.ply)?;
        Ok((score < beta).then_some(Settled(score)))
    }

    /// Null move pruning (NMP; Beal 1989, "Experiments with the null move"; Donninger 1993, "Null
    /// move and deep search"): if passing still fails high, a move will. In zugzwang it would not,
    /// so it is not tried with king and pawns alone, and at great depths a cut-off is verified by
    /// a search in which the side may not pass for a while.
    pub(super) fn null_move_pruning(
        &mut self,
        node: &Node,
        beta: Score,
    ) -> Result<Option<Settled>, Stopped> {
        debug_assert!(node.ply.index() > 0, "no null move at the root");
        let after_null = self.stack_before(node.ply, 1).mv.is_none();
        if node.depth < Depth::new(parameters::null_move_min_depth())
            || node.tt_adjusted_evaluation < beta
            || beta.is_loss()
            || node.ply < self.null_move_min_ply
            || after_null
            || !self.position.board().has_non_pawn_material()
            || table_expects_fail_low(node, beta)
            || !self.make_null(node.ply)
        {
            return Ok(None);
        }
        let depth = node.depth - null_move_reduction(node, beta);
        let null_window = ScoreWindow::null(beta - 1);
        let child = self.search_child::<NullWindow>(null_window, depth, node.ply, !node.cut_node);
        self.unmake();
        let score = child?;
        if score < beta {
            return Ok(None);
        }
        // What a pass wins is not won yet.
        let score = if score.is_win() { beta } else { score };
        let verify_from = Depth::new(parameters::null_move_verification_min_depth());
        if node.depth < verify_from || self.null_move_min_ply.index() > 0 {
            return Ok(Some(Settled(score)));
        }
        self.verify_null_move(node, beta, depth).map(|holds| holds.then_some(Settled(score)))
    }

    fn verify_null_move(
        &mut self,
        node: &Node,
        beta: Score,
        depth: Depth,
    ) -> Result<bool, Stopped> {
        let plies = depth.plies().max(0) * parameters::null_move_verification_share() / 100;
        self.null_move_min_ply = Ply::new(node.ply.index() + plies as usize);
        let null_window = ScoreWindow::null(beta - 1);
        let verification = self.negascout::<NullWindow>(null_window, depth, node.ply, false);
        self.null_move_min_ply = Ply::ROOT;
        Ok(verification? >= beta)
    }
}

/// By how many plies the search after a null move is reduced.
fn null_move_reduction(node: &Node, beta: Score) -> i32 {
    let advantage =
        (node.tt_adjusted_evaluation - beta) / parameters::null_move_advantage_divisor();
    parameters::null_move_reduction()
        + node.depth.plies() / parameters::null_move_depth_divisor()
        + advantage.min(parameters::null_move_advantage_max())
}

fn table_expects_fail_low(node: &Node, beta: Score) -> bool {
    node.tt_entry.is_some_and(|entry| entry.bound == Bound::Upper && entry.score < beta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_score_drawn_towards_beta_still_fails_high_and_claims_no_more(
            beta in -2_000..2_000_i32, above in 0..2_000_i32, depth in 1..100_i32, trust in 0..=100_i32,
        ) {
            let beta = Score::new(beta);
            let best = beta + above;
            prop_assert!((beta..=best).contains(&trusted(best, beta, trust)));
            let shallow = damp_fail_high(best, beta, Depth::new(depth));
            let deep = damp_fail_high(best, beta, Depth::new(depth + 1));
            prop_assert!(beta <= shallow && shallow <= deep && deep <= best);
        }
    }

    #[test]
    fn a_mate_is_not_drawn_towards_beta() {
        let mate = Score::mate_in(Ply::new(5));
        assert_eq!(damp_fail_high(mate, Score::ZERO, Depth::ONE), mate);
    }
}
