//! Pruning: rules that end a node without a search or leave out moves.
//!
//! Each rule is a function with its usual name. Its input is the [`Node`] and a few facts about the
//! move; its numbers are in [`parameters`]. A rule about a whole node returns the node's score as
//! [`Settled`]. A rule about a move returns true if the move is left out, and changes nothing.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::node::{Candidate, MoveLoop, Node, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::picker::{MAX_MOVES, MovePicker};
use super::report::Bound;
use super::table::{CHILD_PROBE_MAX_HALFMOVES, TableEntry};
use super::worker::{Stopped, Worker};
use crate::position::{Board, PackedMove, is_tactical, see_ge};
use crate::units::{Depth, Ply, Score};

/// Mate distance pruning (Chess Programming Wiki, under this name): no score below this node is
/// better than a mate by the next move or worse than being mated now. Narrows the window to these
/// scores. If the window becomes empty, a shorter mate is known elsewhere.
pub(super) fn mate_distance_pruning(window: &mut ScoreWindow, ply: Ply) {
    window.alpha = window.alpha.max(Score::mated_in(ply));
    window.beta = window.beta.min(Score::mate_in(ply.next()));
}

/// Reverse futility pruning (RFP), also called static null move pruning (Chess Programming Wiki):
/// futility pruning seen from the other side. Near the horizon, with an evaluation far above beta,
/// no reply will bring the score below beta.
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
        Settled(blend_with_beta(node.tt_adjusted_evaluation, beta, trust))
    })
}

/// Returns the score of a node with an estimate above beta: `trust` percent of the way from beta to
/// the estimate, since a search might find less.
pub(super) fn blend_with_beta(estimate: Score, beta: Score, trust: i32) -> Score {
    beta + (estimate - beta) * trust / 100
}

/// Moves a score above beta towards beta, the more the shallower the search: the overshoot of a
/// shallow search is unreliable (as in Stockfish, which also stores the damped score).
pub(super) fn damp_fail_high(best: Score, beta: Score, depth: Depth) -> Score {
    let applies = parameters::fail_high_damping() > 0
        && best > beta
        && !best.is_decisive()
        && !beta.is_decisive();
    if applies { best - (best - beta) / (depth.plies() + 1) } else { best }
}

/// Late move pruning (LMP), also called move count pruning (Chess Programming Wiki, "Futility
/// pruning"): near the horizon, after a certain number of moves, no further quiet move will help.
/// Pruned moves count too.
pub(super) fn late_move_pruning(node: &Node, moves: &MoveLoop) -> bool {
    let limit = parameters::late_move_pruning_base() + moves.depth.plies() * moves.depth.plies();
    let percent = if node.improving { 100 } else { parameters::late_move_pruning_not_improving() };
    moves.move_count as i32 >= limit * percent / 100
}

/// History pruning (in Fruit, Letouzey 2005, as a reduction): near the horizon, leaves out a quiet
/// move that mostly failed. `lmr_depth`, the depth after late move reductions, decides if the
/// horizon is near.
pub(super) fn history_pruning(moves: &MoveLoop, candidate: &Candidate, lmr_depth: Depth) -> bool {
    !is_tactical(candidate.mv)
        && lmr_depth <= Depth::new(parameters::history_pruning_max_depth())
        && candidate.history < -parameters::history_pruning_margin() * moves.depth.plies()
}

/// Futility pruning (FP; Heinz 1998, "Extended futility pruning"): near the horizon and far below
/// alpha, a quiet move that gives no check will not help. `lmr_depth`, the depth after late move
/// reductions, decides if the horizon is near.
pub(super) fn futility_pruning(
    node: &Node,
    mv: Move,
    lmr_depth: Depth,
    alpha: Score,
    board: &Board,
) -> bool {
    let margin = parameters::futility_base() + parameters::futility_margin() * lmr_depth.plies();
    !is_tactical(mv)
        && !node.in_check
        && lmr_depth <= Depth::new(parameters::futility_max_depth())
        && !alpha.is_win()
        && node.tt_adjusted_evaluation + margin <= alpha
        && !board.gives_check(mv)
}

/// Pruning by static exchange evaluation (SEE; Chess Programming Wiki, under this name): near the
/// horizon, leaves out a move that loses too much material in exchanges on its destination square.
pub(super) fn exchange_pruning(
    moves: &MoveLoop,
    mv: Move,
    lmr_depth: Depth,
    board: &Board,
) -> bool {
    let may_lose = if is_tactical(mv) {
        parameters::exchange_pruning_capture_margin() * moves.depth.plies()
    } else {
        parameters::exchange_pruning_quiet_margin() * lmr_depth.plies() * lmr_depth.plies()
    };
    moves.depth <= Depth::new(parameters::exchange_pruning_max_depth())
        && !see_ge(board.chess(), mv, -may_lose)
}

/// Returns true if moves may be pruned at all. Some move must have shown that the side to move does not
/// lose by force. The side must also have more than king and pawns, so that zugzwang, in which a
/// judgement without a search fails, is rare.
pub(super) fn may_prune_moves(board: &Board, best_score: Score) -> bool {
    !best_score.is_loss() && board.has_non_pawn_material()
}

impl Worker<'_> {
    /// Returns true if rules may prune the whole node. The rules trust the evaluation, so they do
    /// not apply in check. They also do not apply if the evaluation is at least beta but the king
    /// has no square to go to: the evaluation does not see mates, and after a null move only checks
    /// would show them. This guard gains no games, but finds mates.
    pub(super) fn may_prune_node(&self, node: &Node, beta: Score) -> bool {
        let guarded = parameters::boxed_in_king_guard() > 0 && node.tt_adjusted_evaluation >= beta;
        !node.in_check
            && node.excluded.is_none()
            && !(guarded && self.position.board().king_is_boxed_in())
    }

    /// Razoring (Birmingham and Kent 1977, "Tree-searching and tree-pruning techniques", here in
    /// the modern form): near the horizon and far below alpha, only captures could help.
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
        let window = ScoreWindow::null(beta - 1);
        let score = self.quiescence::<NullWindow>(window, node.ply, node.raw_evaluation)?;
        Ok((score < beta).then_some(Settled(score)))
    }

    /// Null move pruning (NMP; Beal 1989, "Experiments with the null move"; Donninger 1993, "Null
    /// move and deep search"): if passing fails high, a move will too. That does not hold in
    /// zugzwang. Therefore the rule does not apply with only king and pawns, and at great depths a
    /// search without null moves for some plies verifies the cut-off.
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
            || tt_expects_fail_low(node, beta)
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
        // A win after a null move is unproven.
        let score = if score.is_win() { beta } else { score };
        let verify_from = Depth::new(parameters::null_move_verification_min_depth());
        if node.depth < verify_from || self.null_move_min_ply.index() > 0 {
            return Ok(Some(Settled(score)));
        }
        self.verify_null_move(node, beta, depth).map(|holds| holds.then_some(Settled(score)))
    }

    /// Verifies a null move cut-off by a search without null moves. Returns true if it fails high
    /// too.
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

    /// Enhanced transposition cut-offs (ETC; Schaeffer and Plaat 1996, "New advances in alpha-beta
    /// searching"): before any move is searched, the table is probed for every child. A child known
    /// to be bad enough for the opponent causes a cut-off at the cost of a probe. Probing all
    /// children takes time. So the rule applies only well above the horizon, where a cut-off saves
    /// much, and only at expected cut-nodes, where a cut-off is likely.
    ///
    /// Returns a score of at least `beta` that the table proves for one of the moves, and stores it
    /// for the node. Otherwise gives the generated moves to the picker.
    pub(super) fn enhanced_transposition_cutoff(
        &self,
        node: &Node,
        beta: Score,
        picker: &mut MovePicker,
    ) -> Option<Settled> {
        let board = self.position.board();
        if !node.cut_node
            || node.excluded.is_some()
            || node.depth < Depth::new(parameters::enhanced_cutoff_min_depth())
            || board.halfmoves() > CHILD_PROBE_MAX_HALFMOVES
        {
            return None;
        }
        let moves = board.legal_moves();
        let keys: ArrayVec<_, MAX_MOVES> = moves.iter().map(|&mv| board.key_after(mv)).collect();
        // Prefetching all entries before the first probe lets the memory accesses overlap.
        for &key in &keys {
            self.shared.table.prefetch(key);
        }
        for (&mv, key) in moves.iter().zip(keys) {
            let child = self.shared.table.probe(key, node.ply.next(), board.halfmoves() + 1);
            if let Some(child) = child
                && child.bound != Bound::Lower
                && child.depth + 1 >= node.depth
                && -child.score >= beta
                // If the child repeats a position, its score here is not the table's score.
                && !self.position.has_occurred(key)
            {
                self.store_cutoff(node, mv, -child.score);
                return Some(Settled(-child.score));
            }
        }
        picker.set_legal_moves(&moves, board, &self.thread_data.histories);
        None
    }

    fn store_cutoff(&self, node: &Node, mv: Move, score: Score) {
        let entry = TableEntry {
            mv: Some(PackedMove::new(mv)),
            score,
            bound: Bound::Lower,
            depth: node.depth,
            evaluation: node.raw_evaluation,
            tt_pv: node.tt_pv,
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }
}

/// Returns the reduction of the search after a null move, in plies.
fn null_move_reduction(node: &Node, beta: Score) -> i32 {
    let advantage =
        (node.tt_adjusted_evaluation - beta) / parameters::null_move_advantage_divisor();
    parameters::null_move_reduction()
        + node.depth.plies() / parameters::null_move_depth_divisor()
        + advantage.min(parameters::null_move_advantage_max())
}

/// Returns true if the table has an upper bound below beta, from a search to any depth.
fn tt_expects_fail_low(node: &Node, beta: Score) -> bool {
    node.tt_entry.is_some_and(|entry| entry.bound == Bound::Upper && entry.score < beta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_damped_score_still_fails_high_and_never_rises(
            beta in -2_000..2_000_i32, above in 0..2_000_i32, depth in 1..100_i32, trust in 0..=100_i32,
        ) {
            let beta = Score::new(beta);
            let best = beta + above;
            prop_assert!((beta..=best).contains(&blend_with_beta(best, beta, trust)));
            let shallow = damp_fail_high(best, beta, Depth::new(depth));
            let deep = damp_fail_high(best, beta, Depth::new(depth + 1));
            prop_assert!(beta <= shallow && shallow <= deep && deep <= best);
        }
    }

    #[test]
    fn a_mate_is_not_damped() {
        let mate = Score::mate_in(Ply::new(5));
        assert_eq!(damp_fail_high(mate, Score::ZERO, Depth::ONE), mate);
    }
}
