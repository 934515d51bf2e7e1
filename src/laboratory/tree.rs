//! What the algorithms search.

use super::value::Value;

/// A finite tree of a game of two players. The root is a MAX node, its children are MIN nodes,
/// and so on; values are from the root player's side.
pub trait GameTree {
    /// A node: small, made on the way down, so that a tree need not be held.
    type Node: Clone;

    /// The root.
    fn root(&self) -> Self::Node;

    /// How many children a node has; none make it a terminal node, a leaf.
    fn width(&self, node: &Self::Node) -> usize;

    /// A child of a node, counted from 0, left to right.
    ///
    /// # Panics
    ///
    /// May panic if the node has no such child.
    fn child(&self, node: &Self::Node, index: usize) -> Self::Node;

    /// The value of a leaf, from the root player's side, within ±[`LIMIT`](super::LIMIT).
    fn value(&self, leaf: &Self::Node) -> Value;

    /// How many steps a node is below the root.
    fn ply(&self, node: &Self::Node) -> usize;

    /// The greatest depth of a leaf of the whole tree; an upper bound where that is not known.
    fn height(&self) -> usize;

    /// A number that no other node of the tree has, smaller the further left a node stands: of
    /// two nodes of which neither is below the other, the left one has the smaller rank.
    fn rank(&self, node: &Self::Node) -> u64;

    /// The static value of an interior node, from the root player's side, where one is defined:
    /// what an algorithm that may stop early goes by.
    fn estimate(&self, _node: &Self::Node) -> Option<Value> {
        None
    }

    /// Whether the root player is to move.
    fn is_max(&self, node: &Self::Node) -> bool {
        self.ply(node).is_multiple_of(2)
    }

    /// Whether a node is a leaf.
    fn is_leaf(&self, node: &Self::Node) -> bool {
        self.width(node) == 0
    }
}
