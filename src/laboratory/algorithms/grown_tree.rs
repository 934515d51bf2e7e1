//! The part of a game tree that a search has generated so far and keeps. Each step expands one node
//! at the edge into all its children.

#[cfg(test)]
pub(super) mod guessing;

use std::ops::Range;

use crate::{GameTree, Observer, Pass, Value, Window};

/// Index of a node in a grown tree.
pub(super) type NodeHandle = usize;

/// Handle of the root.
pub(super) const ROOT: NodeHandle = 0;

/// Static value of an interior node if the tree defines none.
const NEUTRAL: Value = 0;

/// Knowledge about a node before it is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// A leaf with its final value.
    Leaf(Value),
    /// A node that can be expanded, with its static value.
    Tip(Value),
}

/// Nodes with an algorithm's knowledge about each.
pub(super) struct GrownTree<'a, T: GameTree, O, K> {
    tree: &'a T,
    observer: &'a mut O,
    nodes: Vec<GrownNode<T::Node, K>>,
    at_edge: fn(Edge) -> K,
}

struct GrownNode<N, K> {
    node: N,
    parent: Option<NodeHandle>,
    children: Range<NodeHandle>,
    known: K,
}

impl<'a, T: GameTree, O: Observer<T>, K> GrownTree<'a, T, O, K> {
    /// Creates a tree of the root alone; `at_edge` returns the knowledge about a node at the edge.
    pub(super) fn new(tree: &'a T, observer: &'a mut O, at_edge: fn(Edge) -> K) -> Self {
        let mut grown = GrownTree { tree, observer, nodes: Vec::new(), at_edge };
        grown.add(tree.root(), None);
        grown
    }

    /// Number of nodes after the expansion of a node.
    pub(super) fn size_after(&self, expansion: NodeHandle) -> u64 {
        (self.nodes.len() + self.tree.width(&self.nodes[expansion].node)) as u64
    }

    /// Returns the nodes that can still be expanded.
    #[cfg(test)]
    pub(super) fn tips(&self) -> Vec<NodeHandle> {
        let is_tip = |&handle: &NodeHandle| {
            let GrownNode { node, children, .. } = &self.nodes[handle];
            children.is_empty() && !self.tree.is_leaf(node)
        };
        (0..self.nodes.len()).filter(is_tip).collect()
    }

    /// Returns the knowledge about all nodes.
    #[cfg(test)]
    pub(super) fn known_of_all(&self) -> impl Iterator<Item = &K> {
        self.nodes.iter().map(|grown| &grown.known)
    }

    /// Returns true if the root player is to move.
    pub(super) fn is_max(&self, handle: NodeHandle) -> bool {
        self.tree.is_max(&self.nodes[handle].node)
    }

    /// Returns the parent of a node; the root has none.
    pub(super) fn parent(&self, handle: NodeHandle) -> Option<NodeHandle> {
        self.nodes[handle].parent
    }

    /// Returns the children of a node, left to right; none before it is expanded.
    pub(super) fn children(&self, handle: NodeHandle) -> Range<NodeHandle> {
        self.nodes[handle].children.clone()
    }

    /// Returns the knowledge about a node.
    pub(super) fn known(&self, handle: NodeHandle) -> &K {
        &self.nodes[handle].known
    }

    /// Returns the knowledge about the children of a node, left to right.
    pub(super) fn known_of_children(&self, handle: NodeHandle) -> impl Iterator<Item = &K> + Clone {
        self.nodes[self.children(handle)].iter().map(|child| &child.known)
    }

    /// Replaces the knowledge about a node and returns the old one.
    pub(super) fn replace_known(&mut self, handle: NodeHandle, known: K) -> K {
        std::mem::replace(&mut self.nodes[handle].known, known)
    }

    /// Adds all children of a node and evaluates the leaves among them.
    pub(super) fn expand(&mut self, handle: NodeHandle) {
        let node = self.nodes[handle].node.clone();
        let first = self.nodes.len();
        for index in 0..self.tree.width(&node) {
            self.add(self.tree.child(&node, index), Some(handle));
        }
        self.nodes[handle].children = first..self.nodes.len();
    }

    /// Adds a node. It has the full window, because these searches have no windows.
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
        self.nodes.push(GrownNode { node, parent, children: 0..0, known: (self.at_edge)(edge) });
    }

    /// Reports a new value of an interior node.
    pub(super) fn report_value(&mut self, handle: NodeHandle, value: Value) {
        self.observer.improve(self.tree, &self.nodes[handle].node, value);
    }

    /// Reports the end of the search of an interior node.
    pub(super) fn report_end(&mut self, handle: NodeHandle, value: Value) {
        self.observer.leave(self.tree, &self.nodes[handle].node, value);
    }
}
