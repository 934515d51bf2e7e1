//! The tree laboratory: the search algorithms of the papers that NegaScout comes from, tested
//! against each other, drawn and measured.
//!
//! Every algorithm is one small file in [`algorithms`], written for the trait [`GameTree`], so the
//! same code searches a tree typed by a user, an artificial tree of which only the current path is
//! in memory, and chess. An algorithm reports its steps to an [`Observer`]. Observers count, draw
//! or play a search step by step; an algorithm knows none of them.
//!
//! The engine's own search is separate and uses nothing from here: it is written to play well, but
//! an algorithm of the laboratory follows its paper. The laboratory uses the engine's positions; on
//! chess it has its own static value. Only one experiment, on diminishing returns, runs the engine
//! itself.
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
pub(crate) use observer::DistinctLeaves;
pub use observer::{Cut, Observer, Pass, SearchCounts};
pub use tree::GameTree;
pub use value::{INFINITY, LIMIT, Value, Window};
pub(crate) use walk::Walk;
