//! What happened in a search, in order.

use std::fmt;

use crate::laboratory::value::Bound;
use crate::laboratory::{Cut, ExplicitTree, GameTree, Observer, Pass, Value, Window};

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
            Found::Exactly(value) => write!(f, "{}", Bound(value)),
            Found::AtLeast(value) => write!(f, "≥{}", Bound(value)),
            Found::AtMost(value) => write!(f, "≤{}", Bound(value)),
            Found::About(value) => write!(f, "≈{}", Bound(value)),
        }
    }
}

/// Writes down what happens in a search.
#[derive(Debug)]
pub struct Recorder {
    events: Vec<Event>,
    /// So many events are written down at most.
    limit: usize,
    /// Whether there were more.
    overflowed: bool,
    /// The last window of each node.
    windows: Vec<Window>,
    /// The best value in the last search of each node.
    best: Vec<Option<Value>>,
}

impl Recorder {
    /// A recorder for the search of a tree.
    pub fn new(tree: &ExplicitTree, limit: usize) -> Recorder {
        let nodes = tree.nodes() as usize;
        Recorder {
            events: Vec::new(),
            limit,
            overflowed: false,
            windows: vec![Window::FULL; nodes],
            best: vec![None; nodes],
        }
    }

    /// What happened, to the end at which the root's value is known, unless that was more than the
    /// limit.
    pub fn finish(mut self, value: Value) -> Option<Vec<Event>> {
        // A search that ends at a limit does not finish the root.
        let is_end = |event: &Event| matches!(event, Event::Leave { node: 0, .. });
        let known = self.events.iter().any(is_end);
        let result = if known { Found::Exactly(value) } else { Found::About(value) };
        let end = Event::Leave { node: 0, result };
        let last = self.events.iter().rev().find(|event| event.node().is_some());
        if last != Some(&end) {
            self.add(end);
        }
        (!self.overflowed).then_some(self.events)
    }

    fn add(&mut self, event: Event) {
        if self.events.len() < self.limit {
            self.events.push(event);
        } else {
            self.overflowed = true;
        }
    }
}

impl Observer<ExplicitTree> for Recorder {
    fn enter(&mut self, _tree: &ExplicitTree, &node: &u32, window: Window, pass: Pass) {
        self.windows[node as usize] = window;
        self.best[node as usize] = None;
        self.add(Event::Enter { node, window, pass });
    }

    fn evaluate(&mut self, _tree: &ExplicitTree, &leaf: &u32, value: Value) {
        self.add(Event::Evaluate { leaf, value });
    }

    fn improve(&mut self, _tree: &ExplicitTree, &node: &u32, best: Value) {
        self.best[node as usize] = Some(best);
        self.add(Event::Improve { node, best });
    }

    fn cut(&mut self, tree: &ExplicitTree, &node: &u32, next: usize, cut: Cut) {
        let children = (next..tree.width(&node)).map(|index| tree.child(&node, index)).collect();
        self.add(Event::Cut { node, children, cut, best: self.best[node as usize] });
    }

    fn skip(&mut self, tree: &ExplicitTree, &node: &u32, child: usize, cut: Cut) {
        let child = tree.child(&node, child);
        match self.events.last_mut() {
            // Children that are left out one by one for the same reason.
            Some(Event::Cut { node: before, children, cut: same, .. })
                if (*before, *same) == (node, cut) =>
            {
                let place = children.partition_point(|&other| other < child);
                children.insert(place, child);
            }
            _ => {
                let best = self.best[node as usize];
                self.add(Event::Cut { node, children: vec![child], cut, best });
            }
        }
    }

    fn leave(&mut self, tree: &ExplicitTree, &node: &u32, value: Value) {
        let result = if tree.is_leaf(&node) {
            Found::Exactly(tree.value(&node))
        } else {
            Found::new(value, self.windows[node as usize])
        };
        self.add(Event::Leave { node, result });
    }

    fn open(&mut self, length: usize) {
        self.add(Event::Open { length });
    }
}
