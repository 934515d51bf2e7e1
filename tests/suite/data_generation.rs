//! `outrider datagen` as a program: the same seed gives the same games, even after kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_tools::selfplay::{Game, Reader, Record};
use tempfile::TempDir;

use crate::support::Running;

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
fn the_same_seed_gives_the_same_file_with_one_thread_and_the_same_games_with_several() {
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
fn one_game_in_twenty_is_played_out_and_marked() {
    let directory = directory();
    let path = directory.path().join("games");
    let ran = run(&path, &["--games", "40"]);
    assert_eq!(ran.status.code(), Some(0));
    let printed = String::from_utf8(ran.stdout).expect("text");
    let verdicts = ["2 of the games were played out", "of them wrongly", "of them wrongly"];
    let lines = printed.lines().skip_while(|line| *line != verdicts[0]);
    assert_eq!(
        lines.zip(verdicts).filter(|(line, end)| line.ends_with(end)).count(),
        3,
        "{printed}"
    );
    let games = games(&path);
    let marked = |game: &&Game| game.is_played_out;
    let numbers: Vec<u32> = games.iter().filter(marked).map(|game| game.number).collect();
    assert_eq!(numbers, [19, 39]);
    for game in games.iter().filter(marked) {
        let last = game.replay().last().expect("a move").expect("a legal move");
        let mut end = last.board;
        end.play(last.best);
        let repeated =
            || game.replay().flatten().filter(|s| s.board.key() == end.key()).count() >= 2;
        let is_over = end.legal_moves().is_empty() || end.is_insufficient_material();
        assert!(is_over || end.halfmoves() >= 100 || repeated(), "game {}", game.number);
    }
}

#[test]
fn the_network_is_named_in_the_file_and_must_be_valid() {
    let directory = directory();
    let (path, network) = (directory.path().join("games"), directory.path().join("network"));
    let name = network.to_str().expect("a path");
    let arguments = ["--games", "1", "--network", name];
    fs::write(&network, "A letter to my aunt.").expect("a file");
    let refused = run(&path, &arguments);
    assert_eq!(refused.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(complaint.contains(name) && complaint.lines().count() == 1, "{complaint}");
    assert!(!path.exists());

    let weights = NetworkWeights { scale: 200, ..NetworkWeights::material() };
    weights.save(&network).expect("a file");
    let ran = run(&path, &arguments);
    assert_eq!(ran.status.code(), Some(0));
    let first = Reader::open(&path).expect("a file of games").next();
    let Some(Ok(Record::Header(header))) = first else { panic!("a header first") };
    assert_eq!(header.settings.network, Some(weights.checksum()));
    assert_eq!(header.settings.winning_score, 670, "96.6 percent on a scale of 200");
}

#[test]
fn a_directory_without_tables_exits_with_one_and_writes_nothing() {
    let directory = directory();
    let path = directory.path().join("games");
    let empty = directory.path().to_str().expect("a path");
    for (tables, reason) in [(empty, "holds no Syzygy tables"), ("no-such-place", "cannot be read")]
    {
        let refused = run(&path, &["--games", "1", "--syzygy", tables]);
        assert_eq!(refused.status.code(), Some(1));
        let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(complaint.contains(tables) && complaint.contains(reason), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
        assert!(!path.exists());
    }
}

#[test]
fn a_run_with_tables_reports_them_and_cannot_be_continued_without_them() {
    let directory = directory();
    let path = directory.path().join("games");
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/files/syzygy");
    let ran = run(&path, &["--games", "4", "--syzygy", tables]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("or by tables"), "{said}");
    assert_eq!(games(&path).len(), 4);
    let refused = run(&path, &["--games", "5"]);
    assert_eq!(refused.status.code(), Some(1), "without them the games would be others");
}

#[test]
fn a_repeatedly_killed_run_produces_the_same_games_as_an_uninterrupted_one() {
    let directory = directory();
    let (killed, whole) = (directory.path().join("killed"), directory.path().join("whole"));
    let arguments = [&SETTINGS[..], &["--games", "30", "--threads", "2"]].concat();
    let mut before = Vec::new();
    let length = || fs::metadata(&killed).map_or(0, |file| file.len());
    for after in ["a game", "nothing new", "a game", "a game"] {
        let old = length();
        let mut child = Running(datagen(&killed, &arguments).spawn().expect("the program runs"));
        // A file with a header and a game is longer than one with only a header.
        child.until(after, || after != "a game" || length() > old.max(64));
        drop(child);
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
fn a_damaged_end_is_reported_truncated_and_played_again() {
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
fn a_number_of_positions_is_reached_with_the_fewest_games() {
    let directory = directory();
    let path = directory.path().join("games");
    assert_eq!(run(&path, &["--positions", "300"]).status.code(), Some(0));
    let games = games(&path);
    let positions: u64 = games.iter().map(Game::position_count).sum();
    assert!(positions >= 300);
    assert!(positions - games.last().expect("a game").position_count() < 300);
}

#[test]
fn a_run_with_other_settings_keeps_the_file_and_exits_with_one() {
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
fn positions_after_random_moves_are_searched_and_have_no_result() {
    let directory = directory();
    let path = |name: &str| directory.path().join(name);
    run(&path("many"), &["--games", "12", "--deviations", "0.5"]);
    run(&path("none"), &["--games", "12", "--deviations", "0"]);
    assert!(games(&path("none")).iter().all(|game| game.deviations.is_empty()));
    let (mut deviations, mut positions) = (0, 0);
    for game in games(&path("many")) {
        positions += game.moves.len();
        deviations += game.deviations.len();
        let replayed: Vec<_> =
            game.replay_deviations().map(|position| position.expect("legal")).collect();
        assert_eq!(replayed.len(), game.deviations.len());
        assert!(replayed.iter().all(|it| it.result.is_none() && !it.board.in_check()));
        for deviation in &game.deviations {
            assert_ne!(deviation.mv, game.moves[usize::from(deviation.ply)].mv);
        }
    }
    assert!((positions / 4..positions / 2).contains(&deviations), "{deviations} of {positions}");
}

#[test]
fn every_move_of_every_game_is_legal() {
    let directory = directory();
    let path = directory.path().join("games");
    run(&path, &["--games", "10"]);
    for game in games(&path) {
        assert!(game.moves.len() > 4, "game {} is too short to be one", game.number);
        assert_eq!(game.replay().filter(Result::is_ok).count(), game.moves.len());
    }
}
