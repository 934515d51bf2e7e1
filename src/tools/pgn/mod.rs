//! Games in Portable Game Notation (Edwards, 1994), read with all annotations and written without loss.
//!
//! `scan` splits a file into games and tokens, `read` plays their moves on a board, and `write` turns
//! games into text; `glyph` has the customary signs of glyphs, and `verdict` finds the texts of programs
//! in comments. We use our own reader because the crate `pgn-reader` skips unknown words, so it would need
//! the same scanner in front of it.

pub(crate) mod comment;
mod game;
mod glyph;
mod read;
mod scan;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;
mod write;

pub use game::{AnnotatedGame, Element, PlayedMove, Remark, WrongNumber};
pub(crate) use glyph::sign;
pub use glyph::signs;
pub use read::{GameError, read};
pub(crate) use scan::games_from;
pub use scan::{GameText, games};
pub use write::write;
