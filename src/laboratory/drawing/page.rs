//! A page that plays searches step by step: one file of HTML, with everything in it.

use serde_json::{Value as Json, json};

use super::record::Event;
use super::run::{Drawing, Run};
use super::sketch::{Place, Sketch};
use super::words::{self, Namer};
use super::{legend, svg};
use crate::laboratory::algorithms::Manner;
use crate::laboratory::{ExplicitTree, GameTree};
use crate::tools::pages::{Page, escape, fill};

const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Where the position of the node in view is drawn.
const BOARD: &str = r#"<figure><svg class="board" viewBox="0 0 800 800" role="img"></svg><figcaption></figcaption></figure>
"#;

/// Makes the page.
pub fn page(drawing: &Drawing) -> String {
    let title = drawing.heading();
    let is_chess = drawing.sketch.places().is_some();
    let panels = drawing.runs.iter().enumerate().map(|(index, run)| panel(drawing, index, run));
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("legend", &legend::for_page(drawing)),
            ("crowding", crowding(drawing.runs.len())),
            ("panels", &panels.collect::<String>()),
        ],
    );
    let page = Page {
        title: &title,
        class: if is_chess { "chess" } else { "" },
        style: &[svg::STYLE, STYLE].concat(),
        content: &content,
        data: data(drawing),
        script: SCRIPT,
        has_boards: is_chess,
    };
    page.to_html()
}

/// Classes for a number of searches: those that have to share a screen are shown in short.
fn crowding(searches: usize) -> &'static str {
    match searches {
        0 | 1 => "",
        2 | 3 => "several",
        _ => "several many",
    }
}

/// The part of the page that shows one search.
fn panel(drawing: &Drawing, index: usize, run: &Run) -> String {
    let (title, sum) = (&run.title, words::sum(&drawing.sketch, run.value, &run.story));
    let tree = svg::playable(drawing, run, &format!("r{index}"));
    let board = if drawing.sketch.places().is_some() { BOARD } else { "" };
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

/// What the page's program works on.
fn data(drawing: &Drawing) -> Json {
    let Drawing { sketch, namer, parents, runs } = drawing;
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
        "runs": runs.iter().map(|run| run_data(sketch, namer, run)).collect::<Vec<_>>(),
    })
}

/// Of chess, the boards of the nodes with the squares of the last move.
fn boards(sketch: &Sketch) -> Option<Vec<Json>> {
    let board = |place: &Place| json!([place.board, place.moved, place.label()]);
    sketch.places().map(|places| places.iter().map(board).collect())
}

fn run_data(sketch: &Sketch, namer: &Namer, run: &Run) -> Json {
    let steps = steps(&sketch.tree, &run.events).into_iter().map(|events| {
        let data: Vec<_> =
            events.iter().map(|event| event_data(namer, event, run.manner)).collect();
        json!([namer.sentence_of_step(&events, run.manner), data])
    });
    json!({
        "sum": words::sum(sketch, run.value, &run.story),
        "windows": run.story.has_windows.then(|| run.manner.name_of_window()),
        "prefix": run.manner.prefix(),
        "steps": steps.collect::<Vec<_>>(),
    })
}

/// Divides what happened into what is shown at once: a visit of a leaf is one step, and the length
/// of OPEN belongs to the step before.
pub fn steps<'a>(tree: &ExplicitTree, events: &'a [Event]) -> Vec<Vec<&'a Event>> {
    let mut steps: Vec<Vec<&Event>> = Vec::new();
    for event in events {
        let goes_on = |step: &&mut Vec<&Event>| match (event, event.node()) {
            (Event::Enter { .. }, _) => false,
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

fn event_data(namer: &Namer, event: &Event, manner: Manner) -> Json {
    match event {
        Event::Enter { node, window, .. } => json!(["enter", node, manner.window(*window)]),
        Event::Evaluate { leaf, .. } => json!(["evaluate", leaf]),
        Event::Improve { node, best } => json!(["improve", node, words::number(*best)]),
        Event::Cut { node, children, .. } => json!(["cut", node, children, namer.cut(event)]),
        Event::Leave { node, result } => json!(["leave", node, result.to_string()]),
        Event::Open { length } => json!(["open", length]),
    }
}
