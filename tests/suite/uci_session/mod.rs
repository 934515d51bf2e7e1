//! Sessions with the built engine over its standard input and output: the protocol as a GUI or a
//! match runner meets it.

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

use crate::support::session::{KIWIPETE, START, assert_good, session};

/// Those of the lines that are messages.
fn messages(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}
