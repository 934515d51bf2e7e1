//! Artificial trees. They are made while they are searched: a node is a few words, its children
//! follow from it and a seed, and nothing but the path to the current node is held. The same seed
//! means the same tree on every machine.

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
