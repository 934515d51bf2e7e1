//! Nodes: their types, their windows, and what is known about one before its moves are tried.

use super::report::Bound;
use super::table::Entry;
use crate::units::{Depth, Ply, Score};

/// The type of a node. There are exactly three, and the type of a child that is searched with an
/// open window follows from the parent's; every other child is a [`NullWindow`] node.
pub trait NodeType {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether the window is open, so that an exact score and a line of play are wanted.
    const PV: bool;
    /// The type of a child searched with the node's full window.
    type Open: NodeType;
}

/// The root of the search.
pub struct Root;

/// A node on a principal variation: its window is open.
pub struct Pv;

/// A node asked only whether its value reaches beta: alpha and beta are one apart.
pub struct NullWindow;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Open = Pv;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Open = Pv;
}

impl NodeType for NullWindow {
    const ROOT: bool = false;
    const PV: bool = false;
    type Open = NullWindow;
}

/// The open interval in which a score is wanted: scores up to `alpha` fail low, scores from `beta`
/// on fail high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The side to move has this much already.
    pub alpha: Score,
    /// The other side will not allow this much.
    pub beta: Score,
}

impl Window {
    /// The window that excludes nothing.
    pub const FULL: Window = Window { alpha: Score::new(-32_001), beta: Score::INFINITE };

    /// The window between two scores.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta);
        Window { alpha, beta }
    }

    /// The null window that asks whether a score above `alpha` can be had.
    pub fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// What a score that a search with this window returned says of the true value.
    pub fn bound(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// The same window seen from the other side.
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What a node knows about itself before its moves are tried; built once and handed to every
/// decision about pruning, reduction and extension.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Distance from the root.
    pub ply: Ply,
    /// Depth still to be searched.
    pub depth: Depth,
    /// Whether the window is open.
    pub pv: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The static evaluation before any correction; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// The best estimate of the score before any search: the static evaluation, corrected, and
    /// sharpened by the table's score. Meaningless in check.
    pub evaluation: Score,
    /// Whether the static evaluation has risen since our last move.
    pub improving: bool,
    /// What the transposition table knows.
    pub hit: Option<Entry>,
    /// Whether a cut-off is expected here, by the pattern of the minimal tree.
    pub expected_cut: bool,
    /// Whether this search leaves out the table's move, to see if the rest comes near it.
    pub excluding: bool,
}
