//! A tree for tests, with static values of interior nodes.

use crate::testing::TestTree;
use crate::{ExplicitTree, GameTree, Value};

/// An explicit tree with static values that are unrelated to the true ones.
pub(in super::super) struct Guessing(ExplicitTree);

impl Guessing {
    pub(in super::super) fn new(sketch: &TestTree) -> Self {
        Guessing(sketch.tree())
    }
}

impl GameTree for Guessing {
    type Node = u32;

    fn root(&self) -> u32 {
        self.0.root()
    }

    fn width(&self, node: &u32) -> usize {
        self.0.width(node)
    }

    fn child(&self, node: &u32, index: usize) -> u32 {
        self.0.child(node, index)
    }

    fn value(&self, leaf: &u32) -> Value {
        self.0.value(leaf)
    }

    fn ply(&self, node: &u32) -> usize {
        self.0.ply(node)
    }

    fn height(&self) -> usize {
        self.0.height()
    }

    fn rank(&self, node: &u32) -> u64 {
        self.0.rank(node)
    }

    fn estimate(&self, &node: &u32) -> Option<Value> {
        Some((node as Value * 7919 + 13) % 23 - 11)
    }
}
