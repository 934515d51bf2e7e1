//! Nodes: their types, and what is known about one before its moves are tried.

use shakmaty::Move;

use super::picker::Stage;
use super::table::TableEntry;
use super::worker::Worker;
use crate::engine::units::{Depth, Ply, Score};

/// The type of a node. There are exactly three. The type of a child that is searched with an open
/// window follows from the parent's; every other child is a [`NullWindow`] node.
pub trait NodeType {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether the window is open, so that an exact score and a line of play (PV) are wanted.
    const PV: bool;
    /// The type of a child searched with the node's full window.
    type Open: NodeType;
}

/// The root of the search.
pub struct Root;

/// A node on a principal variation (PV): its window is open.
pub struct Pv;

/// A node that finds out only whether its value reaches beta: alpha and beta are one apart.
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

/// What is known about a node before its moves are searched. It is built once and passed to every
/// rule of pruning, reduction and extension.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub ply: Ply,
    /// The depth left to search.
    pub depth: Depth,
    /// Whether the window is open.
    pub pv: bool,
    /// Whether the node is on a principal variation (PV), or the table says that it once was.
    pub tt_pv: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The static evaluation before any correction; `None` in check.
    pub raw_evaluation: Option<Score>,
    /// The best estimate of the score before any search: the corrected static evaluation, replaced
    /// by the table's score where that proves more. Meaningless in check.
    pub tt_adjusted_evaluation: Score,
    /// Whether the static evaluation has risen since our last move.
    pub improving: bool,
    /// The entry of the transposition table (TT).
    pub tt_entry: Option<TableEntry>,
    /// Whether a cut-off is expected here, by the pattern of the minimal tree.
    pub cut_node: bool,
    /// The move that is left out, if this is a singular search.
    pub excluded: Option<Move>,
}

/// The score of a node that needs no further search, as rules that prune a whole node return it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled(pub Score);

/// What is known about a move before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub mv: Move,
    /// Its number in the order, from 1; moves that were pruned count.
    pub move_count: usize,
    /// The stage of the picker that it came from.
    pub stage: Stage,
}

impl Worker<'_> {
    /// Evaluates the position, collects what is known about it, and prepares the search stack.
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
        // Killers are shared by siblings: those two plies on belong to another node's
        // grandchildren.
        self.stack(ply.next().next()).killers = [None; 2];
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
            raw_evaluation: (!in_check).then_some(raw),
            tt_adjusted_evaluation: proven.map_or(evaluation, |entry| entry.adjust(evaluation)),
            improving: !in_check && earlier.is_none_or(|earlier| evaluation > earlier),
            tt_entry,
            cut_node,
            excluded,
        }
    }
}
