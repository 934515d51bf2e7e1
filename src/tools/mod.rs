//! What makes and reads files with the engine: games are annotated, test suites solved, games
//! played against itself and networks trained with them.
//!
//! Work that takes long is kept in a [`journal`] and resumed. Results are plain values; the command
//! line prints them.

#![forbid(unsafe_code)]

pub mod charts;
pub mod games;
pub mod journal;
pub mod limit;
pub mod pages;
pub mod pgn;
mod score_record;
pub mod selfplay;
pub mod suites;
pub mod training;
pub mod workers;

pub use journal::{Journal, JournalError};
pub use limit::Limit;

/// What wrote a file: name and version of this program.
pub(crate) const ENGINE: &str = concat!("Outrider ", env!("CARGO_PKG_VERSION"));
