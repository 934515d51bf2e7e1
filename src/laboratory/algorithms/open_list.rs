//! OPEN, the list that SSS* and DUAL* use: node descriptors, sorted by merit, greatest first.
//! Only they and the nodes on their paths to the root are stored.
//!
//! The paper keeps one sorted list and searches it, to insert a descriptor and to purge the
//! successors of a node; most of the time is spent there (Marsland, Reinefeld and Schaeffer 1987,
//! section 4.2). But a pushed descriptor goes in front of all others, so a stack is enough for
//! pushes. Only a descriptor inserted elsewhere, a leaf that has lowered its merit, needs a
//! priority queue. The front of OPEN is the better of the two fronts. Each node also knows its
//! stored descendants, so that a purge touches only what it removes. Stack and queue drop the
//! descriptor of a removed node when it reaches the front.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Value;

/// State of a node in OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The node has not been visited.
    Live,
    /// The node's merit is final.
    Solved,
}

/// Handle of a stored node. After the node is removed, the handle may be reused.
pub(super) type NodeHandle = u32;

/// Merit and place of a descriptor (a smaller place is nearer to the front), and its node.
type Descriptor = (Value, Reverse<u64>, NodeHandle);

/// Stored nodes and, among them, the nodes in OPEN.
pub(super) struct OpenList<N> {
    /// Sorted; the last is at the front of OPEN.
    stack: Vec<Descriptor>,
    queue: BinaryHeap<Descriptor>,
    stored: Vec<StoredNode<N>>,
    vacant: Vec<NodeHandle>,
    length: usize,
}

struct StoredNode<N> {
    node: N,
    parent: Option<NodeHandle>,
    /// Index among the children of its parent.
    index: usize,
    /// One of the stored children; its siblings are linked from it.
    child: Option<NodeHandle>,
    sibling: Option<NodeHandle>,
    status: Status,
    /// Place in OPEN, if the node is in OPEN.
    place: Option<u64>,
}

/// Handle of the root.
pub(super) const ROOT: NodeHandle = 0;

/// Descriptors of removed nodes are kept up to this number plus the number of the others.
const MAX_STALE: usize = 1 << 10;

impl<N> OpenList<N> {
    /// Stores a root. OPEN is empty.
    pub(super) fn new(root: N) -> Self {
        let mut list = OpenList {
            stack: Vec::new(),
            queue: BinaryHeap::new(),
            stored: Vec::new(),
            vacant: Vec::new(),
            length: 0,
        };
        list.store(root, None, 0, None);
        list
    }

    /// Number of nodes in OPEN.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Returns the node of a handle.
    pub(super) fn node(&self, handle: NodeHandle) -> &N {
        &self.stored[handle as usize].node
    }

    /// Returns the parent of a node; the root has none.
    pub(super) fn parent(&self, handle: NodeHandle) -> Option<NodeHandle> {
        self.stored[handle as usize].parent
    }

    /// Returns the index of a node among the children of its parent.
    pub(super) fn index(&self, handle: NodeHandle) -> usize {
        self.stored[handle as usize].index
    }

    /// Stores a child of a stored node.
    pub(super) fn add_child(&mut self, parent: NodeHandle, index: usize, node: N) -> NodeHandle {
        let sibling = self.stored[parent as usize].child;
        let child = self.store(node, Some(parent), index, sibling);
        self.stored[parent as usize].child = Some(child);
        child
    }

    fn store(
        &mut self,
        node: N,
        parent: Option<NodeHandle>,
        index: usize,
        sibling: Option<NodeHandle>,
    ) -> NodeHandle {
        let stored = StoredNode {
            node,
            parent,
            index,
            child: None,
            sibling,
            status: Status::Live,
            place: None,
        };
        if let Some(handle) = self.vacant.pop() {
            self.stored[handle as usize] = stored;
            handle
        } else {
            self.stored.push(stored);
            (self.stored.len() - 1) as NodeHandle
        }
    }

    /// Replaces a node by its next sibling. The node must not be in OPEN and must have no stored
    /// child.
    pub(super) fn step_to_sibling(&mut self, handle: NodeHandle, sibling: N) {
        let stored = &mut self.stored[handle as usize];
        stored.node = sibling;
        stored.index += 1;
    }

    /// Puts a node in front of all others in OPEN: no other has a greater merit, nor the same merit
    /// and a smaller place. All places must be different.
    pub(super) fn push(&mut self, handle: NodeHandle, status: Status, merit: Value, place: u64) {
        self.mark(handle, status, place);
        self.stack.push((merit, Reverse(place), handle));
    }

    /// Reverses the last `count` pushed nodes, so that the first of them is at the front.
    pub(super) fn reverse_last(&mut self, count: usize) {
        let first = self.stack.len() - count;
        self.stack[first..].reverse();
    }

    /// Inserts a node at its sorted position in OPEN. All places must be different.
    pub(super) fn insert(&mut self, handle: NodeHandle, status: Status, merit: Value, place: u64) {
        let descriptor = (merit, Reverse(place), handle);
        if self.stack.last().max(self.queue.peek()) < Some(&descriptor) {
            self.push(handle, status, merit, place);
        } else {
            self.mark(handle, status, place);
            self.queue.push(descriptor);
        }
    }

    fn mark(&mut self, handle: NodeHandle, status: Status, place: u64) {
        let stored = &mut self.stored[handle as usize];
        stored.status = status;
        stored.place = Some(place);
        self.length += 1;
    }

    /// Removes the first node from OPEN; it stays stored.
    pub(super) fn pop(&mut self) -> Option<(NodeHandle, Status, Value)> {
        loop {
            let (merit, Reverse(place), handle) = if self.stack.last() > self.queue.peek() {
                self.stack.pop()
            } else {
                self.queue.pop()
            }?;
            let stored = &mut self.stored[handle as usize];
            if stored.place == Some(place) {
                stored.place = None;
                self.length -= 1;
                return Some((handle, stored.status, merit));
            }
        }
    }

    /// Returns the stored children of a node.
    pub(super) fn children(&self, handle: NodeHandle) -> impl Iterator<Item = NodeHandle> {
        let first = self.stored[handle as usize].child;
        std::iter::successors(first, |&child| self.stored[child as usize].sibling)
    }

    /// Removes all descendants of a node.
    pub(super) fn purge(&mut self, handle: NodeHandle) {
        let first = self.vacant.len();
        self.release_children(handle);
        let mut next = first;
        while let Some(&released) = self.vacant.get(next) {
            self.release_children(released);
            next += 1;
        }
        if self.stack.len() + self.queue.len() > 2 * self.length + MAX_STALE {
            let stored = &self.stored;
            let is_current = |&(_, Reverse(place), handle): &Descriptor| {
                stored[handle as usize].place == Some(place)
            };
            self.stack.retain(is_current);
            self.queue.retain(is_current);
        }
    }

    fn release_children(&mut self, handle: NodeHandle) {
        let mut next = self.stored[handle as usize].child.take();
        while let Some(child) = next {
            let stored = &mut self.stored[child as usize];
            if stored.place.take().is_some() {
                self.length -= 1;
            }
            next = stored.sibling;
            self.vacant.push(child);
        }
    }
}
