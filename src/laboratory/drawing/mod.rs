//! Pictures of searched trees: what was evaluated, in which order, with which windows, and what
//! was left out.
//!
//! A `record` of each `run` of an algorithm is made once, and of the tree a `sketch`; the `story` of
//! each node is what is left of the record in a still picture. `svg` and `text` draw that, and
//! `page` plays the record step by step. In which `manner` an algorithm searches decides what things
//! are called. Trees in brackets have their `layout` downwards, chess trees `sideways`.

mod layout;
mod legend;
mod manner;
mod page;
mod record;
mod run;
mod sideways;
mod sketch;
mod story;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use super::algorithms::{Algorithm, AlgorithmSettings};
use super::chess::ChessTree;
use super::explicit::ExplicitTree;
use run::Drawing;

pub use run::DrawError;

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
