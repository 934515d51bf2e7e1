//! Pages with a movable board and text next to it.

use serde_json::Value as Json;

use super::html::Page;

/// Script with the rules of chess and the functions `enableMoving(svg, listeners)` and
/// `enableTyping(listeners)`: boards on which pieces can be moved with a pointer or by typing.
const MOVING: &str = concat!(
    include_str!("rules.js"),
    "\n",
    include_str!("moving.js"),
    "\n",
    include_str!("keyboard.js")
);

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
    let page = Page {
        title,
        class: "",
        style: &[STAGE, style].concat(),
        content,
        data,
        script: &[MOVING, script].join("\n"),
        has_boards: true,
    };
    page.to_html()
}
