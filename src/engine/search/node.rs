//! A node of the search: its type, its window, the facts known before its moves are searched, and
//! the state of the loop over its moves.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::picker::Stage;
use super::report::Bound;
use super::table::TableEntry;
use super::worker::{Stopped, Worker};
use crate::position::Attacks;
use crate::units::{Depth, Ply, Score};

/// The type of a node. There are exactly three. A child searched with the node's full window has
/// the type [`FullWindow`](NodeType::FullWindow); every other child is a [`NullWindow`] node.
pub(super) trait NodeType {
    /// The node is the root.
    const ROOT: bool;
    /// The window is open, so an exact score and a line of play (PV) are needed.
    const PV: bool;
    /// Type of a child searched with the node's full window.
    type FullWindow: NodeType;
}

/// The root of the search.
pub(super) struct Root;

/// A node with an open window, on a principal variation (PV).
pub(super) struct Pv;

/// A node with a null window: beta is alpha plus one, so it only decides if its value reaches beta.
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

/// The search window, an open interval. Scores up to `alpha` fail low, and scores from `beta` on
/// fail high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScoreWindow {
    /// Score that the side to move can already get elsewhere.
    pub alpha: Score,
    /// Score that the opponent can already avoid elsewhere.
    pub beta: Score,
}

impl ScoreWindow {
    /// The window that contains every score.
    pub(super) const FULL: ScoreWindow =
        ScoreWindow { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

    /// Returns the window between two scores.
    pub(super) fn new(alpha: Score, beta: Score) -> ScoreWindow {
        debug_assert!(alpha < beta);
        ScoreWindow { alpha, beta }
    }

    /// Returns the null window that decides if the score is above `alpha`.
    pub(super) fn null(alpha: Score) -> ScoreWindow {
        ScoreWindow { alpha, beta: alpha + 1 }
    }

    /// Returns the window of `half_width` centipawns to each side of a score, within the range of
    /// scores.
    pub(super) fn around(score: Score, half_width: i32) -> ScoreWindow {
        ScoreWindow {
            alpha: (score - half_width).max(ScoreWindow::FULL.alpha),
            beta: (score + half_width).min(ScoreWindow::FULL.beta),
        }
    }

    /// Returns true if beta is alpha plus one, so that a search can only find a bound.
    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the relation of a score from a search with this window to the true value.
    pub(super) fn bound(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Returns the same window for the other side.
    pub(super) fn flip(self) -> ScoreWindow {
        ScoreWindow { alpha: -self.beta, beta: -self.alpha }
    }
}

/// Facts known about a node before its moves are searched. A `Node` is built once, never changes,
/// and is passed to every rule of pruning, reduction and extension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Distance from the root.
    pub ply: Ply,
    /// Depth left to search.
    pub depth: Depth,
    /// The window is open.
    pub pv: bool,
    /// The node is on a principal variation (PV), or once was, by the table's entry.
    pub tt_pv: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// Attacks of both sides, White's first, if the evaluation needed them.
    pub attacks: Option<[Attacks; 2]>,
    /// Static evaluation before any correction; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// Absolute change by correction history and the fifty-move fade, in centipawns: a measure of
    /// the uncertainty of the evaluation. Leaving out the fade gained nothing.
    pub correction: i32,
    /// Corrected static evaluation. Meaningless in check.
    pub static_evaluation: Score,
    /// Best estimate of the score before any search: the corrected static evaluation, or the
    /// table's score where that proves more. Meaningless in check.
    pub tt_adjusted_evaluation: Score,
    /// The static evaluation has risen since the last move of the same side, or there is no earlier
    /// evaluation. False in check.
    pub improving: bool,
    /// The opponent's last move made their static evaluation fall.
    pub opponent_worsening: bool,
    /// Entry of the transposition table (TT).
    pub tt_entry: Option<TableEntry>,
    /// The pattern of the minimal tree expects a cut-off here.
    pub cut_node: bool,
    /// Move left out in a singular search.
    pub excluded: Option<Move>,
}

/// Final score of a node that needs no further search. Rules that prune a whole node return it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settled(pub Score);

/// Facts known about a move before it is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Number in the order, from 1. Pruned moves count.
    pub move_count: usize,
    /// Stage of the picker that returned the move.
    pub stage: Stage,
    /// History of a late quiet move; zero for other moves.
    pub history: i32,
}

/// Score of a node by the endgame tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TablebaseScore {
    pub score: Score,
    /// A win is a lower bound, since it may still be a mate, which is better. A loss is an upper
    /// bound.
    pub bound: Bound,
}

impl TablebaseScore {
    /// Returns true if a search with this window could find nothing else.
    pub(super) fn settles(self, window: ScoreWindow) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

/// State of the loop over the moves of a node.
pub(super) struct MoveLoop {
    /// Depth to which the moves are searched: the depth of the node, less the internal iterative
    /// reduction.
    pub depth: Depth,
    /// Move to search first, if one is known.
    pub tt_move: Option<Move>,
    /// Window for the next move: alpha rises with the best score.
    pub window: ScoreWindow,
    /// Best score so far, inside or outside the window.
    pub best_score: Score,
    /// Upper limit of the score, if the endgame tables give one.
    pub ceiling: Option<Score>,
    /// Move that raised alpha last.
    pub best_move: Option<Move>,
    /// Number of moves taken from the picker, pruned moves included.
    pub move_count: usize,
    /// Quiet moves that were searched and did not raise alpha, at most 64.
    pub quiets: ArrayVec<Move, 64>,
    /// Captures and promotions that were searched and did not raise alpha, at most 32.
    pub captures: ArrayVec<Move, 32>,
}

impl MoveLoop {
    /// Returns the state before the first move of a node with a score of at least `floor`.
    /// `tablebase_score` is a score of the endgame tables that only bounds the search, if there is
    /// one.
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
    /// Starts a node, also in quiescence: checks the limits and prepares the line of play.
    #[inline]
    pub(super) fn begin_node<N: NodeType>(&mut self, ply: Ply) -> Result<(), Stopped> {
        self.poll()?;
        if N::PV {
            self.pv_table().clear(ply);
            self.seldepth = self.seldepth.max(ply.index());
        }
        Ok(())
    }

    /// Evaluates the position, collects the facts about the node, and prepares the search stack.
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
        // Siblings share killers and counts of cut-offs. The entry two plies on still has those of
        // another subtree.
        let grandchildren = self.stack(ply.next().next());
        (grandchildren.killers, grandchildren.cutoffs) = ([None; 2], 0);
        // If the side was in check two plies ago, there is no evaluation. Then the one four plies
        // ago is compared.
        let before = |plies| self.stack_before(ply, plies).static_evaluation;
        let earlier = before(2).or(before(4));
        // The table's score is that of all moves, so a singular search must not use it.
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
