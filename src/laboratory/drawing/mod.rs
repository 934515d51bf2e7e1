//! Pictures of searched trees: which leaves were evaluated, in which order, with which windows, and
//! which were not.
//!
//! Each of the `searches` is recorded once by an observer, in `record`. `sketch` is the tree that
//! is drawn, and `summary` is what a recording says about each node, for a still picture. `svg` and
//! `text` draw it; `page` plays the recording step by step. `search_order` contains the terms of
//! each kind of algorithm. Trees in brackets are laid out downwards by `layout`, chess trees to the
//! right by `sideways`. `outline` is a chess search as data, for a page that draws it itself.

mod layout;
mod legend;
mod outline;
mod page;
mod record;
mod search_order;
mod searches;
mod sideways;
mod sketch;
mod summary;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use super::algorithms::{Algorithm, AlgorithmSettings};
use super::chess::ChessTree;
use super::explicit::ExplicitTree;
use searches::Drawing;

pub use outline::{Outline, OutlineNode};
pub use searches::DrawError;

/// Output format of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture, in SVG.
    Picture,
    /// Text for a terminal.
    Text,
    /// An HTML page that plays the search.
    Page,
}

/// Draws how algorithms search a tree.
///
/// # Errors
///
/// Fails if the tree is too large or a search too long to draw.
pub fn draw(
    tree: &ExplicitTree,
    algorithms: impl IntoIterator<Item = Algorithm>,
    settings: &AlgorithmSettings,
    format: Format,
) -> Result<String, DrawError> {
    Ok(in_format(&Drawing::of_tree(tree, algorithms, settings)?, format))
}

/// Draws how algorithms search a chess tree. Siblings that none of them enters become a bundle.
///
/// # Errors
///
/// Fails if the tree is too large, or a search too long or too wide to draw.
pub fn draw_chess(
    tree: &ChessTree,
    algorithms: impl IntoIterator<Item = Algorithm>,
    settings: &AlgorithmSettings,
    format: Format,
) -> Result<String, DrawError> {
    Ok(in_format(&Drawing::of_chess(tree, algorithms, settings)?, format))
}

fn in_format(drawing: &Drawing, format: Format) -> String {
    match format {
        Format::Picture => svg::picture(drawing),
        Format::Text => text::text(drawing),
        Format::Page => page::page(drawing),
    }
}
