//! Outrider: a UCI chess engine built on NegaScout.

#![deny(unsafe_code)]

pub mod evaluation;
pub mod position;
pub mod search;
pub mod units;
