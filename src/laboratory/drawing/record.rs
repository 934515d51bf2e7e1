//! What happened in a search, in order.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::sketch::Sketch;
use crate::laboratory::value::Printed;
use crate::laboratory::{Cut, GameTree, Observer, Pass, Value, Window};

/// Something that an algorithm did. Values are from the root player's side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It began to search a node.
    Enter {
        /// The node.
        node: u32,
        /// The window.
        window: Window,
        /// Why.
        pass: Pass,
    },
    /// It evaluated a leaf.
    Evaluate {
        /// The leaf.
        leaf: u32,
        /// Its value.
        value: Value,
    },
    /// It found a better value for an interior node.
    Improve {
        /// The node.
        node: u32,
        /// The best value so far.
        best: Value,
    },
    /// It left out children.
    Cut {
        /// The parent.
        node: u32,
        /// The children.
        children: Vec<u32>,
        /// Why.
        cut: Cut,
        /// The best value of the parent at that time, if it had one.
        best: Option<Value>,
    },
    /// It ended the search of a node.
    Leave {
        /// The node.
        node: u32,
        /// What it found.
        result: Found,
    },
    /// Its OPEN list has this length.
    Open {
        /// The length.
        length: usize,
    },
}

impl Event {
    /// The node to which it happened.
    pub fn node(&self) -> Option<u32> {
        match *self {
            Event::Enter { node, .. }
            | Event::Evaluate { leaf: node, .. }
            | Event::Improve { node, .. }
            | Event::Cut { node, .. }
            | Event::Leave { node, .. } => Some(node),
            Event::Open { .. } => None,
        }
    }
}

/// What the search of a node found: its value or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The value.
    Exactly(Value),
    /// The search failed high.
    AtLeast(Value),
    /// The search failed low.
    AtMost(Value),
    /// The search ended at a limit: what it took the value for by then.
    About(Value),
}

impl Found {
    /// What the return value of a search with a window says.
    fn new(value: Value, window: Window) -> Found {
        if value <= window.alpha {
            Found::AtMost(value)
        } else if value >= window.beta {
            Found::AtLeast(value)
        } else {
            Found::Exactly(value)
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Found::Exactly(value) => write!(f, "{}", Printed(value)),
            Found::AtLeast(value) => write!(f, "≥{}", Printed(value)),
            Found::AtMost(value) => write!(f, "≤{}", Printed(value)),
            Found::About(value) => write!(f, "≈{}", Printed(value)),
        }
    }
}

/// Writes down what happens in a search. Nodes are numbered as they come up.
#[derive(Debug)]
pub struct Recorder {
    events: Vec<Event>,
    /// The most events that are written down.
    limit: usize,
    /// Whether there were more.
    overflowed: bool,
    /// The numbers of the nodes by their ranks.
    numbers: HashMap<u64, u32>,
    nodes: Vec<Node>,
}

/// What is remembered of a node.
#[derive(Clone, Copy, Debug)]
struct Node {
    rank: u64,
    /// The window of its last search, if it was entered.
    window: Option<Window>,
    /// The best value in its last search.
    best: Option<Value>,
}

/// What happened in a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// In order, with the recorder's numbers of nodes.
    events: Vec<Event>,
    /// The ranks of the nodes.
    ranks: Vec<u64>,
    /// Those of them that were entered.
    entered: HashSet<u64>,
}

impl Recording {
    /// The ranks of the nodes that were entered.
    pub fn entered(&self) -> &HashSet<u64> {
        &self.entered
    }

    /// What happened, with the numbers that the nodes have in a sketch.
    pub fn on(self, sketch: &Sketch) -> Vec<Event> {
        let Recording { mut events, ranks, .. } = self;
        let number = |node: &mut u32| *node = sketch.number(ranks[*node as usize]);
        for event in &mut events {
            match event {
                Event::Enter { node, .. }
                | Event::Evaluate { leaf: node, .. }
                | Event::Improve { node, .. }
                | Event::Leave { node, .. } => number(node),
                Event::Cut { node, children, .. } => {
                    number(node);
                    children.iter_mut().for_each(number);
                    children.dedup();
                }
                Event::Open { .. } => {}
            }
        }
        events
    }
}

impl Recorder {
    /// A recorder for the search of a tree.
    pub fn new<T: GameTree>(tree: &T, limit: usize) -> Recorder {
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

    /// What happened, to the end at which the root's value is known, unless that was more than the
    /// limit.
    pub fn finish(mut self, value: Value) -> Option<Recording> {
        // A search that ends at a limit does not finish the root.
        let is_end = |event: &Event| matches!(event, Event::Leave { node: 0, .. });
        let known = self.events.iter().any(is_end);
        let result = if known { Found::Exactly(value) } else { Found::About(value) };
        let end = Event::Leave { node: 0, result };
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

    fn add(&mut self, event: Event) {
        if self.events.len() < self.limit {
            self.events.push(event);
        } else {
            self.overflowed = true;
        }
    }

    /// The number of a node. Once there is too much to be written down, nothing is remembered.
    fn number<T: GameTree>(&mut self, tree: &T, node: &T::Node) -> u32 {
        if self.overflowed {
            return 0;
        }
        let rank = tree.rank(node);
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry(rank).or_insert(next);
        if number == next {
            self.nodes.push(Node { rank, window: None, best: None });
        }
        number
    }

    fn node(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }
}

impl<T: GameTree> Observer<T> for Recorder {
    fn enter(&mut self, tree: &T, node: &T::Node, window: Window, pass: Pass) {
        let node = self.number(tree, node);
        self.node(node).window = Some(window);
        self.node(node).best = None;
        self.add(Event::Enter { node, window, pass });
    }

    fn evaluate(&mut self, tree: &T, leaf: &T::Node, value: Value) {
        let leaf = self.number(tree, leaf);
        self.add(Event::Evaluate { leaf, value });
    }

    fn improve(&mut self, tree: &T, node: &T::Node, best: Value) {
        let node = self.number(tree, node);
        self.node(node).best = Some(best);
        self.add(Event::Improve { node, best });
    }

    fn cut(&mut self, tree: &T, node: &T::Node, next: usize, cut: Cut) {
        let children = next..tree.width(node);
        let children = children.map(|index| self.number(tree, &tree.child(node, index))).collect();
        let node = self.number(tree, node);
        let best = self.node(node).best;
        self.add(Event::Cut { node, children, cut, best });
    }

    fn skip(&mut self, tree: &T, node: &T::Node, child: usize, cut: Cut) {
        let child = self.number(tree, &tree.child(node, child));
        let node = self.number(tree, node);
        let nodes = &self.nodes;
        let rank = |number: u32| nodes[number as usize].rank;
        match self.events.last_mut() {
            // Children that are left out one by one for the same reason.
            Some(Event::Cut { node: before, children, cut: same, .. })
                if (*before, *same) == (node, cut) =>
            {
                let place = children.partition_point(|&other| rank(other) < rank(child));
                children.insert(place, child);
            }
            _ => {
                let best = self.node(node).best;
                self.add(Event::Cut { node, children: vec![child], cut, best });
            }
        }
    }

    fn leave(&mut self, tree: &T, node: &T::Node, value: Value) {
        let number = self.number(tree, node);
        let result = if tree.is_leaf(node) {
            Found::Exactly(tree.value(node))
        } else {
            Found::new(value, self.node(number).window.unwrap_or(Window::FULL))
        };
        self.add(Event::Leave { node: number, result });
    }

    fn open(&mut self, length: usize) {
        self.add(Event::Open { length });
    }
}
