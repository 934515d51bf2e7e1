//! Chess as the laboratory's third kind of tree: positions with their legal moves down to a
//! horizon, where a static value replaces the rest of the game.
//!
//! Every algorithm of the laboratory runs on a [`ChessTree`]. The enhancements of alpha-beta use
//! features that artificial trees do not have: the same position in many places, and moves that
//! were good elsewhere. `solve` is a search in which each of them is a switch. It has no
//! selectivity: with any switches, the value is the minimax value of the tree.

mod method;
mod minimal;
mod ordering;
pub(crate) mod positions;
mod search;
mod solve;
mod static_value;
mod table;
mod tree;

pub(crate) use method::{BaseAlgorithm, Method, TableUse};
pub(crate) use minimal::{MinimalTree, minimal_tree};
pub(crate) use solve::{SolveResult, solve};
pub use tree::{ChessNode, ChessTree};

#[cfg(test)]
mod tests;
