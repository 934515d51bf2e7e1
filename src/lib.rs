//! Outrider: a UCI chess engine built on NegaScout.

#![deny(unsafe_code)]

pub mod commands;
pub mod evaluation;
mod memory;
pub mod position;
pub mod search;
pub mod session;
pub mod uci;
pub mod units;
