//! `genfens` in the form in which the OpenBench framework calls it.

use std::collections::HashSet;
use std::process::Command;

use outrider_engine::position::epd::Epd;
use outrider_engine::position::notation::parse_fen_any;
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
fn the_requested_number_of_legal_positions_is_printed_as_info_strings() {
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
fn a_seed_repeats_its_positions_and_another_seed_gives_others() {
    let lines = |seed| genfens(&format!("genfens 2 seed {seed} book None"));
    assert_eq!(lines(7), lines(7));
    assert_ne!(lines(7), lines(8));
}

#[test]
fn epd_lines_can_be_used_as_a_file_of_openings() {
    let lines = genfens("genfens 2 seed 7 --epd");
    for line in &lines {
        let epd: Epd = line.parse().expect("a line of EPD");
        assert!(!epd.chess.legal_moves().is_empty(), "{line}");
    }
    assert_eq!(lines.len(), 2);
}

#[test]
fn positions_start_from_those_of_the_book() {
    let directory = tempfile::tempdir().expect("a directory");
    let book = directory.path().join("book.epd");
    // A comment and a name in Latin-1, as in old collections.
    let text = b"# R\xe9ti\n8/4k3/8/8/8/8/4K3/R6r w - - id \"R\xe9ti\";\n";
    std::fs::write(&book, text).expect("a file");
    let lines = genfens(&format!("genfens 3 seed 1 book {}", book.display()));
    assert_eq!(lines.len(), 3);
    for line in &lines {
        let fen = line.strip_prefix("info string genfens ").expect("the form that is read");
        let chess = parse_fen_any(fen).expect("a playable position");
        assert!(chess.board().occupied().count() <= 4, "two kings and two rooks: {fen}");
    }
}

#[test]
fn a_book_without_balanced_openings_is_named_in_the_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let book = directory.path().join("won.epd");
    std::fs::write(&book, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1\n").expect("a file");
    let request = format!("genfens 1 seed 1 book {}", book.display());
    let ran = Command::new(env!("CARGO_BIN_EXE_outrider")).arg(&request).output();
    let ran = ran.expect("the program runs");
    let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
    assert_eq!((ran.status.code(), complaint.lines().count()), (Some(1), 1), "{complaint}");
    assert!(complaint.contains("won.epd: no balanced opening found"), "{complaint}");
}

#[test]
fn a_wrong_request_or_book_gives_one_line_and_exit_code_two() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let broken = write("broken", "8/4k3/8/8/8/8/4K3/R6r w - - 0 1\n\nno position\n");
    let empty = write("empty", "\n");
    for (request, reason) in [
        ("genfens many seed 1".to_owned(), "\"many\" is not a number"),
        ("genfens 1 colour blue".to_owned(), "does not understand \"colour blue\""),
        (format!("genfens 1 seed 1 book {broken}"), "broken, line 3: "),
        (format!("genfens 1 seed 1 book {empty}"), "empty holds no positions"),
    ] {
        let ran = Command::new(env!("CARGO_BIN_EXE_outrider")).arg(&request).output();
        let ran = ran.expect("the program runs");
        let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
        assert_eq!(ran.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(reason), "{complaint}");
    }
}
