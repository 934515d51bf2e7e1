//! Pages with a movable board and text next to it.

use serde_json::Value as Json;

use super::board::{self, Module};
use super::html::Page;

/// Styles of a page with a board and text next to it: the classes `left`, `stage`, `player`, `right`,
/// `talk`, `overview`, `now` and `controls`.
const STAGE: &str = include_str!("stage.css");

/// Returns a page with a movable board and text next to it. `style` and `script` are those of the page.
pub(crate) fn stage_page(
    title: &str,
    content: &str,
    data: Json,
    style: &str,
    script: &str,
) -> String {
    let moving: String = board::MOVING.iter().map(Module::inlined).collect();
    let page = Page {
        title,
        class: "",
        style: &[STAGE, style].concat(),
        content,
        data,
        script: &[&moving, script].join("\n"),
        has_boards: true,
    };
    page.to_html()
}
