//! The page: HTML, CSS and JavaScript, as the files that the server sends.
//!
//! The content security policy forbids inline scripts and styles, so both are separate files. Parts shared
//! with the static pages come from the tools crate.

mod asset;
mod levels;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::budget::ServerOptions;
use outrider_tools::games::VIEWER_STYLE;
use outrider_tools::modules;
use outrider_tools::pages::{Module, NOTES_STYLE, Page, script};
use outrider_tools::pgn;

const FRAME: &str = include_str!("frame.html");
pub(crate) use asset::Asset;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

static MODULES: [Module; 34] = modules!(
    "serve/page",
    [
        "dates.js",
        "editor.js",
        "events.js",
        "events_worker.js",
        "explorer.js",
        "files.js",
        "following.js",
        "games.js",
        "inside.js",
        "kept.js",
        "lines.js",
        "main.js",
        "messages.js",
        "moves.js",
        "pgn_games.js",
        "play.js",
        "players.js",
        "puzzles.js",
        "requests.js",
        "review.js",
        "saved_pgn.js",
        "settings.js",
        "setup.js",
        "sounds.js",
        "squares.js",
        "storage.js",
        "study.js",
        "study_storage.js",
        "suites.js",
        "tabs.js",
        "tree.js",
        "tree_view.js",
        "undo.js",
        "work.js",
    ]
);

/// Scripts by path: that of the page, and that of the worker that receives the events of all pages of a browser.
const SCRIPTS: [(&str, &str); 2] =
    [("/script.js", "serve/page/main.js"), ("/events.js", "serve/page/events_worker.js")];

/// The files of the page, by path.
pub(crate) struct Assets(BTreeMap<&'static str, Asset>);

impl Assets {
    /// Builds the files for a server with these options.
    pub(crate) fn new(options: &ServerOptions) -> Assets {
        let style = [NOTES_STYLE, VIEWER_STYLE, STYLE].concat();
        let page = Page {
            title: "Outrider",
            class: "",
            style: &style,
            content: &levels::with_levels(CONTENT),
            data: json!({
                "threads": options.budget.threads(),
                "megabytes": options.budget.megabytes_per_engine(),
                "levels": levels::LEVELS,
                "glyphs": glyphs(),
            }),
            script: "",
            has_boards: true,
        };
        let scripts = SCRIPTS.map(|(path, entry)| (path, JAVASCRIPT, script(entry, &MODULES)));
        let others = [
            ("/", "text/html; charset=utf-8", page.in_frame(FRAME)),
            ("/style.css", "text/css; charset=utf-8", page.style_sheet()),
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
