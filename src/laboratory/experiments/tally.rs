//! Counting as fast as it can be done.

use crate::laboratory::{GameTree, Observer, Pass, Value, Window};

/// Counts visits alone; [`Count`](crate::laboratory::Count) also tells which leaves were visited
/// before, which takes most of a search's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Leaves evaluated, one that is evaluated twice counted twice.
    pub leaves: u64,
    /// Nodes entered, leaves included.
    pub nodes: u64,
    /// The greatest length of the OPEN list of a best-first search.
    pub open_peak: usize,
}

impl<T: GameTree> Observer<T> for Tally {
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
