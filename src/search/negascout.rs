//! NegaScout: alpha-beta that assumes its first move to be the best and merely proves the others
//! worse (Reinefeld 1983, "An improvement to the Scout tree search algorithm", Figure 2).
//!
//! The first move is searched with the node's window. Every other move is scouted with a null
//! window above alpha. The form here is fail-soft and guarded: a scout that comes back with t is
//! searched again only when alpha < t < beta, and then from t on, since t is already proven; the
//! printed figure lacks the guards and can leave the window. With late move reductions the ladder
//! has three rungs: a reduced null window, a null window at full depth, the open window.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::node::{Node, NodeType, NullWindow, Window};
use super::parameters;
use super::picker::{MovePicker, Pick, Stage};
use super::report::Bound;
use super::selectivity::{Candidate, Extension, enough_moves, internal_reduction, may_prune_moves};
use super::table::Entry;
use super::worker::{Searched, Stopped, Worker};
use crate::position::is_tactical;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Close to the fifty-move limit a stored score no longer holds: it was found with more moves in
/// hand.
pub const TRUSTED_HALFMOVES: u32 = 90;

/// How far the moves of a node have been searched.
struct Progress {
    window: Window,
    best: Score,
    best_move: Option<Move>,
    number: usize,
    quiets: ArrayVec<Move, 64>,
    captures: ArrayVec<Move, 32>,
}

impl Progress {
    fn new(window: Window) -> Progress {
        Progress {
            window,
            best: -Score::INFINITE,
            best_move: None,
            number: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }
}

impl Worker<'_> {
    /// Searches the current position, `ply` plies from the root, to `depth`, and returns its score
    /// for the side to move: exact inside the window, else a bound on the failing side.
    ///
    /// `expected_cut` says that by the pattern of the minimal tree a cut-off is likely here.
    pub fn negascout<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
        expected_cut: bool,
    ) -> Searched {
        if depth <= Depth::ZERO {
            return self.quiescence::<N>(window, ply);
        }
        self.poll()?;
        if N::PV {
            self.variations().clear(ply);
            self.seldepth = self.seldepth.max(ply.index());
        }

        // Step 1. The end of the game, of the room, and of what a mate can still change.
        let mut window = window;
        if !N::ROOT {
            if self.position.is_drawn(ply) {
                return Ok(Score::DRAW);
            }
            if ply.index() >= MAX_PLY {
                return Ok(self.leaf_evaluation());
            }
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply.next()));
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }

        // Step 2. What the transposition table knows.
        let excluded = self.frame(ply).excluded;
        let board = self.position.board();
        let (key, halfmoves) = (board.key(), board.halfmoves());
        let hit = self.shared.table.probe(key, ply, halfmoves);
        if !N::PV
            && excluded.is_none()
            && halfmoves < TRUSTED_HALFMOVES
            && let Some(hit) = hit
            && hit.depth >= depth
            && hit.decides(window.beta)
        {
            return Ok(hit.score);
        }
        let table_move = self.table_move::<N>(hit);

        // Step 3. What the node knows of itself, and whether it needs a search at all.
        let mut node = self.describe::<N>(depth, ply, expected_cut, hit, excluded.is_some());
        self.frame(ply.next().next()).killers = [None; 2];
        if let Some(score) = self.prune_node(&node, window.beta)? {
            return Ok(score);
        }

        // Step 4. Whether a child is known to refute it.
        let mut picker = self.picker(table_move, ply);
        if let Some(score) = self.enhanced_cutoff(&node, window.beta, &mut picker) {
            return Ok(score);
        }
        node.depth -= internal_reduction(&node, table_move);

        // Step 5. The moves.
        let mut progress = Progress::new(window);
        if let Some(score) = self.search_moves::<N>(&node, &mut picker, excluded, &mut progress)? {
            return Ok(score);
        }

        // Step 6. No move: mate or stalemate, unless the only move was left out.
        if progress.number == 0 {
            return Ok(match (excluded, node.in_check) {
                (Some(_), _) => window.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            });
        }

        // Step 7. What was learned.
        if excluded.is_none() {
            self.learn::<N>(&node, &progress, window.alpha);
        }
        Ok(progress.best)
    }

    /// Searches the moves one by one until one fails high. Returns a score only if the search for
    /// a singular move settles the node.
    fn search_moves<N: NodeType>(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        excluded: Option<Move>,
        progress: &mut Progress,
    ) -> Result<Option<Score>, Stopped> {
        loop {
            let may_prune = !N::ROOT
                && progress.number > 0
                && may_prune_moves(self.position.board(), progress.best);
            if may_prune && enough_moves(node, progress.number) {
                picker.skip_quiets();
            }
            let Some(pick) = self.next_move::<N>(picker, progress.number) else {
                return Ok(None);
            };
            let mv = pick.mv;
            if Some(mv) == excluded {
                continue;
            }
            progress.number += 1;
            let candidate = Candidate { mv, number: progress.number, stage: pick.stage };
            if may_prune && self.prune_move(node, &candidate, progress.window.alpha) {
                continue;
            }
            let extension = match self.extension(node, mv, progress.window.beta)? {
                Extension::Plies(plies) => plies,
                Extension::Settled(score) => return Ok(Some(score)),
            };
            let nodes_before = self.nodes;
            let score = self.search_move::<N>(node, &candidate, progress.window, extension)?;
            if N::ROOT {
                self.record_root_move(mv, score, progress, nodes_before);
            }
            if self.take_score::<N>(progress, node.ply, mv, score) {
                return Ok(None);
            }
        }
    }

    /// Searches the position just entered and returns its score for the side that entered it.
    pub fn search_child<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        ply: Ply,
        expected_cut: bool,
    ) -> Searched {
        self.negascout::<N>(window.flip(), depth, ply.next(), expected_cut).map(|score| -score)
    }

    /// The move to try first: at the root the best of the last iteration, elsewhere the table's,
    /// if it is legal here.
    fn table_move<N: NodeType>(&self, hit: Option<Entry>) -> Option<Move> {
        if N::ROOT {
            return self.root_moves.get(self.first_root_move).map(|root_move| root_move.mv);
        }
        hit.and_then(|hit| hit.mv).and_then(|packed| self.position.board().legal_move(packed))
    }

    fn describe<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
        expected_cut: bool,
        hit: Option<Entry>,
        excluding: bool,
    ) -> Node {
        let in_check = self.position.board().in_check();
        let raw = match hit.and_then(|hit| hit.evaluation) {
            _ if in_check => Score::DRAW,
            Some(stored) => stored,
            None => self.raw_evaluation(),
        };
        let evaluation = if in_check { raw } else { self.corrected(raw) };
        self.frame(ply).evaluation = (!in_check).then_some(evaluation);
        self.frame(ply).double_extensions = self.frame_before(ply, 1).double_extensions;
        let earlier = self.frame_before(ply, 2).evaluation.or(self.frame_before(ply, 4).evaluation);
        Node {
            ply,
            depth,
            pv: N::PV,
            in_check,
            raw_evaluation: (!in_check).then_some(raw),
            evaluation: sharpen(evaluation, hit.filter(|_| !excluding)),
            improving: !in_check && earlier.is_none_or(|earlier| evaluation > earlier),
            hit,
            expected_cut,
            excluding,
        }
    }

    fn picker(&mut self, table_move: Option<Move>, ply: Ply) -> MovePicker {
        let context = self.context(ply);
        let mut killers = ArrayVec::new();
        let slots = parameters::killers() as usize;
        killers.extend(self.frame(ply).killers.into_iter().take(slots).flatten());
        if parameters::counter_moves() > 0
            && let Some(packed) = self.mind.histories.counter_move(context[0])
        {
            killers.extend(packed.unpack(self.position.chess()));
        }
        MovePicker::new(table_move, killers, context)
    }

    fn next_move<N: NodeType>(&self, picker: &mut MovePicker, searched: usize) -> Option<Pick> {
        if N::ROOT {
            let root_move = self.root_moves.get(self.first_root_move + searched)?;
            return Some(Pick { mv: root_move.mv, stage: Stage::Table });
        }
        picker.next(self.position.board(), &self.mind.histories)
    }

    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        window: Window,
        extension: i32,
    ) -> Searched {
        if N::ROOT {
            self.announce_root_move(candidate);
        }
        if N::PV {
            self.variations().clear(node.ply.next());
        }
        let double = u8::from(extension > 1);
        self.frame(node.ply).double_extensions += double;
        self.push(node.ply, candidate.mv);
        let score = self.scout::<N>(node, candidate, window, node.depth - 1 + extension);
        self.pop();
        self.frame(node.ply).double_extensions -= double;
        score
    }

    /// The ladder of searches for the move just played, `depth` being what is left for the child.
    fn scout<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        window: Window,
        depth: Depth,
    ) -> Searched {
        let ply = node.ply;
        if candidate.number == 1 {
            let child_cuts = !N::PV && !node.expected_cut;
            return self.search_child::<N::Open>(window, depth, ply, child_cuts);
        }
        let null = Window::null(window.alpha);
        let reduced = (depth - self.reduction(node, candidate)).max(Depth::ONE.min(depth));
        if reduced < depth {
            let t = self.search_child::<NullWindow>(null, reduced, ply, true)?;
            if t <= window.alpha {
                return Ok(t);
            }
        }
        let t = self.search_child::<NullWindow>(null, depth, ply, !node.expected_cut)?;
        if N::PV && window.alpha < t && t < window.beta {
            // From one below t, so that a value of exactly t comes back with its line. Where the
            // table or a reduction misled the scout, the value lies below after all.
            let again = Window::new(t - 1, window.beta);
            let value = self.search_child::<N::Open>(again, depth, ply, false)?;
            if value < t && t - 1 > window.alpha {
                let below = Window::new(window.alpha, t);
                return self.search_child::<N::Open>(below, depth, ply, false);
            }
            return Ok(value);
        }
        Ok(t)
    }

    /// Takes note of a move's score. Returns whether the other moves no longer matter.
    fn take_score<N: NodeType>(
        &mut self,
        progress: &mut Progress,
        ply: Ply,
        mv: Move,
        score: Score,
    ) -> bool {
        if score > progress.best {
            progress.best = score;
            if score > progress.window.alpha {
                progress.best_move = Some(mv);
                if N::PV {
                    self.variations().extend(ply, mv);
                }
                if score >= progress.window.beta {
                    return true;
                }
                progress.window.alpha = score;
            }
        }
        // What does not fit is of no weight: it came too late in the order.
        let _ = if is_tactical(mv) {
            progress.captures.try_push(mv)
        } else {
            progress.quiets.try_push(mv)
        };
        false
    }

    /// Writes down what a finished node found out: table entry, histories, correction.
    fn learn<N: NodeType>(&mut self, node: &Node, progress: &Progress, alpha: Score) {
        let bound = if progress.best >= progress.window.beta {
            Bound::Lower
        } else if N::PV && progress.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if bound == Bound::Lower
            && let Some(best) = progress.best_move
        {
            self.reward(node, progress, best);
        }
        // What is best among some of the root's moves says nothing of the position.
        let all_moves = self.first_root_move == 0 && self.shared.limits.search_moves.is_empty();
        if N::ROOT && !all_moves {
            return;
        }
        self.correct_evaluation(node, progress, bound);
        let entry = Entry {
            mv: progress.best_move.map(Into::into),
            score: progress.best,
            bound,
            depth: node.depth,
            evaluation: node.raw_evaluation,
            pv: N::PV || node.hit.is_some_and(|hit| hit.pv),
        };
        self.shared.table.store(self.position.board().key(), node.ply, entry);
    }

    fn reward(&mut self, node: &Node, progress: &Progress, best: Move) {
        let side = self.position.turn();
        let context = self.context(node.ply);
        if !is_tactical(best) {
            let killers = &mut self.frame(node.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let histories = &mut self.mind.histories;
            histories.reward_quiet(side, best, &progress.quiets, node.depth, &context);
        }
        self.mind.histories.reward_capture(side, best, &progress.captures, node.depth);
    }

    fn correct_evaluation(&mut self, node: &Node, progress: &Progress, bound: Bound) {
        let Some(raw) = node.raw_evaluation else {
            return;
        };
        let quiet = progress.best_move.is_none_or(|mv| !is_tactical(mv));
        // A bound on the side where the evaluation stands already says nothing.
        let held = self.corrected(raw);
        let says_something = match bound {
            Bound::Exact => true,
            Bound::Lower => progress.best > held,
            Bound::Upper => progress.best < held,
        };
        if quiet && says_something && !progress.best.is_mate() {
            self.mind.histories.correct(self.position.board(), node.depth, progress.best - raw);
        }
    }

    /// The evaluation of a node that cannot be searched any deeper.
    pub fn leaf_evaluation(&mut self) -> Score {
        if self.position.board().in_check() {
            return Score::DRAW;
        }
        let raw = self.raw_evaluation();
        self.corrected(raw)
    }

    fn record_root_move(&mut self, mv: Move, score: Score, progress: &Progress, before: u64) {
        let spent = self.nodes - before;
        let seldepth = self.seldepth;
        let better = progress.number == 1 || score > progress.window.alpha;
        let child = self.mind.variation_after_root();
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += spent;
        root_move.score = if better { score } else { -Score::INFINITE };
        if better {
            root_move.bound = progress.window.bound(score);
            root_move.seldepth = seldepth;
            root_move.variation.clear();
            root_move.variation.push(mv);
            root_move.variation.extend(child.iter().copied().take(MAX_PLY));
        }
    }
}

/// The evaluation moved to what the table's score proves of it.
pub fn sharpen(evaluation: Score, hit: Option<Entry>) -> Score {
    match hit {
        Some(hit) if !hit.score.is_mate() => match hit.bound {
            Bound::Exact => hit.score,
            Bound::Lower => evaluation.max(hit.score),
            Bound::Upper => evaluation.min(hit.score),
        },
        _ => evaluation,
    }
}
