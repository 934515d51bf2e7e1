//! The searches that are drawn.

use std::collections::HashSet;
use std::io;

use thiserror::Error;

use super::record::{Event, Recorder, Recording};
use super::sketch::Sketch;
use super::story::Story;
use super::words::{self, Namer};
use crate::laboratory::algorithms::{Algorithm, AlgorithmSettings, Manner};
use crate::laboratory::chess::{ChessNode, ChessTree};
use crate::laboratory::{ExplicitTree, GameTree, Value, with_stack_for};

/// A tree with more nodes is too large to be drawn.
const MAX_NODES: usize = 1000;

/// A chess tree with more nodes is not searched for a drawing.
const MAX_SEARCHED: u64 = 1_000_000;

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
    /// Too many nodes of a chess tree.
    #[error("the tree has more than {MAX_SEARCHED} nodes: choose a smaller depth")]
    TooLargeToSearch,
    /// Too many nodes of a chess tree were searched.
    #[error(
        "the searches enter too much of the tree, and no more than {MAX_NODES} nodes can be drawn: \
         choose a smaller depth or an algorithm that cuts off more"
    )]
    TooMuchSearched,
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
pub struct Drawing {
    /// The tree.
    pub sketch: Sketch,
    /// What its nodes are called.
    pub namer: Namer,
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

impl Drawing {
    /// Runs the algorithms on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the tree is too large or a search too long to be drawn.
    pub fn of_tree(
        tree: &ExplicitTree,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &AlgorithmSettings,
    ) -> Result<Drawing, DrawError> {
        if tree.nodes() as usize > MAX_NODES {
            return Err(DrawError::TooLarge(tree.nodes()));
        }
        if tree.height() > MAX_DEPTH {
            return Err(DrawError::TooDeep(tree.height()));
        }
        let searches = Search::all(tree, algorithms, settings)?;
        Ok(Drawing::new(Sketch::of_tree(tree), searches))
    }

    /// Runs the algorithms on a chess tree.
    ///
    /// # Errors
    ///
    /// Fails if the tree is too large, or a search too long or too wide to be drawn.
    pub fn of_chess(
        tree: &ChessTree,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &AlgorithmSettings,
    ) -> Result<Drawing, DrawError> {
        let (mut nodes, mut leaves) = (0, 0);
        count(tree, &tree.root(), &mut nodes, &mut leaves);
        if nodes > MAX_SEARCHED {
            return Err(DrawError::TooLargeToSearch);
        }
        let searches = Search::all(tree, algorithms, settings)?;
        let entered: HashSet<u64> =
            searches.iter().flat_map(|search| search.recording.entered()).copied().collect();
        let sketch = Sketch::of_chess(tree, leaves, &entered, MAX_NODES);
        Ok(Drawing::new(sketch.ok_or(DrawError::TooMuchSearched)?, searches))
    }

    fn new(sketch: Sketch, searches: Vec<Search>) -> Drawing {
        let tree = &sketch.tree;
        let mut parents = vec![None; tree.nodes() as usize];
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                parents[tree.child(&node, index) as usize] = Some(node);
            }
        }
        let runs = searches.into_iter().map(|search| search.on(&sketch)).collect();
        Drawing { namer: Namer::new(&sketch), sketch, parents, runs }
    }

    /// What is drawn, in a line.
    pub fn heading(&self) -> String {
        let mut titles: Vec<_> = self.runs.iter().map(|run| run.title.as_str()).collect();
        let last = titles.pop().unwrap_or_default();
        let and = if titles.is_empty() { "" } else { " and " };
        let game = if self.sketch.places().is_some() { "chess tree" } else { "tree" };
        let leaves = words::leaves(&self.sketch);
        format!("A {game} of {leaves} searched by {}{and}{last}", titles.join(", "))
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: u32) -> Option<u32> {
        self.parents[node as usize]
    }
}

/// Counts the nodes and leaves of a tree, up to a little more than can be searched.
fn count(tree: &ChessTree, node: &ChessNode, nodes: &mut u64, leaves: &mut u64) {
    *nodes += 1;
    let width = tree.width(node);
    *leaves += u64::from(width == 0);
    if tree.remaining(node) == 1 && width > 0 {
        *nodes += width as u64;
        *leaves += width as u64;
        return;
    }
    for index in 0..width {
        if *nodes > MAX_SEARCHED {
            return;
        }
        count(tree, &tree.child(node, index), nodes, leaves);
    }
}

/// A search that was recorded, before it is known what is drawn of its tree.
pub struct Search {
    algorithm: Algorithm,
    settings: AlgorithmSettings,
    value: Value,
    recording: Recording,
}

impl Search {
    fn all<T: GameTree + Sync>(
        tree: &T,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &AlgorithmSettings,
    ) -> Result<Vec<Search>, DrawError> {
        algorithms.into_iter().map(|algorithm| Search::new(tree, algorithm, settings)).collect()
    }

    /// Runs an algorithm on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the search is too long to be drawn.
    pub fn new<T: GameTree + Sync>(
        tree: &T,
        algorithm: Algorithm,
        settings: &AlgorithmSettings,
    ) -> Result<Search, DrawError> {
        let mut recorder = Recorder::new(tree, MAX_EVENTS);
        let value = with_stack_for(tree, || algorithm.solve(tree, settings, &mut recorder))?;
        let recording = recorder.finish(value).ok_or(DrawError::TooLong(algorithm))?;
        Ok(Search { algorithm, settings: *settings, value, recording })
    }

    /// The same on the tree that is drawn.
    pub fn on(self, sketch: &Sketch) -> Run {
        let Search { algorithm, settings, value, recording } = self;
        let events = recording.on(sketch);
        let story = Story::new(&sketch.tree, &events);
        let (title, manner) = (algorithm.title(&settings), algorithm.manner());
        Run { title, manner, value, events, story }
    }
}
