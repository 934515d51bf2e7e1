//! Pages with a movable board and text next to it.

use serde_json::Value as Json;

use super::html::Page;

/// Styles of the text about a position and its lines: the classes `now`, `tools`, `pill`, `line` and `step`.
pub const NOTES_STYLE: &str = include_str!("notes.css");

/// Styles of a page with a board and text next to it: the classes `left`, `stage`, `player`, `right`,
/// `talk`, `overview` and `controls`.
const STAGE: &str = include_str!("stage.css");

/// Returns a page with a movable board and text next to it. `style` and `script` are those of the page.
pub(crate) fn stage_page(
    title: &str,
    content: &str,
    data: Json,
    style: &str,
    script: &str,
) -> String {
    let style = [NOTES_STYLE, STAGE, style].concat();
    Page { title, class: "", style: &style, content, data, script, has_boards: true }.to_html()
}
