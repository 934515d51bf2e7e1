//! Searched trees for a terminal: one node per line, children below their parent.

use super::searches::{Drawing, DrawnSearch};
use super::sketch::PositionInfo;
use super::words;
use crate::{ExplicitTree, GameTree};

/// Maximum number of characters of a skipped subtree.
const MAX_WIDTH: usize = 40;

/// Draws all searches, one below the other.
pub(super) fn text(drawing: &Drawing) -> String {
    let searches: Vec<_> = drawing.searches.iter().map(|search| drawn(drawing, search)).collect();
    searches.join("\n")
}

fn drawn(drawing: &Drawing, search: &DrawnSearch) -> String {
    let mut lines = format!(
        "{}: {}\n",
        search.title,
        words::sum(&drawing.sketch, search.value, &search.summary)
    );
    add_node(drawing, search, 0, String::new(), "", &mut lines);
    lines
}

/// Adds the lines of a node and its subtree. The recursion is safe, because drawn trees are not
/// deep.
fn add_node(
    drawing: &Drawing,
    search: &DrawnSearch,
    node: u32,
    indent: String,
    branch: &str,
    lines: &mut String,
) {
    let tree = &drawing.sketch.tree;
    let line = format!("{indent}{branch}{}", description(drawing, search, node));
    lines.push_str(line.trim_end());
    lines.push('\n');
    if !search.summary.nodes[node as usize].evaluated {
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
        let branch = match (is_last, search.summary.nodes[child as usize].evaluated) {
            (false, true) => "├─ ",
            (false, false) => "├╌ ",
            (true, true) => "└─ ",
            (true, false) => "└╌ ",
        };
        add_node(drawing, search, child, below.clone(), branch, lines);
    }
}

fn description(drawing: &Drawing, search: &DrawnSearch, node: u32) -> String {
    let tree = &drawing.sketch.tree;
    let summary = &search.summary.nodes[node as usize];
    let label =
        drawing.sketch.position(node).map(PositionInfo::label).filter(|label| !label.is_empty());
    let label = label.map(|label| format!("{label:<6} ")).unwrap_or_default();
    if let Some(moves @ 2..) = drawing.sketch.bundle(node) {
        return format!("+{moves}   not evaluated");
    }
    if !summary.evaluated {
        let what = match drawing.sketch.position(node) {
            None => brackets(tree, node),
            // In a chess tree, nodes that no search has evaluated have no value to show.
            Some(_) if label.is_empty() => drawing.namer.name(node).to_owned(),
            Some(_) => label,
        };
        return format!("{}   not evaluated", what.trim_end());
    }
    if tree.is_leaf(&node) {
        let numbers: Vec<_> =
            summary.evaluations.iter().map(|number| format!("#{number}")).collect();
        return format!("{label}{:<5} {}", tree.value(&node), numbers.join(" "));
    }
    let value = summary.result().map(|result| result.to_string()).unwrap_or_default();
    let visits = summary.visits.iter().enumerate().map(|(index, visit)| {
        let is_last = index + 1 == summary.visits.len();
        match visit.result.filter(|_| !is_last) {
            Some(result) => format!("{} → {result}", search.search_order.note(visit.window)),
            None => search.search_order.note(visit.window),
        }
    });
    let windows = if search.summary.has_windows { visits.collect() } else { Vec::new() };
    let windows = words::shortened(windows).join(", again ");
    format!("{label}{} {value:<5} {windows}", words::kind(tree, node))
}

/// Returns a subtree in brackets, shortened if it is long.
fn brackets(tree: &ExplicitTree, node: u32) -> String {
    let text = tree.subtree(node).to_string();
    match text.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
