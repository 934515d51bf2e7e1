//! Uniform trees with independent leaf values.

use super::random::{RandomNumbers, Seed};
use super::shape::{NodePlace, Shape};
use crate::{GameTree, Value};

/// A uniform tree with leaf values from 0 to N - 1, uniformly distributed and independent: the
/// trees of Reinefeld's experiment (1983) with N = 200, and Pearl's "continuous" values with N so
/// large that equal values are rare.
///
/// A node is its place; the value of a leaf is computed from the seed and the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndependentTree {
    shape: Shape,
    values: Value,
    numbers: RandomNumbers,
}

/// Node of a tree with independent leaf values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndependentNode(NodePlace);

impl IndependentTree {
    /// Returns the tree of a seed, with `values` different values.
    ///
    /// # Panics
    ///
    /// Panics if `values` is less than 1 or greater than [`LIMIT`](crate::LIMIT).
    pub(crate) fn new(shape: Shape, values: Value, seed: Seed) -> IndependentTree {
        assert!((1..=crate::LIMIT).contains(&values));
        let numbers = RandomNumbers::new(seed, shape.width(), shape.height(), 0);
        IndependentTree { shape, values, numbers }
    }
}

impl GameTree for IndependentTree {
    type Node = IndependentNode;

    fn root(&self) -> IndependentNode {
        IndependentNode(NodePlace::ROOT)
    }

    fn width(&self, node: &IndependentNode) -> usize {
        self.shape.width_at(node.0)
    }

    fn child(&self, node: &IndependentNode, index: usize) -> IndependentNode {
        IndependentNode(self.shape.child(node.0, index))
    }

    fn value(&self, leaf: &IndependentNode) -> Value {
        self.numbers.below(self.values as u64, leaf.0.rank) as Value
    }

    fn ply(&self, node: &IndependentNode) -> usize {
        node.0.depth as usize
    }

    fn height(&self) -> usize {
        self.shape.height()
    }

    fn rank(&self, node: &IndependentNode) -> u64 {
        node.0.rank
    }
}
