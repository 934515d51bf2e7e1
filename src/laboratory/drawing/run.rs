//! The searches that are drawn.

use std::io;

use thiserror::Error;

use super::record::{Event, Recorder};
use super::story::Story;
use super::words::{self, Namer};
use crate::laboratory::algorithms::{Algorithm, Manner, Settings};
use crate::laboratory::{ExplicitTree, GameTree, Value, with_stack_for};

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

/// What is drawn.
pub struct Drawing<'a> {
    /// The tree.
    pub tree: &'a ExplicitTree,
    /// What its nodes are called.
    pub namer: Namer<'a>,
    /// The searches.
    pub runs: Vec<Run>,
    /// The parent of each node.
    pub parents: Vec<Option<u32>>,
}

/// One search.
pub struct Run {
    /// The algorithm, with its settings.
    pub title: String,
    /// How the algorithm goes about it.
    pub manner: Manner,
    /// What it returned.
    pub value: Value,
    /// What happened.
    pub events: Vec<Event>,
    /// What is left of that in a still picture.
    pub story: Story,
}

impl<'a> Drawing<'a> {
    /// Runs the algorithms on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the tree is too large or a search too long to be drawn.
    pub fn new(
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

    /// What is drawn, in a line.
    pub fn heading(&self) -> String {
        let mut titles: Vec<_> = self.runs.iter().map(|run| run.title.as_str()).collect();
        let last = titles.pop().unwrap_or_default();
        let and = if titles.is_empty() { "" } else { " and " };
        let leaves = words::leaves(self.tree);
        format!("A tree of {leaves} searched by {}{and}{last}", titles.join(", "))
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: u32) -> Option<u32> {
        self.parents[node as usize]
    }
}

impl Run {
    /// Runs an algorithm on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the search is too long to be drawn.
    pub fn new(
        tree: &ExplicitTree,
        algorithm: Algorithm,
        settings: &Settings,
    ) -> Result<Run, DrawError> {
        let mut recorder = Recorder::new(tree, MAX_EVENTS);
        let value = with_stack_for(tree, || algorithm.solve(tree, settings, &mut recorder))?;
        let events = recorder.finish(value).ok_or(DrawError::TooLong(algorithm))?;
        let story = Story::new(tree, &events);
        let (title, manner) = (algorithm.title(settings), algorithm.manner());
        Ok(Run { title, manner, value, events, story })
    }
}
