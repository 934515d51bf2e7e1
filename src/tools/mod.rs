//! Tools that read and write files with the engine: annotation of games, test suites, self-play and
//! training of networks.
//!
//! Long work is recorded in a journal and can be resumed. Results are plain values; the command line
//! prints them.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

pub mod charts;
pub mod games;
pub mod input;
pub(crate) mod journal;
pub(crate) mod limit;
pub mod pages;
pub(crate) mod paths;
pub mod pgn;
pub mod score_record;
pub mod selfplay;
pub mod suites;
pub mod training;
pub mod workers;

pub use journal::Journal;
pub use limit::PositionLimit;
pub use paths::is_same_file;

/// File name that means the standard input or output.
pub const STANDARD_INPUT: &str = "-";

/// Name and version of this program, as written into files.
pub const ENGINE: &str = concat!("Outrider ", env!("CARGO_PKG_VERSION"));
