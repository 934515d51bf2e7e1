//! A tree that is completely in memory: typed by a user, or made by a test. Its text format is in
//! [`notation`](super::notation).

use super::tree::GameTree;
use super::value::{LIMIT, Value};

/// A tree with all nodes in memory, numbered in preorder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitTree {
    nodes: Vec<Node>,
    /// Children of all nodes; those of one node are consecutive.
    children: Vec<u32>,
    height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    depth: u32,
    /// Index of the node's first child in `children`.
    first: u32,
    width: u32,
    /// Value of a leaf, from the root player's side.
    value: Value,
    /// Number of leaves left of the node; for a leaf, its number.
    leaves_before: u32,
}

impl ExplicitTree {
    /// Number of nodes, including leaves. Nodes are the numbers below it, in preorder.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Number of leaves.
    pub fn leaves(&self) -> u32 {
        // The last node in preorder is a leaf.
        self.nodes.last().map_or(0, |node| node.leaves_before + 1)
    }

    /// Number of a leaf: the count of leaves left of it.
    pub fn leaf_number(&self, leaf: u32) -> u32 {
        self.nodes[leaf as usize].leaves_before
    }
}

/// Builds a tree from left to right, in the order in which it is read or written. Errors are
/// recorded and reported by [`TreeBuilder::finish`].
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    parents: Vec<u32>,
    /// Open nodes, from the root down.
    path: Vec<u32>,
    leaves: u32,
    /// An error occurred, so there is no tree.
    flawed: bool,
}

impl TreeBuilder {
    /// Begins an interior node. Nodes added until it is closed are its descendants.
    pub fn open(&mut self) {
        let node = self.add(0);
        self.path.push(node);
    }

    /// Ends the last open interior node.
    pub fn close(&mut self) {
        self.flawed |= !self.has_children();
        self.path.pop();
    }

    /// Adds a leaf with a value from the root player's side, within ±[`LIMIT`].
    pub fn leaf(&mut self, value: Value) {
        self.flawed |= value.unsigned_abs() > LIMIT.unsigned_abs();
        self.add(value);
        self.leaves += 1;
    }

    /// Returns true if the last open node has a child.
    pub fn has_children(&self) -> bool {
        self.path.last().is_some_and(|&node| self.nodes[node as usize].width > 0)
    }

    /// Number of nodes so far.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn add(&mut self, value: Value) -> u32 {
        let node = self.nodes.len() as u32;
        if let Some(&parent) = self.path.last() {
            self.nodes[parent as usize].width += 1;
            self.parents.push(parent);
        }
        let depth = self.path.len() as u32;
        self.nodes.push(Node { depth, first: 0, width: 0, value, leaves_before: self.leaves });
        node
    }

    /// Returns the tree. `None` if there is not exactly one root, a node is not closed or has no
    /// child, or a leaf value is out of range.
    pub fn finish(mut self) -> Option<ExplicitTree> {
        let one_root = self.parents.len() + 1 == self.nodes.len();
        if !one_root || !self.path.is_empty() || self.flawed {
            return None;
        }
        let mut first = 0;
        for node in &mut self.nodes {
            node.first = first;
            first += node.width;
        }
        let mut children = vec![0; self.parents.len()];
        let mut filled = vec![0; self.nodes.len()];
        for (child, &parent) in (1..).zip(&self.parents) {
            let slot = self.nodes[parent as usize].first + filled[parent as usize];
            children[slot as usize] = child;
            filled[parent as usize] += 1;
        }
        let height = self.nodes.iter().map(|node| node.depth).max()?;
        Some(ExplicitTree { nodes: self.nodes, children, height })
    }
}

impl GameTree for ExplicitTree {
    type Node = u32;

    fn root(&self) -> u32 {
        0
    }

    fn width(&self, &node: &u32) -> usize {
        self.nodes[node as usize].width as usize
    }

    fn child(&self, &node: &u32, index: usize) -> u32 {
        self.children[self.nodes[node as usize].first as usize + index]
    }

    fn value(&self, &leaf: &u32) -> Value {
        self.nodes[leaf as usize].value
    }

    fn ply(&self, &node: &u32) -> usize {
        self.nodes[node as usize].depth as usize
    }

    fn height(&self) -> usize {
        self.height as usize
    }

    fn rank(&self, &node: &u32) -> u64 {
        u64::from(node)
    }
}

#[cfg(test)]
mod tests;
