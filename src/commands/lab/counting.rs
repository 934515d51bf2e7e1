//! Counts and lists of a search for `lab solve`.

use std::collections::HashSet;

use serde::Serialize;
use shakmaty::Position as _;

use outrider_engine::position::notation::format_move;
use outrider_laboratory::chess::{ChessNode, ChessTree};
use outrider_laboratory::{ExplicitTree, GameTree, Observer, Pass, SearchCounts, Value, Window};

/// A tree whose leaves have names.
pub(super) trait NamedLeaves: GameTree {
    /// Compact identification of a leaf.
    type LeafId: Copy + Send;
    /// Name of a leaf in the output.
    type Name: Serialize;
    /// Set of evaluated leaves.
    type Evaluated: Default + Send;
    /// Maximum length of the list. Some algorithms evaluate exponentially many leaves on deep, narrow
    /// trees, and the list must not use all memory.
    const MAX_LISTED: usize;

    /// Returns the id of a leaf.
    fn leaf_id(&self, leaf: &Self::Node) -> Self::LeafId;

    /// Returns the name of the leaf with this id.
    fn name(&self, leaf: Self::LeafId) -> Self::Name;

    /// Adds a leaf to the set of evaluated leaves.
    fn record(&self, leaf: Self::LeafId, evaluated: &mut Self::Evaluated);

    /// Returns the number of leaves in the set.
    fn count(evaluated: &Self::Evaluated) -> usize;
}

/// Leaves are named by their numbers from 0, left to right.
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

/// Leaves are named by the moves that lead to them.
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

/// Counts the nodes and leaves of a search, and lists the leaves on request. The list has ids, which are
/// named only after the search, so it adds little to the time of the search.
pub(super) struct LeafCounter<T: NamedLeaves> {
    /// True if the search has left the root; false if it ended at a limit.
    pub proven: bool,
    /// Counts of nodes and leaves.
    pub counts: SearchCounts,
    /// Evaluated leaves in order, at most [`NamedLeaves::MAX_LISTED`].
    pub sequence: Option<Vec<T::LeafId>>,
    evaluated: T::Evaluated,
}

impl<T: NamedLeaves> LeafCounter<T> {
    /// Creates a counter for a new search.
    pub(super) fn new(with_sequence: bool) -> LeafCounter<T> {
        LeafCounter {
            proven: false,
            counts: SearchCounts::default(),
            sequence: with_sequence.then(Vec::new),
            evaluated: T::Evaluated::default(),
        }
    }

    /// Number of different leaves that were evaluated.
    pub(super) fn distinct_leaves(&self) -> usize {
        T::count(&self.evaluated)
    }

    /// Returns true if there is no list, or if it has all evaluated leaves.
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
