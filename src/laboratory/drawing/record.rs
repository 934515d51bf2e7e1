//! Records the events of a search in order, as an observer.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::sketch::Sketch;
use crate::value::DisplayValue;
use crate::{Cut, GameTree, Observer, Pass, Value, Window};

/// Event of a search. Values are from the root player's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SearchEvent {
    /// The search of a node began.
    Enter {
        node: u32,
        window: Window,
        pass: Pass,
    },
    Evaluate {
        leaf: u32,
        value: Value,
    },
    /// A better value for an interior node was found.
    Improve {
        node: u32,
        /// Best value so far.
        best: Value,
    },
    Cut {
        node: u32,
        children: Vec<u32>,
        cut: Cut,
        /// Best value of the parent at that time, if it had one.
        best: Option<Value>,
    },
    /// The search of a node ended.
    Leave {
        node: u32,
        result: NodeResult,
    },
    /// Length of the OPEN list.
    Open {
        length: usize,
    },
}

impl SearchEvent {
    /// Returns the node of the event.
    pub(super) fn node(&self) -> Option<u32> {
        match *self {
            SearchEvent::Enter { node, .. }
            | SearchEvent::Evaluate { leaf: node, .. }
            | SearchEvent::Improve { node, .. }
            | SearchEvent::Cut { node, .. }
            | SearchEvent::Leave { node, .. } => Some(node),
            SearchEvent::Open { .. } => None,
        }
    }
}

/// Result of the search of a node: its value or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeResult {
    Exact(Value),
    /// The search failed high: a lower bound.
    AtLeast(Value),
    /// The search failed low: an upper bound.
    AtMost(Value),
    /// The search ended at a limit: its estimate of the value.
    Estimate(Value),
}

impl NodeResult {
    /// Classifies the return value of a search with a window.
    pub(super) fn new(value: Value, window: Window) -> NodeResult {
        if value <= window.alpha {
            NodeResult::AtMost(value)
        } else if value >= window.beta {
            NodeResult::AtLeast(value)
        } else {
            NodeResult::Exact(value)
        }
    }
}

impl fmt::Display for NodeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NodeResult::Exact(value) => write!(f, "{}", DisplayValue(value)),
            NodeResult::AtLeast(value) => write!(f, "≥{}", DisplayValue(value)),
            NodeResult::AtMost(value) => write!(f, "≤{}", DisplayValue(value)),
            NodeResult::Estimate(value) => write!(f, "≈{}", DisplayValue(value)),
        }
    }
}

/// Records the events of a search. Nodes are numbered in the order in which they occur.
#[derive(Debug)]
pub(super) struct Recorder {
    events: Vec<SearchEvent>,
    /// Maximum number of recorded events.
    limit: usize,
    /// More events occurred than the limit.
    overflowed: bool,
    /// Node numbers by rank.
    numbers: HashMap<u64, u32>,
    nodes: Vec<RecordedNode>,
}

/// State of a node during the recording.
#[derive(Clone, Copy, Debug)]
struct RecordedNode {
    rank: u64,
    /// Window of its last search, if it was entered.
    window: Option<Window>,
    /// Best value in its last search.
    best: Option<Value>,
}

/// Events of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Recording {
    /// In order, with the recorder's node numbers.
    events: Vec<SearchEvent>,
    /// Ranks of the nodes.
    ranks: Vec<u64>,
    /// Ranks of the entered nodes.
    entered: HashSet<u64>,
}

impl Recording {
    /// Returns the ranks of the entered nodes.
    pub(super) fn entered(&self) -> &HashSet<u64> {
        &self.entered
    }

    /// Returns the events with the node numbers of a sketch.
    pub(super) fn events_on(self, sketch: &Sketch) -> Vec<SearchEvent> {
        let Recording { mut events, ranks, .. } = self;
        let number = |node: &mut u32| *node = sketch.number(ranks[*node as usize]);
        for event in &mut events {
            match event {
                SearchEvent::Enter { node, .. }
                | SearchEvent::Evaluate { leaf: node, .. }
                | SearchEvent::Improve { node, .. }
                | SearchEvent::Leave { node, .. } => number(node),
                SearchEvent::Cut { node, children, .. } => {
                    number(node);
                    children.iter_mut().for_each(number);
                    children.dedup();
                }
                SearchEvent::Open { .. } => {}
            }
        }
        events
    }
}

impl Recorder {
    /// Creates a recorder for the search of a tree.
    pub(super) fn new<T: GameTree>(tree: &T, limit: usize) -> Recorder {
        let mut recorder = Recorder {
            events: Vec::new(),
            limit,
            overflowed: false,
            numbers: HashMap::new(),
            nodes: Vec::new(),
        };
        recorder.number(tree, &tree.root());
        recorder
    }

    /// Returns the recording, completed by the root's value, or `None` if there were more events
    /// than the limit.
    pub(super) fn finish(mut self, value: Value) -> Option<Recording> {
        // A search that ends at a limit does not leave the root.
        let is_end = |event: &SearchEvent| matches!(event, SearchEvent::Leave { node: 0, .. });
        let known = self.events.iter().any(is_end);
        let result = if known { NodeResult::Exact(value) } else { NodeResult::Estimate(value) };
        let end = SearchEvent::Leave { node: 0, result };
        let last = self.events.iter().rev().find(|event| event.node().is_some());
        if last != Some(&end) {
            self.add(end);
        }
        let entered = self.nodes.iter().filter(|node| node.window.is_some());
        (!self.overflowed).then(|| Recording {
            ranks: self.nodes.iter().map(|node| node.rank).collect(),
            entered: entered.map(|node| node.rank).chain([self.nodes[0].rank]).collect(),
            events: self.events,
        })
    }

    fn add(&mut self, event: SearchEvent) {
        if self.events.len() < self.limit {
            self.events.push(event);
        } else {
            self.overflowed = true;
        }
    }

    /// Returns the number of a node. After an overflow nothing is stored.
    fn number<T: GameTree>(&mut self, tree: &T, node: &T::Node) -> u32 {
        if self.overflowed {
            return 0;
        }
        let rank = tree.rank(node);
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(rank).or_insert(next);
        if number == next {
            self.nodes.push(RecordedNode { rank, window: None, best: None });
        }
        number
    }

    fn node(&mut self, number: u32) -> &mut RecordedNode {
        &mut self.nodes[number as usize]
    }
}

impl<T: GameTree> Observer<T> for Recorder {
    fn enter(&mut self, tree: &T, node: &T::Node, window: Window, pass: Pass) {
        let node = self.number(tree, node);
        self.node(node).window = Some(window);
        self.node(node).best = None;
        self.add(SearchEvent::Enter { node, window, pass });
    }

    fn evaluate(&mut self, tree: &T, leaf: &T::Node, value: Value) {
        let leaf = self.number(tree, leaf);
        self.add(SearchEvent::Evaluate { leaf, value });
    }

    fn improve(&mut self, tree: &T, node: &T::Node, best: Value) {
        let node = self.number(tree, node);
        self.node(node).best = Some(best);
        self.add(SearchEvent::Improve { node, best });
    }

    fn cut(&mut self, tree: &T, node: &T::Node, next: usize, cut: Cut) {
        let children = next..tree.width(node);
        let children = children.map(|index| self.number(tree, &tree.child(node, index))).collect();
        let node = self.number(tree, node);
        let best = self.node(node).best;
        self.add(SearchEvent::Cut { node, children, cut, best });
    }

    fn skip(&mut self, tree: &T, node: &T::Node, child: usize, cut: Cut) {
        let child = self.number(tree, &tree.child(node, child));
        let node = self.number(tree, node);
        let nodes = &self.nodes;
        let rank = |number: u32| nodes[number as usize].rank;
        match self.events.last_mut() {
            // Children that are skipped one by one for the same reason are one event.
            Some(SearchEvent::Cut { node: before, children, cut: same, .. })
                if (*before, *same) == (node, cut) =>
            {
                let place = children.partition_point(|&other| rank(other) < rank(child));
                children.insert(place, child);
            }
            _ => {
                let best = self.node(node).best;
                self.add(SearchEvent::Cut { node, children: vec![child], cut, best });
            }
        }
    }

    fn leave(&mut self, tree: &T, node: &T::Node, value: Value) {
        let number = self.number(tree, node);
        let result = if tree.is_leaf(node) {
            NodeResult::Exact(tree.value(node))
        } else {
            NodeResult::new(value, self.node(number).window.unwrap_or(Window::FULL))
        };
        self.add(SearchEvent::Leave { node: number, result });
    }

    fn open(&mut self, length: usize) {
        self.add(SearchEvent::Open { length });
    }
}
