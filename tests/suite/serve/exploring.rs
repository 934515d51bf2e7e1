//! The opening explorer and the search tree of a position.

use std::fs;

use serde_json::{Value, json};

use super::{START, game};
use crate::support::http::Server;

fn position(moves: &[&str]) -> Value {
    json!({ "fen": START, "chess960": false, "moves": moves })
}

/// Returns the entry of a move.
fn entry(view: &Value, san: &str) -> Value {
    let moves = view["moves"].as_array().expect("moves");
    moves.iter().find(|explored| explored["san"] == san).expect("the move is there").clone()
}

#[test]
fn the_explorer_shows_named_openings_and_the_players_own_games() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/game"), &game("white", json!("standard")));
    let mut kept = events.wait_for("game", |_| true)["kept"].clone();
    kept["moves"] = json!(["e2e4", "c7c5"]);
    kept["ending"] = json!("resignation");
    let games =
        json!([{ "id": "a", "time": 1, "kept": kept }, { "id": "b", "time": 2, "kept": {} }]);
    let changes = json!({ "all": true, "changed": games, "deleted": [] });
    let indexed = server.post(&format!("{client}/explorer/games"), &changes);
    assert_eq!(indexed.json(), json!({ "games": 1, "unreadable": 1, "too_many": 0 }));
    let view = server.post(&format!("{client}/explorer"), &position(&["e2e4"])).json();
    assert_eq!((&view["games"], &view["has_book"]), (&json!(1), &json!(false)));
    let sicilian = entry(&view, "c5");
    assert_eq!(view["moves"][0], sicilian, "the move of the player's game is first");
    assert_eq!(sicilian["opening"], json!({ "eco": "B20", "name": "Sicilian Defense" }));
    assert_eq!((&sicilian["score"], &sicilian["last"]["id"]), (&json!(0), &json!("a")));
    let illegal = server.post(&format!("{client}/explorer"), &position(&["e2e5"]));
    assert_eq!(illegal.status, 422);
    let other = server.post(&format!("{}/explorer", server.client()), &position(&["e2e4"])).json();
    assert_eq!(other["games"], 0, "another page does not see the games");
}

/// Returns a book with moves of the start position: 3 of 4 times d2d4, else a2a3, and the illegal a3a2.
fn book() -> Vec<u8> {
    let entries: [(u16, u16); 3] = [(0o1333, 3), (0o1020, 1), (0o2010, 9)];
    let mut bytes = Vec::new();
    for (packed_move, weight) in entries {
        bytes.extend(0x463b_9618_1691_fc9c_u64.to_be_bytes());
        bytes.extend(packed_move.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    bytes
}

#[test]
fn a_book_that_can_no_longer_be_read_leaves_the_other_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    fs::write(&path, book()).expect("the file is written");
    let server = Server::start(&["--book", path.to_str().expect("a path in UTF-8")]);
    fs::write(&path, "").expect("the file is cut");
    let answer = server.post(&format!("{}/explorer", server.client()), &position(&[]));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let view = answer.json();
    assert!(view["book_error"].is_string(), "{view}");
    assert_eq!((&view["has_book"], &entry(&view, "d4")["share"]), (&json!(true), &Value::Null));
}

#[test]
fn the_explorer_shows_the_moves_of_a_book_file_with_their_shares() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.bin");
    fs::write(&path, book()).expect("the file is written");
    let server = Server::start(&["--book", path.to_str().expect("a path in UTF-8")]);
    let view = server.post(&format!("{}/explorer", server.client()), &position(&[])).json();
    assert_eq!((&view["has_book"], &view["book_error"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&entry(&view, "d4")["share"], &entry(&view, "a3")["share"]),
        (&json!(75), &json!(25))
    );
    assert_eq!(view["moves"][0]["san"], "d4");
    assert_eq!(entry(&view, "e4")["share"], Value::Null);
}

#[test]
fn the_search_tree_of_a_position_is_sent_folded_with_a_summary() {
    let server = Server::start(&[]);
    let inside = server.post("/api/inside", &position(&["e2e4", "e7e5"])).json();
    assert!(inside["depth"].as_u64() >= Some(3), "{inside}");
    let summary = inside["summary"].as_str().expect("a text");
    assert!(summary.contains("leaves here") && summary.contains("alpha-beta"), "{summary}");
    let first = &inside["root"]["children"][0];
    assert!(first["value"].is_string() && first["uci"].is_string(), "{first}");
    assert_eq!(server.post("/api/inside", &position(&["e2e5"])).status, 422);
}
