//! The static evaluation, as a state that follows the search move by move.
//!
//! It is a neural network. Each search thread owns [`Accumulators`], which are told of every move
//! and asked for values in between; the [`Network`], its weights, is shared by all threads. Only a
//! [bare king](bare_king) against mating material is valued by rule.

#![forbid(unsafe_code)]

pub mod bare_king;
pub mod chances;
pub mod network;

pub use network::{Accumulators, Network};
