//! What a search meant for each node: the still picture of what a record tells in order.

use super::layout::text_width;
use super::record::{Event, Found};
use crate::laboratory::value::Printed;
use crate::laboratory::{ExplicitTree, GameTree, Window};

/// A node's part in a search.
#[derive(Clone, Debug, Default)]
pub struct NodeStory {
    /// The searches of the node.
    pub visits: Vec<Visit>,
    /// Of a leaf: which evaluations were its own, the first of the whole search being number 1.
    pub evaluations: Vec<usize>,
    /// Whether it is a leaf that was evaluated, or there is one below it.
    pub evaluated: bool,
    /// Whether the search said that it left the node out, and did not come back to it.
    pub left_out: bool,
    /// The longest text that stands for its value at any time.
    pub longest_value: String,
}

impl NodeStory {
    /// What the last search of the node found.
    pub fn result(&self) -> Option<Found> {
        self.visits.iter().rev().find_map(|visit| visit.result)
    }

    fn show(&mut self, value: String) {
        if text_width(&value, 1.0) > text_width(&self.longest_value, 1.0) {
            self.longest_value = value;
        }
    }

    /// Whether the node was searched again.
    pub fn again(&self) -> bool {
        self.visits.len() > 1
    }
}

/// One search of a node.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Its window.
    pub window: Window,
    /// What it found, if it came to an end.
    pub result: Option<Found>,
}

/// What a search meant for each node, and in sum.
#[derive(Clone, Debug)]
pub struct Story {
    /// The nodes, in preorder.
    pub nodes: Vec<NodeStory>,
    /// How many leaves were evaluated, repeats included.
    pub evaluations: usize,
    /// How many different ones.
    pub distinct_leaves: usize,
    /// The greatest length of the OPEN list, of an algorithm that has one.
    pub open_peak: Option<usize>,
    /// Whether windows were used: some searches have none but the full one.
    pub has_windows: bool,
}

impl Story {
    /// Tells what a record means.
    pub fn new(tree: &ExplicitTree, events: &[Event]) -> Story {
        let mut story = Story {
            nodes: vec![NodeStory::default(); tree.nodes() as usize],
            evaluations: 0,
            distinct_leaves: 0,
            open_peak: None,
            has_windows: false,
        };
        events.iter().for_each(|event| story.take(event));
        // Children have greater numbers than their parents.
        for node in (0..tree.nodes()).rev() {
            let evaluated = (0..tree.width(&node))
                .any(|i| story.nodes[tree.child(&node, i) as usize].evaluated);
            story.nodes[node as usize].evaluated |= evaluated;
        }
        story
    }

    fn take(&mut self, event: &Event) {
        match *event {
            Event::Enter { node, window, .. } => {
                self.has_windows |= window != Window::FULL;
                let story = &mut self.nodes[node as usize];
                story.visits.push(Visit { window, result: None });
                story.left_out = false;
            }
            Event::Evaluate { leaf, .. } => {
                self.evaluations += 1;
                let story = &mut self.nodes[leaf as usize];
                self.distinct_leaves += usize::from(!story.evaluated);
                story.evaluated = true;
                story.evaluations.push(self.evaluations);
            }
            Event::Improve { node, best } => {
                self.nodes[node as usize].show(Printed(best).to_string());
            }
            Event::Leave { node, result } => {
                self.nodes[node as usize].show(result.to_string());
                if let Some(visit) = self.nodes[node as usize].visits.last_mut() {
                    visit.result = Some(result);
                }
            }
            Event::Open { length } => self.open_peak = self.open_peak.max(Some(length)),
            Event::Cut { ref children, .. } => {
                children.iter().for_each(|&child| self.nodes[child as usize].left_out = true);
            }
        }
    }
}
