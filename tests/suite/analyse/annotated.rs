//! Annotations of games that `outrider analyse` reads.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::{GAMES, analyse, file, files, files_in, outrider, text};

#[test]
fn each_game_is_annotated_and_has_a_page_and_a_picture() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    assert_eq!(files(&directory), ["games-analysed.pgn", "games-pages", "games.pgn"]);
    let expected = [
        "games-1.html",
        "games-1.svg",
        "games-2.html",
        "games-2.svg",
        "index.html",
        "player-1.html",
        "player-2.html",
        "puzzles.html",
    ];
    assert_eq!(files_in(&directory.path().join("games-pages")), expected);
    // The line breaks depend on the scores.
    let annotated = file(&directory, "games-analysed.pgn");
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(annotated.contains("2. g4 $4 { [%eval #-1] }"), "{annotated}");
    assert!(annotated.contains(" [%clk 0:10:00] }"), "{annotated}");
    assert!(annotated.contains("3... Nf6 $4 { [%eval #1] }"), "{annotated}");
    let output = text(&ran.stdout);
    assert!(output.contains("game 1: Ann - Bob, 0-1, games-pages"), "{output}");
    let rows =
        |name: &str| output.lines().filter(|line| line.starts_with(&format!("  {name} "))).count();
    assert_eq!((rows("Ann"), rows("Bob")), (3, 3), "in each game and in all together: {output}");
}

#[test]
fn an_unreadable_game_is_reported_and_copied_and_the_others_are_analysed() {
    let directory = TempDir::new().unwrap();
    let broken = "[White \"C\"]\n\n1. e4 e5 2. Nf6 {what?} *";
    let ran = analyse(&directory, &format!("{broken}\n\n{GAMES}"), &["--depth", "2"]);
    assert_eq!(ran.status.code(), Some(1));
    let complaints: Vec<_> = text(&ran.stderr).lines().collect();
    assert_eq!(complaints[0], "games.pgn:3: game 1: move 2. Nf6 is not legal here");
    assert_eq!(complaints.len(), 2);
    let annotated = file(&directory, "games-analysed.pgn");
    assert!(annotated.starts_with(&format!("{broken}\n\n[White \"Ann\"]")), "{annotated}");
    let pages = directory.path().join("games-pages");
    assert!(pages.join("games-3.html").exists() && !pages.join("games-1.html").exists());
}

#[test]
fn games_without_a_move_are_reported() {
    let directory = TempDir::new().unwrap();
    let headers = "[White \"A\"]\n\n*\n\n";
    let ran = analyse(&directory, &format!("{headers}{headers}{GAMES}"), &["--nodes", "100"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(text(&ran.stdout).contains("2 games have no moves and were copied unchanged"));
    assert_eq!(file(&directory, "games-analysed.pgn").matches("[White \"A\"]").count(), 2);
}

#[test]
fn games_in_latin_1_are_read_also_in_a_file_with_utf_8() {
    let directory = TempDir::new().unwrap();
    let old = b"[White \"R\xe9ti\"]\n\n1. Nf3 *\n\n".to_vec();
    let both = [old.as_slice(), "[White \"Réti\"]\n\n1. Nf3 *\n".as_bytes()].concat();
    for (games, count) in [(old, 1), (both, 2)] {
        fs::write(directory.path().join("games.pgn"), games).unwrap();
        let arguments = ["games.pgn", "--depth", "1", "--again"];
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
        let annotated = file(&directory, "games-analysed.pgn");
        assert_eq!(annotated.matches("[White \"Réti\"]").count(), count, "{annotated}");
    }
}

#[test]
fn only_the_faults_of_the_given_player_are_reported_and_an_unknown_player_is_an_error() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5", "--player", "bob"]);
    assert_eq!(ran.status.code(), Some(0));
    let annotated = file(&directory, "games-analysed.pgn");
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for move_of_ann in ["g4 $", "Nf6 $"] {
        assert!(!annotated.contains(move_of_ann), "{annotated}");
    }
    let ran = analyse(&directory, GAMES, &["--player", "Carl"]);
    assert_eq!(ran.status.code(), Some(1));
    let complaint =
        "Error: games.pgn: contains no game of Carl; the nearest names in it: Ann; Bob\n";
    assert_eq!(text(&ran.stderr), complaint);
    assert_eq!(files(&directory).len(), 3, "the earlier results are kept");
}

#[test]
fn several_jobs_write_the_same_as_one() {
    let games = GAMES.repeat(4);
    let [one, four] = ["1", "4"].map(|jobs| {
        let directory = TempDir::new().unwrap();
        let ran = analyse(&directory, &games, &["--nodes", "300", "--jobs", jobs]);
        assert_eq!(ran.status.code(), Some(0));
        // One line says how long it took.
        let lines = text(&ran.stdout).lines().filter(|line| !line.starts_with("Analysed "));
        (lines.collect::<Vec<_>>().join("\n"), file(&directory, "games-analysed.pgn"))
    });
    assert_eq!(one, four);
}

#[test]
fn players_are_summed_up_in_order_of_appearance() {
    let directory = TempDir::new().unwrap();
    let names = ["Eve", "Bob", "Dan", "Ann", "Carl", "Fay"];
    let games = names.map(|name| format!("[White \"{name}\"]\n\n1. e4 *\n\n")).concat();
    let ran = analyse(&directory, &games.repeat(2), &["--nodes", "50", "--no-pages"]);
    let (_, sums) = text(&ran.stdout).split_once("\n12 games\n").expect("all together");
    let rows = sums.lines().skip(1).take(6).map(|row| row.split_whitespace().take(2).collect());
    let expected = names.map(|name| vec![name, "2"]);
    assert_eq!(rows.collect::<Vec<Vec<_>>>(), expected, "name and moves: {sums}");
}

#[test]
fn tables_and_networks_are_used_or_reported_as_errors() {
    let directory = TempDir::new().unwrap();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/files/syzygy");
    let ending = "[FEN \"8/8/8/8/8/2k5/2p5/2K5 w - - 0 1\"]\n\n*\n\n1. e4 *\n";
    let ran = analyse(&directory, ending, &["--nodes", "100", "--syzygy", tables]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    for (option, complaint) in [("--syzygy", "no/such"), ("--network", "no/such")] {
        let ran = analyse(&directory, GAMES, &["--nodes", "100", option, "no/such"]);
        assert_eq!(ran.status.code(), Some(1));
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    }
}

#[test]
fn the_american_spelling_is_accepted() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("games.pgn"), "1. e4 *\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    let arguments = ["analyze", "games.pgn", "--hash", "1", "--nodes", "50"];
    let ran = command.args(arguments).current_dir(directory.path()).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
}
