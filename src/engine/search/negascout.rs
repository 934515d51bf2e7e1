//! NegaScout: alpha-beta that assumes its first move to be the best and only proves the others
//! worse (Reinefeld 1983, "An improvement to the Scout tree search algorithm", Figure 2).
//!
//! The first move is searched with the node's window. Every other move is scouted with a null
//! window above alpha. The form here is fail-soft and guarded: a move whose scout returns t is
//! searched again only when alpha < t < beta, and then from t - 1 on, so that a value of exactly t
//! returns with its line; the printed figure lacks the guards and can leave the window. With late
//! move reductions (LMR) a move has up to four searches: a reduced null window, a null window at
//! full depth (a ply more or less by the result of the reduced one), the open window from t - 1 on
//! and, if its value falls below t, the window (alpha, t). Only the confirmation of a mate needs
//! more.
//!
//! [`negascout`](Worker::negascout) searches one node. Its steps are numbered in the order in which
//! they run. Each rule of pruning, reduction and extension is a separate function in `pruning.rs`,
//! `reductions.rs` or `extensions.rs`.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::extensions::Singular;
use super::node::{Candidate, MoveLoop, Node, NodeType, NullWindow, ScoreWindow, Settled};
use super::parameters;
use super::picker::{MovePicker, Pick, Stage};
use super::pruning::{
    damp_fail_high, exchange_pruning, futility_pruning, history_pruning, late_move_pruning,
    mate_distance_pruning, may_prune_moves, reverse_futility_pruning,
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
    /// `cut_node` is true if the pattern of the minimal tree (Knuth and Moore 1975) expects a
    /// cut-off here.
    pub(super) fn negascout<N: NodeType>(
        &mut self,
        mut window: ScoreWindow,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
    ) -> Searched {
        debug_assert!(window.alpha < window.beta && (N::PV || window.is_null()), "{window:?}");
        debug_assert!(ply.index() <= MAX_PLY, "{ply:?}");

        // Step 1. The quiescence search takes over at the horizon.
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply, None);
        }
        self.begin_node::<N>(ply)?;

        // Step 2. The end of the game, and the greatest ply.
        if !N::ROOT
            && let Some(Settled(score)) = self.end_of_line(ply)
        {
            return Ok(score);
        }

        // Step 3. Upcoming repetition and mate distance pruning narrow the window to the scores
        // that are possible. If they raise alpha, the score is at least alpha, even if moves are
        // pruned.
        let mut floor = Score::MINUS_INFINITE;
        if !N::ROOT {
            if self.narrow_window(&mut window, ply) {
                floor = window.alpha;
            }
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        // Step 4. The transposition cut-off. It does not apply in an open window, where it would
        // end the line of play early, nor in a singular search, since the entry is about all moves.
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

        // Step 5. The endgame tables. In an open window, their score is a bound for the moves.
        let tablebase_score =
            if excluded.is_none() { self.probe_tablebases::<N>(depth, ply) } else { None };
        if let Some(tablebase_score) = tablebase_score
            && tablebase_score.settles(window)
        {
            let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.tt_pv);
            self.store_tablebase_score(tablebase_score, depth, ply, tt_pv);
            return Ok(tablebase_score.score);
        }

        // Step 6. The static evaluation and the other facts about the node. The change of the
        // evaluation updates the history of the move that led here.
        let node = self.enter_node::<N>(depth, ply, cut_node, tt_entry, excluded);
        if !N::ROOT && excluded.is_none() {
            self.update_history_from_evaluation(ply);
        }

        // Steps 7 to 9 prune the whole node, outside the principal variation.
        if !N::PV && self.may_prune_node(&node, window.beta) {
            // Step 7. Reverse futility pruning (RFP).
            if let Some(Settled(score)) = reverse_futility_pruning(&node, window.beta) {
                return Ok(score);
            }
            // Step 8. Razoring.
            if let Some(Settled(score)) = self.razoring(&node, window.beta)? {
                return Ok(score);
            }
            // Step 9. Null move pruning (NMP).
            if let Some(Settled(score)) = self.null_move_pruning(&node, window.beta)? {
                return Ok(score);
            }
        }

        // Step 10. Enhanced transposition cut-offs (ETC).
        let tt_move = self.tt_move::<N>(tt_entry);
        let mut picker = self.picker(&node, tt_move);
        if let Some(Settled(score)) =
            self.enhanced_transposition_cutoff(&node, window.beta, &mut picker)
        {
            return Ok(score);
        }

        // Step 11. Internal iterative reduction (IIR). The moves are searched to this depth.
        let depth = depth - internal_iterative_reduction(&node, tt_move);
        let mut moves =
            MoveLoop::new(window, floor, tablebase_score.filter(|_| N::PV), depth, tt_move);

        loop {
            // Step 12. Late move pruning (LMP), and the next move.
            let may_prune = !N::ROOT
                && moves.move_count > 0
                && may_prune_moves(self.position.board(), moves.best_score);
            if may_prune && late_move_pruning(&node, &moves) {
                picker.skip_quiets();
            }
            let Some(pick) = self.next_move::<N>(&mut picker, moves.move_count) else {
                break;
            };
            let mv = pick.mv;
            let overlooked = !N::ROOT && moves.move_count > 0 && self.overlooks(mv, ply);
            if Some(mv) == excluded || overlooked {
                continue;
            }
            moves.move_count += 1;
            let candidate = self.candidate(&picker, pick, moves.move_count);

            // Steps 13 to 15 prune the move. Good captures have just passed a test of exchanges
            // with a threshold that depends on their history, and are too few to be worth more
            // tests.
            if may_prune && candidate.stage != Stage::GoodCaptures {
                let board = self.position.board();
                let lmr_depth = self.lmr_depth(&moves, &candidate);
                // Step 13. History pruning. Most quiet moves that follow have less history.
                if history_pruning(&moves, &candidate, lmr_depth) {
                    picker.skip_quiets();
                    continue;
                }
                // Step 14. Futility pruning (FP).
                if futility_pruning(&node, mv, lmr_depth, moves.window.alpha, board) {
                    continue;
                }
                // Step 15. Pruning by static exchange evaluation (SEE).
                if exchange_pruning(&moves, mv, lmr_depth, board) {
                    continue;
                }
            }

            // Step 16. Singular extensions and multi-cut. Check extensions follow in step 17, when
            // the move is made.
            let extension = match self.singular_extension(&node, &moves, mv)? {
                Singular::Extension(plies) => plies,
                Singular::MultiCut(Settled(score)) => return Ok(score),
            };

            // Step 17. The searches of the move.
            let nodes_before = self.nodes;
            let score = self.search_move::<N>(&node, &moves, &candidate, extension)?;
            if N::ROOT {
                self.record_root_move(mv, score, &moves, nodes_before);
            }
            if self.record_score::<N>(&mut moves, ply, mv, score).is_break() {
                break;
            }
        }

        // Step 18. Without a legal move it is mate or stalemate. In a singular search the excluded
        // move was the only one.
        if moves.move_count == 0 {
            return Ok(score_without_moves(&node, window.alpha));
        }

        // Step 19. The updates of the histories and the table. No score exceeds the limit that the
        // endgame tables set.
        if let Some(ceiling) = moves.ceiling {
            moves.best_score = moves.best_score.min(ceiling);
        }
        debug_assert!(moves.best_score.is_valid(), "{:?}", moves.best_score);
        if excluded.is_some() {
            return Ok(moves.best_score);
        }
        self.record_node::<N>(&node, &moves, window.alpha);

        // Step 20. A score above beta moves towards beta. The table keeps the original score.
        if N::ROOT {
            return Ok(moves.best_score);
        }
        Ok(damp_fail_high(moves.best_score, moves.window.beta, moves.depth))
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

    /// Returns the score of a position in which the line ends: a draw by the rules, or the greatest
    /// ply.
    #[inline]
    fn end_of_line(&self, ply: Ply) -> Option<Settled> {
        if self.position.is_drawn(ply) {
            return Some(Settled(Score::DRAW));
        }
        (ply.index() >= MAX_PLY).then(|| Settled(self.leaf_evaluation(ply)))
    }

    /// Narrows the window to the scores that are possible. Returns `true` if that raised alpha.
    ///
    /// Upcoming repetition (van Kervinck 2013, under this name; here without his tables) sees a
    /// draw by repetition one ply early: the side to move can have a draw, so alpha rises to it.
    /// Mate distance pruning is a separate function.
    #[inline]
    fn narrow_window(&self, window: &mut ScoreWindow, ply: Ply) -> bool {
        let alpha = window.alpha;
        if parameters::upcoming_repetition() > 0
            && alpha < Score::DRAW
            && self.position.can_repeat(ply)
        {
            window.alpha = Score::DRAW;
        }
        mate_distance_pruning(window, ply);
        window.alpha > alpha
    }

    /// Returns the move to search first: at the root the best move of the last iteration, elsewhere
    /// the table's move if it is legal here.
    fn tt_move<N: NodeType>(&self, tt_entry: Option<TableEntry>) -> Option<Move> {
        if N::ROOT {
            return self.root_moves.get(self.pv_index).map(|root_move| root_move.mv);
        }
        self.legal_tt_move(tt_entry)
    }

    /// Returns the picker of all moves of the node, with its killers and counter-move.
    fn picker(&mut self, node: &Node, tt_move: Option<Move>) -> MovePicker {
        let ply = node.ply;
        let threats = self.prepare_ordering(ply, node.attacks.as_ref());
        let context = self.context(ply);
        let mut refutations = ArrayVec::new();
        let slots = parameters::killers() as usize;
        refutations.extend(self.stack(ply).killers.into_iter().take(slots).flatten());
        if parameters::counter_moves() > 0
            && let Some(packed) = self.thread_data.histories.counter_move(context.previous_moves[0])
        {
            refutations.extend(packed.unpack(self.position.chess()));
        }
        MovePicker::new(tt_move, refutations, context, threats)
    }

    /// Returns the next move: at the root in the order of the root moves, elsewhere from the
    /// picker.
    fn next_move<N: NodeType>(&self, picker: &mut MovePicker, move_count: usize) -> Option<Pick> {
        if N::ROOT {
            let root_move = self.root_moves.get(self.pv_index + move_count)?;
            // By the endgame tables, every later move has a worse result.
            if root_move.rank() < self.root_moves[self.pv_index].rank() {
                return None;
            }
            // Root moves have no stage. No rule treats `TtMove` specially.
            return Some(Pick { mv: root_move.mv, stage: Stage::TtMove });
        }
        picker.next(self.position.board(), &self.thread_data.histories)
    }

    /// Collects the facts about a move before it is made. The first move needs no history.
    fn candidate(&self, picker: &MovePicker, pick: Pick, move_count: usize) -> Candidate {
        let Pick { mv, stage } = pick;
        let has_history = move_count > 1 && !is_tactical(mv);
        let history = if has_history {
            picker.quiet_history(self.position.turn(), mv, &self.thread_data.histories)
        } else {
            0
        };
        Candidate { mv, move_count, stage, history }
    }

    /// Makes a move, searches it, and unmakes it.
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
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
        let extension =
            if extension == 0 { self.check_extension(node.ply, moves.depth) } else { extension };
        self.stack(node.ply).is_first_move = candidate.move_count == 1;
        let child_depth = moves.depth - 1 + extension;
        let score = self.search_after_move::<N>(node, moves, candidate, child_depth);
        self.unmake();
        self.stack(node.ply).double_extensions -= double;
        score
    }

    /// Runs NegaScout's searches of the move just made: the first move with the full window, the
    /// others with a null window and, if they turn out better, again. `depth` is the depth of the
    /// child.
    fn search_after_move<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        depth: Depth,
    ) -> Searched {
        let (ply, window) = (node.ply, moves.window);
        if candidate.move_count == 1 {
            // In the minimal tree, the first child of an all-node is a cut-node, the first child of
            // a cut-node is an all-node, and the first child of a PV node is a PV node.
            let child_cuts = !N::PV && !node.cut_node;
            return self.search_child::<N::FullWindow>(window, depth, ply, child_cuts);
        }
        let (t, depth) = self.scout(node, moves, candidate, depth)?;
        if N::PV && window.alpha < t && t < window.beta {
            return self.search_again::<N>(window, t, depth, ply);
        }
        Ok(t)
    }

    /// Tests a late move against alpha with a null window, first to a reduced depth. Returns the
    /// score and the full depth of the move, adjusted by the result of the reduced search.
    fn scout(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        depth: Depth,
    ) -> Result<(Score, Depth), Stopped> {
        let (ply, window) = (node.ply, ScoreWindow::null(moves.window.alpha));
        let child_cuts = !node.cut_node;
        let reduction = self.late_move_reduction(node, moves, candidate);
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
            self.update_after_re_search(ply, moves.depth, candidate.mv, t > window.alpha);
        }
        Ok((t, depth))
    }

    /// Searches a move again after its scout returned `t` inside the window.
    fn search_again<N: NodeType>(
        &mut self,
        window: ScoreWindow,
        t: Score,
        depth: Depth,
        ply: Ply,
    ) -> Searched {
        // The window begins one below t, so that a value of exactly t returns with its line. If the
        // table or a reduction misled the scout, the value is below t.
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
        // The two searches contradict each other. A bound has no line of play, but a reported mate
        // needs one.
        if let Some(value) = self.confirm_mate::<N::FullWindow>(value, window.beta, depth, ply)? {
            return Ok(value);
        }
        self.search_child::<N::FullWindow>(window, depth, ply, false)
    }

    /// Records the score of a move in the move loop. A score that fails high ends the loop.
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
                // A former best move must not lose history like a move that failed.
                moves.window.alpha = score;
                return ControlFlow::Continue(());
            }
        }
        // Moves beyond the capacity are so late that their histories matter little.
        let _ =
            if is_tactical(mv) { moves.captures.try_push(mv) } else { moves.quiets.try_push(mv) };
        ControlFlow::Continue(())
    }

    /// Records nodes, score and line of a root move. A move that did not raise alpha has no score.
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

/// Returns the score of a node in which no move was searched.
fn score_without_moves(node: &Node, alpha: Score) -> Score {
    match (node.excluded, node.in_check) {
        (Some(_), _) => alpha,
        (None, true) => Score::mated_in(node.ply),
        (None, false) => Score::DRAW,
    }
}
