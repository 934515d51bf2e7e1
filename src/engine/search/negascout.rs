//! NegaScout: alpha-beta that assumes its first move to be the best and merely proves the others
//! worse (Reinefeld 1983, "An improvement to the Scout tree search algorithm", Figure 2).
//!
//! The first move is searched with the node's window. Every other move is scouted with a null
//! window above alpha. The form here is fail-soft and guarded: a move whose scout comes back with t
//! is searched again only when alpha < t < beta, and then from t - 1 on, so that a value of exactly
//! t comes back with its line; the printed figure lacks the guards and can leave the window. With
//! late move reductions (LMR) a move has up to four searches: a reduced null window, a null window
//! at full depth (a ply more or less by what the reduced one found), the open window from t - 1 on
//! and, if its value falls below t, the window (alpha, t). Only where a mate must be confirmed there
//! are more.
//!
//! The steps of a node are numbered in the order in which they are taken. Each rule of pruning,
//! reduction and extension is a function of its own, in `pruning.rs`, `enhanced_cutoffs.rs`,
//! `reductions.rs` and `extensions.rs`.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::extensions::Singular;
use super::node::{Candidate, MoveLoop, Node, NodeType, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::picker::{MovePicker, Pick, Stage};
use super::pruning::{
    damp_fail_high, late_move_pruning, mate_distance_pruning, may_prune_moves,
    reverse_futility_pruning,
};
use super::reductions::{depth_change_after_reduced_search, internal_iterative_reduction};
use super::table::TableEntry;
use super::worker::{Searched, Stopped, Worker};
use crate::position::is_tactical;
use crate::units::{Depth, MAX_PLY, Ply, Score};

impl Worker<'_> {
    /// Searches the current position, `ply` plies from the root, to `depth`, and returns its score
    /// for the side to move: exact inside the window, else a bound on the failing side.
    ///
    /// `cut_node` says that by the pattern of the minimal tree (Knuth and Moore 1975) a cut-off is
    /// expected here.
    pub(super) fn negascout<N: NodeType>(
        &mut self,
        mut window: ScoreWindow,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Searched {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()), "{window:?}");
        debug_assert!(ply.index() <= MAX_PLY, "{ply:?}");

        // Step 1. At the horizon the quiescence search takes over.
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.begin_node::<N>(ply)?;

        // Steps 2 and 3. The end of the game, the greatest ply, a draw for the taking, and mate
        // distance pruning.
        let alpha = window.alpha;
        if !N::ROOT
            && let Some(Settled(score)) = self.settle_without_search(&mut window, ply)
        {
            return Ok(score);
        }
        // Where they raised alpha, the node is worth as much, whatever moves are pruned.
        let floor = if window.alpha > alpha { window.alpha } else { Score::MINUS_INFINITE };
        self.search_node::<N>(window, floor, depth, ply, cut_node)
    }

    /// The steps of a node that neither the rules of the game nor its ply settle. It is worth at
    /// least `floor`.
    #[inline]
    fn search_node<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        floor: Score,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Searched {
        // Step 4. The transposition cut-off. Not with an open window, where it would cut the line
        // of play short, nor in a singular search, since the entry is that of all moves.
        let excluded = self.stack(ply).excluded;
        let board = self.position.board();
        let halfmoves = board.halfmoves();
        let tt_entry = self.shared.table.probe(board.key(), ply, halfmoves);
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = tt_entry
            && entry.allows_cutoff(depth, window.beta, halfmoves)
        {
            return Ok(entry.score);
        }

        // Step 5. The endgame tables.
        let known = if excluded.is_none() { self.probe_tablebases::<N>(depth, ply) } else { None };
        if let Some(known) = known
            && known.settles(window)
        {
            let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.tt_pv);
            self.store_tablebase_score(known, depth, ply, tt_pv);
            return Ok(known.score);
        }

        // Step 6. The static evaluation and what else is known about the node; the change of the
        // evaluation is a hint for the history of the move that led here.
        let mut node = self.enter_node::<N>(depth, ply, cut_node, tt_entry, excluded);
        if !N::ROOT && excluded.is_none() {
            self.update_history_from_evaluation(ply);
        }

        // Steps 7 to 9. Pruning of the whole node.
        if !N::PV
            && let Some(Settled(score)) = self.prune_node(&node, window.beta)?
        {
            return Ok(score);
        }

        // Step 10. Enhanced transposition cut-offs (ETC).
        node.tt_move = self.tt_move::<N>(tt_entry);
        let mut picker = self.picker(node.tt_move, ply);
        if let Some(Settled(score)) =
            self.enhanced_transposition_cutoff(&node, window.beta, &mut picker)
        {
            return Ok(score);
        }

        // Step 11. Internal iterative reduction (IIR).
        node.depth -= internal_iterative_reduction(&node);

        // Steps 12 to 17. The moves. What the endgame tables know matters here to an open window.
        let mut moves = MoveLoop::new(window, floor, known.filter(|_| N::PV));
        if let Some(Settled(score)) = self.run_move_loop::<N>(&node, &mut picker, &mut moves)? {
            return Ok(score);
        }

        // Steps 18 and 19. The node's score, and the updates of histories and table.
        Ok(self.finish_node::<N>(&node, &mut moves, window.alpha))
    }

    /// The score of a node that is settled without table, evaluation or moves, if it is. Otherwise
    /// the window is narrowed to the scores that are possible.
    #[inline]
    fn settle_without_search(&mut self, window: &mut ScoreWindow, ply: Ply) -> Option<Settled> {
        // Step 2. The end of the game, the greatest ply, and a draw for the taking.
        if self.position.is_drawn(ply) {
            return Some(Settled(Score::DRAW));
        }
        if ply.index() >= MAX_PLY {
            return Some(Settled(self.leaf_evaluation(ply)));
        }
        if let Some(settled) = self.take_draw_by_repetition(window, ply) {
            return Some(settled);
        }
        // Step 3. Mate distance pruning.
        mate_distance_pruning(window, ply)
    }

    /// Upcoming repetition (van Kervinck 2013, under this name; here without his tables): a draw by
    /// repetition that the next move can bring is seen a ply before. The node is worth at least a
    /// draw, so alpha rises to it.
    fn take_draw_by_repetition(&self, window: &mut ScoreWindow, ply: Ply) -> Option<Settled> {
        if parameters::upcoming_repetition() == 0
            || window.alpha >= Score::DRAW
            || !self.position.can_repeat(ply)
        {
            return None;
        }
        window.alpha = Score::DRAW;
        (window.alpha >= window.beta).then_some(Settled(Score::DRAW))
    }

    /// Applies the rules that prune a whole node outside the principal variation.
    #[inline]
    fn prune_node(&mut self, node: &Node, beta: Score) -> Result<Option<Settled>, Stopped> {
        if node.in_check || node.excluded.is_some() || self.is_boxed_in_above_beta(node, beta) {
            return Ok(None);
        }
        // Step 7. Reverse futility pruning (RFP).
        if let Some(settled) = reverse_futility_pruning(node, beta) {
            return Ok(Some(settled));
        }
        // Step 8. Razoring.
        if let Some(settled) = self.razoring(node, beta)? {
            return Ok(Some(settled));
        }
        // Step 9. Null move pruning (NMP).
        self.null_move_pruning(node, beta)
    }

    /// Searches the moves one by one until one fails high. Returns a score only if multi-cut
    /// settles the node.
    fn run_move_loop<N: NodeType>(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        moves: &mut MoveLoop,
    ) -> Result<Option<Settled>, Stopped> {
        loop {
            // Step 12. Late move pruning (LMP).
            let may_prune = !N::ROOT
                && moves.move_count > 0
                && may_prune_moves(self.position.board(), moves.best_score);
            if may_prune && late_move_pruning(node, moves.move_count) {
                picker.skip_quiets();
            }
            let Some(pick) = self.next_move::<N>(picker, moves.move_count) else {
                return Ok(None);
            };
            let mv = pick.mv;
            if Some(mv) == node.excluded {
                continue;
            }
            if !N::ROOT && moves.move_count > 0 && self.misses(mv, node.ply) {
                continue;
            }
            moves.move_count += 1;
            let candidate = self.candidate(node, pick, moves.move_count);

            // Steps 13 to 15. Pruning of the move.
            if may_prune && self.prune_move(node, &candidate, moves.window.alpha, picker) {
                continue;
            }

            // Step 16. Singular extensions and multi-cut. Check extensions wait for the move.
            let extension = match self.singular_extension(node, mv, moves.window.beta)? {
                Singular::Extension(plies) => plies,
                Singular::MultiCut(settled) => return Ok(Some(settled)),
            };

            // Step 17. The search of the move.
            let nodes_before = self.nodes;
            let score = self.search_move::<N>(node, &candidate, moves, extension)?;
            if N::ROOT {
                self.record_root_move(mv, score, moves, nodes_before);
            }
            if self.record_score::<N>(moves, node.ply, mv, score).is_break() {
                return Ok(None);
            }
        }
    }

    /// The score of a node whose moves have been searched. `alpha` is that of its window when they
    /// began.
    #[inline]
    fn finish_node<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &mut MoveLoop,
        alpha: Score,
    ) -> Score {
        // Step 18. No move: mate or stalemate, unless the only move was left out.
        if moves.move_count == 0 {
            return score_without_moves(node, alpha);
        }
        // Step 19. The updates of histories and table. No score may exceed what the endgame tables
        // allow.
        if let Some(ceiling) = moves.ceiling {
            moves.best_score = moves.best_score.min(ceiling);
        }
        if node.excluded.is_none() {
            self.record_node::<N>(node, moves, alpha);
        }
        debug_assert!(moves.best_score.is_valid(), "{:?}", moves.best_score);
        if N::ROOT || node.excluded.is_some() {
            return moves.best_score;
        }
        // The table keeps the score as it was found.
        damp_fail_high(moves.best_score, moves.window.beta, node.depth)
    }

    /// Searches the position just entered and returns its score for the side that entered it.
    pub(super) fn search_child<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Searched {
        self.negascout::<N>(window.flip(), depth, ply.next(), cut_node).map(|score| -score)
    }

    /// The move to search first: at the root the best of the last iteration, elsewhere the table's,
    /// if it is legal here.
    fn tt_move<N: NodeType>(&self, tt_entry: Option<TableEntry>) -> Option<Move> {
        if N::ROOT {
            return self.root_moves.get(self.pv_index).map(|root_move| root_move.mv);
        }
        self.legal_tt_move(tt_entry)
    }

    fn picker(&mut self, tt_move: Option<Move>, ply: Ply) -> MovePicker {
        self.prepare_ordering(ply);
        let context = self.context(ply);
        let mut refutations = ArrayVec::new();
        let slots = parameters::killers() as usize;
        refutations.extend(self.stack(ply).killers.into_iter().take(slots).flatten());
        if parameters::counter_moves() > 0
            && let Some(packed) = self.thread_data.histories.counter_move(context.earlier[0])
        {
            refutations.extend(packed.unpack(self.position.chess()));
        }
        MovePicker::new(tt_move, refutations, context)
    }

    fn next_move<N: NodeType>(&self, picker: &mut MovePicker, move_count: usize) -> Option<Pick> {
        if N::ROOT {
            let root_move = self.root_moves.get(self.pv_index + move_count)?;
            // By the endgame tables every later move gives away a better result.
            if root_move.rank() < self.root_moves[self.pv_index].rank() {
                return None;
            }
            // Root moves carry no stage; none is a refutation.
            return Some(Pick { mv: root_move.mv, stage: Stage::TtMove });
        }
        picker.next(self.position.board(), &self.thread_data.histories)
    }

    /// What is known about a move before it is made. Nobody asks for the history of a first move.
    fn candidate(&self, node: &Node, pick: Pick, move_count: usize) -> Candidate {
        let Pick { mv, stage } = pick;
        let has_history = move_count > 1 && !is_tactical(mv);
        let history = if has_history { self.quiet_history(node.ply, mv) } else { 0 };
        Candidate { mv, move_count, stage, history }
    }

    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        moves: &MoveLoop,
        extension: i32,
    ) -> Searched {
        if N::ROOT {
            self.report_root_move(candidate);
        }
        if N::PV {
            self.pv_table().clear(node.ply.next());
        }
        let double = u8::from(extension > 1);
        self.stack(node.ply).double_extensions += double;
        self.make(node.ply, candidate.mv);
        let extension = if extension == 0 { self.check_extension(node) } else { extension };
        self.stack(node.ply).is_first = candidate.move_count == 1;
        let score = self.search_after_move::<N>(node, candidate, moves, node.depth - 1 + extension);
        self.unmake();
        self.stack(node.ply).double_extensions -= double;
        score
    }

    /// NegaScout's searches of the move just made: a scout with a null window, unless it is the
    /// first, and what follows from its result. `depth` is what is left for the child.
    fn search_after_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        moves: &MoveLoop,
        depth: Depth,
    ) -> Searched {
        let (ply, window) = (node.ply, moves.window);
        if candidate.move_count == 1 {
            // In the minimal tree the first child of an all-node is a cut-node, that of a cut-node
            // an all-node, and that of a PV node a PV node.
            let child_cuts = !N::PV && !node.cut_node;
            return self.search_child::<N::FullWindow>(window, depth, ply, child_cuts);
        }
        let (t, depth) = self.scout(node, candidate, moves, depth)?;
        if N::PV && window.alpha < t && t < window.beta {
            return self.search_again::<N>(window, t, depth, ply);
        }
        Ok(t)
    }

    /// Asks with a null window whether a late move is above alpha, first to a reduced depth. Returns the
    /// score and the depth that the move deserves by what the reduced search found.
    fn scout(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        moves: &MoveLoop,
        depth: Depth,
    ) -> Result<(Score, Depth), Stopped> {
        let (ply, window) = (node.ply, ScoreWindow::null(moves.window.alpha));
        let child_cuts = !node.cut_node;
        let reduction = self.late_move_reduction(node, candidate, window.alpha);
        // A reduction alone must not lead into the quiescence search.
        let reduced = (depth - reduction).max(Depth::ONE.min(depth));
        if reduced == depth {
            let t = self.search_child::<NullWindow>(window, depth, ply, child_cuts)?;
            return Ok((t, depth));
        }
        let t = self.search_child::<NullWindow>(window, reduced, ply, true)?;
        if t <= window.alpha {
            return Ok((t, depth));
        }
        let depth = depth + depth_change_after_reduced_search(t - moves.best_score, depth);
        if reduced >= depth {
            return Ok((t, depth));
        }
        let t = self.search_child::<NullWindow>(window, depth, ply, child_cuts)?;
        if !is_tactical(candidate.mv) {
            self.update_after_re_search(node, candidate.mv, t > window.alpha);
        }
        Ok((t, depth))
    }

    /// Searches a move again whose scout came back with `t`, inside the window.
    fn search_again<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        t: Score,
        depth: Depth,
        ply: Ply,
    ) -> Searched {
        // From one below t, so that a value of exactly t comes back with its line. If the table or a
        // reduction misled the scout, the value is below t after all.
        let again = ScoreWindow::new(t - 1, window.beta);
        let value = self.search_child::<N::FullWindow>(again, depth, ply, false)?;
        if value >= t || t - 1 == window.alpha {
            return Ok(value);
        }
        let below = ScoreWindow::new(window.alpha, t);
        let value = self.search_child::<N::FullWindow>(below, depth, ply, false)?;
        if value < t || value >= window.beta || !value.is_decisive() {
            return Ok(value);
        }
        // The two searches contradict each other, and a bound has no line of play, which the
        // announcement of a mate needs.
        if let Some(value) = self.confirm_mate::<N::FullWindow>(value, window.beta, depth, ply)? {
            return Ok(value);
        }
        self.search_child::<N::FullWindow>(window, depth, ply, false)
    }

    /// Records the score of a move. A score that fails high ends the loop.
    pub(super) fn record_score<N: NodeType>(
        &mut self,
        moves: &mut MoveLoop,
        ply: Ply,
        mv: Move,
        score: Score,
    ) -> ControlFlow<()> {
        if score > moves.best_score {
            moves.best_score = score;
            if score > moves.window.alpha {
                moves.best_move = Some(mv);
                if N::PV {
                    self.pv_table().extend(ply, mv);
                }
                if score >= moves.window.beta {
                    let cutoffs = &mut self.stack(ply).cutoffs;
                    *cutoffs = cutoffs.saturating_add(1);
                    return ControlFlow::Break(());
                }
                // A move that was best for a while must not lose history as one that failed.
                moves.window.alpha = score;
                return ControlFlow::Continue(());
            }
        }
        // Moves beyond the capacity came so late that their histories matter little.
        let _ =
            if is_tactical(mv) { moves.captures.try_push(mv) } else { moves.quiets.try_push(mv) };
        ControlFlow::Continue(())
    }

    fn record_root_move(&mut self, mv: Move, score: Score, moves: &MoveLoop, nodes_before: u64) {
        let spent = self.nodes - nodes_before;
        let seldepth = self.seldepth;
        let better = moves.move_count == 1 || score > moves.window.alpha;
        let reply = self.thread_data.pv_table.at(Ply::new(1));
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += spent;
        root_move.score = if better { score } else { Score::MINUS_INFINITE };
        if better {
            root_move.bound = moves.window.bound(score);
            root_move.seldepth = seldepth;
            root_move.set_line(reply);
        }
    }
}

/// The score of a node in which no move was searched.
fn score_without_moves(node: &Node, alpha: Score) -> Score {
    match (node.excluded, node.in_check) {
        (Some(_), _) => alpha,
        (None, true) => Score::mated_in(node.ply),
        (None, false) => Score::DRAW,
    }
}
