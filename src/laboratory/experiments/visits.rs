//! Records which leaves a search evaluates, at low cost.

use crate::{GameTree, Observer, Value};

/// Records the ranks of the evaluated leaves, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeafVisits(Vec<u64>);

impl LeafVisits {
    /// Number of evaluations; a leaf that is evaluated twice counts twice.
    pub(super) fn all(&self) -> u64 {
        self.0.len() as u64
    }

    /// Number of immediate repetitions of the evaluation of a leaf.
    pub(super) fn again_at_once(&self) -> u64 {
        self.0.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    /// Number of different leaves.
    pub(super) fn distinct(mut self) -> u64 {
        // A stable merge sort is fast here, because a search from left to right consists of few
        // ascending runs.
        self.0.sort();
        self.0.dedup();
        self.0.len() as u64
    }
}

impl<T: GameTree> Observer<T> for LeafVisits {
    fn evaluate(&mut self, tree: &T, leaf: &T::Node, _value: Value) {
        self.0.push(tree.rank(leaf));
    }
}
