//! A tree that is held as a whole: typed by somebody, or made by a test.

use super::tree::GameTree;
use super::value::Value;

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
    /// Of a leaf its value, from the root player's side.
    value: Value,
    /// How many leaves stand left of the node: a leaf's number.
    leaves_before: u32,
}

impl ExplicitTree {
    /// The number of a leaf: how many stand left of it.
    pub fn leaf_number(&self, leaf: u32) -> u32 {
        self.nodes[leaf as usize].leaves_before
    }
}

/// Builds a tree from left to right, as it is read or written.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    parents: Vec<u32>,
    /// The nodes that are open, from the root down.
    path: Vec<u32>,
    leaves: u32,
}

impl TreeBuilder {
    /// Begins an interior node: what follows, until it is closed, stands below it.
    pub fn open(&mut self) {
        let node = self.add(0);
        self.path.push(node);
    }

    /// Ends the interior node that was begun last.
    pub fn close(&mut self) {
        self.path.pop();
    }

    /// Adds a leaf with a value from the root player's side.
    pub fn leaf(&mut self, value: Value) {
        self.add(value);
        self.leaves += 1;
    }

    /// How many nodes are open.
    pub fn depth(&self) -> usize {
        self.path.len()
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

    /// The tree, if it has one root and every node that was begun has been closed and has a child.
    pub fn finish(mut self) -> Option<ExplicitTree> {
        let one_root = self.parents.len() + 1 == self.nodes.len();
        if !one_root || !self.path.is_empty() {
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

    fn depth(&self, &node: &u32) -> usize {
        self.nodes[node as usize].depth as usize
    }

    fn height(&self) -> usize {
        self.height as usize
    }

    fn rank(&self, &node: &u32) -> u64 {
        u64::from(node)
    }
}
