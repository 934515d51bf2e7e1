//! OPEN, the list that SSS* and DUAL* work on: node descriptors, the one of the greatest merit in
//! front, and below them no more of the tree than leads back to the root.
//!
//! The paper keeps one sorted list and searches it, to insert a descriptor and to purge the
//! successors of a node; most of the time goes there (Marsland, Reinefeld and Schaeffer 1987,
//! section 4.2). But what is pushed goes in front of all others, so pushes can make a stack, and
//! only what is inserted elsewhere, a leaf that has lowered its merit, needs a priority queue: the
//! front of OPEN is the better of the two fronts. And every node here knows those of its
//! descendants that are held, so that a purge touches only what it removes; stack and queue find
//! out late, when a descriptor whose node is gone comes to the front.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Value;

/// What is known of a node in OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It has not been looked at.
    Live,
    /// Its merit is final.
    Solved,
}

/// Names a node that is held. Once the node is gone, another may get the name.
pub(super) type HeldNode = u32;

/// A descriptor's merit and place, the smaller place nearer to the front, and its node.
type Descriptor = (Value, Reverse<u64>, HeldNode);

/// Nodes that are held and, among them, the nodes in OPEN.
pub(super) struct OpenList<N> {
    /// Sorted; the last is in front.
    stack: Vec<Descriptor>,
    queue: BinaryHeap<Descriptor>,
    held: Vec<Held<N>>,
    vacant: Vec<HeldNode>,
    length: usize,
}

struct Held<N> {
    node: N,
    parent: Option<HeldNode>,
    /// Which child of its parent it is.
    index: usize,
    /// One of the children that are held; its siblings follow in a chain.
    child: Option<HeldNode>,
    sibling: Option<HeldNode>,
    status: Status,
    /// The place in OPEN, if the node stands there.
    place: Option<u64>,
}

/// The handle of the root.
pub(super) const ROOT: HeldNode = 0;

/// Descriptors of nodes that are gone are tolerated up to this number, and up to the number of
/// the others.
const TOLERATED: usize = 1 << 10;

impl<N> OpenList<N> {
    /// Holds a root. OPEN is empty.
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

    /// How many nodes stand in OPEN.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The node of a handle.
    pub(super) fn node(&self, handle: HeldNode) -> &N {
        &self.held[handle as usize].node
    }

    /// The parent of a node; the root has none.
    pub(super) fn parent(&self, handle: HeldNode) -> Option<HeldNode> {
        self.held[handle as usize].parent
    }

    /// Which child of its parent a node is.
    pub(super) fn index(&self, handle: HeldNode) -> usize {
        self.held[handle as usize].index
    }

    /// Holds a child of a node that is held.
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

    /// Puts the next sibling where a node was that stands in OPEN no more and holds no child.
    pub(super) fn step_to_sibling(&mut self, handle: HeldNode, sibling: N) {
        let held = &mut self.held[handle as usize];
        held.node = sibling;
        held.index += 1;
    }

    /// Puts a node in front of all others in OPEN: none has a greater merit, nor the same merit and
    /// a smaller place. No two nodes may ever have the same place.
    pub(super) fn push(&mut self, handle: HeldNode, status: Status, merit: Value, place: u64) {
        self.mark(handle, status, place);
        self.stack.push((merit, Reverse(place), handle));
    }

    /// Reverses the last `count` nodes pushed, so that the first of them comes to the front.
    pub(super) fn reverse_last(&mut self, count: usize) {
        let first = self.stack.len() - count;
        self.stack[first..].reverse();
    }

    /// Puts a node where it belongs in OPEN. No two nodes may ever have the same place.
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

    /// Takes the first node out of OPEN; it stays held.
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

    /// The children of a node that are held.
    pub(super) fn children(&self, handle: HeldNode) -> impl Iterator<Item = HeldNode> {
        let first = self.held[handle as usize].child;
        std::iter::successors(first, |&child| self.held[child as usize].sibling)
    }

    /// Lets go of all descendants of a node.
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
