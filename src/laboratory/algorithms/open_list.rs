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
pub(super) type HeldNode = u32;

/// Merit and place of a descriptor (a smaller place is nearer to the front), and its node.
type Descriptor = (Value, Reverse<u64>, HeldNode);

/// Stored nodes and, among them, the nodes in OPEN.
pub(super) struct OpenList<N> {
    /// Sorted; the last is at the front of OPEN.
    stack: Vec<Descriptor>,
    queue: BinaryHeap<Descriptor>,
    held: Vec<Held<N>>,
    vacant: Vec<HeldNode>,
    length: usize,
}

struct Held<N> {
    node: N,
    parent: Option<HeldNode>,
    /// Index among the children of its parent.
    index: usize,
    /// One of the stored children; its siblings are linked from it.
    child: Option<HeldNode>,
    sibling: Option<HeldNode>,
    status: Status,
    /// Place in OPEN, if the node is in OPEN.
    place: Option<u64>,
}

/// Handle of the root.
pub(super) const ROOT: HeldNode = 0;

/// Descriptors of removed nodes are kept up to this number plus the number of the others.
const TOLERATED: usize = 1 << 10;

impl<N> OpenList<N> {
    /// Stores a root. OPEN is empty.
    pub(super) fn new(root: N) -> Self {
        let mut list = OpenList {
            stack: Vec::new(),
            queue: BinaryHeap::new(),
            held: Vec::new(),
            vacant: Vec::new(),
            length: 0,
        };
        list.hold(root, None, 0, None);
        list
    }

    /// Number of nodes in OPEN.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Returns the node of a handle.
    pub(super) fn node(&self, handle: HeldNode) -> &N {
        &self.held[handle as usize].node
    }

    /// Returns the parent of a node; the root has none.
    pub(super) fn parent(&self, handle: HeldNode) -> Option<HeldNode> {
        self.held[handle as usize].parent
    }

    /// Returns the index of a node among the children of its parent.
    pub(super) fn index(&self, handle: HeldNode) -> usize {
        self.held[handle as usize].index
    }

    /// Stores a child of a stored node.
    pub(super) fn add_child(&mut self, parent: HeldNode, index: usize, node: N) -> HeldNode {
        let sibling = self.held[parent as usize].child;
        let child = self.hold(node, Some(parent), index, sibling);
        self.held[parent as usize].child = Some(child);
        child
    }

    fn hold(
        &mut self,
        node: N,
        parent: Option<HeldNode>,
        index: usize,
        sibling: Option<HeldNode>,
    ) -> HeldNode {
        let held =
            Held { node, parent, index, child: None, sibling, status: Status::Live, place: None };
        if let Some(handle) = self.vacant.pop() {
            self.held[handle as usize] = held;
            handle
        } else {
            self.held.push(held);
            (self.held.len() - 1) as HeldNode
        }
    }

    /// Replaces a node by its next sibling. The node must not be in OPEN and must have no stored
    /// child.
    pub(super) fn step_to_sibling(&mut self, handle: HeldNode, sibling: N) {
        let held = &mut self.held[handle as usize];
        held.node = sibling;
        held.index += 1;
    }

    /// Puts a node in front of all others in OPEN: no other has a greater merit, nor the same merit
    /// and a smaller place. All places must be different.
    pub(super) fn push(&mut self, handle: HeldNode, status: Status, merit: Value, place: u64) {
        self.mark(handle, status, place);
        self.stack.push((merit, Reverse(place), handle));
    }

    /// Reverses the last `count` pushed nodes, so that the first of them is at the front.
    pub(super) fn reverse_last(&mut self, count: usize) {
        let first = self.stack.len() - count;
        self.stack[first..].reverse();
    }

    /// Inserts a node at its sorted position in OPEN. All places must be different.
    pub(super) fn insert(&mut self, handle: HeldNode, status: Status, merit: Value, place: u64) {
        let descriptor = (merit, Reverse(place), handle);
        if self.stack.last().max(self.queue.peek()) < Some(&descriptor) {
            self.push(handle, status, merit, place);
        } else {
            self.mark(handle, status, place);
            self.queue.push(descriptor);
        }
    }

    fn mark(&mut self, handle: HeldNode, status: Status, place: u64) {
        let held = &mut self.held[handle as usize];
        held.status = status;
        held.place = Some(place);
        self.length += 1;
    }

    /// Removes the first node from OPEN; it stays stored.
    pub(super) fn pop(&mut self) -> Option<(HeldNode, Status, Value)> {
        loop {
            let (merit, Reverse(place), handle) = if self.stack.last() > self.queue.peek() {
                self.stack.pop()
            } else {
                self.queue.pop()
            }?;
            let held = &mut self.held[handle as usize];
            if held.place == Some(place) {
                held.place = None;
                self.length -= 1;
                return Some((handle, held.status, merit));
            }
        }
    }

    /// Returns the stored children of a node.
    pub(super) fn children(&self, handle: HeldNode) -> impl Iterator<Item = HeldNode> {
        let first = self.held[handle as usize].child;
        std::iter::successors(first, |&child| self.held[child as usize].sibling)
    }

    /// Removes all descendants of a node.
    pub(super) fn purge(&mut self, handle: HeldNode) {
        let first = self.vacant.len();
        self.release_children(handle);
        let mut next = first;
        while let Some(&released) = self.vacant.get(next) {
            self.release_children(released);
            next += 1;
        }
        if self.stack.len() + self.queue.len() > 2 * self.length + TOLERATED {
            let held = &self.held;
            let stands = |&(_, Reverse(place), handle): &Descriptor| {
                held[handle as usize].place == Some(place)
            };
            self.stack.retain(stands);
            self.queue.retain(stands);
        }
    }

    fn release_children(&mut self, handle: HeldNode) {
        let mut next = self.held[handle as usize].child.take();
        while let Some(child) = next {
            let held = &mut self.held[child as usize];
            if held.place.take().is_some() {
                self.length -= 1;
            }
            next = held.sibling;
            self.vacant.push(child);
        }
    }
}
