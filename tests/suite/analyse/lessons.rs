//! Reports of `outrider analyse` about players: faults, missed chances, and verdicts of other programs.

use serde_json::Value;
use tempfile::TempDir;

use super::{GAMES, analyse, file, files, files_in, text};

const SPELLINGS: &str = "\
[White \"Doe, Jane\"]
[Black \"Roe, M.\"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[White \"Roe, Max\"]
[Black \"Jane Doe\"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[White \"x\"]
[Black \"y\"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[White \"Jane Doe\"]
[Black \"x\"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0
";

#[test]
fn a_player_is_found_under_every_spelling_and_other_games_are_copied() {
    let directory = TempDir::new().unwrap();
    let arguments = ["--nodes", "500", "--player", "doe, jane"];
    let ran = analyse(&directory, SPELLINGS, &arguments);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let annotated = file(&directory, "games-analysed.pgn");
    let games: Vec<_> = annotated.split("[White ").skip(1).collect();
    let marks = [0, 1, 2, 3].map(|game: usize| games[game].matches("Ke7 $4").count());
    assert_eq!(marks, [0, 1, 0, 0], "only her own blunder is marked: {annotated}");
    assert!(games[2].ends_with("\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n"), "{}", games[2]);
    let output = text(&ran.stdout);
    assert!(output.contains("1 game without doe, jane was copied unchanged\n"), "{output}");
    let sums = output.split_once("\n3 games\n").expect("all together").1;
    assert_eq!(sums.matches("Doe").count(), 2, "one row and one line: {output}");
    assert!(sums.contains("  Jane Doe "), "the most frequent spelling: {output}");
    let pages = files_in(&directory.path().join("games-pages"));
    assert_eq!(pages.iter().filter(|name| name.starts_with("player-")).count(), 4, "{pages:?}");
    assert!(!pages.contains(&"games-3.html".to_owned()), "{pages:?}");
    let puzzles = file(&directory, "games-pages/puzzles.html");
    let players = puzzles.matches(r#""player":"#).count();
    let own = puzzles.matches(r#""player":"Jane Doe""#).count();
    assert!(own > 0 && own == players, "strangers' faults are no puzzles: {own} of {players}");
}

#[test]
fn a_player_without_a_game_is_answered_with_similar_names() {
    let directory = TempDir::new().unwrap();
    for extra in [&[][..], &["--json", "-", "--no-pages"]] {
        let ran = analyse(&directory, SPELLINGS, &[&["--player", "Dow, Jane"], extra].concat());
        assert_eq!((ran.status.code(), text(&ran.stdout)), (Some(1), ""));
        let complaint = text(&ran.stderr);
        assert!(complaint.contains("no game of Dow, Jane; the nearest names in it: Doe, Jane; "));
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
    assert_eq!(files(&directory), ["games.pgn"]);
}

#[test]
fn a_missed_mate_is_named_counted_and_a_puzzle() {
    let directory = TempDir::new().unwrap();
    let game = "[White \"Coach\"]\n[Black \"Pupil\"]\n[Result \"1-0\"]\n\
                [FEN \"6k1/5ppp/8/8/8/8/1R3PPP/R5K1 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
                1. h3 Kf8 2. h4 Kg8 3. g3 h6 4. Ra8+ Kh7 1-0\n";
    let ran = analyse(&directory, game, &["--nodes", "20000", "--json", "games.jsonl"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let annotated = file(&directory, "games-analysed.pgn");
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    // Either rook mates.
    let named = ["a", "b"].map(|file| format!("{{ Misses mate in 1: R{file}8#. }} ("));
    assert!(named.iter().any(|mate| annotated.contains(mate)), "{annotated}");
    let line: Value = serde_json::from_str(&file(&directory, "games.jsonl")).unwrap();
    for ply in [0, 4] {
        assert_eq!(line["moves"][ply]["missedMate"], 1, "{line}");
    }
    let summary = &line["white"]["summary"];
    assert!(summary["missedMates"].as_u64().unwrap() >= 2, "{summary}");
    assert!(summary["accuracy"].as_f64().unwrap() > 99.0, "it costs no accuracy: {summary}");
    let puzzles = file(&directory, "games-puzzles.html");
    assert!(puzzles.contains(r#""mate":1"#) && puzzles.contains(r#""played":"3. g3""#));
    assert!(text(&ran.stdout).contains("Coach: 0 faults; missed "), "{}", text(&ran.stdout));
}

#[test]
fn verdicts_of_lichess_are_replaced_and_counted() {
    let directory = TempDir::new().unwrap();
    let game = "[White \"first\"]\n[Black \"second\"]\n[Annotator \"lichess.org\"]\n\n\
                1. e4 { [%eval 0.36] } 1... e5?! { (0.36 → 0.92) Inaccuracy. c5 was best. } \
                { [%eval 0.92] } (1... c5 2. Nf3 d6) 2. Nf3 { [%eval 0.25] } 2... Nc6 { mine } *\n";
    let ran = analyse(&directory, game, &["--nodes", "500", "--json", "games.jsonl"]);
    assert_eq!(ran.status.code(), Some(0));
    for name in ["games-analysed.pgn", "games-1.html"] {
        let made = file(&directory, name);
        assert!(!made.contains("(0.36") && !made.contains("c5 was best"), "{name}");
        assert!(made.contains("mine"), "{name}");
    }
    assert!(!file(&directory, "games-analysed.pgn").contains("(1... c5"));
    let output = text(&ran.stdout);
    let words = "1 verdict and 3 scores of other programs replaced; --keep-verdicts keeps them\n";
    assert!(output.contains(words), "{output}");
    let line: Value = serde_json::from_str(&file(&directory, "games.jsonl")).unwrap();
    assert_eq!(line["replaced"], serde_json::json!({ "verdicts": 1, "scores": 3 }));
    let kept = analyse(&directory, game, &["--nodes", "500", "--keep-verdicts"]);
    assert_eq!(kept.status.code(), Some(0));
    assert!(file(&directory, "games-analysed.pgn").contains("c5 was best."));
    assert!(!text(&kept.stdout).contains("replaced"));
}

#[test]
fn the_last_lines_say_where_faults_happened_and_which_file_to_open() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--depth", "5"]);
    let output = text(&ran.stdout);
    let lines: Vec<_> = output.lines().rev().take(5).collect();
    assert_eq!(lines[0], "Open games-pages/index.html next");
    assert_eq!(lines[1], "games-analysed.pgn was written");
    assert!(lines[2].starts_with("Analysed 2 games in "), "{output}");
    assert!(lines[3].starts_with("Bob: "), "{output}");
    assert!(lines[4].starts_with("Ann: ") && lines[4].contains(" in the opening"), "{output}");
    let single = analyse(&directory, "1. e4 e5 *\n", &["--nodes", "100"]);
    assert!(text(&single.stdout).ends_with("Open games-1.html next\n"), "{}", text(&single.stdout));
}
