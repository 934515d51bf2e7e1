//! Pictures of searched trees: what was evaluated, in which order, with which windows, and what
//! was left out.
//!
//! A `record` of each `run` of an algorithm is made once; the `story` of each node is what is left
//! of it in a still picture. `svg` and `text` draw that, and `page` plays the record step by step.
//! In which `manner` an algorithm searches decides what things are called.

mod layout;
mod legend;
mod manner;
mod page;
mod record;
mod run;
mod story;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use super::algorithms::{Algorithm, Settings};
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
    settings: &Settings,
    format: Format,
) -> Result<String, DrawError> {
    let drawing = Drawing::new(tree, algorithms, settings)?;
    Ok(match format {
        Format::Picture => svg::picture(&drawing),
        Format::Text => text::text(&drawing),
        Format::Page => page::page(&drawing),
    })
}
