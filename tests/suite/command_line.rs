//! `outrider bench` and `outrider perft` as programs.

use std::fs;
use std::process::{Command, Output};

fn outrider(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_outrider"));
    program.args(arguments).env("RUST_BACKTRACE", "1").output().expect("the program runs")
}

/// Returns the output of the program, which must succeed.
fn answer(arguments: &[&str]) -> String {
    let ran = outrider(arguments);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    String::from_utf8(ran.stdout).expect("text")
}

/// Returns the exit code and the error output.
fn refusal(arguments: &[&str]) -> (Option<i32>, String) {
    let ran = outrider(arguments);
    (ran.status.code(), String::from_utf8(ran.stderr).expect("text"))
}

#[test]
fn bench_prints_the_same_number_of_nodes_every_time() {
    let nodes = || {
        let answer = answer(&["bench", "4"]);
        assert!(answer.lines().count() > 40, "a line a position: {answer}");
        let words: Vec<_> = answer.lines().last().expect("a line").split(' ').collect();
        let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("{words:?}") };
        assert!(speed.parse::<u64>().is_ok(), "{speed}");
        nodes.parse::<u64>().expect("a number")
    };
    let first = nodes();
    assert!(first > 1000);
    assert_eq!(nodes(), first);
}

#[test]
fn perft_lists_the_moves_and_counts_the_nodes() {
    let from_the_start = answer(&["perft", "3"]);
    assert!(from_the_start.contains("e2e4: 600"), "{from_the_start}");
    assert!(from_the_start.contains("Nodes searched: 8902"), "{from_the_start}");
    assert!(from_the_start.contains("Nodes per second: "), "{from_the_start}");
    let pawns = answer(&["perft", "4", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]);
    assert!(pawns.contains("Nodes searched: 43238"), "{pawns}");
}

#[test]
fn wrong_arguments_of_perft_and_bench_are_wrong_usage() {
    for arguments in
        [&["perft", "0"][..], &["perft", "three"], &["perft", "3", "8/8/8"], &["bench", "-1"]]
    {
        let (code, complaint) = refusal(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(!complaint.is_empty(), "{arguments:?}");
    }
}

#[test]
fn no_command_overwrites_its_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("input.svg");
    let input = path.to_str().expect("a path in UTF-8");
    for command in [
        &["analyse", input, "--output", input][..],
        &["epd", input, "--json", input],
        &["train", input, "--output", input.trim_end_matches(".svg")],
        &["data", "wdl", input, "--output", input],
        &["lab", "draw", "--algorithm", "negascout", "--tree", input, "--output", input],
    ] {
        fs::write(&path, "[1 2]\n").expect("a file");
        let (code, complaint) = refusal(command);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains("it is one of the input files"), "{complaint}");
        assert_eq!(fs::read_to_string(&path).expect("the input"), "[1 2]\n", "{command:?}");
    }
}

#[test]
fn a_failure_names_its_cause_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("taken").display().to_string();
    fs::write(&taken, "").expect("a file");
    let games = folder.path().join("games").display().to_string();
    let (code, complaint) = refusal(&["data", "merge", &games, "--output", &taken]);
    assert_eq!((code, complaint.matches("already exists").count()), (Some(1), 1), "{complaint}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_failure_that_cannot_be_reported_still_has_its_exit_code() {
    let full = || fs::File::create("/dev/full").expect("Linux has this device");
    for (arguments, code) in [(&["bench", "0"][..], 2), (&["epd", "missing.epd"], 1)] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_outrider"));
        let status = program.args(arguments).stderr(full()).status().expect("the program runs");
        assert_eq!(status.code(), Some(code), "{arguments:?}");
    }
}
