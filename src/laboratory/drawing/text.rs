//! Searched trees for a terminal: a node a line, children below their parent.

use super::run::{Drawing, Run};
use super::sketch::Place;
use super::words;
use crate::laboratory::{ExplicitTree, GameTree};

/// Of what was left out no more characters are shown than that.
const WIDEST: usize = 40;

/// Draws all searches, one below the other.
pub fn text(drawing: &Drawing) -> String {
    let searches: Vec<_> = drawing.runs.iter().map(|run| search(drawing, run)).collect();
    searches.join("\n")
}

fn search(drawing: &Drawing, run: &Run) -> String {
    let mut lines =
        format!("{}: {}\n", run.title, words::sum(&drawing.sketch, run.value, &run.story));
    add_node(drawing, run, 0, String::new(), "", &mut lines);
    lines
}

/// Adds a node and what is below it. Trees that are drawn are not deep.
fn add_node(
    drawing: &Drawing,
    run: &Run,
    node: u32,
    indent: String,
    branch: &str,
    lines: &mut String,
) {
    let tree = &drawing.sketch.tree;
    let line = format!("{indent}{branch}{}", description(drawing, run, node));
    lines.push_str(line.trim_end());
    lines.push('\n');
    if !run.story.nodes[node as usize].evaluated {
        return;
    }
    let below = match branch.chars().next() {
        None => String::new(),
        Some('└') => indent + "   ",
        Some(_) => indent + "│  ",
    };
    for index in 0..tree.width(&node) {
        let child = tree.child(&node, index);
        let is_last = index + 1 == tree.width(&node);
        let branch = match (is_last, run.story.nodes[child as usize].evaluated) {
            (false, true) => "├─ ",
            (false, false) => "├╌ ",
            (true, true) => "└─ ",
            (true, false) => "└╌ ",
        };
        add_node(drawing, run, child, below.clone(), branch, lines);
    }
}

fn description(drawing: &Drawing, run: &Run, node: u32) -> String {
    let tree = &drawing.sketch.tree;
    let story = &run.story.nodes[node as usize];
    let label = drawing.sketch.place(node).map(Place::label).filter(|label| !label.is_empty());
    let label = label.map(|label| format!("{label:<6} ")).unwrap_or_default();
    if let Some(moves @ 2..) = drawing.sketch.bundle(node) {
        return format!("+{moves}   not evaluated");
    }
    if !story.evaluated {
        let what = if label.is_empty() { brackets(tree, node) } else { label };
        return format!("{}   not evaluated", what.trim_end());
    }
    if tree.is_leaf(&node) {
        let numbers: Vec<_> = story.evaluations.iter().map(|number| format!("#{number}")).collect();
        return format!("{label}{:<5} {}", tree.value(&node), numbers.join(" "));
    }
    let value = story.result().map(|result| result.to_string()).unwrap_or_default();
    let visits = story.visits.iter().enumerate().map(|(index, visit)| {
        let is_last = index + 1 == story.visits.len();
        match visit.result.filter(|_| !is_last) {
            Some(result) => format!("{} → {result}", run.manner.note(visit.window)),
            None => run.manner.note(visit.window),
        }
    });
    let windows = if run.story.has_windows { visits.collect() } else { Vec::new() };
    let windows = words::shortened(windows).join(", again ");
    format!("{label}{} {value:<5} {windows}", words::kind(tree, node))
}

/// A subtree as it is written, the end left out if it is long.
fn brackets(tree: &ExplicitTree, node: u32) -> String {
    let text = tree.subtree(node).to_string();
    match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
