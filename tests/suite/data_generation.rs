//! `outrider datagen` as a program: the same seed gives the same games, however often it is killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use outrider::data::{Game, Reader};
use tempfile::TempDir;

const SETTINGS: [&str; 6] = ["--nodes", "50", "--seed", "3", "--chess960-share", "0.3"];

fn datagen(path: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.arg("datagen").arg("--output").arg(path).args(arguments);
    command.env("RUST_BACKTRACE", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(path: &Path, arguments: &[&str]) -> Output {
    datagen(path, &[&SETTINGS, arguments].concat()).output().expect("the program runs")
}

fn games(path: &Path) -> Vec<Game> {
    let reader = Reader::open(path).expect("a file of games");
    let mut games: Vec<Game> = reader.games().collect::<Result<_, _>>().expect("undamaged");
    games.sort_by_key(|game| game.number);
    games
}

fn directory() -> TempDir {
    TempDir::new().expect("there is a place for temporary files")
}

#[test]
fn the_same_seed_gives_the_same_file_with_one_thread_and_the_same_games_with_more() {
    let directory = directory();
    let path = |name: &str| directory.path().join(name);
    for (name, threads) in [("first", "1"), ("second", "1"), ("third", "3")] {
        let ran = run(&path(name), &["--games", "12", "--threads", threads]);
        assert_eq!(ran.status.code(), Some(0));
        assert!(ran.stderr.is_empty(), "no bar and no complaint where there is no terminal");
    }
    let file = |name| fs::read(path(name)).expect("a file");
    assert_eq!(file("first"), file("second"));
    assert_eq!(games(&path("first")), games(&path("third")));
    assert_eq!(games(&path("first")).len(), 12);
}

#[test]
fn a_run_killed_again_and_again_ends_up_with_the_games_of_one_that_was_not() {
    let directory = directory();
    let (killed, whole) = (directory.path().join("killed"), directory.path().join("whole"));
    let arguments = [&SETTINGS[..], &["--games", "30", "--threads", "2"]].concat();
    let mut before = Vec::new();
    let length = || fs::metadata(&killed).map_or(0, |file| file.len());
    for after in ["a game", "nothing new", "a game", "a game"] {
        let old = length();
        let mut child = datagen(&killed, &arguments).spawn().expect("the program runs");
        // A header and a game are more than a header.
        while after == "a game" && length() < old.max(64) + 1 {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let now: Vec<Game> = Reader::open(&killed).expect("a file").games().flatten().collect();
        assert!(now.starts_with(&before), "what was written stays");
        before = now;
    }
    assert!((1..30).contains(&before.len()), "{} games before the last run", before.len());
    assert_eq!(run(&killed, &["--games", "30", "--threads", "2"]).status.code(), Some(0));
    assert_eq!(run(&whole, &["--games", "30"]).status.code(), Some(0));
    assert_eq!(games(&killed), games(&whole));
}

#[test]
fn a_damaged_tail_is_reported_cut_off_and_played_anew() {
    let directory = directory();
    let path = directory.path().join("games");
    run(&path, &["--games", "4"]);
    let whole = fs::read(&path).expect("a file");
    fs::write(&path, &whole[..whole.len() - 9]).expect("a file");
    let ran = run(&path, &["--games", "4"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("damaged tail"));
    assert_eq!(fs::read(&path).expect("a file"), whole);
}

#[test]
fn a_number_of_positions_is_reached_with_as_few_games_as_it_takes() {
    let directory = directory();
    let path = directory.path().join("games");
    assert_eq!(run(&path, &["--positions", "300"]).status.code(), Some(0));
    let games = games(&path);
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!(positions >= 300);
    assert!(positions - games.last().expect("a game").moves.len() < 300);
}

#[test]
fn a_run_with_other_settings_leaves_the_file_alone_and_exits_with_one() {
    let directory = directory();
    let path = directory.path().join("games");
    run(&path, &["--games", "2"]);
    let whole = fs::read(&path).expect("a file");
    let refused = datagen(&path, &["--seed", "4", "--games", "4"]).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("seed 3"));
    assert_eq!(fs::read(&path).expect("a file"), whole);
}

#[test]
fn every_game_is_legal_from_the_first_move_to_the_last() {
    let directory = directory();
    let path = directory.path().join("games");
    run(&path, &["--games", "10"]);
    for game in games(&path) {
        assert!(game.moves.len() > 4, "game {} is too short to be one", game.number);
        assert_eq!(game.replay().filter(Result::is_ok).count(), game.moves.len());
    }
}
