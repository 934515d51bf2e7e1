//! The trees that the algorithms search.

use super::value::Value;

/// A finite tree of a game of two players. The root is a MAX node, its children are MIN nodes, and
/// so on; values are from the root player's side.
pub trait GameTree {
    /// A node: small, and created on the way down, so that a tree need not be in memory.
    type Node: Clone;

    /// Returns the root.
    fn root(&self) -> Self::Node;

    /// Number of children of a node; a node without children is a terminal node, a leaf.
    fn width(&self, node: &Self::Node) -> usize;

    /// Returns a child of a node, counted from 0, left to right.
    ///
    /// # Panics
    ///
    /// May panic if the node has no such child.
    fn child(&self, node: &Self::Node, index: usize) -> Self::Node;

    /// Returns the value of a leaf, from the root player's side, within ±[`LIMIT`](super::LIMIT).
    fn value(&self, leaf: &Self::Node) -> Value;

    /// Distance of a node from the root.
    fn ply(&self, node: &Self::Node) -> usize;

    /// Maximum depth of a leaf of the whole tree, or an upper bound if it is not known.
    fn height(&self) -> usize;

    /// Returns a unique number of a node that grows from left to right: if neither of two nodes is
    /// an ancestor of the other, the left one has the smaller rank.
    fn rank(&self, node: &Self::Node) -> u64;

    /// Returns the static value of an interior node, from the root player's side, if the tree
    /// defines one. Algorithms that may stop early use it.
    fn estimate(&self, _node: &Self::Node) -> Option<Value> {
        None
    }

    /// Returns true if the root player is to move.
    fn is_max(&self, node: &Self::Node) -> bool {
        self.ply(node).is_multiple_of(2)
    }

    /// Returns true if a node is a leaf.
    fn is_leaf(&self, node: &Self::Node) -> bool {
        self.width(node) == 0
    }
}
