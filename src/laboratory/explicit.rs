//! A tree that is held as a whole: typed by a user, or made by a test. How it is written down is
//! in [`notation`](super::notation).

use super::tree::GameTree;
use super::value::{LIMIT, Value};

/// A tree in which every node is written down, numbered in preorder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplicitTree {
    nodes: Vec<Node>,
    /// The children of all nodes, those of one node side by side.
    children: Vec<u32>,
    height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    depth: u32,
    /// Where the node's children begin.
    first: u32,
    width: u32,
    /// The value of a leaf, from the root player's side.
    value: Value,
    /// How many leaves stand left of the node: a leaf's number.
    leaves_before: u32,
}

impl ExplicitTree {
    /// How many nodes the tree has, leaves included. Nodes are the numbers below that, in preorder.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// How many leaves the tree has.
    pub fn leaves(&self) -> u32 {
        // The last node in preorder is a leaf.
        self.nodes.last().map_or(0, |node| node.leaves_before + 1)
    }

    /// The number of a leaf: how many stand left of it.
    pub fn leaf_number(&self, leaf: u32) -> u32 {
        self.nodes[leaf as usize].leaves_before
    }
}

/// Builds a tree from left to right, as it is read or written. What cannot become a tree is
/// noticed on the way and refused at the end.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    parents: Vec<u32>,
    /// The nodes that are open, from the root down.
    path: Vec<u32>,
    leaves: u32,
    /// Whether something was done that no tree comes from.
    flawed: bool,
}

impl TreeBuilder {
    /// Begins an interior node: what follows, until it is closed, stands below it.
    pub fn open(&mut self) {
        let node = self.add(0);
        self.path.push(node);
    }

    /// Ends the interior node that was begun last.
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

    /// Whether the node that was begun last has a child.
    pub fn has_children(&self) -> bool {
        self.path.last().is_some_and(|&node| self.nodes[node as usize].width > 0)
    }

    /// How many nodes there are so far.
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

    /// The tree, if it has one root, every node that was begun has been closed and has a child, and
    /// the leaves' values are in their range.
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
