//! The tree laboratory: the search algorithms of the papers that NegaScout comes from, proven
//! equal, drawn and measured.
//!
//! Every algorithm is one small file in [`algorithms`], written over one trait, [`GameTree`], so
//! that the same code searches a tree that a user typed, an artificial tree of
//! which only the path to the current node is ever held, and chess. An algorithm reports what it does
//! to an [`Observer`]. Counting, drawing and playing a search step by step are observers; an algorithm
//! knows none of them.
//!
//! The engine's own search is not in here and uses nothing from here: it is made to play well, while an
//! algorithm of the laboratory follows its paper. The laboratory uses the engine's positions; on chess
//! it has a static value of its own. One experiment, on diminishing returns, runs the engine itself.
//!

#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod algorithms;
pub mod artificial;
pub mod chess;
mod deep;
pub mod drawing;
pub mod experiments;
mod explicit;
mod notation;
mod observer;
#[cfg(test)]
mod testing;
mod tree;
mod value;
mod walk;

pub use deep::with_stack_for;
pub use explicit::{ExplicitTree, TreeBuilder};
pub use notation::{LocatedTree, TreeReadError, TreeReader};
pub use observer::DistinctLeaves;
pub use observer::{Cut, Observer, Pass, SearchCounts};
pub use tree::GameTree;
pub use value::{INFINITY, LIMIT, Value, Window};
pub(crate) use walk::Walk;
