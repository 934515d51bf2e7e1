//! The engine: everything that finds a move. It imports nothing of the other wings.
//!
//! From the ground up: [`units`], [`position`], [`evaluation`], [`tablebases`], [`search`], and what
//! needs a whole engine: [`openings`], [`bench`](mod@bench). Reports of a search are values; nothing here
//! prints.

pub(crate) mod atomic_write;
pub mod bench;
pub(crate) mod book;
pub mod evaluation;
mod memory;
pub mod openings;
pub mod perft;
pub mod position;
pub mod search;
pub mod tablebases;
pub(crate) mod text;
pub mod units;
