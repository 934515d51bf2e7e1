//! What the commands do where the system has too little: no thread. Each fails in one line with exit
//! code 1.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const GAME: &str =
    "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;\n";

/// A folder with a game, a suite, and a file of games.
fn folder() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("a.pgn"), GAME).expect("a file");
    fs::write(folder.path().join("a.epd"), SUITE).expect("a file");
    let games = ["datagen", "--games", "8", "--nodes", "10", "--seed", "1", "--output", "games"];
    assert_eq!(limited(folder.path(), "true", &games).status.code(), Some(0));
    folder
}

/// Runs the program in this folder under a limit of the shell.
fn limited(folder: &Path, limit: &str, arguments: &[&str]) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; {limit} || exit 99; exec \"$@\""), "sh"]);
    shell.arg(env!("CARGO_BIN_EXE_outrider")).args(arguments).current_dir(folder);
    shell.env("RUST_BACKTRACE", "0").output().expect("a shell runs")
}

/// With less memory than its stack needs, the system grants no thread.
#[cfg(target_os = "linux")]
#[test]
fn without_a_thread_to_search_with_commands_say_so() {
    let folder = folder();
    for command in [
        &["bench", "1"][..],
        &["epd", "a.epd", "--depth", "2", "--hash", "1"],
        &["analyse", "a.pgn", "--depth", "2", "--hash", "1"],
    ] {
        let mut told = 0;
        for megabytes in (40..140).step_by(4) {
            let limit = format!("ulimit -v {}", megabytes << 10);
            let ran = limited(folder.path(), &limit, command);
            let complaint = String::from_utf8_lossy(&ran.stderr);
            // As a panic would print the system's refusal.
            assert!(!complaint.contains("WouldBlock"), "{command:?}: {complaint}");
            if complaint.contains("cannot start a thread") {
                assert_eq!((ran.status.code(), complaint.lines().count()), (Some(1), 1));
                told += 1;
            }
        }
        assert!(told > 0, "{command:?}: no limit left it without a thread");
    }
}
