//! Trees with a chosen value and order (Marsland, Reinefeld and Schaeffer 1987, section 4.1.1,
//! after Campbell and Marsland).
//!
//! The tree is generated from the root down. A node knows its value. One of its children gets the
//! same value; it is drawn with the weights that define the tree's degree of order. The other
//! children get values that change nothing: those left of the best one are worse, so the best child
//! is the first with its value; those right of it are not better.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::random::{RandomNumbers, Seed};
use super::shape::{NodePlace, Shape};
use crate::{GameTree, LIMIT, Value};

/// How well the children of a node are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// No order: every child is equally likely to be the best.
    Random,
    /// [`Weights::strong`].
    Strong,
}

impl Order {
    /// Both orders.
    pub const ALL: [Order; 2] = [Order::Random, Order::Strong];

    /// Returns the weights of `width` children.
    pub fn weights(self, width: usize) -> Weights {
        match self {
            Order::Random => Weights::random(width),
            Order::Strong => Weights::strong(width),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Random => "random",
            Order::Strong => "strongly ordered",
        })
    }
}

/// Probability of each child to be the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Cumulative weights of the children.
    sums: Vec<u64>,
}

impl Weights {
    /// Equal weights: random trees.
    pub fn random(width: usize) -> Weights {
        Weights::new(vec![1; width])
    }

    /// Strongly ordered trees as redefined in the paper of 1987: the leftmost child has a
    /// probability of 60 %, the others share the rest equally.
    pub fn strong(width: usize) -> Weights {
        let others = width.saturating_sub(1) as u64;
        let mut weights = vec![4; width];
        if let Some(first) = weights.first_mut() {
            *first = (6 * others).max(1);
        }
        Weights::new(weights)
    }

    /// Creates weights from one weight per child.
    pub(super) fn new(weights: Vec<u64>) -> Weights {
        let mut sum = 0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        Weights { sums: sums.collect() }
    }

    /// Returns the probability of a child to be the best one, 0 to 1.
    pub fn chance(&self, child: usize) -> f64 {
        let before = if child == 0 { 0 } else { self.sums[child - 1] };
        (self.sums[child] - before) as f64 / self.total() as f64
    }

    fn total(&self) -> u64 {
        self.sums.last().copied().unwrap_or(0)
    }

    fn width(&self) -> usize {
        self.sums.len()
    }

    fn child_at(&self, number: u64) -> usize {
        self.sums.partition_point(|&sum| sum <= number)
    }
}

/// A uniform tree with a chosen value and order. Only the path to a node is ever in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedTree {
    shape: Shape,
    weights: Weights,
    range: Value,
    value: Value,
    values: RandomNumbers,
    choices: RandomNumbers,
}

/// Node of an [`OrderedTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedNode {
    place: NodePlace,
    /// Minimax value, from the root player's side.
    value: Value,
}

impl OrderedTree {
    /// Returns the tree of a seed. Its value, and the values of nodes that do not influence it, are drawn
    /// uniformly from -range to range. If a child must be worse than -range, its value is one beyond
    /// this, so that leaves may exceed the range by at most the height of the tree.
    ///
    /// # Panics
    ///
    /// Panics if the number of weights differs from the tree's width, or if the range is not from 0 to
    /// half of [`LIMIT`].
    pub fn new(shape: Shape, weights: Weights, range: Value, seed: Seed) -> OrderedTree {
        assert_eq!(weights.width(), shape.width());
        assert!((0..=LIMIT / 2).contains(&range));
        let numbers = |purpose| RandomNumbers::new(seed, shape.width(), shape.height(), purpose);
        let (values, choices) = (numbers(1), numbers(2));
        let value = between(values, -range, range, 0);
        OrderedTree { shape, weights, range, value, values, choices }
    }

    /// Shape of the tree.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Minimax value of the tree, known without a search.
    pub fn minimax_value(&self) -> Value {
        self.value
    }

    /// Index of the child that has the value of the interior node; children left of it have other
    /// values.
    pub fn best_child(&self, node: &OrderedNode) -> usize {
        self.weights.child_at(self.choices.below(self.weights.total(), node.place.rank))
    }

    /// Returns the value of a child from its parent's mover's side, if that of the parent is
    /// `value`.
    fn child_value(&self, place: NodePlace, index: usize, best: usize, value: Value) -> Value {
        match index.cmp(&best) {
            Ordering::Less => between(self.values, -self.range, value - 1, place.rank),
            Ordering::Equal => value,
            Ordering::Greater => between(self.values, -self.range, value, place.rank),
        }
    }
}

/// Returns a uniformly distributed number from `least` to `greatest`, or `greatest` if there is
/// none.
fn between(numbers: RandomNumbers, least: Value, greatest: Value, rank: u64) -> Value {
    let count = i64::from(greatest) - i64::from(least) + 1;
    match u64::try_from(count) {
        Ok(count) if count > 0 => (i64::from(least) + numbers.below(count, rank) as i64) as Value,
        _ => greatest,
    }
}

impl GameTree for OrderedTree {
    type Node = OrderedNode;

    fn root(&self) -> OrderedNode {
        OrderedNode { place: NodePlace::ROOT, value: self.value }
    }

    fn width(&self, node: &OrderedNode) -> usize {
        self.shape.width_at(node.place)
    }

    fn child(&self, node: &OrderedNode, index: usize) -> OrderedNode {
        let place = self.shape.child(node.place, index);
        let sign = if self.is_max(node) { 1 } else { -1 };
        let best = self.best_child(node);
        let value = sign * self.child_value(place, index, best, sign * node.value);
        OrderedNode { place, value }
    }

    fn value(&self, leaf: &OrderedNode) -> Value {
        leaf.value
    }

    fn ply(&self, node: &OrderedNode) -> usize {
        node.place.depth as usize
    }

    fn height(&self) -> usize {
        self.shape.height()
    }

    fn rank(&self, node: &OrderedNode) -> u64 {
        node.place.rank
    }
}
