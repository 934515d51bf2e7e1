//! Kinds of trees that several experiments search.

use crate::Value;
use crate::artificial::{IndependentTree, Order, OrderedTree, Seed, Shape, ShapeError};

/// Uniform trees with independent leaf values.
#[derive(Clone, Debug)]
pub(super) struct IndependentKind {
    /// Width and height.
    pub shape: Shape,
    /// Number of different leaf values.
    pub values: Value,
}

/// Trees of the generator of 1987.
#[derive(Clone, Debug)]
pub(super) struct OrderedKind {
    /// How well the children of a node are ordered.
    pub order: Order,
    /// Width and height.
    pub shape: Shape,
    /// Values are from minus this to plus this.
    pub range: Value,
}

impl IndependentKind {
    /// Returns the kinds with these widths and depths.
    ///
    /// # Errors
    ///
    /// Fails if one of the sizes is impossible.
    pub(super) fn of_sizes(
        sizes: &[(usize, usize)],
        values: Value,
    ) -> Result<Vec<IndependentKind>, ShapeError> {
        let kind = |&(width, depth): &(usize, usize)| {
            Ok(IndependentKind { shape: Shape::new(width, depth)?, values })
        };
        sizes.iter().map(kind).collect()
    }

    /// Returns a tree of this kind.
    pub(super) fn tree(&self, seed: Seed) -> IndependentTree {
        IndependentTree::new(self.shape.clone(), self.values, seed)
    }
}

impl OrderedKind {
    /// Returns the kinds with these widths and depths, random and strongly ordered.
    ///
    /// # Errors
    ///
    /// Fails if one of the sizes is impossible.
    pub(super) fn of_sizes(
        sizes: &[(usize, usize)],
        range: Value,
    ) -> Result<Vec<OrderedKind>, ShapeError> {
        let all = Order::ALL.iter().flat_map(|order| sizes.iter().map(move |size| (order, size)));
        let kind = |(&order, &(width, depth)): (&Order, &(usize, usize))| {
            Ok(OrderedKind { order, shape: Shape::new(width, depth)?, range })
        };
        all.map(kind).collect()
    }

    /// Returns a tree of this kind.
    pub(super) fn tree(&self, seed: Seed) -> OrderedTree {
        let weights = self.order.weights(self.shape.width());
        OrderedTree::new(self.shape.clone(), weights, self.range, seed)
    }
}
