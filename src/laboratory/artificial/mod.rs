//! Artificial trees, generated during the search: a node is a few words, its children follow from
//! it and a seed, and only the path to the current node is in memory. The same seed gives the same
//! tree on every machine.

mod independent;
mod ordered;
mod random;
mod shape;

pub(crate) use independent::IndependentTree;
pub use ordered::{Order, OrderedNode, OrderedTree, Weights};
pub use random::Seed;
pub use shape::{Shape, ShapeError};

#[cfg(test)]
mod tests;
