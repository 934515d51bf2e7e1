//! Commands print no terminal control sequences from files.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Runs the program in a folder; returns its output, which must be printable text.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    let ran = command.args(arguments).current_dir(folder).output().expect("the program runs");
    let printed = String::from_utf8([ran.stdout, ran.stderr].concat()).expect("text");
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(printed.chars().all(is_plain), "{arguments:?}: {printed:?}");
    printed
}

#[test]
fn names_of_players_are_printed_without_control_characters() {
    let folder = TempDir::new().unwrap();
    let game = "[White \"\u{1b}[31mAnn\"]\n[Black \"Bob\u{9b}2J\"]\n\n1. e4 e5 *\n\n";
    fs::write(folder.path().join("a.pgn"), game.repeat(2) + "1. e5\u{1b}[2J *\n").unwrap();
    let printed = printed(folder.path(), &["analyse", "a.pgn", "--hash", "1", "--nodes", "100"]);
    assert!(printed.contains("game 1: \u{fffd}[31mAnn - Bob\u{fffd}2J, *"), "{printed}");
    let rows = printed.lines().filter(|line| line.starts_with("  \u{fffd}[31mAnn "));
    assert_eq!(rows.count(), 3, "{printed}");
}

#[test]
fn names_of_positions_are_printed_without_control_characters() {
    let folder = TempDir::new().unwrap();
    let position = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;";
    // A theme is listed if it has several positions.
    let names = ["\u{1b}]0;pins.1", "\u{1b}]0;pins.2", "forks\u{7}.1", "forks\u{7}.2"];
    let suite = names.map(|id| format!("{position} id \"{id}\";\n"));
    fs::write(folder.path().join("a.epd"), suite.concat()).unwrap();
    let arguments = ["epd", "a.epd", "--hash", "1", "--depth", "3", "--json", "a.json"];
    let solved = printed(folder.path(), &arguments);
    assert!(solved.contains("solved  \u{fffd}]0;pins.1 "), "{solved}");
    assert!(solved.contains("\n  forks\u{fffd} "), "{solved}");
    let results = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let failed = results.replace("\"solved\": true", "\"solved\": false");
    fs::write(folder.path().join("b.json"), failed).unwrap();
    let compared = printed(folder.path(), &["epd", "--compare", "a.json", "b.json"]);
    assert!(compared.contains("\n  \u{fffd}]0;pins.1  bm Ra8#  Ra8# -> Ra8#"), "{compared}");
}
