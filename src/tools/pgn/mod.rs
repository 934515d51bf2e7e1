//! Games in Portable Game Notation (Edwards, 1994), read with all that is said about them and
//! written again with nothing lost.
//!
//! `scan` finds the games of a file and brings them into the form that the crate `pgn-reader`
//! understands; `read` makes a [`Game`] of each, and `write` turns games into text again.

mod game;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use game::{Element, Game, Played, Remark};
pub use read::{GameError, read};
pub use scan::{Source, games};
pub use write::write;
