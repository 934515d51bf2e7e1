//! `outrider serve`: the promises of its server, over real sockets.

mod analysing;
mod connections;
mod errors;
mod exploring;
mod links;
mod playing;
mod safety;
mod working;

use serde_json::{Value, json};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns a request for a game without a clock against the weakest level.
fn game(side: &str, start: Value) -> Value {
    json!({ "side": side, "elo": 450, "clock": null, "start": start, "date": "2026.11.23" })
}

/// Returns a request for a suite of one position that takes a minute.
fn long_suite() -> Value {
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm a3;\n";
    json!({ "name": "a.epd", "epd": epd, "milliseconds": 60_000 })
}
