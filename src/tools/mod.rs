//! What makes and reads files with the engine: games are annotated, test suites solved, games
//! played against itself and networks trained with them.
//!
//! Work that takes long is kept in a journal and resumed. Results are plain values; the command
//! line prints them.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod charts;
pub mod games;
pub(crate) mod journal;
pub(crate) mod limit;
pub mod pages;
pub mod pgn;
pub mod score_record;
pub mod selfplay;
pub mod suites;
pub mod training;
pub mod workers;

pub use journal::Journal;
pub use limit::PositionLimit;

/// What stands for the standard input or output in place of a file.
pub const STANDARD_INPUT: &str = "-";

/// What wrote a file: name and version of this program.
pub const ENGINE: &str = concat!("Outrider ", env!("CARGO_PKG_VERSION"));
