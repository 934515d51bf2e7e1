//! What the algorithms search.

use super::observer::{Cut, Observer, Pass};
use super::value::{Value, Window};

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
    /// May panic if the node has not so many children.
    fn child(&self, node: &Self::Node, index: usize) -> Self::Node;

    /// The value of a leaf, from the root player's side, within ±[`LIMIT`](super::LIMIT).
    fn value(&self, leaf: &Self::Node) -> Value;

    /// How many steps a node is below the root.
    fn depth(&self, node: &Self::Node) -> usize;

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
        self.depth(node).is_multiple_of(2)
    }

    /// Whether a node is a leaf.
    fn is_leaf(&self, node: &Self::Node) -> bool {
        self.width(node) == 0
    }
}

/// A search under way: the tree and who watches. Algorithms that negate values from ply to ply
/// speak to the observer through it and need not think of sides.
pub struct Walk<'a, T: GameTree, O: Observer<T>> {
    /// What is searched.
    pub tree: &'a T,
    /// Who watches.
    pub observer: &'a mut O,
}

impl<'a, T: GameTree, O: Observer<T>> Walk<'a, T, O> {
    /// Begins.
    pub fn new(tree: &'a T, observer: &'a mut O) -> Self {
        Walk { tree, observer }
    }

    /// The children of a node, left to right.
    pub fn children(&self, node: &T::Node) -> impl Iterator<Item = T::Node> + use<'a, T, O> {
        let (tree, node) = (self.tree, node.clone());
        (0..tree.width(&node)).map(move |index| tree.child(&node, index))
    }

    /// Evaluates a leaf, from the root player's side.
    pub fn evaluate(&mut self, leaf: &T::Node) -> Value {
        let value = self.tree.value(leaf);
        self.observer.evaluate(self.tree, leaf, value);
        value
    }

    /// Evaluates a leaf, from the side to move.
    pub fn evaluate_for_mover(&mut self, leaf: &T::Node) -> Value {
        let value = self.evaluate(leaf);
        self.turn(leaf, value)
    }

    /// Enters a node with a window of the side to move.
    pub fn enter(&mut self, node: &T::Node, window: Window, pass: Pass) {
        let window = if self.tree.is_max(node) { window } else { window.flipped() };
        self.observer.enter(self.tree, node, window, pass);
    }

    /// Reports the best value of a node so far, of the side to move.
    pub fn improve(&mut self, node: &T::Node, best: Value) {
        self.observer.improve(self.tree, node, self.turn(node, best));
    }

    /// Reports that the children from `next` on need not be searched.
    pub fn cut(&mut self, node: &T::Node, next: usize, cut: Cut) {
        if next < self.tree.width(node) {
            self.observer.cut(self.tree, node, next, cut);
        }
    }

    /// Reports that some children need not be searched, wherever they stand.
    pub fn skip(&mut self, node: &T::Node, children: impl IntoIterator<Item = usize>, cut: Cut) {
        for child in children {
            self.observer.skip(self.tree, node, child, cut);
        }
    }

    /// Leaves a node with its value or bound, of the side to move; returns it.
    pub fn leave(&mut self, node: &T::Node, value: Value) -> Value {
        self.observer.leave(self.tree, node, self.turn(node, value));
        value
    }

    /// Turns a value from the root player's side to the mover's, or back.
    pub fn turn(&self, node: &T::Node, value: Value) -> Value {
        if self.tree.is_max(node) { value } else { -value }
    }
}
