//! A page that plays searches step by step: one file of HTML, with everything in it.

use serde_json::{Value as Json, json};

use super::record::Event;
use super::run::{Drawing, Run};
use super::words::{self, Namer};
use super::{legend, svg};
use crate::laboratory::algorithms::Manner;
use crate::laboratory::{ExplicitTree, GameTree};

/// The page, with places for what differs.
const TEMPLATE: &str = include_str!("page.html");

/// Writes the page.
pub fn page(drawing: &Drawing<'_>) -> String {
    let title = drawing.heading();
    let panels = drawing.runs.iter().enumerate().map(|(index, run)| panel(drawing, index, run));
    // Inside an element no text may look like markup.
    let data = data(drawing).to_string().replace('<', "\\u003c").replace('&', "\\u0026");
    TEMPLATE
        .replace("{{title}}", &title)
        .replace("{{style}}", svg::STYLE)
        .replace("{{legend}}", &legend::for_page(drawing))
        .replace("{{many}}", crowd(drawing.runs.len()))
        .replace("{{panels}}", &panels.collect::<String>())
        .replace("{{data}}", &data)
}

/// Classes for so many searches: those that have to share a screen are shown in short.
fn crowd(searches: usize) -> &'static str {
    match searches {
        0 | 1 => "",
        2 | 3 => "several",
        _ => "several many",
    }
}

/// The part of the page that shows one search.
fn panel(drawing: &Drawing<'_>, index: usize, run: &Run) -> String {
    let (title, sum) = (&run.title, words::sum(drawing.tree, run.value, &run.story));
    let tree = svg::playable(drawing, run, &format!("r{index}"));
    format!(
        r#"<section class="panel" id="r{index}" aria-labelledby="r{index}title">
<h2 id="r{index}title">{title}</h2>
<p class="sentence" role="status">{sum}</p>
<div class="body">
<div class="tree" tabindex="0" role="group" aria-label="Tree of {title}">
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
fn data(drawing: &Drawing<'_>) -> Json {
    let Drawing { tree, namer, parents, runs } = drawing;
    let nodes = 0..tree.nodes();
    json!({
        "names": nodes.clone().map(|node| namer.name(node)).collect::<Vec<_>>(),
        "kinds": nodes.clone().map(|node| words::kind(tree, node)).collect::<Vec<_>>(),
        "leaves": nodes.map(|node| tree.is_leaf(&node)).collect::<Vec<_>>(),
        "parents": parents,
        "runs": runs.iter().map(|run| run_data(tree, namer, run)).collect::<Vec<_>>(),
    })
}

fn run_data(tree: &ExplicitTree, namer: &Namer<'_>, run: &Run) -> Json {
    let steps = steps(tree, &run.events).into_iter().map(|events| {
        let data: Vec<_> =
            events.iter().map(|event| event_data(namer, event, run.manner)).collect();
        json!([namer.sentence_of_step(&events, run.manner), data])
    });
    json!({
        "sum": words::sum(tree, run.value, &run.story),
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

fn event_data(namer: &Namer<'_>, event: &Event, manner: Manner) -> Json {
    match event {
        Event::Enter { node, window, .. } => json!(["enter", node, manner.window(*window)]),
        Event::Evaluate { leaf, .. } => json!(["evaluate", leaf]),
        Event::Improve { node, best } => json!(["improve", node, words::number(*best)]),
        Event::Cut { node, children, .. } => json!(["cut", node, children, namer.cut(event)]),
        Event::Leave { node, result } => json!(["leave", node, result.to_string()]),
        Event::Open { length } => json!(["open", length]),
    }
}
