//! The searches that are drawn.

use std::collections::HashSet;
use std::io;

use thiserror::Error;

use super::record::{Recorder, Recording, SearchEvent};
use super::sketch::Sketch;
use super::summary::SearchSummary;
use super::words::{self, Namer};
use crate::algorithms::{Algorithm, AlgorithmSettings, SearchOrder};
use crate::chess::{ChessNode, ChessTree};
use crate::{ExplicitTree, GameTree, Value, with_stack_for};

/// Maximum number of nodes of a drawn tree.
const MAX_NODES: usize = 1000;

/// Maximum number of nodes of a chess tree that is searched for a drawing.
const MAX_SEARCHED: u64 = 1_000_000;

/// Maximum depth of a drawn tree.
const MAX_DEPTH: usize = 100;

/// Maximum number of events of a drawn search.
const MAX_EVENTS: usize = 50_000;

/// Reason why a search cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The tree has too many nodes.
    #[error("the tree has {0} nodes; at most {MAX_NODES} can be drawn")]
    TooLarge(u32),
    /// The chess tree has too many nodes to search.
    #[error("the tree has more than {MAX_SEARCHED} nodes: choose a smaller depth")]
    TooLargeToSearch,
    /// The searches enter too many nodes of the chess tree.
    #[error(
        "the searches enter too many nodes; at most {MAX_NODES} can be drawn: \\
         choose a smaller depth or an algorithm that cuts off more"
    )]
    TooMuchSearched,
    /// The tree is too deep.
    #[error("the tree is {0} deep; at most {MAX_DEPTH} can be drawn")]
    TooDeep(usize),
    /// The search of an algorithm has too many events.
    #[error("{0} takes more steps than the {MAX_EVENTS} that can be drawn")]
    TooLong(Algorithm),
    /// The thread of a search could not be started.
    #[error("cannot begin a search: {0}")]
    NoThread(#[from] io::Error),
}

/// A tree and its searches.
pub(super) struct Drawing {
    pub sketch: Sketch,
    pub namer: Namer,
    pub searches: Vec<DrawnSearch>,
    /// Parent of each node.
    pub parents: Vec<Option<u32>>,
}

/// A search with the data to draw it.
pub(super) struct DrawnSearch {
    /// Algorithm with its settings.
    pub title: String,
    pub search_order: SearchOrder,
    pub value: Value,
    pub events: Vec<SearchEvent>,
    pub summary: SearchSummary,
}

impl Drawing {
    /// Runs the algorithms on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the tree is too large or a search too long to draw.
    pub(super) fn of_tree(
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
        let searches = RecordedSearch::all(tree, algorithms, settings)?;
        Ok(Drawing::new(Sketch::of_tree(tree), searches))
    }

    /// Runs the algorithms on a chess tree.
    ///
    /// # Errors
    ///
    /// Fails if the tree is too large, or a search too long or too wide to draw.
    pub(super) fn of_chess(
        tree: &ChessTree,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &AlgorithmSettings,
    ) -> Result<Drawing, DrawError> {
        let (mut nodes, mut leaves) = (0, 0);
        count(tree, &tree.root(), &mut nodes, &mut leaves);
        if nodes > MAX_SEARCHED {
            return Err(DrawError::TooLargeToSearch);
        }
        let searches = RecordedSearch::all(tree, algorithms, settings)?;
        let entered: HashSet<u64> =
            searches.iter().flat_map(|search| search.recording.entered()).copied().collect();
        let sketch = Sketch::of_chess(tree, leaves, &entered, MAX_NODES);
        Ok(Drawing::new(sketch.ok_or(DrawError::TooMuchSearched)?, searches))
    }

    fn new(sketch: Sketch, searches: Vec<RecordedSearch>) -> Drawing {
        let tree = &sketch.tree;
        let mut parents = vec![None; tree.nodes() as usize];
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                parents[tree.child(&node, index) as usize] = Some(node);
            }
        }
        let searches = searches.into_iter().map(|search| search.drawn_on(&sketch)).collect();
        Drawing { namer: Namer::new(&sketch), sketch, parents, searches }
    }

    /// Returns a description of the drawing in one line.
    pub(super) fn heading(&self) -> String {
        let mut titles: Vec<_> = self.searches.iter().map(|search| search.title.as_str()).collect();
        let last = titles.pop().unwrap_or_default();
        let and = if titles.is_empty() { "" } else { " and " };
        let game = if self.sketch.positions().is_some() { "chess tree" } else { "tree" };
        let leaves = words::leaves(&self.sketch);
        format!("A {game} of {leaves} searched by {}{and}{last}", titles.join(", "))
    }

    /// Returns the parent of a node; the root has none.
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        self.parents[node as usize]
    }
}

/// Counts the nodes and leaves of a tree, up to slightly more than can be searched.
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

/// A recorded search; the tree to draw is not chosen yet.
pub(super) struct RecordedSearch {
    algorithm: Algorithm,
    settings: AlgorithmSettings,
    value: Value,
    recording: Recording,
}

impl RecordedSearch {
    fn all<T: GameTree + Sync>(
        tree: &T,
        algorithms: impl IntoIterator<Item = Algorithm>,
        settings: &AlgorithmSettings,
    ) -> Result<Vec<RecordedSearch>, DrawError> {
        algorithms
            .into_iter()
            .map(|algorithm| RecordedSearch::new(tree, algorithm, settings))
            .collect()
    }

    /// Runs an algorithm on a tree.
    ///
    /// # Errors
    ///
    /// Fails if the search is too long to draw.
    pub(super) fn new<T: GameTree + Sync>(
        tree: &T,
        algorithm: Algorithm,
        settings: &AlgorithmSettings,
    ) -> Result<RecordedSearch, DrawError> {
        let mut recorder = Recorder::new(tree, MAX_EVENTS);
        let value = with_stack_for(tree, || algorithm.solve(tree, settings, &mut recorder))?;
        let recording = recorder.finish(value).ok_or(DrawError::TooLong(algorithm))?;
        Ok(RecordedSearch { algorithm, settings: *settings, value, recording })
    }

    /// Returns the search on the tree that is drawn.
    pub(super) fn drawn_on(self, sketch: &Sketch) -> DrawnSearch {
        let RecordedSearch { algorithm, settings, value, recording } = self;
        let events = recording.events_on(sketch);
        let summary = SearchSummary::new(&sketch.tree, &events);
        let (title, search_order) = (algorithm.title(&settings), algorithm.search_order());
        DrawnSearch { title, search_order, value, events, summary }
    }
}
