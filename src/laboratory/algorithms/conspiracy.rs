//! Conspiracy number search (McAllester 1988): grow the tree where the value of the root is least
//! certain, and stop when it is certain enough.
//!
//! The root has a value as soon as the tips of the tree grown so far have static values. For the
//! root to get another value, some tips must change theirs, they must "conspire", and the fewest
//! that suffice are the conspiracy number of that other value. A value is likely as long as its
//! number does not exceed the conspiracy threshold. The search takes the likely value that is
//! furthest from the present one, finds a smallest conspiracy for it, and expands one of the
//! conspirators, until no value but the present one is likely. Nothing here knows of depth, and
//! nothing is pruned; a tip that belongs to no likely conspiracy is just never expanded.
//!
//! As in Schaeffer's and Van der Meulen's versions (1990), leaves never conspire, for their value
//! is final. So without a threshold the search ends only when no conspiracy is left at all, and
//! the root's value is then the minimax value.
//!
//! McAllester leaves open which of several smallest conspiracies is tried and which conspirator is
//! expanded: here the leftmost. Where the present value is as far from the lowest likely value as
//! from the highest, the highest is tried.
//!
//! An expansion looks at all siblings of the nodes above it again, so a node of very many children
//! costs the square of their number.

mod numbers;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use super::grown_tree::{Edge, GrownTree, NodeHandle, ROOT};
use crate::{GameTree, Observer, Value};
use numbers::ConspiracyNumbers;

/// The value of the root when a limit is reached; the minimax value if there is none.
///
/// A value for which more than `threshold` tips must conspire, 1 at least, is unlikely; without a
/// threshold every value that can be reached at all is likely. The tree is not grown to more than
/// `nodes` nodes, the root included.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    threshold: Option<u64>,
    nodes: Option<u64>,
    observer: &mut O,
) -> Value {
    let mut search = ConspiracySearch::new(tree, threshold, nodes, observer);
    loop {
        if let ControlFlow::Break(value) = search.step() {
            return value;
        }
    }
}

/// Where the value of a node may yet go.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outlook {
    up: ConspiracyNumbers,
    /// Of the negated values.
    down: ConspiracyNumbers,
}

impl Outlook {
    fn at_edge(edge: Edge) -> Self {
        match edge {
            Edge::Leaf(value) => Outlook {
                up: ConspiracyNumbers::of_leaf(value),
                down: ConspiracyNumbers::of_leaf(-value),
            },
            Edge::Tip(value) => Outlook {
                up: ConspiracyNumbers::of_tip(value),
                down: ConspiracyNumbers::of_tip(-value),
            },
        }
    }

    fn value(&self) -> Value {
        self.up.value()
    }

    fn is_settled(&self) -> bool {
        self.up.is_settled() && self.down.is_settled()
    }

    fn numbers(&self, direction: Direction) -> &ConspiracyNumbers {
        match direction {
            Direction::Up => &self.up,
            Direction::Down => &self.down,
        }
    }
}

/// The way in which the root's value is to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

struct ConspiracySearch<'a, T: GameTree, O> {
    grown: GrownTree<'a, T, O, Outlook>,
    threshold: u32,
    nodes: u64,
    /// A node that the way to the next conspirator leads through.
    start: NodeHandle,
}

impl<'a, T: GameTree, O: Observer<T>> ConspiracySearch<'a, T, O> {
    fn new(tree: &'a T, threshold: Option<u64>, nodes: Option<u64>, observer: &'a mut O) -> Self {
        let threshold = threshold.unwrap_or(u64::MAX).clamp(1, u64::from(u32::MAX));
        ConspiracySearch {
            grown: GrownTree::new(tree, observer, Outlook::at_edge),
            threshold: threshold as u32,
            nodes: nodes.unwrap_or(u64::MAX),
            start: ROOT,
        }
    }

    /// Expands one tip; breaks with the root's value at the end.
    fn step(&mut self) -> ControlFlow<Value> {
        let value = self.grown.known(ROOT).value();
        let Some((direction, target)) = self.aim() else { return ControlFlow::Break(value) };
        let tip = self.conspirator(self.start, direction, target);
        if self.grown.size_after(tip) > self.nodes {
            return ControlFlow::Break(value);
        }
        self.grown.expand(tip);
        self.start = self.update(tip);
        ControlFlow::Continue(())
    }

    /// The likely value of the root that is furthest from the present one, negated if it lies
    /// below; none if there is no other.
    fn aim(&self) -> Option<(Direction, Value)> {
        let Outlook { up, down } = self.grown.known(ROOT);
        let rise = up.highest().abs_diff(up.value());
        let fall = down.highest().abs_diff(down.value());
        match (rise, fall) {
            (0, 0) => None,
            _ if rise >= fall => Some((Direction::Up, up.highest())),
            _ => Some((Direction::Down, down.highest())),
        }
    }

    /// A tip that belongs to a smallest conspiracy for the target, at or below a node that does.
    fn conspirator(&self, mut node: NodeHandle, direction: Direction, target: Value) -> NodeHandle {
        loop {
            let need =
                |child: NodeHandle| self.grown.known(child).numbers(direction).conspirators(target);
            let mut children = self.grown.children(node);
            let one_is_enough = self.grown.is_max(node) == (direction == Direction::Up);
            let next = if one_is_enough {
                children.min_by_key(|&child| need(child).unwrap_or(u32::MAX))
            } else {
                children.find(|&child| need(child) != Some(0))
            };
            match next {
                Some(child) => node = child,
                None => return node,
            }
        }
    }

    /// Brings the outlook of a node and its ancestors up to date. Returns the lowest of them that
    /// stays as it was, otherwise the root: the next search for a conspirator would get there.
    fn update(&mut self, mut node: NodeHandle) -> NodeHandle {
        loop {
            let outlook = self.outlook(node);
            let (value, settled) = (outlook.value(), outlook.is_settled());
            let unchanged = outlook == *self.grown.known(node);
            let before = self.grown.replace_known(node, outlook);
            if before.value() != value {
                self.grown.report_value(node, value);
            }
            if settled && !before.is_settled() {
                self.grown.report_end(node, value);
            }
            match self.grown.parent(node) {
                Some(parent) if !unchanged => node = parent,
                _ => return node,
            }
        }
    }

    fn outlook(&self, node: NodeHandle) -> Outlook {
        let children = self.grown.known_of_children(node);
        let ups = children.clone().map(|outlook| &outlook.up);
        let downs = children.map(|outlook| &outlook.down);
        if self.grown.is_max(node) {
            Outlook {
                up: ConspiracyNumbers::of_any(ups),
                down: ConspiracyNumbers::of_all(downs, self.threshold),
            }
        } else {
            Outlook {
                up: ConspiracyNumbers::of_all(ups, self.threshold),
                down: ConspiracyNumbers::of_any(downs),
            }
        }
    }
}
