//! The part of a game tree that a search has made so far and keeps, for searches that make it
//! grow at any place: each step expands one node at the edge into all its children.

#[cfg(test)]
pub(super) mod guessing;

use std::ops::Range;

use crate::{GameTree, Observer, Pass, Value, Window};

/// Names a node of a grown tree.
pub(super) type NodeHandle = usize;

/// The handle of the root.
pub(super) const ROOT: NodeHandle = 0;

/// The static value of an interior node where the tree defines none.
const NEUTRAL: Value = 0;

/// What is known of a node before it is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// It is a leaf: this is its final value.
    Leaf(Value),
    /// It can be expanded; until then its static value stands for it.
    Tip(Value),
}

/// Nodes with what an algorithm knows of each.
pub(super) struct GrownTree<'a, T: GameTree, O, K> {
    tree: &'a T,
    observer: &'a mut O,
    nodes: Vec<Grown<T::Node, K>>,
    know: fn(Edge) -> K,
}

struct Grown<N, K> {
    node: N,
    parent: Option<NodeHandle>,
    children: Range<NodeHandle>,
    known: K,
}

impl<'a, T: GameTree, O: Observer<T>, K> GrownTree<'a, T, O, K> {
    /// A root alone; `know` says what is known of a node at the edge.
    pub(super) fn new(tree: &'a T, observer: &'a mut O, know: fn(Edge) -> K) -> Self {
        let mut grown = GrownTree { tree, observer, nodes: Vec::new(), know };
        grown.add(tree.root(), None);
        grown
    }

    /// How many nodes there will be once a node is expanded.
    pub(super) fn size_after(&self, expansion: NodeHandle) -> u64 {
        (self.nodes.len() + self.tree.width(&self.nodes[expansion].node)) as u64
    }

    /// The nodes that can still be expanded.
    #[cfg(test)]
    pub(super) fn tips(&self) -> Vec<NodeHandle> {
        let is_tip = |&handle: &NodeHandle| {
            let Grown { node, children, .. } = &self.nodes[handle];
            children.is_empty() && !self.tree.is_leaf(node)
        };
        (0..self.nodes.len()).filter(is_tip).collect()
    }

    /// What is known of all nodes.
    #[cfg(test)]
    pub(super) fn known_of_all(&self) -> impl Iterator<Item = &K> {
        self.nodes.iter().map(|grown| &grown.known)
    }

    /// Whether the root player is to move.
    pub(super) fn is_max(&self, handle: NodeHandle) -> bool {
        self.tree.is_max(&self.nodes[handle].node)
    }

    /// The parent of a node; the root has none.
    pub(super) fn parent(&self, handle: NodeHandle) -> Option<NodeHandle> {
        self.nodes[handle].parent
    }

    /// The children of a node, left to right; none until it is expanded.
    pub(super) fn children(&self, handle: NodeHandle) -> Range<NodeHandle> {
        self.nodes[handle].children.clone()
    }

    /// What is known of a node.
    pub(super) fn known(&self, handle: NodeHandle) -> &K {
        &self.nodes[handle].known
    }

    /// What is known of the children of a node, left to right.
    pub(super) fn known_of_children(&self, handle: NodeHandle) -> impl Iterator<Item = &K> + Clone {
        self.nodes[self.children(handle)].iter().map(|child| &child.known)
    }

    /// Replaces what is known of a node.
    pub(super) fn replace_known(&mut self, handle: NodeHandle, known: K) -> K {
        std::mem::replace(&mut self.nodes[handle].known, known)
    }

    /// Adds all children of a node; leaves among them are evaluated.
    pub(super) fn expand(&mut self, handle: NodeHandle) {
        let node = self.nodes[handle].node.clone();
        let first = self.nodes.len();
        for index in 0..self.tree.width(&node) {
            self.add(self.tree.child(&node, index), Some(handle));
        }
        self.nodes[handle].children = first..self.nodes.len();
    }

    /// Searches of this kind have no windows: what they say of a node they say of its value.
    fn add(&mut self, node: T::Node, parent: Option<NodeHandle>) {
        self.observer.enter(self.tree, &node, Window::FULL, Pass::Open);
        let edge = if self.tree.is_leaf(&node) {
            let value = self.tree.value(&node);
            self.observer.evaluate(self.tree, &node, value);
            self.observer.leave(self.tree, &node, value);
            Edge::Leaf(value)
        } else {
            Edge::Tip(self.tree.estimate(&node).unwrap_or(NEUTRAL))
        };
        self.nodes.push(Grown { node, parent, children: 0..0, known: (self.know)(edge) });
    }

    /// Reports that the value of an interior node has become another.
    pub(super) fn report_value(&mut self, handle: NodeHandle, value: Value) {
        self.observer.improve(self.tree, &self.nodes[handle].node, value);
    }

    /// Reports that the search of an interior node has ended.
    pub(super) fn report_end(&mut self, handle: NodeHandle, value: Value) {
        self.observer.leave(self.tree, &self.nodes[handle].node, value);
    }
}
