//! `outrider analyse` as a program: the files it writes, and what it makes of bad input.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

const GAMES: &str = "\
[White \"Ann\"]
[Black \"Bob\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[White \"Bob\"]
[Black \"Ann\"]
[Result \"1-0\"]

1. e4 {[%clk 0:10:00]} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
";

fn outrider(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.arg("analyse").args(arguments).current_dir(directory);
    command
}

fn analyse(directory: &TempDir, games: &str, arguments: &[&str]) -> Output {
    fs::write(directory.path().join("games.pgn"), games).unwrap();
    let arguments = [&["games.pgn", "--hash", "1"], arguments].concat();
    outrider(directory.path(), &arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

fn file(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn files(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn games_are_annotated_and_each_has_a_page_and_a_picture() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let expected = [
        "games-1.html",
        "games-1.svg",
        "games-2.html",
        "games-2.svg",
        "games-analysed.pgn",
        "games.pgn",
    ];
    assert_eq!(files(&directory), expected);
    // Where the lines are broken depends on the scores.
    let annotated = file(&directory, "games-analysed.pgn");
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(annotated.contains("2. g4 $4 { [%eval #-1] }"), "{annotated}");
    assert!(annotated.contains(" [%clk 0:10:00] }"), "{annotated}");
    assert!(annotated.contains("3... Nf6 $4 { [%eval #1] }"), "{annotated}");
    let output = text(&ran.stdout);
    assert!(output.contains("game 1: Ann - Bob, 0-1, games-1.html"), "{output}");
    let rows =
        |name: &str| output.lines().filter(|line| line.starts_with(&format!("  {name} "))).count();
    assert_eq!((rows("Ann"), rows("Bob")), (3, 3), "in each game and in all together: {output}");
}

#[test]
fn the_output_may_have_another_name_and_place() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("out")).unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "500", "--output", "out/done.pgn"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(files(&directory), ["games.pgn", "out"]);
    for name in ["out/done.pgn", "out/games-1.html", "out/games-2.svg"] {
        assert!(!file(&directory, name).is_empty());
    }
}

#[test]
fn a_game_that_cannot_be_read_is_told_and_copied_and_the_others_are_analysed() {
    let directory = TempDir::new().unwrap();
    let broken = "[White \"C\"]\n\n1. e4 e5 2. Nf6 {what?} *";
    let ran = analyse(&directory, &format!("{broken}\n\n{GAMES}"), &["--depth", "2"]);
    assert_eq!(ran.status.code(), Some(1));
    let complaints: Vec<_> = text(&ran.stderr).lines().collect();
    assert_eq!(complaints[0], "games.pgn:3: game 1: move 2. Nf6 is not legal here");
    assert_eq!(complaints.len(), 2);
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(annotated.starts_with(&format!("{broken}\n\n[White \"Ann\"]")), "{annotated}");
    assert!(directory.path().join("games-3.html").exists());
    assert!(!directory.path().join("games-1.html").exists());
}

#[test]
fn what_cannot_be_analysed_is_refused_in_a_line() {
    let directory = TempDir::new().unwrap();
    let refused = |ran: Output, code: i32, complaint: &str| {
        assert_eq!(ran.status.code(), Some(code));
        assert_eq!(text(&ran.stderr).lines().count(), 1);
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    };
    refused(analyse(&directory, "% nothing\n", &[]), 2, "games.pgn: there is no game in it");
    refused(analyse(&directory, GAMES, &["--output", "games.pgn"]), 2, "games.pgn: it is one");
    refused(analyse(&directory, GAMES, &["--output", "no/where.pgn"]), 1, "no/where.pgn");
    refused(analyse(&directory, GAMES, &["--output", "."]), 1, "cannot write .: ");
    refused(outrider(directory.path(), &["missing.pgn"]).output().unwrap(), 1, "missing.pgn: ");
    assert_eq!(file(&directory, "games.pgn"), GAMES, "the input stays as it is");
    assert_eq!(files(&directory), ["games.pgn"]);
}

#[test]
fn a_run_that_was_killed_is_resumed() {
    let directory = TempDir::new().unwrap();
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(12);
    fs::write(directory.path().join("games.pgn"), format!("{shuffle} *\n")).unwrap();
    let arguments = ["games.pgn", "--hash", "1", "--nodes", "20000"];
    let journal = directory.path().join("games-analysed.pgn.unfinished");
    let done = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut killed =
        outrider(directory.path(), &arguments).stdout(Stdio::null()).spawn().expect("it runs");
    while done() < 4 {
        thread::sleep(Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!directory.path().join("games-analysed.pgn").exists());
    let other = outrider(directory.path(), &["games.pgn", "--nodes", "30000"]).output().unwrap();
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("unfinished work with other settings"));
    let resumed = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0));
    let first = text(&resumed.stdout).lines().next().unwrap_or_default();
    assert!(first.starts_with("resumed after ") && first.ends_with(" of 49 positions"), "{first}");
    let annotated = file(&directory, "games-analysed.pgn");
    // One bracket is the annotator's, the others open lines with a score of their own.
    let lines = annotated.matches('(').count() - 1;
    assert_eq!(annotated.matches("[%eval").count() - lines, 48);
    assert!(!journal.exists());
}

#[test]
fn the_annotated_games_are_written_though_nobody_reads_the_summaries() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), GAMES).unwrap();
    let mut command = outrider(directory.path(), &["games.pgn", "--hash", "1", "--nodes", "100"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    assert!(file(&directory, "games-analysed.pgn").contains("[White \"Bob\"]"));
    assert!(!directory.path().join("games-analysed.pgn.unfinished").exists());
}

#[test]
fn files_of_somebody_else_are_not_written_over() {
    let directory = TempDir::new().unwrap();
    for theirs in ["games-1.html", "games-2.svg", "games-analysed.pgn.unfinished"] {
        fs::write(directory.path().join(theirs), "mine").unwrap();
        let ran = analyse(&directory, GAMES, &["--nodes", "100"]);
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(text(&ran.stdout), "", "it is known before the work");
        assert!(text(&ran.stderr).contains(theirs), "{}", text(&ran.stderr));
        assert_eq!(file(&directory, theirs), "mine");
        assert_eq!(files(&directory).len(), 2);
        fs::remove_file(directory.path().join(theirs)).unwrap();
    }
    for _ in 0..2 {
        let ran = analyse(&directory, GAMES, &["--nodes", "100"]);
        assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""), "pages are made anew");
    }
}

#[test]
fn the_output_is_neither_a_page_nor_beside_its_own_input() {
    let directory = TempDir::new().unwrap();
    for page in ["games-1.html", "games-2.svg"] {
        let ran = analyse(&directory, GAMES, &["--nodes", "100", "--output", page]);
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
        assert!(text(&ran.stderr).contains(page), "{}", text(&ran.stderr));
        assert_eq!(files(&directory), ["games.pgn"]);
    }
    let unfinished = "[Event \"x\"]\n\n1. e4 e5 2. Qh5 1-0";
    fs::write(directory.path().join("b.unfinished"), unfinished).unwrap();
    let arguments = ["b.unfinished", "--nodes", "100", "--output", "b"];
    let ran = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
    assert_eq!(file(&directory, "b.unfinished"), unfinished);
}

#[test]
fn files_that_differ_in_their_ending_share_nothing() {
    let directory = TempDir::new().unwrap();
    for name in ["a.pgn", "a.txt"] {
        fs::write(directory.path().join(name), GAMES).unwrap();
        let arguments = [name, "--hash", "1", "--nodes", "100"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    }
    assert_eq!(files(&directory).len(), 12);
    assert!(directory.path().join("a-1.html").exists());
    assert!(directory.path().join("a.txt-analysed.pgn").exists());
}

#[test]
#[cfg(unix)]
fn a_pipe_gets_the_games_alone() {
    let directory = TempDir::new().unwrap();
    let made = Command::new("mkfifo").arg(directory.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let reader = thread::spawn({
        let pipe = directory.path().join("pipe");
        move || fs::read_to_string(pipe).unwrap()
    });
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--output", "pipe"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert!(reader.join().unwrap().contains("[White \"Bob\"]"));
    assert_eq!(files(&directory), ["games.pgn", "pipe"]);
}

#[test]
fn games_in_latin_1_are_read() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), b"[White \"R\xe9ti\"]\n\n1. Nf3 *\n").unwrap();
    let ran = outrider(directory.path(), &["games.pgn", "--depth", "1"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(0));
    assert!(file(&directory, "games-analysed.pgn").contains("[White \"Réti\"]"));
}
