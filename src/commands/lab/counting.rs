//! What `lab solve` counts and lists of a search.

use std::collections::HashSet;

use serde::Serialize;
use shakmaty::Position as _;

use outrider_engine::position::notation::format_move;
use outrider_laboratory::chess::{ChessNode, ChessTree};
use outrider_laboratory::{ExplicitTree, GameTree, Observer, Pass, SearchCounts, Value, Window};

/// A tree whose leaves have names.
pub(super) trait NamedLeaves: GameTree {
    /// What a leaf is known by.
    type LeafId: Copy + Send;
    /// How a leaf is named.
    type Name: Serialize;
    /// The leaves that were evaluated.
    type Evaluated: Default + Send;
    /// More leaf evaluations than that are not listed: some algorithms need exponentially many on
    /// deep and narrow trees, and the list must not take all memory.
    const MAX_LISTED: usize;

    /// The id of a leaf.
    fn leaf_id(&self, leaf: &Self::Node) -> Self::LeafId;

    /// The name of the leaf with this id.
    fn name(&self, leaf: Self::LeafId) -> Self::Name;

    /// Adds a leaf to those that were evaluated.
    fn record(&self, leaf: Self::LeafId, evaluated: &mut Self::Evaluated);

    /// How many different leaves were added.
    fn count(evaluated: &Self::Evaluated) -> usize;
}

/// Leaves have numbers from 0, left to right.
impl NamedLeaves for ExplicitTree {
    type LeafId = u32;
    type Name = u32;
    type Evaluated = Vec<bool>;
    const MAX_LISTED: usize = 50_000_000;

    fn leaf_id(&self, &leaf: &u32) -> u32 {
        self.leaf_number(leaf)
    }

    fn name(&self, leaf: u32) -> u32 {
        leaf
    }

    fn record(&self, leaf: u32, evaluated: &mut Vec<bool>) {
        if evaluated.is_empty() {
            evaluated.resize(self.leaves() as usize, false);
        }
        evaluated[leaf as usize] = true;
    }

    fn count(evaluated: &Vec<bool>) -> usize {
        evaluated.iter().filter(|&&evaluated| evaluated).count()
    }
}

/// Leaves have the moves that lead to them.
impl NamedLeaves for ChessTree {
    type LeafId = u64;
    type Name = String;
    type Evaluated = HashSet<u64>;
    const MAX_LISTED: usize = 5_000_000;

    fn leaf_id(&self, leaf: &ChessNode) -> u64 {
        self.rank(leaf)
    }

    fn name(&self, leaf: u64) -> String {
        let mode = self.root().board().chess().castles().mode();
        let moves = self.line(leaf).into_iter().map(|mv| format_move(mv, mode));
        moves.collect::<Vec<_>>().join(" ")
    }

    fn record(&self, leaf: u64, evaluated: &mut HashSet<u64>) {
        evaluated.insert(leaf);
    }

    fn count(evaluated: &HashSet<u64>) -> usize {
        evaluated.len()
    }
}

/// Counts what a search does, and lists the leaves if they are wanted. Leaves are named later, so
/// that the listing hardly adds to the time of a search.
pub(super) struct LeafCounter<T: NamedLeaves> {
    /// Whether the search has finished the root; one that ends at a limit has not.
    pub proven: bool,
    /// What is counted of every search.
    pub counts: SearchCounts,
    /// The leaves evaluated, in order, no more than [`NamedLeaves::MAX_LISTED`].
    pub sequence: Option<Vec<T::LeafId>>,
    evaluated: T::Evaluated,
}

impl<T: NamedLeaves> LeafCounter<T> {
    /// For a search that has not begun.
    pub(super) fn new(with_sequence: bool) -> LeafCounter<T> {
        LeafCounter {
            proven: false,
            counts: SearchCounts::default(),
            sequence: with_sequence.then(Vec::new),
            evaluated: T::Evaluated::default(),
        }
    }

    /// How many leaves were evaluated, each counted once.
    pub(super) fn distinct_leaves(&self) -> usize {
        T::count(&self.evaluated)
    }

    /// Whether the sequence, if there is one, lacks nothing.
    pub(super) fn is_complete(&self) -> bool {
        self.sequence.as_ref().is_none_or(|sequence| sequence.len() as u64 == self.counts.leaves)
    }
}

impl<T: NamedLeaves> Observer<T> for LeafCounter<T> {
    fn enter(&mut self, tree: &T, node: &T::Node, window: Window, pass: Pass) {
        self.counts.enter(tree, node, window, pass);
    }

    fn evaluate(&mut self, tree: &T, leaf: &T::Node, value: Value) {
        self.counts.evaluate(tree, leaf, value);
        let id = tree.leaf_id(leaf);
        tree.record(id, &mut self.evaluated);
        if let Some(sequence) = &mut self.sequence
            && sequence.len() < T::MAX_LISTED
        {
            sequence.push(id);
        }
    }

    fn leave(&mut self, tree: &T, node: &T::Node, _value: Value) {
        self.proven |= tree.ply(node) == 0;
    }

    fn open(&mut self, length: usize) {
        <SearchCounts as Observer<T>>::open(&mut self.counts, length);
    }
}
