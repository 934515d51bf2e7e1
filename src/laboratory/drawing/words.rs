//! A search in words: names of nodes as in the papers, and a sentence for every event.

use super::record::{NodeResult, SearchEvent};
use super::sketch::{PositionInfo, Sketch};
use super::summary::SearchSummary;
use crate::algorithms::SearchOrder;
use crate::value::DisplayValue;
use crate::{Cut, ExplicitTree, GameTree, Pass, Value, Window};

/// Names nodes: p is the root, p.1 its first child. In chess the names are the moves from the root.
#[derive(Clone, Debug)]
pub(super) struct Namer {
    names: Vec<String>,
    kinds: Vec<&'static str>,
    /// For each name: several nodes have it.
    are_many: Vec<bool>,
    /// Index of each node among the children of its parent.
    places: Vec<usize>,
}

impl Namer {
    /// Names the nodes of a tree.
    pub(super) fn new(sketch: &Sketch) -> Namer {
        let tree = &sketch.tree;
        let kinds = (0..tree.nodes()).map(|node| kind(tree, node)).collect();
        let names = match sketch.positions() {
            Some(positions) => positions.iter().map(chess_name).collect(),
            None => numbered_names(tree),
        };
        let is_many = |node| sketch.bundle(node).is_some_and(|moves| moves > 1);
        let are_many = (0..tree.nodes()).map(is_many).collect();
        let mut places = vec![0; names.len()];
        for node in 0..tree.nodes() {
            for index in 0..tree.width(&node) {
                places[tree.child(&node, index) as usize] = index;
            }
        }
        Namer { names, kinds, are_many, places }
    }

    /// Returns the name of a node.
    pub(super) fn name(&self, node: u32) -> &str {
        &self.names[node as usize]
    }

    fn kind(&self, node: u32) -> &'static str {
        self.kinds[node as usize]
    }

    /// Returns the names of some children.
    fn names(&self, children: &[u32]) -> String {
        match children {
            [] => String::new(),
            [only] => self.name(*only).to_owned(),
            [first, .., last] if self.are_consecutive(children) => {
                let and = if children.len() == 2 { "and" } else { "to" };
                format!("{} {and} {}", self.name(*first), self.name(*last))
            }
            [others @ .., last] => {
                let others: Vec<_> = others.iter().map(|&child| self.name(child)).collect();
                format!("{} and {}", others.join(", "), self.name(*last))
            }
        }
    }

    /// Returns true if these are several nodes.
    fn are_many(&self, children: &[u32]) -> bool {
        children.len() != 1 || self.are_many[children[0] as usize]
    }

    /// Returns true if these siblings are consecutive.
    fn are_consecutive(&self, children: &[u32]) -> bool {
        let place = |child: u32| self.places[child as usize];
        children.windows(2).all(|pair| place(pair[0]) + 1 == place(pair[1]))
    }

    /// Describes an event in a sentence.
    pub(super) fn sentence(&self, event: &SearchEvent, search_order: SearchOrder) -> String {
        match event {
            SearchEvent::Enter { node, window, pass } => {
                let (name, kind) = (self.name(*node), self.kind(*node));
                format!("{kind} {name} {}.", entry_text(*window, *pass, search_order))
            }
            SearchEvent::Evaluate { leaf, value } => {
                format!("Leaf {} is evaluated: {value}.", self.name(*leaf))
            }
            SearchEvent::Improve { node, best } if search_order == SearchOrder::GrowingTree => {
                format!(
                    "The value of {} is now estimated as {}.",
                    self.name(*node),
                    DisplayValue(*best)
                )
            }
            SearchEvent::Improve { node, best } => {
                format!("The best value of {} is now {}.", self.name(*node), DisplayValue(*best))
            }
            SearchEvent::Cut { node, cut: Cut::Purge, .. } => format!("{}.", self.purged(*node)),
            SearchEvent::Cut { node, children, cut, best } => format!(
                "{} {} left out: {}.",
                self.names(children),
                if self.are_many(children) { "are" } else { "is" },
                self.reason(*node, *cut, *best)
            ),
            SearchEvent::Leave { node, result } => {
                let name = self.name(*node);
                let (relation, value) = match *result {
                    NodeResult::Exact(value) => ("", value),
                    NodeResult::AtLeast(value) => ("at least ", value),
                    NodeResult::AtMost(value) => ("at most ", value),
                    NodeResult::Estimate(value) => {
                        let value = DisplayValue(value);
                        return format!(
                            "The search ends at its limit. Its estimate of the value of {name} is {value}."
                        );
                    }
                };
                format!("The value of {name} is {relation}{}.", DisplayValue(value))
            }
            SearchEvent::Open { length } => format!("The length of OPEN is {length}."),
        }
    }

    /// Describes a step in a sentence.
    pub(super) fn sentence_of_step(
        &self,
        events: &[&SearchEvent],
        search_order: SearchOrder,
    ) -> String {
        let say = |event| self.sentence(event, search_order);
        let evaluation = events.iter().find(|event| matches!(event, SearchEvent::Evaluate { .. }));
        match (evaluation, events) {
            (Some(evaluation), _) => say(evaluation),
            (None, [SearchEvent::Enter { .. }, leave @ SearchEvent::Leave { .. }, ..]) => {
                format!("{} This was already known.", say(leave))
            }
            (None, _) => events.first().map(|event| say(event)).unwrap_or_default(),
        }
    }

    /// Describes briefly what was skipped and why, if the event is a cut.
    pub(super) fn cut(&self, event: &SearchEvent) -> Option<String> {
        match event {
            SearchEvent::Cut { node, cut: Cut::Purge, .. } => Some(self.purged(*node)),
            SearchEvent::Cut { node, children, cut, best } => {
                Some(format!("{}: {}", self.names(children), self.reason(*node, *cut, *best)))
            }
            _ => None,
        }
    }

    fn reason(&self, node: u32, cut: Cut, best: Option<Value>) -> String {
        match cut {
            Cut::Bound(bound) => self.passed(node, best, bound),
            Cut::Test => format!("the TEST of {} is decided", self.name(node)),
            Cut::Purge => self.purged(node),
            Cut::Known => {
                format!("the results of an earlier search of {} are enough", self.name(node))
            }
        }
    }

    /// Some of the purged nodes may have been evaluated.
    fn purged(&self, node: u32) -> String {
        format!("{} is solved, so its descendants are purged from OPEN", self.name(node))
    }

    fn passed(&self, node: u32, best: Option<Value>, bound: Value) -> String {
        let (relation, letter) = if self.kind(node) == MAX { ('≥', 'β') } else { ('≤', 'α') };
        match best {
            Some(best) => {
                let (best, bound) = (DisplayValue(best), DisplayValue(bound));
                format!("{best} {relation} {letter} = {bound} at {}", self.name(node))
            }
            None => format!("{} has passed {letter} = {}", self.name(node), DisplayValue(bound)),
        }
    }
}

/// Names the root p and its first child p.1.
fn numbered_names(tree: &ExplicitTree) -> Vec<String> {
    let mut names = vec!["p".to_owned(); tree.nodes() as usize];
    for node in 0..tree.nodes() {
        for index in 0..tree.width(&node) {
            let child = tree.child(&node, index) as usize;
            names[child] = format!("{}.{}", names[node as usize], index + 1);
        }
    }
    names
}

/// Returns the moves to a node; for a bundle of several moves, their number.
fn chess_name(info: &PositionInfo) -> String {
    let line = info.line.join(" ");
    match (info.bundle, line.as_str()) {
        (Some(moves @ 2..), "") => format!("{moves} other moves"),
        (Some(moves @ 2..), _) => format!("{moves} other moves after {line}"),
        (_, "") => "root".to_owned(),
        (_, _) => line,
    }
}

/// Describes how the search of a node begins.
fn entry_text(window: Window, pass: Pass, search_order: SearchOrder) -> String {
    if let Some(merit) = search_order.merit(window) {
        return format!("enters OPEN with merit {}", DisplayValue(merit));
    }
    let done = match pass {
        Pass::Open if search_order == SearchOrder::GrowingTree => "is added",
        Pass::Open => "is searched",
        Pass::Scout => "is scouted",
        Pass::ReSearch => "is searched again",
    };
    match window {
        Window::FULL => done.to_owned(),
        window if window.is_null() => format!("{done} with the null window {window}"),
        window => format!("{done} with the window {window}"),
    }
}

/// Formats a value that may be infinite.
pub(super) fn number(value: Value) -> String {
    DisplayValue(value).to_string()
}

const MAX: &str = "MAX";

pub(super) fn kind(tree: &ExplicitTree, node: u32) -> &'static str {
    if tree.is_max(&node) { MAX } else { "MIN" }
}

/// Returns a summary of a search in one line.
pub(super) fn sum(sketch: &Sketch, value: Value, summary: &SearchSummary) -> String {
    let SearchSummary { evaluations, distinct_leaves, open_peak, .. } = summary;
    let value = summary.nodes[0].result().unwrap_or(NodeResult::Exact(value));
    let mut sum = format!("value {value}, {distinct_leaves} of {} evaluated", leaves(sketch));
    if evaluations != distinct_leaves {
        sum += &format!(", in {evaluations} evaluations");
    }
    if let Some(peak) = open_peak {
        sum += &format!(", OPEN up to {peak}");
    }
    sum
}

pub(super) fn leaves(sketch: &Sketch) -> String {
    match sketch.leaves {
        1 => "1 leaf".to_owned(),
        leaves => format!("{leaves} leaves"),
    }
}

/// Maximum number of lines, or parts of a line, of a long list.
const MAX_SHOWN: usize = 5;

/// Removes the middle of a long list.
pub(super) fn shortened(mut list: Vec<String>) -> Vec<String> {
    if list.len() > MAX_SHOWN {
        let left_out = list.len() - (MAX_SHOWN - 1);
        list.splice(MAX_SHOWN - 2..MAX_SHOWN - 2 + left_out, [format!("… {left_out} more")]);
    }
    list
}
