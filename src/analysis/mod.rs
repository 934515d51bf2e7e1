//! What the engine does for a person's own material: games are analysed and annotated, test suites
//! solved and judged.
//!
//! Work that takes long is kept in a `journal` and resumed. Results are plain values; the command
//! line prints them.

#![forbid(unsafe_code)]

pub mod game;
mod html;
mod journal;
mod limit;
pub mod pgn;
mod score_record;
pub mod suite;

pub use journal::{Journal, JournalError};
pub use limit::Limit;

/// What wrote a file: name and version of this program.
pub(crate) const ENGINE: &str = concat!("Outrider ", env!("CARGO_PKG_VERSION"));

/// The commit that it was made from.
pub(crate) const COMMIT: &str = env!("OUTRIDER_COMMIT");
