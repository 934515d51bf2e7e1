//! Nodes: their types, and what is known about one before its moves are tried.

use shakmaty::Move;

use super::picker::Stage;
use super::table::TableEntry;
use super::worker::Worker;
use crate::engine::units::{Depth, Ply, Score};

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
    pub tt_adjusted_evaluation: Score,
    /// Whether the static evaluation has risen since our last move.
    pub improving: bool,
    /// What the transposition table (TT) knows.
    pub tt_entry: Option<TableEntry>,
    /// Whether a cut-off is expected here, by the pattern of the minimal tree.
    pub cut_node: bool,
    /// The table's move, left out, if this is a singular search.
    pub excluded: Option<Move>,
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

impl Worker<'_> {
    /// Evaluates the position and prepares the search stack for the node.
    pub fn enter_node<N: NodeType>(
        &mut self,
        depth: Depth,
        ply: Ply,
        cut_node: bool,
        tt_entry: Option<TableEntry>,
        excluded: Option<Move>,
    ) -> Node {
        let in_check = self.position.board().in_check();
        let raw = match tt_entry.and_then(|entry| entry.evaluation) {
            _ if in_check => Score::ZERO,
            Some(stored) => stored,
            None => self.raw_evaluation(),
        };
        let evaluation = if in_check { raw } else { self.corrected(raw) };
        debug_assert!(!evaluation.is_decisive(), "{evaluation:?}");
        self.stack(ply).static_evaluation = (!in_check).then_some(evaluation);
        self.stack(ply).double_extensions = self.stack_before(ply, 1).double_extensions;
        self.stack(ply.next().next()).killers = [None; 2];
        let before = |plies| self.stack_before(ply, plies).static_evaluation;
        let earlier = before(2).or(before(4));
        let proven = tt_entry.filter(|_| excluded.is_none());
        Node {
            ply,
            depth,
            pv: N::PV,
            tt_pv: N::PV || tt_entry.is_some_and(|entry| entry.tt_pv),
            in_check,
            raw_evaluation: (!in_check).then_some(raw),
            tt_adjusted_evaluation: proven.map_or(evaluation, |entry| entry.adjust(evaluation)),
            improving: !in_check && earlier.is_none_or(|earlier| evaluation > earlier),
            tt_entry,
            cut_node,
            excluded,
        }
    }
}
