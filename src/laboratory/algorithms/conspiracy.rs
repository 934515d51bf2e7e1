//! Conspiracy number search (McAllester 1988): grow the tree where the value of the root is least
//! certain, and stop when it is certain enough.
//!
//! The root has a value as soon as the tips of the tree grown so far have static values. To give
//! the root another value, some tips must change theirs: they "conspire". The conspiracy number of
//! a value is the smallest number of tips that can give the root this value. A value is likely if
//! its number is at most the conspiracy threshold. The search takes the likely value that is
//! furthest from the current one, finds a smallest conspiracy for it, and expands one of the
//! conspirators, until only the current value is likely. There is no depth and no pruning: a tip
//! that is in no likely conspiracy is never expanded.
//!
//! As in the versions of Schaeffer and of Van der Meulen (1990), leaves never conspire, because
//! their value is final. So without a threshold the search ends only when no conspiracy is left,
//! and the root's value is then the minimax value.
//!
//! McAllester does not say which of several smallest conspiracies to try and which conspirator to
//! expand: here it is the leftmost. If the lowest and the highest likely value are equally far from
//! the current value, the highest is tried.
//!
//! Each expansion visits all siblings of the nodes above it again, so a node of very many children
//! costs the square of their number.

mod numbers;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use super::grown_tree::{Edge, GrownTree, NodeHandle, ROOT};
use crate::{GameTree, Observer, Value};
use numbers::ConspiracyNumbers;

/// Returns the value of the root when a limit is reached; the minimax value if there is no limit.
///
/// A value is unlikely if more than `threshold` tips (at least 1) must conspire for it. Without a
/// threshold every value that can be reached is likely. The tree has at most `nodes` nodes,
/// including the root.
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

/// Conspiracy numbers of a node, for a rise and for a fall of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outlook {
    up: ConspiracyNumbers,
    /// Numbers of the negated values.
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

/// Direction in which the root's value is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

struct ConspiracySearch<'a, T: GameTree, O> {
    grown: GrownTree<'a, T, O, Outlook>,
    threshold: u32,
    nodes: u64,
    /// Node on the path to the next conspirator.
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
        let Some((direction, target)) = self.furthest_likely_value() else {
            return ControlFlow::Break(value);
        };
        let tip = self.conspirator(self.start, direction, target);
        if self.grown.size_after(tip) > self.nodes {
            return ControlFlow::Break(value);
        }
        self.grown.expand(tip);
        self.start = self.update(tip);
        ControlFlow::Continue(())
    }

    /// Returns the likely value of the root that is furthest from the current one, negated if it is
    /// lower; `None` if there is no other.
    fn furthest_likely_value(&self) -> Option<(Direction, Value)> {
        let Outlook { up, down } = self.grown.known(ROOT);
        let rise = up.highest().abs_diff(up.value());
        let fall = down.highest().abs_diff(down.value());
        match (rise, fall) {
            (0, 0) => None,
            _ if rise >= fall => Some((Direction::Up, up.highest())),
            _ => Some((Direction::Down, down.highest())),
        }
    }

    /// Returns a tip of a smallest conspiracy for the target, in the subtree of a node of this
    /// conspiracy.
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

    /// Updates the outlook of a node and its ancestors. Returns the lowest node that did not
    /// change, or the root: the path to the next conspirator leads through this node.
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
