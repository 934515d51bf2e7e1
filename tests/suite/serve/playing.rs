use serde_json::{Value, json};

use super::game;
use crate::support::http::Server;

/// Plays these moves of White from a position; returns the ending and the PGN.
fn ended(fen: &str, moves: &[&str]) -> (Value, String) {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let started = server.post(&format!("{client}/game"), &game("white", json!({ "fen": fen })));
    assert_eq!(started.status, 204, "{}", started.body);
    for mv in moves {
        let answer = server.post(&format!("{client}/game/move"), &json!({ "move": mv }));
        assert_eq!(answer.status, 204, "{mv}: {}", answer.body);
    }
    let end = events.wait_for("game", |game| !game["ending"].is_null());
    (end["ending"].clone(), server.get(&format!("{client}/game/pgn")).body)
}

#[test]
fn every_end_by_rule_is_named_and_recorded_in_the_pgn() {
    for (fen, mv, reason, result) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8", "checkmate", "1-0"),
        ("7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "f7g6", "stalemate", "1/2-1/2"),
        ("8/8/8/3k4/8/8/3p4/3K4 w - - 0 1", "Kxd2", "material", "1/2-1/2"),
        ("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "Ra2", "fifty-moves", "1/2-1/2"),
    ] {
        let (ending, pgn) = ended(fen, &[mv]);
        assert_eq!((&ending["reason"], &ending["result"]), (&json!(reason), &json!(result)));
        assert!(pgn.contains(&format!("[FEN \"{fen}\"]")), "{pgn}");
        assert!(pgn.trim_end().ends_with(result), "{pgn}");
        let words = ending["text"].as_str().unwrap();
        assert!(pgn.replace('\n', " ").contains(&format!("{{ {words} }}")), "{pgn}");
    }
}

#[test]
fn the_engine_answers_each_move_and_moves_first_if_the_user_plays_black() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/game"), &game("black", json!("standard")));
    let first = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 1);
    assert_eq!(first["person"], "black");
    let reply = first["position"]["moves"][0]["san"].as_str().unwrap().to_owned();
    server.post(&format!("{client}/game/move"), &json!({ "move": reply }));
    let third = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 3);
    assert_eq!(third["plies"][1]["san"], json!(reply));
}

#[test]
fn an_illegal_move_gives_an_error_message_and_changes_nothing() {
    let server = Server::start(&[]);
    let client = server.client();
    server.post(&format!("{client}/game"), &game("white", json!("standard")));
    for (mv, word) in [("e5", "not legal"), ("Ke2", "not legal"), ("hello", "not a move")] {
        let answer = server.post(&format!("{client}/game/move"), &json!({ "move": mv }));
        assert_eq!(answer.status, 422);
        assert!(answer.json()["error"].as_str().unwrap().contains(word), "{}", answer.body);
    }
    let wrong = game("white", json!({ "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }));
    assert_eq!(server.post(&format!("{client}/game"), &wrong).status, 422);
    let game = server.events(&client).wait_for("game", |_| true);
    assert_eq!(game["plies"], json!([]));
}

#[test]
fn requests_about_a_game_are_errors_without_a_game() {
    let server = Server::start(&[]);
    let client = server.client();
    let asked = [("move", json!({ "move": "e4" })), ("take-back", Value::Null)];
    let others = ["resign", "draw", "hint"].map(|path| (path, Value::Null));
    for (path, body) in asked.into_iter().chain(others) {
        let answer = server.post(&format!("{client}/game/{path}"), &body);
        assert_eq!(answer.status, 422, "{path}");
        assert!(answer.json()["error"].as_str().unwrap().contains("no game"), "{}", answer.body);
    }
    assert_eq!(server.get(&format!("{client}/game/pgn")).status, 422);
}

#[test]
fn a_game_continues_after_a_restart_of_the_server() {
    let before = Server::start(&[]);
    let client = before.client();
    let mut events = before.events(&client);
    let mut wish = game("white", json!({ "chess960": 3 }));
    wish["clock"] = json!({ "minutes": 5.0, "increment": 3.0 });
    before.post(&format!("{client}/game"), &wish);
    let start = events.wait_for("game", |_| true);
    let mv = start["position"]["moves"][0]["uci"].clone();
    before.post(&format!("{client}/game/move"), &json!({ "move": mv }));
    let game = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 2);
    drop(before);
    let after = Server::start(&[]);
    assert_eq!(after.get(&format!("{client}/game/pgn")).status, 404, "nobody knows it there");
    let client = after.client();
    let restored = after.post(&format!("{client}/game/restore"), &game["kept"]);
    assert_eq!(restored.status, 204, "{}", restored.body);
    let again = after.events(&client).wait_for("game", |_| true);
    for part in ["start", "plies", "position", "person", "elo"] {
        assert_eq!(again[part], game[part], "{part}");
    }
    assert_eq!(again["clock"]["running"], "white");
    let mut broken = game["kept"].clone();
    broken["moves"][0] = json!("a1a8");
    assert_eq!(after.post(&format!("{client}/game/restore"), &broken).status, 422);
}

/// Returns the remaining times in a PGN.
fn clocks(pgn: &str) -> Vec<String> {
    let commands = pgn.split("[%clk ").skip(1);
    commands.map(|rest| rest.split(']').next().unwrap().to_owned()).collect()
}

#[test]
fn the_pgn_of_a_game_has_all_clocks_and_its_conditions_also_after_a_restart() {
    let before = Server::start(&[]);
    let client = before.client();
    let mut events = before.events(&client);
    let mut wish = game("white", json!("standard"));
    wish["clock"] = json!({ "minutes": 5.0, "increment": 3.0 });
    before.post(&format!("{client}/game"), &wish);
    before.post(&format!("{client}/game/move"), &json!({ "move": "e4" }));
    let played = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 2);
    let first = before.get(&format!("{client}/game/pgn")).body;
    for tag in [
        "TimeControl \"300+3\"",
        "BlackElo \"450\"",
        "Termination \"unterminated\"",
        "ECO \"",
        "Opening \"",
    ] {
        assert!(first.contains(&format!("[{tag}")), "{tag}: {first}");
    }
    assert!(!first.contains("WhiteElo"), "{first}");
    assert_eq!(clocks(&first).len(), 2, "{first}");
    drop(before);

    let after = Server::start(&[]);
    let client = after.client();
    let mut events = after.events(&client);
    assert_eq!(after.post(&format!("{client}/game/restore"), &played["kept"]).status, 204);
    let reply = played["position"]["moves"][0]["uci"].clone();
    after.post(&format!("{client}/game/move"), &json!({ "move": reply }));
    let more = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() >= 3);
    after.post(&format!("{client}/game/resign"), &Value::Null);
    let second = after.get(&format!("{client}/game/pgn")).body;
    assert_eq!(clocks(&second)[..2], clocks(&first));
    assert!(clocks(&second).len() >= 3, "{second}");
    assert!(second.contains("[Termination \"normal\"]"), "{second}");
    let saved = |kept: Value| {
        after.post("/api/saved/pgn", &json!([kept])).json()["pgn"].as_str().unwrap().to_owned()
    };
    assert!(saved(more["kept"].clone()).contains("[Termination \"abandoned\"]"));

    let mut late = played["kept"].clone();
    late["ending"] = json!("time");
    assert!(saved(late).contains("[Termination \"time forfeit\"]"));
    let mut old = played["kept"].clone();
    old.as_object_mut().unwrap().remove("times");
    old["clock"].as_object_mut().unwrap().remove("initial");
    let old = saved(old);
    assert!(old.contains("[TimeControl \"?\"]") && clocks(&old).is_empty(), "{old}");
}

#[test]
fn the_pgn_of_a_game_without_clock_and_limit_says_so() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut wish = game("white", json!("standard"));
    wish["elo"] = Value::Null;
    server.post(&format!("{client}/game"), &wish);
    let pgn = server.get(&format!("{client}/game/pgn")).body;
    assert!(pgn.contains("[TimeControl \"-\"]"), "{pgn}");
    assert!(!pgn.contains("Elo \"") && !pgn.contains("%clk"), "{pgn}");
}

#[test]
fn games_of_one_page_have_different_openings_and_a_restored_game_repeats_its_own() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/game"), &game("black", json!("standard")));
    let begun = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 1);
    let mut kept = begun["kept"].clone();
    kept["moves"] = json!([]);
    let mut first_move = |seed: u32| {
        kept["seed"] = json!(seed);
        let restored = server.post(&format!("{client}/game/restore"), &kept);
        assert_eq!(restored.status, 204, "{}", restored.body);
        let moved = events.wait_for("game", |game| {
            game["kept"]["seed"] == json!(seed) && game["plies"].as_array().unwrap().len() == 1
        });
        moved["plies"][0]["san"].clone()
    };
    let openings: Vec<Value> = (1..=8).map(&mut first_move).collect();
    let again: Vec<Value> = (1..=8).map(&mut first_move).collect();
    assert_eq!(openings, again);
    assert!(openings.iter().any(|mv| *mv != openings[0]), "{openings:?}");
}

#[test]
fn hints_taking_back_draw_offers_and_resigning_work() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let fen = "6k1/5ppp/8/8/8/8/P7/R5K1 w - - 0 1";
    server.post(&format!("{client}/game"), &game("white", json!({ "fen": fen })));
    server.post(&format!("{client}/game/hint"), &Value::Null);
    // A rejected request does not remove the hint.
    assert_eq!(server.post(&format!("{client}/game/move"), &json!({ "move": "e5" })).status, 422);
    let hinted = events.wait_for("game", |game| !game["hint"].is_null());
    assert!(hinted["hint"]["san"].is_string());
    assert_eq!(server.post(&format!("{client}/game/take-back"), &Value::Null).status, 422);
    server.post(&format!("{client}/game/move"), &json!({ "move": "a3" }));
    events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 2);
    server.post(&format!("{client}/game/take-back"), &Value::Null);
    let back = events.wait_for("game", |game| game["plies"].as_array().unwrap().is_empty());
    assert_eq!((&back["position"]["turn"], &back["hint"]), (&json!("white"), &Value::Null));
    server.post(&format!("{client}/game/draw"), &Value::Null);
    let declined = events.wait_for("game", |game| !game["notice"].is_null());
    assert!(declined["notice"].as_str().unwrap().contains("declined"));
    server.post(&format!("{client}/game/resign"), &Value::Null);
    let over = events.wait_for("game", |game| !game["ending"].is_null());
    assert_eq!(over["ending"]["result"], "0-1");
    assert_eq!(server.post(&format!("{client}/game/resign"), &Value::Null).status, 422);
}

/// Plays a move, which the engine answers. Returns the server and the game as the page stores it.
fn kept_game() -> (Server, Value) {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/game"), &game("white", json!("standard")));
    server.post(&format!("{client}/game/move"), &json!({ "move": "d4" }));
    let played = events.wait_for("game", |game| game["plies"].as_array().unwrap().len() == 2);
    let kept = played["kept"].clone();
    drop(events);
    (server, kept)
}

#[test]
fn stored_games_are_listed_and_written_as_pgn_without_those_that_cannot_be_read() {
    let (server, kept) = kept_game();
    let mut short = kept;
    short["moves"] = json!(["e2e4", "c7c5", "g1f3"]);
    short["ending"] = json!("resignation");
    let saved = json!([short, { "moves": [] }, "nothing"]);
    let list = server.post("/api/saved", &saved).json();
    assert_eq!(list[0]["opening"], json!({ "eco": "B27", "name": "Sicilian Defense" }));
    assert_eq!((&list[0]["moves"], &list[0]["ending"]["result"]), (&json!(2), &json!("0-1")));
    for unreadable in [&list[1], &list[2]] {
        let error = unreadable["error"].as_str().unwrap();
        assert!(error.starts_with("the saved game cannot be read"), "{error}");
    }
    let answer = server.post("/api/saved/pgn", &saved).json();
    assert_eq!(answer["unreadable"], 2);
    let pgn = answer["pgn"].as_str().unwrap();
    assert!(pgn.contains("1. e4 c5 2. Nf3 { Black wins by resignation } 0-1"), "{pgn}");
}

#[test]
fn games_that_were_saved_as_pgn_are_read_back() {
    let (server, kept) = kept_game();
    let written = server.post("/api/saved/pgn", &json!([kept])).json();
    let text = format!("{}[White \"Ann\"]\n\n1. e4 *\n", written["pgn"].as_str().unwrap());
    let plain = [("content-type", "text/plain")];
    let read = server.request("POST", "/api/saved/read", &plain, &text).json();
    assert_eq!(read["others"], 1);
    assert_eq!(read["games"][0]["moves"], kept["moves"]);
    assert_eq!(read["games"][0]["date"], "2026.11.23");
}

#[test]
fn a_closed_game_is_no_longer_there() {
    let server = Server::start(&[]);
    let client = server.client();
    server.post(&format!("{client}/game"), &game("white", json!("standard")));
    assert_eq!(server.get(&format!("{client}/game/pgn")).status, 200);
    for _ in 0..2 {
        assert_eq!(server.post(&format!("{client}/game/close"), &json!({})).status, 204);
    }
    assert_eq!(server.get(&format!("{client}/game/pgn")).status, 422);
}
