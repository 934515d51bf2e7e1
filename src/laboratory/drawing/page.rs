//! A page that plays searches step by step: one HTML file without external resources.

use serde_json::{Value as Json, json};

use super::record::SearchEvent;
use super::searches::{Drawing, DrawnSearch};
use super::sketch::{PositionInfo, Sketch};
use super::words::{self, Namer};
use super::{legend, svg};
use crate::algorithms::SearchOrder;
use crate::{ExplicitTree, GameTree};
use outrider_tools::modules;
use outrider_tools::pages::{Module, Page, escape, fill, script};

const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

const ENTRY: &str = "laboratory/drawing/page.js";
/// Replaces the module that draws boards on pages without them.
const NO_BOARDS: Module =
    Module { path: "tools/pages/board.js", text: "export const drawBoard = () => {};\n" };

/// Board of the current node.
const BOARD: &str = r#"<figure><svg class="board" viewBox="0 0 800 800" role="img"></svg><figcaption></figcaption></figure>
"#;

pub(super) fn page(drawing: &Drawing) -> String {
    let title = drawing.heading();
    let is_chess = drawing.sketch.positions().is_some();
    let panels =
        drawing.searches.iter().enumerate().map(|(index, search)| panel(drawing, index, search));
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("legend", &legend::for_page(drawing)),
            ("crowding", crowding(drawing.searches.len())),
            ("panels", &panels.collect::<String>()),
        ],
    );
    let [module] = modules!("laboratory/drawing", ["page.js"]);
    let modules = [module, NO_BOARDS];
    let page = Page {
        title: &title,
        class: if is_chess { "chess" } else { "" },
        style: &[svg::STYLE, STYLE].concat(),
        content: &content,
        data: data(drawing),
        script: &script(ENTRY, &modules[..if is_chess { 1 } else { 2 }]),
        has_boards: is_chess,
    };
    page.to_html()
}

/// CSS classes for a number of searches; searches that share a screen are shorter.
fn crowding(searches: usize) -> &'static str {
    match searches {
        0 | 1 => "",
        2 | 3 => "several",
        _ => "several many",
    }
}

/// Returns the part of the page for one search.
fn panel(drawing: &Drawing, index: usize, search: &DrawnSearch) -> String {
    let (title, sum) = (&search.title, words::sum(&drawing.sketch, search.value, &search.summary));
    let tree = svg::playable(drawing, search, &format!("r{index}"));
    let board = if drawing.sketch.positions().is_some() { BOARD } else { "" };
    format!(
        r#"<section class="card panel" id="r{index}" aria-labelledby="r{index}title">
<h2 id="r{index}title">{title}</h2>
<p class="sentence" role="status">{sum}</p>
<div class="body">
{board}<div class="tree" tabindex="0" role="group" aria-label="Tree of {title}">
{tree}</div>
<details open="">
<summary>details</summary>
<div class="facts"></div>
</details>
</div>
</section>
"#
    )
}

/// Returns the data for the page's script.
fn data(drawing: &Drawing) -> Json {
    let Drawing { sketch, namer, parents, searches } = drawing;
    let tree = &sketch.tree;
    let nodes = 0..tree.nodes();
    json!({
        "boards": boards(sketch),
        "blackBelow": sketch.is_black_below(),
        "leafCount": sketch.leaves,
        "names": nodes.clone().map(|node| namer.name(node)).collect::<Vec<_>>(),
        "kinds": nodes.clone().map(|node| words::kind(tree, node)).collect::<Vec<_>>(),
        "leaves": nodes.map(|node| tree.is_leaf(&node)).collect::<Vec<_>>(),
        "parents": parents,
        "searches": searches.iter().map(|search| search_data(sketch, namer, search)).collect::<Vec<_>>(),
    })
}

/// For chess: the board of each node, with the squares of the last move.
fn boards(sketch: &Sketch) -> Option<Vec<Json>> {
    let board = |info: &PositionInfo| json!([info.board, info.moved, info.label()]);
    sketch.positions().map(|positions| positions.iter().map(board).collect())
}

fn search_data(sketch: &Sketch, namer: &Namer, search: &DrawnSearch) -> Json {
    let steps = steps(&sketch.tree, &search.events).into_iter().map(|events| {
        let data: Vec<_> =
            events.iter().map(|event| event_data(namer, event, search.search_order)).collect();
        json!([namer.sentence_of_step(&events, search.search_order), data])
    });
    json!({
        "sum": words::sum(sketch, search.value, &search.summary),
        "windows": search.summary.has_windows.then(|| search.search_order.window_name()),
        "prefix": search.search_order.prefix(),
        "steps": steps.collect::<Vec<_>>(),
    })
}

/// Groups the events into steps: a visit of a leaf is one step, and the length of OPEN belongs to
/// the step before.
pub(super) fn steps<'a>(
    tree: &ExplicitTree,
    events: &'a [SearchEvent],
) -> Vec<Vec<&'a SearchEvent>> {
    let mut steps: Vec<Vec<&SearchEvent>> = Vec::new();
    for event in events {
        let goes_on = |step: &&mut Vec<&SearchEvent>| match (event, event.node()) {
            (SearchEvent::Enter { .. }, _) => false,
            (_, Some(node)) => tree.is_leaf(&node) && step[0].node() == Some(node),
            (_, None) => true,
        };
        match steps.last_mut().filter(goes_on) {
            Some(step) => step.push(event),
            None => steps.push(vec![event]),
        }
    }
    steps
}

fn event_data(namer: &Namer, event: &SearchEvent, search_order: SearchOrder) -> Json {
    match event {
        SearchEvent::Enter { node, window, .. } => {
            json!(["enter", node, search_order.window(*window)])
        }
        SearchEvent::Evaluate { leaf, .. } => json!(["evaluate", leaf]),
        SearchEvent::Improve { node, best } => json!(["improve", node, words::number(*best)]),
        SearchEvent::Cut { node, children, .. } => json!(["cut", node, children, namer.cut(event)]),
        SearchEvent::Leave { node, result } => json!(["leave", node, result.to_string()]),
        SearchEvent::Open { length } => json!(["open", length]),
    }
}
