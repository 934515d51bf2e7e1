//! `outrider analyse` in pipelines: standard input and output, and JSON Lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{GAMES, analyse, file, files, outrider, text};

/// Analyses games from the standard input; returns the output.
fn analyse_input(directory: &TempDir, games: &str, arguments: &[&str]) -> Output {
    let arguments = [&["-", "--hash", "1", "--nodes", "300"], arguments].concat();
    let mut command = outrider(directory.path(), &arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.take().expect("an input").write_all(games.as_bytes()).unwrap();
    child.wait_with_output().expect("the program ends")
}

#[test]
fn games_from_standard_input_are_analysed_to_standard_output() {
    let directory = TempDir::new().unwrap();
    let ran = analyse_input(&directory, GAMES, &[]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let written = text(&ran.stdout);
    assert!(written.starts_with("[White \"Ann\"]") && written.contains("[%eval"), "{written}");
    assert_eq!(files(&directory), [""; 0]);
}

#[test]
fn games_of_a_file_are_analysed_to_standard_output() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--output", "-"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let written = text(&ran.stdout);
    assert!(written.starts_with("[White \"Ann\"]") && written.contains("[%eval"), "{written}");
    assert_eq!(files(&directory), ["games.pgn"]);
    let both = analyse(&directory, GAMES, &["--output", "-", "--json", "-"]);
    assert_eq!((both.status.code(), text(&both.stdout)), (Some(2), ""));
    assert!(text(&both.stderr).contains("cannot take both"), "{}", text(&both.stderr));
}

#[test]
fn one_line_of_json_is_printed_per_game_in_order_or_as_completed() {
    let directory = TempDir::new().unwrap();
    let games = format!("1. e5 *\n\n{}[White \"C\"]\n\n*\n", GAMES.repeat(3));
    let lines = |arguments: &[&str]| {
        let ran = analyse_input(&directory, &games, &[&["--json", "-"], arguments].concat());
        assert_eq!(ran.status.code(), Some(1), "a game cannot be read");
        assert!(text(&ran.stderr).starts_with("-:1: game 1: "), "{}", text(&ran.stderr));
        let lines = text(&ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect::<Vec<Value>>()
    };
    let ordered = lines(&["--jobs", "3"]);
    let numbers = |lines: &[Value]| {
        lines.iter().map(|line| line["game"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&ordered), (1..=8).collect::<Vec<_>>());
    assert!(ordered[0]["error"].is_string() && ordered[7]["error"].is_string());
    let (game, third) = (&ordered[1], &ordered[1]["moves"][2]);
    assert_eq!((&game["white"]["name"], &game["result"]), (&"Ann".into(), &"0-1".into()));
    assert_eq!(
        (&third["san"], &third["move"], &third["fault"]),
        (&"g4".into(), &"g2g4".into(), &"blunder".into())
    );
    assert_eq!(
        (&third["score"]["mate"], &third["wdl"]),
        (&(-1).into(), &serde_json::json!([0, 0, 1000]))
    );
    assert_eq!(third["missedWin"], Value::Null);
    assert_eq!(game["white"]["summary"]["blunders"], 1);
    let mut unordered = lines(&["--jobs", "3", "--unordered"]);
    unordered.sort_by_key(|line| line["game"].as_u64());
    assert_eq!(unordered, ordered);
    assert_eq!(files(&directory), [""; 0]);
}

#[test]
fn a_game_is_answered_before_the_next_ones_arrive() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.args(["analyse", "-", "--hash", "1", "--nodes", "100", "--jobs", "2", "--json", "-"]);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = pipes.spawn().expect("the program runs");
    let mut games = child.stdin.take().expect("an input");
    let mut answers = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut answer = || -> Value {
        serde_json::from_str(&answers.next().expect("a line").unwrap()).expect("JSON")
    };
    let begin = |number: usize| format!("[Event \"{number}\"]\n[White \"Ann\"]\n\n");
    write!(games, "{}1. e4 e5 *\n\n{}", begin(1), begin(2)).unwrap();
    let first = answer();
    assert_eq!((&first["game"], &first["tags"]["Event"]), (&1.into(), &"1".into()));
    write!(games, "1. Ke5 *\n\n{}1. d4 *\n", begin(3)).unwrap();
    let second = answer();
    assert_eq!((&second["game"], &second["line"]), (&2.into(), &9.into()));
    drop(games);
    assert_eq!(answer()["tags"]["Event"], "3");
    assert_eq!(child.wait().unwrap().code(), Some(1), "a game cannot be read");
}

#[test]
fn the_lines_of_json_can_be_written_to_a_file() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--json", "games.jsonl"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(file(&directory, "games.jsonl").lines().count(), 2);
    assert!(text(&ran.stdout).contains("game 1: Ann - Bob"));
}
