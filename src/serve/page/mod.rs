//! The page: HTML, CSS and JavaScript, as the files that the server sends.
//!
//! The content security policy forbids inline scripts and styles, so both are separate files. Parts shared
//! with the static pages come from the tools crate.

use serde_json::{Value as Json, json};

use super::budget::ServerOptions;
use outrider_engine::search::StrengthLimit;
use outrider_tools::pages::Page;
use outrider_tools::pgn;

const FRAME: &str = include_str!("frame.html");
const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// The scripts in dependency order. They share one global scope.
const SCRIPTS: [&str; 10] = [
    include_str!("requests.js"),
    include_str!("kept.js"),
    include_str!("squares.js"),
    include_str!("moves.js"),
    include_str!("play.js"),
    include_str!("study.js"),
    include_str!("lines.js"),
    include_str!("review.js"),
    include_str!("suites.js"),
    include_str!("main.js"),
];

/// The files of the page.
pub(crate) struct Assets {
    pub page: String,
    pub style: String,
    pub script: String,
}

impl Assets {
    /// Builds the files for a server with these options.
    pub(crate) fn new(options: &ServerOptions) -> Assets {
        let script = SCRIPTS.join("\n");
        let page = Page {
            title: "Outrider",
            class: "",
            style: STYLE,
            content: CONTENT,
            data: json!({
                "threads": options.budget.threads(),
                "megabytes": options.budget.megabytes_per_engine(),
                "levels": StrengthLimit::measured().collect::<Vec<_>>(),
                "glyphs": glyphs(),
            }),
            script: &script,
            has_boards: true,
        };
        Assets {
            page: page.in_frame(FRAME),
            style: page.style_sheet(),
            script: format!("\"use strict\";\n{}", page.program()),
        }
    }
}

/// Symbols of numeric annotation glyphs (NAGs) by number.
fn glyphs() -> Json {
    pgn::signs().map(|(glyph, sign)| (glyph.to_string(), sign)).collect()
}
