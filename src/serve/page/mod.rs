//! The page: HTML, CSS and JavaScript, as the files that the server sends.
//!
//! The content security policy forbids inline scripts and styles, so both are separate files. Parts shared
//! with the static pages come from the tools crate.

mod asset;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::budget::ServerOptions;
use outrider_engine::search::StrengthLimit;
use outrider_tools::games::VIEWER_STYLE;
use outrider_tools::pages::board;
use outrider_tools::pages::{NOTES_STYLE, Page};
use outrider_tools::pgn;

const FRAME: &str = include_str!("frame.html");
pub(crate) use asset::Asset;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// Script of the worker that receives the events of all pages of a browser.
const EVENTS_WORKER: &str = include_str!("events_worker.js");
/// The modules that the scripts use.
const IMPORTS: &str = r#"import { copyText, data, find, make, mark } from "./modules/common.js";
import { KINDS, colourOf, drawBoard } from "./modules/board.js";
import { findTypedMoves } from "./modules/keyboard.js";
import { createBoard } from "./modules/moving.js";
import { readPlacement } from "./modules/placement.js";
import { rules } from "./modules/rules.js";
import { createViewer } from "./modules/viewer.js";
"#;
/// The scripts in dependency order. They share the scope of one module.
const SCRIPTS: [&str; 18] = [
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
    include_str!("study_kept.js"),
    include_str!("games.js"),
    include_str!("editor.js"),
    include_str!("lines.js"),
    include_str!("review.js"),
    include_str!("suites.js"),
    include_str!("main.js"),
];

/// The files of the page, by path.
pub(crate) struct Assets(BTreeMap<String, Asset>);

impl Assets {
    /// Builds the files for a server with these options.
    pub(crate) fn new(options: &ServerOptions) -> Assets {
        let style = [NOTES_STYLE, VIEWER_STYLE, STYLE].concat();
        let page = Page {
            title: "Outrider",
            class: "",
            style: &style,
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
        let script: String = [IMPORTS].iter().chain(&SCRIPTS).copied().collect();
        let scripts = [("/script.js", script), ("/events.js", EVENTS_WORKER.to_owned())];
        let scripts = scripts.map(|(path, text)| (path.to_owned(), text)).into_iter();
        let modules = board::modules()
            .map(|module| (format!("/modules/{}", module.name), module.text.to_owned()));
        let scripts = scripts.chain(modules).map(|(path, text)| (path, JAVASCRIPT, text));
        let others = [
            ("/".to_owned(), "text/html; charset=utf-8", page.in_frame(FRAME)),
            ("/style.css".to_owned(), "text/css; charset=utf-8", page.style_sheet()),
        ];
        let all = others.into_iter().chain(scripts);
        Assets(all.map(|(path, kind, text)| (path, Asset::new(kind, text))).collect())
    }

    /// Returns the file at a path.
    pub(crate) fn find(&self, path: &str) -> Option<&Asset> {
        self.0.get(path)
    }
}

/// Symbols of numeric annotation glyphs (NAGs) by number.
fn glyphs() -> Json {
    pgn::signs().map(|(glyph, sign)| (glyph.to_string(), sign)).collect()
}
