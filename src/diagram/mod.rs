//! Pictures of boards for pages of HTML: the shapes of the pieces, how boards look in light and in
//! dark, and the program that draws a position. Pages include all three, so that they need no other
//! file.
//!
//! The shapes are drawn for this project.

/// The pieces as SVG symbols, to be put into a page once.
pub const PIECES: &str = include_str!("pieces.svg");

/// How boards look.
pub const STYLE: &str = include_str!("board.css");

/// The function `drawBoard(svg, position)`.
pub const SCRIPT: &str = include_str!("board.js");
