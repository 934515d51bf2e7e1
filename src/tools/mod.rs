//! What makes and reads files with the engine: games are annotated, test suites solved, games
//! played against itself and networks trained with them.
//!
//! Work that takes long is kept in a journal and resumed. Results are plain values; the command
//! line prints them.

#![forbid(unsafe_code)]

#[cfg_attr(
    not(any(feature = "laboratory", test)),
    expect(dead_code, reason = "some kinds of axes are drawn by experiments and tests only")
)]
pub(crate) mod charts;
pub(crate) mod games;
pub(crate) mod journal;
pub(crate) mod limit;
pub(crate) mod pages;
pub(crate) mod pgn;
pub(crate) mod score_record;
pub mod selfplay;
pub(crate) mod suites;
pub mod training;
pub(crate) mod workers;

pub(crate) use journal::Journal;
pub(crate) use limit::PositionLimit;

/// What stands for the standard input or output in place of a file.
pub(crate) const STANDARD_INPUT: &str = "-";

/// What wrote a file: name and version of this program.
pub(crate) const ENGINE: &str = concat!("Outrider ", env!("CARGO_PKG_VERSION"));
