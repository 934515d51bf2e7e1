//! Games compared with a repertoire: the first move that leaves it, in all outputs.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{analyse, file, outrider, text};

const REPERTOIRE: &str = "\
[Event \"With White\"]

1. e4 e5 (1... c5 2. c3) 2. Nf3 Nc6 3. Bb5 (3. Bc4) *
";

const GAMES: &str = "\
[White \"Doe, Jane\"]
[Black \"Roe\"]
[Result \"1-0\"]

1. e4 e5 2. Nf3 Nc6 3. d4 exd4 1-0

[White \"Jane Doe\"]
[Black \"Poe\"]
[Result \"0-1\"]

1. e4 d5 2. exd5 0-1

[White \"doe, jane\"]
[Black \"Roe\"]
[Result \"1/2-1/2\"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 1/2-1/2

[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]
[White \"Jane Doe\"]
[Black \"Poe\"]
[Result \"1-0\"]

1. Rh8+ Kd7 1-0
";

/// Analyses the games with the repertoire.
fn compared(directory: &TempDir, more: &[&str]) -> String {
    fs::write(directory.path().join("white.pgn"), REPERTOIRE).unwrap();
    let arguments = [&["--nodes", "100", "--repertoire", "white.pgn"], more].concat();
    let ran = analyse(directory, GAMES, &arguments);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    text(&ran.stdout).to_owned()
}

/// Data for the script of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\"").expect("a page has data");
    let json = rest.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(json).expect("the data is JSON")
}

#[test]
fn the_first_move_that_leaves_the_repertoire_is_in_all_outputs() {
    let directory = TempDir::new().unwrap();
    let printed = compared(&directory, &["--json", "games.jsonl"]);
    let leaves = "3. d4 by Doe, Jane leaves the repertoire, which has Bb5 or Bc4";
    assert!(printed.contains(&format!("  {leaves}\n")), "{printed}");
    assert!(
        printed.contains("  the game follows the repertoire to its end, 5 plies\n"),
        "{printed}"
    );
    let totals =
        "Repertoire: left first by White in 1 game, by Black in 1; not left in 1; not met in 1\n";
    assert!(printed.contains(totals), "{printed}");

    let lines = file(&directory, "games.jsonl");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = json!([{ "move": "f1b5", "san": "Bb5" }, { "move": "f1c4", "san": "Bc4" }]);
    let left = json!({ "ply": 5, "by": "white", "name": "3. d4", "expected": expected });
    assert_eq!(lines[0]["repertoire"], json!({ "plies": 4, "left": left }));
    assert_eq!(lines[1]["repertoire"]["left"]["by"], "black");
    assert_eq!(lines[2]["repertoire"], json!({ "plies": 5, "left": null }), "by transposition");
    assert_eq!(lines[3]["repertoire"], Value::Null);

    let page = file(&directory, "games-pages/games-1.html");
    assert!(page.contains(&format!("<p class=\"note\" id=\"repertoire\">{leaves}.</p>")), "{page}");
    let positions = &data(&page)["positions"];
    assert_eq!(positions[5]["repertoire"], "Leaves the repertoire, which has Bb5 or Bc4.");
    assert_eq!(positions[4]["repertoire"], Value::Null);
    let games = &data(&file(&directory, "games-pages/index.html"))["games"];
    assert_eq!(games[0]["repertoire"], json!({ "ply": 5, "words": "3. d4, not Bb5 or Bc4" }));
    assert_eq!(games[2]["repertoire"], json!({ "ply": 0, "words": "not left" }));
    assert_eq!(games[3]["repertoire"], Value::Null);
}

#[test]
fn departures_are_counted_for_each_player_and_for_the_requested_one() {
    let directory = TempDir::new().unwrap();
    let printed = compared(&directory, &["--player", "jane doe"]);
    let totals = "Repertoire: left first by jane doe in 1 game, by opponents in 1; not left in 1; not met in 1\n";
    assert!(printed.contains(totals), "{printed}");
    let player =
        (1..4).map(|number| file(&directory, &format!("games-pages/player-{number}.html")));
    let player =
        player.map(|page| data(&page)).find(|data| data["games"].as_array().unwrap().len() == 4);
    let player = player.expect("she has a page");
    let tables = player["tables"].as_array().unwrap();
    let table = tables.iter().find(|table| table["name"] == "Repertoire").expect("a table");
    let rows = table["rows"].as_array().unwrap().iter();
    let rows: Vec<_> = rows.map(|row| (&row["name"], &row["games"], &row["points"])).collect();
    let row = |name: &str, points: f64| (json!(name), json!(1), json!(points));
    let expected =
        [row("Left by the player", 1.0), row("Left by the opponent", 0.0), row("Not left", 0.5)];
    assert_eq!(rows, expected.each_ref().map(|(name, games, points)| (name, games, points)));
}

#[test]
fn without_a_repertoire_nothing_is_said_of_one_and_another_one_is_a_new_task() {
    let directory = TempDir::new().unwrap();
    let plain = analyse(&directory, GAMES, &["--nodes", "100", "--json", "games.jsonl"]);
    let printed = text(&plain.stdout).to_lowercase();
    assert!(!printed.contains("repertoire"), "{printed}");
    for name in ["games.jsonl", "games-analysed.pgn"] {
        assert!(!file(&directory, name).contains("epertoire"), "{name}");
    }
    assert!(compared(&directory, &["--json", "games.jsonl"]).contains("Repertoire: "));
    let again = compared(&directory, &["--json", "games.jsonl"]);
    assert!(again.contains("is complete for these settings"), "{again}");
}

#[test]
fn a_file_that_is_no_repertoire_is_an_error_before_any_search() {
    let directory = TempDir::new().unwrap();
    for (content, complaint) in [
        ("", "white.pgn: contains no moves"),
        ("1. e4 Ke3 *", "white.pgn: line 1: game 1: move 1..."),
    ] {
        fs::write(directory.path().join("white.pgn"), content).unwrap();
        let ran = analyse(&directory, GAMES, &["--repertoire", "white.pgn"]);
        assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(2), ""));
        assert!(text(&ran.stderr).contains(complaint), "{}", text(&ran.stderr));
    }
    let missing = analyse(&directory, GAMES, &["--repertoire", "missing.pgn"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("cannot read missing.pgn: "));
    fs::write(directory.path().join("white.pgn"), "1. e4 (1. d5 d4) e5 *").unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--repertoire", "white.pgn"]);
    assert_eq!(ran.status.code(), Some(0));
    let warning = "white.pgn: 1 variation ends before a move that cannot be played\n";
    assert_eq!(text(&ran.stderr), warning);
    fs::write(directory.path().join("r.pgn"), REPERTOIRE).unwrap();
    let arguments = ["games.pgn", "--repertoire", "r.pgn", "--output", "r.pgn"];
    let same = outrider(directory.path(), &arguments).output().unwrap();
    assert_eq!(same.status.code(), Some(2), "the repertoire is not overwritten");
    assert_eq!(file(&directory, "r.pgn"), REPERTOIRE);
}
