//! The page: HTML, CSS and JavaScript, as the files that the server sends.
//!
//! The content security policy forbids inline scripts and styles, so both are separate files. Parts shared
//! with the static pages come from the tools crate.

use serde_json::{Value as Json, json};

use super::budget::ServerOptions;
use outrider_engine::search::StrengthLimit;
use outrider_tools::pages::board::{self, Module};
use outrider_tools::pages::{COMMON, Page};
use outrider_tools::pgn;

const FRAME: &str = include_str!("frame.html");
const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// Script of the worker that receives the events of all pages of a browser.
pub(crate) const EVENTS_WORKER: &str = include_str!("events_worker.js");
/// The modules that the scripts use.
const IMPORTS: &str = r#"import { KINDS, drawBoard } from "./modules/board.js";
import { findTypedMoves } from "./modules/keyboard.js";
import { createBoard } from "./modules/moving.js";
import { readPlacement } from "./modules/placement.js";
import { rules } from "./modules/rules.js";
"#;
/// The scripts in dependency order. They share the scope of one module.
const SCRIPTS: [&str; 16] = [
    include_str!("events.js"),
    include_str!("requests.js"),
    include_str!("kept.js"),
    include_str!("settings.js"),
    include_str!("sounds.js"),
    include_str!("squares.js"),
    include_str!("moves.js"),
    include_str!("players.js"),
    include_str!("play.js"),
    include_str!("setup.js"),
    include_str!("study.js"),
    include_str!("games.js"),
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
            script: "",
            has_boards: true,
        };
        Assets {
            page: page.in_frame(FRAME),
            style: page.style_sheet(),
            script: [IMPORTS, COMMON].iter().chain(&SCRIPTS).copied().collect(),
        }
    }
}

/// Returns the module for boards with this file name.
pub(crate) fn find_module(name: &str) -> Option<Module> {
    board::modules().find(|module| module.name == name)
}

/// Symbols of numeric annotation glyphs (NAGs) by number.
fn glyphs() -> Json {
    pgn::signs().map(|(glyph, sign)| (glyph.to_string(), sign)).collect()
}
