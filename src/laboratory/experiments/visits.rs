//! Remembering which leaves a search evaluates, fast.

use crate::{GameTree, Observer, Value};

/// Remembers which leaves were evaluated, in order, by their ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LeafVisits(Vec<u64>);

impl LeafVisits {
    /// Leaves evaluated, one that is evaluated twice counted twice.
    pub(super) fn all(&self) -> u64 {
        self.0.len() as u64
    }

    /// Evaluations of the leaf that was evaluated just before.
    pub(super) fn again_at_once(&self) -> u64 {
        self.0.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64
    }

    /// Different leaves evaluated.
    pub(super) fn distinct(mut self) -> u64 {
        // The stable sort, since a search from left to right is made of few ascending runs.
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
