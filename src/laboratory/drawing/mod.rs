//! Pictures of searched trees: what was evaluated, in which order, with which windows, and what
//! was left out.
//!
//! A `record` of the search is made once; the `story` of each node is what is left of it in a
//! still picture. `svg` and `text` draw that, and `page` plays the record step by step. In which
//! `manner` an algorithm searches decides what things are called.

mod layout;
mod legend;
mod manner;
mod page;
mod record;
mod story;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use std::io;

use thiserror::Error;

use super::algorithms::{Algorithm, Settings};
use super::deep::with_stack_for;
use super::explicit::ExplicitTree;
use super::tree::GameTree;
use super::value::Value;
use manner::Manner;
use record::{Event, Recorder};
use story::Story;
use words::Namer;

/// A tree with more nodes is too large to be drawn.
const MAX_NODES: usize = 1000;

/// A deeper tree is too deep to be drawn.
const MAX_DEPTH: usize = 100;

/// A search in which more happens is too long to be drawn.
const MAX_EVENTS: usize = 50_000;

/// Why a search is not drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// Too many nodes.
    #[error("the tree has {0} nodes, and no more than {MAX_NODES} can be drawn")]
    TooLarge(u32),
    /// Too many levels.
    #[error("the tree is {0} deep, and no more than {MAX_DEPTH} can be drawn")]
    TooDeep(usize),
    /// Too many events.
    #[error("{0} takes more than {MAX_EVENTS} steps, the most that can be drawn")]
    TooLong(Algorithm),
    /// The search could not begin.
    #[error("cannot begin a search: {0}")]
    NoThread(#[from] io::Error),
}

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

/// What is drawn.
struct Drawing<'a> {
    tree: &'a ExplicitTree,
    namer: Namer<'a>,
    parents: Vec<Option<u32>>,
    runs: Vec<Run>,
}

/// One search.
struct Run {
    /// The algorithm, with what it was told.
    title: String,
    manner: Manner,
    value: Value,
    events: Vec<Event>,
    story: Story,
}

impl<'a> Drawing<'a> {
    fn new(
        tree: &'a ExplicitTree,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &Settings,
    ) -> Result<Drawing<'a>, DrawError> {
        if tree.nodes() as usize > MAX_NODES {
            return Err(DrawError::TooLarge(tree.nodes()));
        }
        if tree.height() > MAX_DEPTH {
            return Err(DrawError::TooDeep(tree.height()));
        }
        let mut parents = vec![None; tree.nodes() as usize];
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                parents[tree.child(&node, index) as usize] = Some(node);
            }
        }
        let runs = algorithms.into_iter().map(|algorithm| Run::new(tree, algorithm, settings));
        let runs = runs.collect::<Result<_, _>>()?;
        Ok(Drawing { tree, namer: Namer::new(tree), parents, runs })
    }

    fn parent(&self, node: u32) -> Option<u32> {
        self.parents[node as usize]
    }
}

impl Run {
    fn new(
        tree: &ExplicitTree,
        algorithm: Algorithm,
        settings: &Settings,
    ) -> Result<Run, DrawError> {
        let mut recorder = Recorder::new(tree, MAX_EVENTS);
        let value = with_stack_for(tree, || algorithm.solve(tree, settings, &mut recorder))?;
        let events = recorder.finish(value).ok_or(DrawError::TooLong(algorithm))?;
        let story = Story::new(tree, &events);
        let (title, manner) = (words::title(algorithm, settings), Manner::of(algorithm));
        Ok(Run { title, manner, value, events, story })
    }
}
