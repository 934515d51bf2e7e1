//! Sessions with the built engine over its standard input and output, as a GUI or a match runner
//! uses the protocol.

mod bad_input;
mod books;
mod chess960;
mod endgame_tables;
mod handshake;
mod leaving;
mod limits;
mod networks;
mod pondering;
mod searching;
mod weaker;

use crate::support::engine::Answer;
use crate::support::session::{KIWIPETE, START, assert_good, session};

const KING_AND_QUEEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";

/// Returns the lines that are messages.
fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

/// Returns the complete lines of a search without the fields that depend on time. A slow search
/// also reports its progress and failed windows.
fn timeless(answer: &Answer) -> Vec<String> {
    let strip = |line: &String| {
        let words: Vec<_> = line.split(' ').collect();
        let timed = |i: usize| ["nps", "time"].contains(&words[i]);
        let kept = (0..words.len()).filter(|&i| !timed(i) && (i == 0 || !timed(i - 1)));
        kept.map(|i| words[i]).collect::<Vec<_>>().join(" ")
    };
    let is_finished = |line: &&String| line.contains(" pv ") && !line.contains("bound ");
    answer.lines.iter().filter(is_finished).map(strip).collect()
}
