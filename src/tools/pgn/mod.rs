//! Games in Portable Game Notation (Edwards, 1994), read with all that is said about them and
//! written again with nothing lost.
//!
//! `scan` finds the games of a file and takes them apart, `read` plays their moves on a board, and
//! `write` turns games into text again; `glyph` has the signs that people know glyphs by. A reader of our
//! own: the crate `pgn-reader` skips words that it does not know, so in front of it the same scanner would
//! be needed.

pub(crate) mod comment;
mod game;
mod glyph;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use game::{AnnotatedGame, Element, Played, Remark};
pub(crate) use glyph::sign;
pub use glyph::signs;
pub use read::{GameError, read};
pub(crate) use scan::games_from;
pub use scan::{GameText, games};
pub use write::write;
