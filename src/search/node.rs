//! Nodes: their types, and what is known about one before its moves are tried.

use shakmaty::Move;

use super::picker::Stage;
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

/// A node on a principal variation (PV): its window is open.
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

/// What a node knows about itself before its moves are tried; built once and handed to every rule
/// about pruning, reduction and extension.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Distance from the root.
    pub ply: Ply,
    /// Depth still to be searched.
    pub depth: Depth,
    /// Whether the window is open.
    pub pv: bool,
    /// Whether the node is on a principal variation, or the table says that it once was.
    pub tt_pv: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The static evaluation before any correction; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// The best estimate of the score before any search: the static evaluation, corrected, and
    /// moved to what the table's score proves. Meaningless in check.
    pub estimated_score: Score,
    /// Whether the static evaluation has risen since our last move.
    pub improving: bool,
    /// What the transposition table (TT) knows.
    pub tt_entry: Option<Entry>,
    /// Whether a cut-off is expected here, by the pattern of the minimal tree.
    pub cut_node: bool,
    /// Whether this is a singular search, which leaves out the table's move.
    pub excluding: bool,
}

/// The score of a node that needs no further search. Rules that prune a whole node return it;
/// rules that prune one move return whether that move is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled(pub Score);

/// What the rules about moves know of a move before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its place in the order, from 1; moves that were pruned count.
    pub move_count: usize,
    /// The stage of the picker that it came from.
    pub stage: Stage,
}
