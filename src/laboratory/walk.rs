//! A running search: the tree together with its observer.

use super::observer::{Cut, Observer, Pass};
use super::tree::GameTree;
use super::value::{Value, Window};

/// A running search: the tree and its observer. Algorithms that negate values from ply to ply
/// report through it; it converts values to the root player's side.
pub(crate) struct Walk<'a, T: GameTree, O: Observer<T>> {
    pub tree: &'a T,
    pub observer: &'a mut O,
}

impl<'a, T: GameTree, O: Observer<T>> Walk<'a, T, O> {
    pub(crate) fn new(tree: &'a T, observer: &'a mut O) -> Self {
        Walk { tree, observer }
    }

    /// Returns the children of a node, left to right.
    pub(crate) fn children(&self, node: &T::Node) -> impl Iterator<Item = T::Node> + use<'a, T, O> {
        let (tree, node) = (self.tree, node.clone());
        (0..tree.width(&node)).map(move |index| tree.child(&node, index))
    }

    /// Evaluates a leaf, from the root player's side.
    pub(crate) fn evaluate(&mut self, leaf: &T::Node) -> Value {
        let value = self.tree.value(leaf);
        self.observer.evaluate(self.tree, leaf, value);
        value
    }

    /// Evaluates a leaf, from the side to move.
    pub(crate) fn evaluate_for_mover(&mut self, leaf: &T::Node) -> Value {
        let value = self.evaluate(leaf);
        self.for_mover(leaf, value)
    }

    /// Enters a node with a window from the mover's side.
    pub(crate) fn enter(&mut self, node: &T::Node, window: Window, pass: Pass) {
        let window = if self.tree.is_max(node) { window } else { window.flipped() };
        self.observer.enter(self.tree, node, window, pass);
    }

    /// Reports the best value of a node so far, from the mover's side.
    pub(crate) fn improve(&mut self, node: &T::Node, best: Value) {
        self.observer.improve(self.tree, node, self.for_mover(node, best));
    }

    /// Reports that the children from `next` on need not be searched.
    pub(crate) fn cut(&mut self, node: &T::Node, next: usize, cut: Cut) {
        if next < self.tree.width(node) {
            self.observer.cut(self.tree, node, next, cut);
        }
    }

    /// Reports that some children need not be searched.
    pub(crate) fn skip(
        &mut self,
        node: &T::Node,
        children: impl IntoIterator<Item = usize>,
        cut: Cut,
    ) {
        for child in children {
            self.observer.skip(self.tree, node, child, cut);
        }
    }

    /// Leaves a node with its value or bound, from the mover's side; returns it.
    pub(crate) fn leave(&mut self, node: &T::Node, value: Value) -> Value {
        self.observer.leave(self.tree, node, self.for_mover(node, value));
        value
    }

    /// Converts a value between the root player's side and the mover's.
    pub(crate) fn for_mover(&self, node: &T::Node, value: Value) -> Value {
        if self.tree.is_max(node) { value } else { -value }
    }
}
