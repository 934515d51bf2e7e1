//! Files of `outrider analyse`: where they are written, and which errors are reported before the
//! work begins.

use std::fs;
#[cfg(unix)]
use std::process::Command;
use std::process::Output;
#[cfg(unix)]
use std::thread;

use tempfile::TempDir;

use super::{GAMES, analyse, file, files, outrider, text};

#[test]
fn the_output_may_have_another_name_and_folder() {
    let directory = TempDir::new().unwrap();
    fs::create_dir(directory.path().join("out")).unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "500", "--output", "out/done.pgn"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(files(&directory), ["games.pgn", "out"]);
    for name in ["out/done.pgn", "out/games-pages/games-1.html", "out/games-pages/games-2.svg"] {
        assert!(!file(&directory, name).is_empty());
    }
}

#[test]
fn input_that_cannot_be_analysed_gives_an_error_of_one_line() {
    let directory = TempDir::new().unwrap();
    let refused = |ran: Output, code: i32, complaint: &str| {
        assert_eq!(ran.status.code(), Some(code));
        assert_eq!(text(&ran.stderr).lines().count(), 1);
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    };
    refused(analyse(&directory, "% nothing\n", &[]), 1, "games.pgn: contains no game");
    refused(analyse(&directory, GAMES, &["--output", "games.pgn"]), 2, "games.pgn: it is one");
    refused(analyse(&directory, GAMES, &["--output", "no/where.pgn"]), 1, "no/where.pgn");
    refused(outrider(directory.path(), &["missing.pgn"]).output().unwrap(), 1, "missing.pgn: ");
    assert_eq!(file(&directory, "games.pgn"), GAMES, "the input stays as it is");
    assert_eq!(files(&directory), ["games.pgn"]);
}

#[test]
fn files_of_other_origin_are_not_overwritten() {
    let directory = TempDir::new().unwrap();
    let arguments = ["--nodes", "100", "--pages", ".", "--again"];
    let theirs = [
        "games-1.html",
        "games-2.svg",
        "index.html",
        "player-1.html",
        "puzzles.html",
        "games-analysed.pgn.unfinished",
    ];
    for theirs in theirs {
        fs::write(directory.path().join(theirs), "mine").unwrap();
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!(ran.status.code(), Some(1));
        assert_eq!(text(&ran.stdout), "", "it is known before the work");
        assert!(text(&ran.stderr).contains(theirs), "{}", text(&ran.stderr));
        assert_eq!(file(&directory, theirs), "mine");
        assert_eq!(files(&directory).len(), 2);
        fs::remove_file(directory.path().join(theirs)).unwrap();
    }
    for _ in 0..2 {
        let ran = analyse(&directory, GAMES, &arguments);
        assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""), "pages are made again");
    }
}

#[test]
fn an_output_must_not_be_a_page_and_its_journal_must_not_be_the_input() {
    let directory = TempDir::new().unwrap();
    for (option, page) in [
        ("--output", "games-1.html"),
        ("--output", "games-2.svg"),
        ("--output", "index.html"),
        ("--json", "player-1.html"),
        ("--one-file", "index.html"),
        ("--one-file", "puzzles.html"),
    ] {
        let arguments = ["--nodes", "100", "--pages", ".", option, page];
        let ran = analyse(&directory, GAMES, &arguments);
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
fn an_output_that_is_the_folder_of_pages_or_the_network_is_an_error() {
    let directory = TempDir::new().unwrap();
    for (option, pages, output) in [
        ("--json", "p", "p"),
        ("--output", "p/q", "p"),
        ("--one-file", "./p", "p"),
        ("--json", "games-analysed.pgn.unfinished", "lines"),
        ("--json", "games-analysed.pgn", "lines"),
    ] {
        let ran = analyse(&directory, GAMES, &["--nodes", "100", "--pages", pages, option, output]);
        let complaint = text(&ran.stderr);
        assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(2), ""), "{complaint}");
        assert!(complaint.contains("the folder of pages") && complaint.lines().count() == 1);
        assert_eq!(files(&directory), ["games.pgn"]);
    }
    let built_in =
        concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/evaluation/network/default.network");
    fs::copy(built_in, directory.path().join("net")).unwrap();
    let ran = analyse(&directory, GAMES, &["--network", "net", "--json", "net"]);
    assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
    assert_eq!(fs::read(directory.path().join("net")).unwrap(), fs::read(built_in).unwrap());
}

#[test]
fn inputs_that_differ_only_in_their_extension_have_separate_outputs() {
    let directory = TempDir::new().unwrap();
    for name in ["a.pgn", "a.txt"] {
        fs::write(directory.path().join(name), GAMES).unwrap();
        let arguments = [name, "--hash", "1", "--nodes", "100"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    }
    assert_eq!(files(&directory).len(), 6);
    assert!(directory.path().join("a-pages/a-1.html").exists());
    assert!(directory.path().join("a.txt-analysed.pgn").exists());
}

#[test]
#[cfg(unix)]
fn a_pipe_gets_only_the_games() {
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
