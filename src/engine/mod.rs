//! The engine: everything that finds a move. It depends on no other crate of the workspace.
//!
//! From the ground up, each using only those before it: [`units`], [`position`], [`evaluation`],
//! [`tablebases`], [`search`], and then modules that need a whole engine, such as [`bench`](mod@bench)
//! and [`openings`]. A search returns its reports as values; nothing in this crate prints.

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
