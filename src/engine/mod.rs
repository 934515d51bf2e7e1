//! The engine: everything that finds a move. It imports nothing of the other wings.
//!
//! From the ground up: [`units`], [`position`], [`evaluation`], [`tablebases`], [`search`], and what
//! needs a whole engine, such as the bench and random openings. Reports of a search are values;
//! nothing here prints.

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

pub mod atomic_write;
pub mod bench;
pub mod book;
pub mod evaluation;
pub mod first_moves;
mod memory;
pub mod memory_limit;
pub mod openings;
pub mod perft;
pub mod position;
pub mod search;
pub mod stop_on_drop;
pub mod tablebases;
pub mod text;
pub mod units;
