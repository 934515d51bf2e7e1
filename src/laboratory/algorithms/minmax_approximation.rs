//! Min/max approximation (Rivest 1987): expand the tip that has the greatest influence on the value
//! of the root.
//!
//! A maximum depends on one child only, and does not tell how near the others are. A generalized
//! mean with a large power is close to the maximum, with a large negative power close to the
//! minimum, but it depends on every child: its derivative with respect to a child's value is this
//! child's share. By the chain rule, the derivative of the root with respect to a tip is the
//! product of the shares on the path between them. Rivest turns the product into a sum: the penalty
//! of a step is the negative logarithm of the share, and the tip with the smallest sum of penalties
//! is expanded.
//!
//! Rivest takes the mean of powers v^p, for positive values. Values here may be negative, so v is
//! in the exponent: the mean of n values is `UNIT/POWER * ln((e^(POWER*v/UNIT) + ...) / n)` at a
//! MAX node; at a MIN node it is the negated mean of the negated values. To save computation he
//! also describes a "reverse approximation", which computes the shares from the true minimax values
//! of the tree grown so far. Here they are computed from the means.
//!
//! The value of a leaf is final, so bounds of true values are backed up in addition to the means. A
//! child that cannot change its parent's value any more has no share. The search ends when the
//! bounds of the root meet; without a node limit this is at the minimax value. Each expansion
//! visits all siblings of the nodes above it again, so a node of very many children costs the
//! square of their number.

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use super::grown_tree::{Edge, GrownTree, NodeHandle, ROOT};
use crate::{GameTree, INFINITY, Observer, Value};

/// Power of the means: the greater it is, the closer they are to maximum and minimum.
const POWER: f64 = 10.0;

/// Difference of two values that corresponds to a factor e between Rivest's positive values.
const UNIT: f64 = 500.0;

/// Returns the value of the root when the next expansion would give the tree more than `nodes`
/// nodes, including the root; the minimax value if there is no limit.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    nodes: Option<u64>,
    observer: &mut O,
) -> Value {
    let mut search = Approximation::new(tree, nodes, observer);
    loop {
        if let ControlFlow::Break(value) = search.step() {
            return value;
        }
    }
}

/// Knowledge about a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Assessment {
    /// Minimax value of the subtree grown so far.
    value: Value,
    /// Lower and upper bound of the true value.
    bounds: (Value, Value),
    /// Approximation of `value`.
    mean: f64,
    /// Smallest sum of penalties on a path to a tip; infinite if no tip below matters.
    penalty: f64,
}

impl Assessment {
    fn at_edge(edge: Edge) -> Self {
        let (value, bounds, penalty) = match edge {
            Edge::Leaf(value) => (value, (value, value), f64::INFINITY),
            Edge::Tip(value) => (value, (-INFINITY, INFINITY), 0.0),
        };
        Assessment { value, bounds, mean: f64::from(value), penalty }
    }

    /// Returns the same assessment from the other side.
    fn flipped(self) -> Self {
        let bounds = (-self.bounds.1, -self.bounds.0);
        Assessment { value: -self.value, bounds, mean: -self.mean, ..self }
    }

    /// Returns the assessment of the parent of these children, all from its mover's side.
    fn of_parent(children: impl Iterator<Item = Assessment> + Clone) -> Self {
        let greatest = |number: fn(Assessment) -> Value| {
            children.clone().map(number).fold(-INFINITY, Value::max)
        };
        let mut parent = Assessment {
            value: greatest(|child| child.value),
            bounds: (greatest(|child| child.bounds.0), greatest(|child| child.bounds.1)),
            mean: mean(children.clone().map(|child| child.mean)),
            penalty: f64::INFINITY,
        };
        let count = children.clone().count();
        parent.penalty = children
            .map(|child| parent.penalty_through(child, count))
            .fold(f64::INFINITY, f64::min);
        parent
    }

    /// Returns the smallest sum of penalties on a path through one of `count` children.
    fn penalty_through(self, child: Assessment, count: usize) -> f64 {
        if child.bounds.1 > self.bounds.0 {
            let share_logarithm = POWER / UNIT * (child.mean - self.mean) - (count as f64).ln();
            child.penalty - share_logarithm
        } else {
            f64::INFINITY
        }
    }
}

/// Returns the generalized mean of values. There must be one.
fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    // The greatest value is factored out of the sum, so that no power overflows.
    let greatest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let count = values.clone().count() as f64;
    let sum: f64 = values.map(|value| (POWER / UNIT * (value - greatest)).exp()).sum();
    greatest + UNIT / POWER * (sum / count).ln()
}

struct Approximation<'a, T: GameTree, O> {
    grown: GrownTree<'a, T, O, Assessment>,
    nodes: u64,
    /// Node on the path to the next tip.
    start: NodeHandle,
}

impl<'a, T: GameTree, O: Observer<T>> Approximation<'a, T, O> {
    fn new(tree: &'a T, nodes: Option<u64>, observer: &'a mut O) -> Self {
        let grown = GrownTree::new(tree, observer, Assessment::at_edge);
        Approximation { grown, nodes: nodes.unwrap_or(u64::MAX), start: ROOT }
    }

    /// Expands one tip; breaks with the root's value at the end.
    fn step(&mut self) -> ControlFlow<Value> {
        let Assessment { value, bounds: (lowest, highest), .. } = *self.grown.known(ROOT);
        if lowest == highest {
            return ControlFlow::Break(value);
        }
        let tip = self.most_influential(self.start);
        if self.grown.size_after(tip) > self.nodes {
            return ControlFlow::Break(value);
        }
        self.grown.expand(tip);
        self.start = self.update(tip);
        ControlFlow::Continue(())
    }

    /// Returns the tip with the smallest sum of penalties in the subtree of a node.
    fn most_influential(&self, mut node: NodeHandle) -> NodeHandle {
        loop {
            let seen = self.seen_by_mover_of(node);
            let (parent, children) = (seen(self.grown.known(node)), self.grown.children(node));
            let penalties = self
                .grown
                .known_of_children(node)
                .map(|child| parent.penalty_through(seen(child), children.len()));
            let next = children.clone().zip(penalties).min_by(|(_, a), (_, b)| a.total_cmp(b));
            match next {
                Some((child, _)) => node = child,
                None => return node,
            }
        }
    }

    /// Updates the knowledge about a node and its ancestors. Returns the lowest node that did not
    /// change, or the root: the path to the next tip leads through this node.
    fn update(&mut self, mut node: NodeHandle) -> NodeHandle {
        loop {
            let seen = self.seen_by_mover_of(node);
            let known = seen(&Assessment::of_parent(self.grown.known_of_children(node).map(seen)));
            let before = self.grown.replace_known(node, known);
            if before.value != known.value {
                self.grown.report_value(node, known.value);
            }
            if known.bounds.0 == known.bounds.1 {
                self.grown.report_end(node, known.value);
            }
            match self.grown.parent(node) {
                Some(parent) if before != known => node = parent,
                _ => return node,
            }
        }
    }

    fn seen_by_mover_of(&self, node: NodeHandle) -> fn(&Assessment) -> Assessment {
        if self.grown.is_max(node) { |known| *known } else { |known| known.flipped() }
    }
}
