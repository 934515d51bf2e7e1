//! The engine: everything that finds a move. It imports nothing of the other wings.
//!
//! From the ground up: [`units`], [`position`], [`evaluation`], [`tablebases`], [`search`], and what
//! needs a whole engine, such as the bench and random openings. Reports of a search are values;
//! nothing here prints.

pub(crate) mod atomic_write;
pub(crate) mod bench;
pub(crate) mod book;
pub mod evaluation;
pub(crate) mod first_moves;
mod memory;
pub(crate) mod memory_limit;
pub(crate) mod openings;
pub mod perft;
pub mod position;
pub mod search;
pub(crate) mod stop_on_drop;
pub mod tablebases;
pub(crate) mod text;
pub mod units;
