//! Pages with a movable board and text next to it.

use serde_json::Value as Json;

use super::board::{self, Module};
use super::html::Page;

/// Styles of the text about a position and its lines: the classes `now`, `tools`, `pill`, `line` and `step`.
pub const NOTES_STYLE: &str = include_str!("notes.css");

/// Styles of a page with a board and text next to it: the classes `left`, `stage`, `player`, `right`,
/// `talk`, `overview` and `controls`.
const STAGE: &str = include_str!("stage.css");

/// Returns a page with a movable board and text next to it. `style` and `script` are those of the page, and
/// `modules` those that the script uses besides the modules for boards.
pub(crate) fn stage_page(
    title: &str,
    content: &str,
    data: Json,
    style: &str,
    modules: &[Module],
    script: &str,
) -> String {
    let modules: String = board::MOVING.iter().chain(modules).map(Module::inlined).collect();
    let page = Page {
        title,
        class: "",
        style: &[NOTES_STYLE, STAGE, style].concat(),
        content,
        data,
        script: &[&modules, script].join("\n"),
        has_boards: true,
    };
    page.to_html()
}
