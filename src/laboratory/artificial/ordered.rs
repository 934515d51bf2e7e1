//! Trees of a value and an order that are chosen beforehand (Marsland, Reinefeld and Schaeffer
//! 1987, section 4.1.1, after Campbell and Marsland).
//!
//! The tree is made from the root down. A node knows its value; one of its children, drawn with
//! the weights that are the tree's degree of order, is to have that value too. The others get
//! values that change nothing: those left of the best one are worse, so that the best child is
//! the first of its value, those right of it are no better.

use std::cmp::Ordering;
use std::fmt;

use serde::Serialize;

use super::random::{Numbers, Seed};
use super::shape::{NodePlace, Shape};
use crate::{GameTree, LIMIT, Value};

/// How well the children of a node are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Not at all.
    Random,
    /// [`Weights::strong`].
    Strong,
}

impl Order {
    /// Both.
    pub const ALL: [Order; 2] = [Order::Random, Order::Strong];

    /// The weights of `width` children.
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

/// How likely each child is to be the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The weights of the children up to each one, added up.
    sums: Vec<u64>,
}

impl Weights {
    /// Every child alike: random trees.
    pub fn random(width: usize) -> Weights {
        Weights::new(vec![1; width])
    }

    /// Strongly ordered trees as the paper of 1987 redefines them: the leftmost child has a chance
    /// of 60 %, the others share the rest.
    pub fn strong(width: usize) -> Weights {
        let others = width.saturating_sub(1) as u64;
        let mut weights = vec![4; width];
        if let Some(first) = weights.first_mut() {
            *first = (6 * others).max(1);
        }
        Weights::new(weights)
    }

    /// From the weight of each child.
    pub(super) fn new(weights: Vec<u64>) -> Weights {
        let mut sum = 0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        Weights { sums: sums.collect() }
    }

    /// The chance of a child to be the best one, 0 to 1.
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

/// A uniform tree whose value and order are chosen. Of it only the path to a node is ever held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedTree {
    shape: Shape,
    weights: Weights,
    range: Value,
    value: Value,
    values: Numbers,
    choices: Numbers,
}

/// A node of a tree whose value and order are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderedNode {
    place: NodePlace,
    /// The minimax value, from the root player's side.
    value: Value,
}

impl OrderedTree {
    /// The tree of a seed. Its value and the values of nodes that do not matter to it are drawn
    /// evenly from -range to range; where the rule leaves no such value (a child that must be
    /// worse than -range), the child's value lies one beyond, so that leaves may exceed the range
    /// by as much as the tree is high.
    ///
    /// # Panics
    ///
    /// If the weights are not as many as the tree's width, or the range is not from 0 to half of
    /// [`LIMIT`].
    pub fn new(shape: Shape, weights: Weights, range: Value, seed: Seed) -> OrderedTree {
        assert_eq!(weights.width(), shape.width());
        assert!((0..=LIMIT / 2).contains(&range));
        let numbers = |purpose| Numbers::new(seed, shape.width(), shape.height(), purpose);
        let (values, choices) = (numbers(1), numbers(2));
        let value = between(values, -range, range, 0);
        OrderedTree { shape, weights, range, value, values, choices }
    }

    /// The tree's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The tree's minimax value, known without a search.
    pub fn minimax_value(&self) -> Value {
        self.value
    }

    /// Which child of an interior node has the node's value; those left of it have not.
    pub fn best_child(&self, node: &OrderedNode) -> usize {
        self.weights.child_at(self.choices.below(self.weights.total(), node.place.rank))
    }

    /// The value of a child as its parent's mover sees it, that of the parent being `value`.
    fn child_value(&self, place: NodePlace, index: usize, best: usize, value: Value) -> Value {
        match index.cmp(&best) {
            Ordering::Less => between(self.values, -self.range, value - 1, place.rank),
            Ordering::Equal => value,
            Ordering::Greater => between(self.values, -self.range, value, place.rank),
        }
    }
}

/// A number evenly from `least` to `greatest`, or `greatest` if there is none.
fn between(numbers: Numbers, least: Value, greatest: Value, rank: u64) -> Value {
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
