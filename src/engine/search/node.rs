//! A node of the search: its type, its window, what is known about it before its moves are
//! searched, and the state of the loop over them.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::picker::Stage;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::{Stopped, Worker};
use crate::position::Attacks;
use crate::units::{Depth, Ply, Score};

/// The type of a node. There are exactly three. The type of a child that is searched with an open
/// window follows from the parent's; every other child is a [`NullWindow`] node.
pub(super) trait NodeType {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether the window is open, so that an exact score and a line of play (PV) are wanted.
    const PV: bool;
    /// The type of a child searched with the node's full window.
    type FullWindow: NodeType;
}

/// The root of the search.
pub(super) struct Root;

/// A node on a principal variation (PV): its window is open.
pub(super) struct Pv;

/// A node that finds out only whether its value reaches beta: alpha and beta are one apart.
pub(super) struct NullWindow;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type FullWindow = Pv;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type FullWindow = Pv;
}

impl NodeType for NullWindow {
    const ROOT: bool = false;
    const PV: bool = false;
    type FullWindow = NullWindow;
}

/// The open interval in which a score is wanted: scores up to `alpha` fail low, scores from `beta`
/// on fail high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreWindow {
    /// The side to move can already get this score elsewhere.
    pub alpha: Score,
    /// The opponent can already avoid this score elsewhere.
    pub beta: Score,
}

impl ScoreWindow {
    /// The window that excludes nothing.
    pub(super) const FULL: ScoreWindow =
        ScoreWindow { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

    /// The window between two scores.
    pub(super) fn new(alpha: Score, beta: Score) -> ScoreWindow {
        debug_assert!(alpha < beta);
        ScoreWindow { alpha, beta }
    }

    /// The null window that finds out whether the score is above `alpha`.
    pub(super) fn null(alpha: Score) -> ScoreWindow {
        ScoreWindow { alpha, beta: alpha + 1 }
    }

    /// The window of `half_width` centipawns to each side of a score, as far as scores go.
    pub(super) fn around(score: Score, half_width: i32) -> ScoreWindow {
        ScoreWindow {
            alpha: (score - half_width).max(ScoreWindow::FULL.alpha),
            beta: (score + half_width).min(ScoreWindow::FULL.beta),
        }
    }

    /// Whether alpha and beta are one apart, so that only a bound can be found.
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// What the score of a search with this window says about the true value.
    pub(super) fn bound(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// The same window seen from the other side.
    pub(super) fn flip(self) -> ScoreWindow {
        ScoreWindow { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What is known about a node before its moves are searched. It is built once and passed to every
/// rule of pruning, reduction and extension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub ply: Ply,
    /// The depth left to search.
    pub depth: Depth,
    /// Whether the window is open.
    pub pv: bool,
    /// Whether the node is on a principal variation (PV), or the table says that it once was.
    pub tt_pv: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The attacks of both sides, White's first, if the evaluation needed them.
    pub attacks: Option<[Attacks; 2]>,
    /// The static evaluation before any correction; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// By how much correction history and the fifty-move fade changed it, in centipawns, without sign:
    /// how uncertain it is. To leave out the fade gained nothing.
    pub correction: i32,
    /// The static evaluation, corrected. Meaningless in check.
    pub static_evaluation: Score,
    /// The best estimate of the score before any search: the corrected static evaluation, replaced
    /// by the table's score where that proves more. Meaningless in check.
    pub tt_adjusted_evaluation: Score,
    /// Whether the static evaluation has risen since our last move.
    pub improving: bool,
    /// Whether the opponent's last move made their static evaluation fall.
    pub opponent_worsening: bool,
    /// The entry of the transposition table (TT).
    pub tt_entry: Option<TableEntry>,
    /// Whether a cut-off is expected here, by the pattern of the minimal tree.
    pub cut_node: bool,
    /// The move that is left out, if this is a singular search.
    pub excluded: Option<Move>,
}

/// The score of a node that needs no further search, as rules that prune a whole node return it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settled(pub Score);

/// What is known about a move before it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Its number in the order, from 1; moves that were pruned count.
    pub move_count: usize,
    /// The stage of the picker that it came from.
    pub stage: Stage,
    /// The history of a late quiet move; zero for other moves.
    pub history: i32,
}

/// The score that endgame tables give a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TablebaseScore {
    pub score: Score,
    /// A win is a lower bound, since it may still be a mate, which is better; a loss an upper one.
    pub bound: Bound,
}

impl TablebaseScore {
    /// Whether a search with this window could find nothing else.
    pub(super) fn settles(self, window: ScoreWindow) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

/// How far the moves of a node have been searched.
pub(super) struct MoveLoop {
    /// The depth to which the moves are searched: that of the node, less the internal iterative
    /// reduction.
    pub depth: Depth,
    /// The move to search first, if one is known.
    pub tt_move: Option<Move>,
    /// What is left of the node's window: alpha rises with the best score.
    pub window: ScoreWindow,
    /// The best score so far, whether within the window or not.
    pub best_score: Score,
    /// An upper limit of the score, if endgame tables give one.
    pub ceiling: Option<Score>,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// Moves taken from the picker, including those that were pruned.
    pub move_count: usize,
    /// Quiet moves that were searched and did not raise alpha.
    pub quiets: ArrayVec<Move, 64>,
    /// Captures and promotions that were searched and did not raise alpha.
    pub captures: ArrayVec<Move, 32>,
}

impl MoveLoop {
    /// The state before the first move of a node that is worth at least `floor`. Endgame tables may
    /// have given a bound within the window.
    pub(super) fn new(
        mut window: ScoreWindow,
        floor: Score,
        tablebase_score: Option<TablebaseScore>,
        depth: Depth,
        tt_move: Option<Move>,
    ) -> MoveLoop {
        let with_bound =
            |bound| tablebase_score.filter(|known| known.bound == bound).map(|known| known.score);
        let ceiling = with_bound(Bound::Upper);
        let floor = with_bound(Bound::Lower).map_or(floor, |known| known.max(floor));
        window.alpha = window.alpha.max(floor);
        MoveLoop {
            depth,
            tt_move,
            window,
            best_score: floor,
            ceiling,
            best_move: None,
            move_count: 0,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
        }
    }
}

impl Worker<'_> {
    /// What every node begins with, also in quiescence.
    #[inline]
    pub(super) fn begin_node<N: NodeType>(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.poll()?;
        if N::PV {
            self.pv_table().clear(ply);
            self.seldepth = self.seldepth.max(ply.index());
        }
        Ok(())
    }

    /// Evaluates the position, collects what is known about it, and prepares the search stack.
    pub(super) fn enter_node<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
        tt_entry: Option<TableEntry>,
        excluded: Option<Move>,
    ) -> Node {
        let in_check = self.position.board().in_check();
        let stored = tt_entry.and_then(|entry| entry.evaluation);
        let attacks = (!in_check && stored.is_none()).then(|| self.attacks());
        let raw = match &attacks {
            Some(attacks) => self.raw_evaluation(attacks),
            None => stored.filter(|_| !in_check).unwrap_or(Score::ZERO),
        };
        let evaluation = if in_check { raw } else { self.corrected_evaluation(raw, ply) };
        debug_assert!(!evaluation.is_decisive(), "{evaluation:?}");
        self.stack(ply).static_evaluation = (!in_check).then_some(evaluation);
        self.stack(ply).double_extensions = self.stack_before(ply, 1).double_extensions;
        // Killers and counts of cut-offs are shared by siblings: those two plies on are of another
        // subtree.
        let grandchildren = self.stack(ply.next().next());
        (grandchildren.killers, grandchildren.cutoffs) = ([None; 2], 0);
        // In check there is no evaluation; then the one four plies ago is compared.
        let before = |plies| self.stack_before(ply, plies).static_evaluation;
        let earlier = before(2).or(before(4));
        // The table's score is that of all moves, which a singular search must not rely on.
        let proven = tt_entry.filter(|_| excluded.is_none());
        Node {
            ply,
            depth,
            pv: N::PV,
            tt_pv: N::PV || tt_entry.is_some_and(|entry| entry.tt_pv),
            in_check,
            attacks,
            raw_evaluation: (!in_check).then_some(raw),
            correction: (evaluation - raw).abs(),
            static_evaluation: evaluation,
            tt_adjusted_evaluation: proven.map_or(evaluation, |entry| entry.adjust(evaluation)),
            improving: !in_check && earlier.is_none_or(|earlier| evaluation > earlier),
            opponent_worsening: !in_check && before(1).is_some_and(|theirs| evaluation > -theirs),
            tt_entry,
            cut_node,
            excluded,
        }
    }
}
