//! Pictures of searched trees: what was evaluated, in which order, with which windows, and what
//! was left out.
//!
//! The `searches` are each recorded once by an observer, in `record`. `sketch` is the tree that is
//! drawn, and `summary` what a recording says of each node, for a still picture. `svg` and `text`
//! draw that; `page` plays the recording step by step. `search_order` names things as the kind of
//! algorithm calls them. Trees in brackets are laid out downwards by `layout`, chess trees by
//! `sideways`.

mod layout;
mod legend;
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

pub use searches::DrawError;

/// How a search is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture, in SVG.
    Picture,
    /// Text for a terminal.
    Text,
    /// A page in HTML that plays the search.
    Page,
}

/// Draws how algorithms search a tree.
///
/// # Errors
///
/// Fails if the tree is too large or a search too long to be drawn.
pub fn draw(
    tree: &ExplicitTree,
    algorithms: impl IntoIterator<Item = Algorithm>,
    settings: &AlgorithmSettings,
    format: Format,
) -> Result<String, DrawError> {
    Ok(in_format(&Drawing::of_tree(tree, algorithms, settings)?, format))
}

/// Draws how algorithms search a chess tree: siblings that none of them enters are a bundle.
///
/// # Errors
///
/// Fails if the tree is too large, or a search too long or too wide to be drawn.
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
