//! Observers of a search: an algorithm reports its steps, and an observer counts or draws them.

use std::collections::HashSet;

use super::tree::GameTree;
use super::value::{Value, Window};

/// Reason why a node is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// With the window of its parent.
    Open,
    /// With a null window, or by a TEST: is it better than the best so far?
    Scout,
    /// Once more (a re-search), because the null-window search failed high.
    ReSearch,
}

/// Reason why children are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The parent's mover has a value at least as good: the best value has passed this bound.
    Bound(Value),
    /// The TEST of this node is decided.
    Test,
    /// A best-first search has solved the node by one child. It purges the nodes below the other
    /// children from OPEN, visited or not.
    Purge,
    /// The result of an earlier search of the node makes the other children unnecessary.
    Known,
}

/// An observer of a search. Windows, values and bounds are from the root player's side. An observer
/// implements only what it needs; to count leaves, only [`evaluate`](Observer::evaluate) is needed.
pub trait Observer<T: GameTree> {
    /// The search of a node begins. Leaves are reported too.
    fn enter(&mut self, _tree: &T, _node: &T::Node, _window: Window, _pass: Pass) {}

    /// A leaf is evaluated. If it is evaluated again, it is reported again.
    fn evaluate(&mut self, _tree: &T, _leaf: &T::Node, _value: Value) {}

    /// The best value of an interior node becomes this.
    fn improve(&mut self, _tree: &T, _node: &T::Node, _best: Value) {}

    /// The children of a node from `next` on are skipped.
    fn cut(&mut self, _tree: &T, _node: &T::Node, _next: usize, _cut: Cut) {}

    /// One child is skipped, if the children are not searched from left to right.
    fn skip(&mut self, _tree: &T, _node: &T::Node, _child: usize, _cut: Cut) {}

    /// The search of a node ends with a value or a bound. Leaves are reported too.
    fn leave(&mut self, _tree: &T, _node: &T::Node, _value: Value) {}

    /// A best-first search has `length` nodes in its OPEN list.
    fn open(&mut self, _length: usize) {}
}

/// Observes nothing.
impl<T: GameTree> Observer<T> for () {}

/// Counts the steps of a search, at a small cost compared with the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Number of leaf evaluations; a leaf that is evaluated twice counts twice.
    pub leaves: u64,
    /// Number of nodes entered, including leaves.
    pub nodes: u64,
    /// Maximum length of the OPEN list of a best-first search.
    pub open_peak: usize,
}

impl<T: GameTree> Observer<T> for SearchCounts {
    fn enter(&mut self, _tree: &T, _node: &T::Node, _window: Window, _pass: Pass) {
        self.nodes += 1;
    }

    fn evaluate(&mut self, _tree: &T, _leaf: &T::Node, _value: Value) {
        self.leaves += 1;
    }

    fn open(&mut self, length: usize) {
        self.open_peak = self.open_peak.max(length);
    }
}

/// Counts the steps of a search without an OPEN list, and records which leaves it evaluates.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctLeaves {
    /// The usual counts.
    pub counts: SearchCounts,
    /// Ranks of the evaluated leaves.
    pub distinct: HashSet<u64>,
}

impl<T: GameTree> Observer<T> for DistinctLeaves {
    fn enter(&mut self, tree: &T, node: &T::Node, window: Window, pass: Pass) {
        self.counts.enter(tree, node, window, pass);
    }

    fn evaluate(&mut self, tree: &T, leaf: &T::Node, value: Value) {
        self.counts.evaluate(tree, leaf, value);
        self.distinct.insert(tree.rank(leaf));
    }
}
