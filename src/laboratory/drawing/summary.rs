//! Summary of a recorded search for each node, for a still picture.

use super::layout::text_width;
use super::record::{NodeResult, SearchEvent};
use crate::value::DisplayValue;
use crate::{ExplicitTree, GameTree, Window};

/// Summary of a search at one node.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSummary {
    /// Searches of the node.
    pub visits: Vec<NodeVisit>,
    /// Numbers of a leaf's evaluations; the first evaluation of the search has number 1.
    pub evaluations: Vec<usize>,
    /// The node is an evaluated leaf or has one in its subtree.
    pub evaluated: bool,
    /// The search skipped the node and did not come back to it.
    pub left_out: bool,
    /// Longest text of its value at any time.
    pub longest_value: String,
}

impl NodeSummary {
    /// Returns the result of the last completed search of the node.
    pub(super) fn result(&self) -> Option<NodeResult> {
        self.visits.iter().rev().find_map(|visit| visit.result)
    }

    fn show(&mut self, value: String) {
        if text_width(&value, 1.0) > text_width(&self.longest_value, 1.0) {
            self.longest_value = value;
        }
    }

    /// Returns true if the node was searched again.
    pub(super) fn again(&self) -> bool {
        self.visits.len() > 1
    }
}

/// One search of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeVisit {
    pub window: Window,
    /// Its result, if it was completed.
    pub result: Option<NodeResult>,
}

/// Summary of a search: for each node, and in total.
#[derive(Clone, Debug)]
pub(super) struct SearchSummary {
    /// By node number, in preorder.
    pub nodes: Vec<NodeSummary>,
    /// Number of evaluations, including repetitions.
    pub evaluations: usize,
    /// Number of different leaves evaluated.
    pub distinct_leaves: usize,
    /// Maximum length of the OPEN list, for an algorithm that has one.
    pub open_peak: Option<usize>,
    /// Windows were used; some searches have only the full one.
    pub has_windows: bool,
}

impl SearchSummary {
    pub(super) fn new(tree: &ExplicitTree, events: &[SearchEvent]) -> SearchSummary {
        let mut summary = SearchSummary {
            nodes: vec![NodeSummary::default(); tree.nodes() as usize],
            evaluations: 0,
            distinct_leaves: 0,
            open_peak: None,
            has_windows: false,
        };
        events.iter().for_each(|event| summary.add(event));
        // Children have greater numbers than their parents.
        for node in (0..tree.nodes()).rev() {
            let evaluated = (0..tree.width(&node))
                .any(|i| summary.nodes[tree.child(&node, i) as usize].evaluated);
            summary.nodes[node as usize].evaluated |= evaluated;
        }
        summary
    }

    fn add(&mut self, event: &SearchEvent) {
        match *event {
            SearchEvent::Enter { node, window, .. } => {
                self.has_windows |= window != Window::FULL;
                let summary = &mut self.nodes[node as usize];
                summary.visits.push(NodeVisit { window, result: None });
                summary.left_out = false;
            }
            SearchEvent::Evaluate { leaf, .. } => {
                self.evaluations += 1;
                let summary = &mut self.nodes[leaf as usize];
                self.distinct_leaves += usize::from(!summary.evaluated);
                summary.evaluated = true;
                summary.evaluations.push(self.evaluations);
            }
            SearchEvent::Improve { node, best } => {
                self.nodes[node as usize].show(DisplayValue(best).to_string());
            }
            SearchEvent::Leave { node, result } => {
                self.nodes[node as usize].show(result.to_string());
                if let Some(visit) = self.nodes[node as usize].visits.last_mut() {
                    visit.result = Some(result);
                }
            }
            SearchEvent::Open { length } => self.open_peak = self.open_peak.max(Some(length)),
            SearchEvent::Cut { ref children, .. } => {
                children.iter().for_each(|&child| self.nodes[child as usize].left_out = true);
            }
        }
    }
}
