//! `genfens` as the OpenBench framework calls it.

use std::collections::HashSet;
use std::process::Command;

use outrider::position::notation::parse_fen_any;
use shakmaty::Position as _;

fn genfens(request: &str) -> Vec<String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args([request, "quit"])
        .output()
        .expect("the program runs");
    assert_eq!(ran.status.code(), Some(0));
    let text = String::from_utf8(ran.stdout).expect("the output is text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn so_many_playable_positions_are_printed_as_info_strings() {
    let lines = genfens("genfens 4 seed 42 book None");
    assert_eq!(lines.len(), 4);
    for line in &lines {
        let fen = line.strip_prefix("info string genfens ").expect("the form that is read");
        let chess = parse_fen_any(fen).expect("a playable position");
        assert!(!chess.legal_moves().is_empty(), "{fen}");
    }
    assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 4);
}

#[test]
fn a_seed_repeats_its_positions_and_another_gives_others() {
    let lines = |seed| genfens(&format!("genfens 2 seed {seed} book None"));
    assert_eq!(lines(7), lines(7));
    assert_ne!(lines(7), lines(8));
}

#[test]
fn a_book_is_where_the_positions_begin() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/epd/bench.epd");
    assert_eq!(genfens(&format!("genfens 3 seed 1 book {book}")).len(), 3);
}
