//! The efficiently updatable neural network (NNUE; Yu Nasu, "Efficiently Updatable Neural-Network
//! based Evaluation Functions for Computer Shogi", 2018) in the form that chess engines have made
//! common.
//!
//! A board is two lists of [`features`], one from each side's perspective. The first layer adds up
//! a row of weights for every feature present, so that a move changes its sums by a few rows only.
//! The sums of the side to move and those of the other, clipped and squared, are weighted into one
//! number. [`file`] has the quantised weights as they are stored and defines what they mean.

pub mod features;
pub mod file;

/// Units of the first layer a perspective in the networks that the engine plays with.
pub const HIDDEN: usize = 256;
