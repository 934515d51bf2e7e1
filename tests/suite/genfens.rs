//! `genfens` in the form in which the OpenBench framework calls it.

use std::collections::HashSet;
use std::process::Command;
use std::thread;

use outrider_engine::evaluation::wdl::shown_score;
use outrider_engine::openings::{Openings, random_numbers};
use outrider_engine::position::Position;
use outrider_engine::position::epd::Epd;
use outrider_engine::position::notation::{format_fen, parse_fen_any};
use outrider_engine::search::{Control, Engine, Limits};
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
fn the_openings_for_openbench_are_those_of_self_play() {
    let sample = || {
        let openings = Openings { nodes: 10_000, ..Openings::default() };
        let (mut engine, mut random) = (Engine::new(1, 4).unwrap(), random_numbers(3, 0));
        let mut next = || openings.sample(&mut random, &mut engine, &Control::default()).unwrap();
        let line = |_| format!("info string genfens {}", format_fen(&next()));
        (0..6).map(line).collect::<Vec<_>>()
    };
    let builder = thread::Builder::new().stack_size(Engine::STACK_SIZE);
    assert_eq!(
        genfens("genfens 6 seed 3 book None"),
        builder.spawn(sample).unwrap().join().unwrap()
    );
}

#[test]
fn openings_for_matches_are_within_the_limit_that_was_asked_for() {
    let ran = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["genfens", "6", "seed", "3", "--epd", "--limit", "40", "--nodes", "3000"])
        .output()
        .expect("the program runs");
    let text = String::from_utf8(ran.stdout).expect("the output is text");
    assert_eq!((ran.status.code(), text.lines().count()), (Some(0), 6));
    for line in text.lines() {
        let position = Position::new(line.parse::<Epd>().expect("a line of EPD").chess);
        let mut engine = Engine::new(1, 16).unwrap();
        let outcome =
            engine.go(&position, &Limits::nodes(3000), &Control::default(), &mut |_| {}).unwrap();
        assert!(shown_score(outcome.score).centipawns().abs() <= 40, "{line}");
    }
}

#[test]
fn a_limit_is_for_lines_of_epd() {
    for option in [["--limit", "50"], ["--nodes", "1000"]] {
        let ran = Command::new(env!("CARGO_BIN_EXE_outrider"))
            .args(["genfens", "1"])
            .args(option)
            .output()
            .expect("the program runs");
        assert_eq!(ran.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&ran.stderr).contains("--epd"));
    }
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
