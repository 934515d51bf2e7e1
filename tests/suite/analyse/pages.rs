//! Pages that `outrider analyse` makes, and the links between them.

use std::fs;
use std::process::Stdio;

use tempfile::TempDir;

use super::{GAMES, analyse, file, files, files_in, outrider, text};

#[test]
fn a_single_game_has_one_page_in_its_folder_and_no_others() {
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, "1. e4 e5 *\n", &["--nodes", "100"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(
        files(&directory),
        ["games-1.html", "games-1.svg", "games-analysed.pgn", "games.pgn"]
    );
    let directory = TempDir::new().unwrap();
    let ran = analyse(&directory, GAMES, &["--nodes", "100", "--no-pages"]);
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(files(&directory), ["games-analysed.pgn", "games.pgn"]);
}

#[test]
fn the_page_of_a_single_game_links_to_its_puzzles() {
    let directory = TempDir::new().unwrap();
    let game = GAMES.split_inclusive("0-1\n").take(1).collect::<String>();
    let arguments = ["--depth", "5", "--one-file", "all.html"];
    assert_eq!(analyse(&directory, &game, &arguments).status.code(), Some(0));
    let page = file(&directory, "games-1.html");
    assert!(page.contains(r#"<a href="games-puzzles.html">Find better moves</a>"#));
    let puzzles = file(&directory, "games-puzzles.html");
    assert!(puzzles.contains(r#"<a href="games-1.html">The game</a>"#));
    assert!(puzzles.contains(r#""played":"2. g4""#));
    let all = file(&directory, "all.html");
    assert!(all.contains("[[\"games-1.html\",[") && all.contains("[\"games-puzzles.html\",["));
    fs::write(directory.path().join("games-puzzles.html"), "my own").unwrap();
    let refused = analyse(&directory, &game, &["--depth", "5", "--again"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    assert_eq!(file(&directory, "games-puzzles.html"), "my own");
}

#[test]
fn every_game_and_player_has_a_page_with_links() {
    let directory = TempDir::new().unwrap();
    assert_eq!(
        analyse(&directory, GAMES, &["--depth", "5", "--pages", "p"]).status.code(),
        Some(0)
    );
    let index = file(&directory, "p/index.html");
    for promise in [
        r#""page":"games-2.html""#,
        r#""playerPages":["player-1.html","player-2.html"]"#,
        r#""name":"2. g4""#,
    ] {
        assert!(index.contains(promise), "{promise}");
    }
    let ann = file(&directory, "p/player-1.html");
    assert!(ann.contains("<h1>Ann</h1>") && ann.contains(r#"href="index.html""#), "{ann}");
    assert!(ann.contains("With White") && ann.contains("Opening"), "{ann}");
    let puzzles = file(&directory, "p/puzzles.html");
    assert!(puzzles.contains(r#""played":"2. g4""#), "{puzzles}");
    assert!(index.contains(r#"href="puzzles.html""#) && puzzles.contains(r#"href="index.html""#));
}

#[test]
fn a_games_page_links_to_its_neighbours_and_players_for_any_file_name() {
    let directory = TempDir::new().unwrap();
    let four = [GAMES, GAMES].join("\n");
    fs::write(directory.path().join("#1 at 50%.pgn"), four).unwrap();
    let arguments = ["#1 at 50%.pgn", "--depth", "1", "--pages", "p"];
    assert!(outrider(directory.path(), &arguments).output().unwrap().status.success());
    let page = file(&directory, "p/#1 at 50%-2.html");
    let links: Vec<String> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .filter(|address| !address.starts_with('#'))
        .map(|address| {
            let file = address.split('#').next().unwrap_or_default();
            percent_encoding::percent_decode_str(file).decode_utf8().unwrap().into_owned()
        })
        .collect();
    for name in ["index.html", "#1 at 50%-1.html", "#1 at 50%-3.html", "player-1.html"] {
        assert!(links.iter().any(|link| link == name), "{name}: {links:?}");
    }
    let pages = files_in(&directory.path().join("p"));
    let lost: Vec<_> = links.iter().filter(|link| !pages.contains(link)).collect();
    assert!(lost.is_empty(), "{lost:?} of {pages:?}");
}

#[test]
fn a_file_named_like_the_players_pages_keeps_the_pages_of_its_games() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("Player.pgn"), GAMES).unwrap();
    for again in [&[][..], &["--again"]] {
        let arguments = [&["Player.pgn", "--depth", "1", "--pages", "p"], again].concat();
        let ran = outrider(directory.path(), &arguments).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    }
    assert!(file(&directory, "p/player-1.html").contains("<h1>Ann</h1>"));
    assert!(!file(&directory, "p/games-1.html").contains("<h1>Ann</h1>"));
    assert!(file(&directory, "p/index.html").contains(r#""page":"games-2.html""#));
}

#[test]
fn all_pages_can_be_one_file() {
    let directory = TempDir::new().unwrap();
    let arguments = ["--depth", "3", "--one-file", "all.html"];
    assert_eq!(analyse(&directory, GAMES, &arguments).status.code(), Some(0));
    let all = file(&directory, "all.html");
    for name in ["index.html", "puzzles.html", "player-2.html", "games-1.html", "games-2.html"] {
        assert!(all.contains(&format!("[\"{name}\",[")), "{name}");
    }
    let pages = files_in(&directory.path().join("games-pages"));
    let separate = |name: &&String| name.ends_with(".html");
    let bytes: u64 = pages
        .iter()
        .filter(separate)
        .map(|name| fs::metadata(directory.path().join("games-pages").join(name)).unwrap().len())
        .sum();
    assert!((all.len() as u64) < bytes, "what pages share is there once");
    let refused = analyse(&directory, GAMES, &["--one-file", "games.pgn", "--again"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn one_file_for_all_pages_is_an_error_if_there_are_no_pages() {
    let directory = TempDir::new().unwrap();
    let one_file = ["--one-file", "all.html"];
    let mut from_input = outrider(directory.path(), &[&["-"], &one_file[..]].concat());
    let of_input = from_input.stdin(Stdio::null()).output().unwrap();
    let of_json = analyse(&directory, GAMES, &[&["--json", "-"], &one_file[..]].concat());
    for ran in [of_input, of_json] {
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran.stderr));
        let complaint = text(&ran.stderr);
        assert!(complaint.starts_with("Error: --one-file needs pages"), "{complaint}");
        assert_eq!((complaint.lines().count(), text(&ran.stdout)), (1, ""));
    }
    assert_eq!(files(&directory), ["games.pgn"]);
    let in_a_folder = ["--nodes", "100", "--json", "-", "--pages", "p"];
    let ran = analyse(&directory, GAMES, &[&in_a_folder, &one_file[..]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    assert_eq!(files(&directory), ["all.html", "games.pgn", "p"]);
    assert!(file(&directory, "all.html").contains("[\"index.html\",["));
}
