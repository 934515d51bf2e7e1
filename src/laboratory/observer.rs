//! Observers of a search: an algorithm reports what it does, and an observer counts or draws.

use std::collections::HashSet;

use super::tree::GameTree;
use super::value::{Value, Window};

/// Why a node is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// With the window that its parent has.
    Open,
    /// With a null window, or by a TEST: is it better than the best so far?
    Scout,
    /// Once more (a re-search), since the null window search failed high.
    ReSearch,
}

/// Why children are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The parent's mover has something at least as good: best against the bound it passed.
    Bound(Value),
    /// The TEST of this node is decided.
    Test,
    /// A best-first search has solved the node by one child, and purges from OPEN what it holds
    /// below the others, wherever they stand and whether or not it has looked at any of it.
    Purge,
    /// What an earlier search of the node found makes the others unnecessary.
    Known,
}

/// An observer of a search. Windows, values and bounds are from the root player's side. An observer
/// implements only what it needs; counting leaves needs only [`evaluate`](Observer::evaluate).
pub trait Observer<T: GameTree> {
    /// The search of a node, leaves included, begins.
    fn enter(&mut self, _tree: &T, _node: &T::Node, _window: Window, _pass: Pass) {}

    /// A leaf is evaluated; once more each time it is.
    fn evaluate(&mut self, _tree: &T, _leaf: &T::Node, _value: Value) {}

    /// The best value of an interior node becomes this.
    fn improve(&mut self, _tree: &T, _node: &T::Node, _best: Value) {}

    /// The children of a node from `next` on are left out.
    fn cut(&mut self, _tree: &T, _node: &T::Node, _next: usize, _cut: Cut) {}

    /// One child is left out, wherever it stands, where the children are not taken from left to
    /// right.
    fn skip(&mut self, _tree: &T, _node: &T::Node, _child: usize, _cut: Cut) {}

    /// The search of a node, leaves included, ends with a value or a bound.
    fn leave(&mut self, _tree: &T, _node: &T::Node, _value: Value) {}

    /// A best-first search holds `length` nodes in its OPEN list.
    fn open(&mut self, _length: usize) {}
}

/// Observes nothing.
impl<T: GameTree> Observer<T> for () {}

/// Counts what a search does, at so little cost that most of the time is left to the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Leaves evaluated, one that is evaluated twice counted twice.
    pub leaves: u64,
    /// Nodes entered, leaves included.
    pub nodes: u64,
    /// The greatest length of the OPEN list of a best-first search.
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

/// Counts what a search without an OPEN list does, and which leaves it evaluates.
#[derive(Clone, Debug, Default)]
pub struct DistinctLeaves {
    /// What is counted of every search.
    pub counts: SearchCounts,
    /// The ranks of the leaves evaluated.
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
