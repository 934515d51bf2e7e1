//! Errors for people: a page in plain words for browsers, JSON for programs.

use serde_json::json;

use super::{START, game};
use crate::support::http::{Reply, Server};
use crate::support::syzygy_folder;

/// Headers of a browser when a person opens an address.
const BROWSER: [(&str, &str); 1] = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];

/// Checks that an error is a page with these words and status.
fn assert_page(answer: &Reply, status: u16, words: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(answer.body.contains(words), "{}", answer.body);
    assert!(!answer.body.contains("{\"error\"") && !answer.body.contains("{{"), "{}", answer.body);
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    roxmltree::Document::parse_with_options(
        &answer.body,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    )
    .expect("a well-formed page");
}

#[test]
fn a_person_who_opens_a_wrong_address_gets_a_page_in_plain_words() {
    let server = Server::start(&[]);
    let client = server.client();
    for (path, status, words) in [
        ("/nothing".to_owned(), 404, "There is no such page"),
        ("/api/clients".to_owned(), 405, "This address is not a page"),
        ("/inside?fen=nonsense".to_owned(), 422, "This page cannot be made"),
        ("/inside".to_owned(), 400, "This page cannot be made"),
        ("/api/clients/gone/review/page".to_owned(), 404, "This page no longer exists"),
        (format!("{client}/suite/page"), 404, "Run the review or the test suite again"),
        ("/inside?fen=%3Cscript%3E".to_owned(), 422, "&lt;script&gt;"),
    ] {
        let answer = server.request("GET", &path, &BROWSER, "");
        assert_page(&answer, status, words);
        let for_programs = server.get(&path);
        assert_eq!(for_programs.status, status, "{path}");
        assert!(status == 405 || for_programs.json()["error"].is_string(), "{path}");
    }
}

#[test]
fn a_link_with_a_wrong_key_or_host_gives_a_page() {
    let server = Server::start(&["--listen", "0.0.0.0"]);
    let words = "Copy the complete address from the terminal in which Outrider runs. With --listen \
        the address has a new key after each start.";
    assert_page(&server.request("GET", "/?key=1", &BROWSER, ""), 403, words);
    let host = [BROWSER[0], ("host", "evil.example")];
    assert_page(&server.request("GET", "/", &host, ""), 403, words);
}

#[test]
fn the_date_of_a_game_cannot_contain_a_line_break() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut request = game("white", json!("standard"));
    for date in ["2026.1\n.1", "today", "2026.11.23\"]\n1. e4"] {
        request["date"] = json!(date);
        let answer = server.post(&format!("{client}/game"), &request);
        assert_eq!(answer.status, 422, "{date:?}: {}", answer.body);
        assert!(answer.json()["error"].as_str().unwrap().contains("date"), "{}", answer.body);
    }
    request["date"] = json!("2026.??.??");
    assert_eq!(server.post(&format!("{client}/game"), &request).status, 204);
    let pgn = server.get(&format!("{client}/game/pgn")).body;
    assert!(pgn.contains("[Date \"2026.??.??\"]\n"), "{pgn}");
}

#[test]
fn the_tags_of_a_written_game_cannot_contain_a_line_break() {
    let server = Server::start(&[]);
    let study = json!({ "fen": START, "chess960": false, "tags": [["White", "A\nB"]], "result": "*",
        "annotations": { "comment": "", "glyphs": [], "unplayable": [] }, "nodes": [] });
    let answer = server.post("/api/pgn", &study);
    assert!(answer.body.contains("[White \"A B\"]\n"), "{}", answer.body);
}

#[test]
fn a_damaged_endgame_table_is_named_in_the_analysis() {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(syzygy_folder()).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = std::fs::read(&path).unwrap();
        if path.ends_with("KQvK.rtbz") {
            bytes.truncate(80);
        }
        std::fs::write(folder.path().join(path.file_name().unwrap()), bytes).unwrap();
    }
    let server = Server::start(&["--syzygy", folder.path().to_str().unwrap()]);
    let client = server.client();
    let mut events = server.events(&client);
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    let position = json!({ "fen": fen, "chess960": false, "moves": [] });
    let request = json!({ "position": position, "lines": 1, "threads": 1, "megabytes": 4 });
    let answer = server.post(&format!("{client}/analysis"), &request);
    assert_eq!(answer.status, 204, "{}", answer.body);
    events.wait_for("analysis", |analysis| {
        let error = analysis["tablebase_error"].as_str();
        error.is_some_and(|error| error.contains("KQvK.rtbz"))
    });
}
