use std::cell::RefCell;
use std::io::Write as _;

use serde_json::{Value, json};

use super::{START, long_suite};
use crate::support::http::{Events, Server, eventually};

const FOOLS_MATE: &str = "1. f3 e5 2. g4 Qh4# 0-1";

/// Waits until the work is at this stage.
fn until(events: &mut Events, stage: &str) -> Value {
    events.wait_for("work", |work| work["stage"] == stage)
}

fn review(pgn: &str, milliseconds: u64) -> Value {
    json!({ "pgn": pgn, "game": 0, "milliseconds": milliseconds })
}

#[test]
fn a_review_has_a_page_mistakes_and_verdicts_on_answers() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    assert_eq!(server.get(&format!("{client}/review/page")).status, 404);
    let two = format!("{FOOLS_MATE}\n\n1. e4 *\n");
    let begun = server.post(&format!("{client}/review"), &review(&two, 1_000));
    assert_eq!(begun.status, 204, "{}", begun.body);
    let work = until(&mut events, "done");
    assert_eq!(work["games"], 2);
    assert_eq!((&work["done"], &work["total"]), (&json!(5), &json!(5)));
    let view = server.get(&format!("{client}/review/view")).json();
    let positions = view["game"]["data"]["positions"].as_array().unwrap();
    let ply = positions.iter().position(|position| position["name"] == "2. g4").expect("a move");
    let g4 = &positions[ply];
    assert_eq!(g4["fault"], "blunder");
    assert!(g4["verdict"].as_str().unwrap().contains("mate"), "{g4}");
    let moves = &view["position"]["moves"].as_array().unwrap()[..ply - 1];
    let before = json!({ "fen": START, "chess960": false, "moves": moves });
    let page = server.get(&format!("{client}/review/page"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("'nonce-"), "{policy}");
    assert_eq!(
        page.body.matches("<script type=\"module\">").count(),
        0,
        "a program without the number"
    );
    assert!(server.get(&format!("{client}/review/pgn")).body.contains("2. g4 $4"));
    let answer = |text: &str| {
        let asked = json!({ "position": before, "move": text, "milliseconds": 1_000 });
        server.post(&format!("{client}/judge"), &asked)
    };
    assert_eq!(answer("g4").json()["fault"], "blunder");
    assert_eq!(answer("e4").json()["fault"], Value::Null);
    assert_eq!(answer("Ke4").status, 422);
}

#[test]
fn the_game_with_the_index_is_reviewed_or_the_first_if_there_is_none() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let two = format!("{FOOLS_MATE}\n\n[White \"Cid\"]\n\n1. e4 *\n");
    for (asked, reviewed, white) in [(1, 1, "Cid"), (2, 0, "White")] {
        let request = json!({ "pgn": two, "game": asked, "milliseconds": 20 });
        assert_eq!(server.post(&format!("{client}/review"), &request).status, 204);
        let done = |work: &Value| work["stage"] == "done" && work["game"] == reviewed;
        assert_eq!(events.wait_for("work", done)["games"], 2);
        let view = server.get(&format!("{client}/review/view")).json();
        assert_eq!(view["names"][0], white);
    }
}

#[test]
fn the_faults_of_the_player_become_puzzles_with_all_good_moves() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let names = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{FOOLS_MATE}\n")
    };
    let mut puzzles = |pgn: &str| {
        assert_eq!(server.post(&format!("{client}/review"), &review(pgn, 300)).status, 204);
        events.wait_for("work", |work| work["stage"] == "running");
        let work = until(&mut events, "done");
        assert_eq!(work["puzzles"][0], work["puzzles"][1]);
        let view = server.get(&format!("{client}/review/view")).json();
        let puzzles = view["puzzles"].as_array().expect("puzzles").clone();
        assert_eq!(work["puzzles"][1].as_u64(), Some(puzzles.len() as u64));
        puzzles
    };
    let own = puzzles(&names("Player", "Outrider, Elo 450"));
    assert!(own.iter().all(|puzzle| puzzle["player"] == "Player"), "{own:?}");
    let g4 = own.iter().find(|puzzle| puzzle["played"] == "2. g4").expect("a puzzle");
    assert!(g4["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppp1ppp/8/4p3"), "{g4}");
    let good = g4["moves"].as_array().unwrap().iter().filter(|mv| mv["good"] == true);
    assert!(good.count() > 1, "{g4}");
    let black = puzzles(&names("Outrider, Elo 450", "Player"));
    assert!(black.iter().all(|puzzle| puzzle["by_black"] == true), "{black:?}");
    assert!(puzzles(&names("Ann", "Bob")).iter().any(|puzzle| puzzle["player"] == "Ann"));
}

#[test]
fn a_missed_mate_is_a_mistake_to_learn_from() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let game = "[FEN \"6k1/5ppp/8/8/8/8/1R3PPP/R5K1 w - - 0 1\"]\n\n1. h3 h6 *";
    assert_eq!(server.post(&format!("{client}/review"), &review(game, 100)).status, 204);
    until(&mut events, "done");
    let view = server.get(&format!("{client}/review/view")).json();
    let h3 = &view["game"]["data"]["positions"][1];
    assert_eq!((&h3["name"], &h3["missed"]), (&json!("1. h3"), &json!("misses mate in 1")));
    let overview = view["game"]["overview"].as_str().unwrap();
    let missed: Vec<_> = overview.split("</td></tr>").map(|row| row.rsplit('>').next()).collect();
    assert_eq!(missed[..2], [Some("1"), Some("0")], "one missed mate, of White");
    let start = &view["position"];
    let before = json!({ "fen": start["fen"], "chess960": false, "moves": [] });
    let answer = |text: &str| {
        let asked = json!({ "position": before, "move": text, "milliseconds": 100 });
        server.post(&format!("{client}/judge"), &asked).json()
    };
    assert_eq!(answer("g3")["missed"], "misses mate in 1");
    assert_eq!(answer("Rb8#")["missed"], Value::Null);
}

#[test]
fn a_closed_request_for_a_verdict_frees_its_place() {
    let server = Server::start(&[]);
    let client = server.client();
    let asked = |milliseconds: u64| {
        let position = json!({ "fen": START, "chess960": false, "moves": [] });
        json!({ "position": position, "move": "e4", "milliseconds": milliseconds })
    };
    let (path, body) = (format!("{client}/judge"), asked(30_000).to_string());
    let mut stream = server.connect();
    let head = format!("POST {path} HTTP/1.1\r\nhost: {}\r\n", server.address);
    let kind = format!("content-type: application/json\r\ncontent-length: {}", body.len());
    stream.write_all(format!("{head}{kind}\r\n\r\n{body}").as_bytes()).unwrap();
    let status = || server.post(&path, &asked(1)).status;
    eventually("the first answer is judged", || status() == 422);
    drop(stream);
    eventually("the next one is judged", || status() == 200);
}

#[test]
fn work_stops_at_once_and_only_one_task_runs_at_a_time() {
    let server = Server::start(&["--threads", "1"]);
    let client = server.client();
    let mut events = server.events(&client);
    let long = review(FOOLS_MATE, 30_000);
    assert_eq!(server.post(&format!("{client}/review"), &long).status, 204);
    until(&mut events, "running");
    let refused = server.post(&format!("{client}/review"), &long);
    assert_eq!(refused.status, 422);
    assert!(refused.json()["error"].as_str().unwrap().contains("already running"));
    server.post(&format!("{client}/work/stop"), &Value::Null);
    until(&mut events, "stopped");
    assert_eq!(server.post(&format!("{client}/suite"), &long_suite()).status, 204);
    until(&mut events, "running");
    server.post(&format!("{client}/work/stop"), &Value::Null);
    until(&mut events, "stopped");
}

#[test]
fn work_that_waits_for_a_thread_can_be_stopped() {
    let server = Server::start(&["--threads", "1"]);
    let [first, second] = [(), ()].map(|()| server.client());
    let (mut busy, mut waiting) = (server.events(&first), server.events(&second));
    server.post(&format!("{first}/suite"), &long_suite());
    until(&mut busy, "running");
    server.post(&format!("{second}/review"), &review(FOOLS_MATE, 50));
    // It reports this stage even if the suite lets it run before its own position.
    until(&mut waiting, "waiting");
    server.post(&format!("{second}/work/stop"), &Value::Null);
    until(&mut waiting, "stopped");
    // Stopping one task does not stop the next.
    server.post(&format!("{first}/work/stop"), &Value::Null);
    until(&mut busy, "stopped");
    server.post(&format!("{second}/review"), &review(FOOLS_MATE, 50));
    until(&mut waiting, "done");
}

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n\
    6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Kf1; id \"impossible\";\n";

#[test]
fn a_suite_is_solved_row_by_row_and_has_a_report() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    // Longer than the interval between events, so that the rows arrive one by one.
    let suite = json!({ "name": "../folder/a.epd", "epd": SUITE, "milliseconds": 400 });
    server.post(&format!("{client}/suite"), &suite);
    let solved = RefCell::new(Vec::new());
    events.wait_for("work", |work| {
        let rows = work["rows"].as_array().unwrap();
        solved.borrow_mut().extend(rows.iter().map(|row| row["solved"].clone()));
        work["stage"] == "done"
    });
    assert_eq!(*solved.borrow(), [json!(true), json!(false)]);
    let all = server.events(&client).wait_for("work", |work| work["stage"] == "done");
    assert_eq!(all["rows"].as_array().unwrap().len(), 2, "to one who listens only now");
    assert!(server.get(&format!("{client}/suite/page")).body.contains("back rank"));
    for wrong in ["", "no position"] {
        let suite = json!({ "name": "a.epd", "epd": wrong, "milliseconds": 50 });
        server.post(&format!("{client}/suite"), &suite);
        let failed = until(&mut events, "failed");
        assert!(failed["error"].as_str().unwrap().contains("0 positions"), "{failed}");
    }
}

#[test]
fn a_review_and_a_suite_keep_separate_files() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let suite = json!({ "name": "a.epd", "epd": SUITE, "milliseconds": 50 });
    server.post(&format!("{client}/review"), &review(FOOLS_MATE, 20));
    until(&mut events, "done");
    server.post(&format!("{client}/suite"), &suite);
    events.wait_for("work", |work| work["kind"] == "suite" && work["stage"] == "done");
    assert!(server.get(&format!("{client}/review/pgn")).body.contains("1. f3"));
    assert!(!server.get(&format!("{client}/review/page")).body.contains("back rank"));
    assert!(server.get(&format!("{client}/suite/page")).body.contains("back rank"));
    // A second suite replaces only the first suite.
    server.post(&format!("{client}/suite"), &long_suite());
    assert_eq!(server.get(&format!("{client}/suite/page")).status, 404);
    assert_eq!(server.get(&format!("{client}/review/pgn")).status, 200);
}

#[test]
fn a_game_with_variations_is_parsed_and_written_again() {
    let server = Server::start(&[]);
    let moves = "1. e4 e5 (1... c5 2. Nf3 Ke3) 2. f4 { and now } 2... -- 3. fxe5 *";
    let text = format!("[White \"A\"]\n\n{moves}\n\n[White \"B\"]\n\n1. d4 *\n");
    let plain = [("content-type", "text/plain")];
    let read = |number: usize| {
        server.request("POST", &format!("/api/games?game={number}"), &plain, &text).json()
    };
    assert_eq!(read(1)["nodes"][0]["san"], "d4");
    let game = read(0);
    assert_eq!(game["titles"].as_array().unwrap().len(), 2);
    let nodes: Vec<Value> = (game["nodes"].as_array().unwrap().iter())
        .map(|it| json!({ "parent": it["parent"], "uci": it["uci"], "annotations": it["annotations"] }))
        .collect();
    let written = json!({ "fen": START, "chess960": false, "tags": game["tags"], "result": "*",
        "annotations": game["annotations"], "nodes": nodes });
    let pgn = server.post("/api/pgn", &written);
    assert!(pgn.body.contains(moves), "{}", pgn.body);
    let second = server.request("POST", "/api/games", &plain, "1. e4 Ke4 *\n\n1. c4 *").json();
    assert_eq!((&second["game"], &second["nodes"][0]["san"]), (&json!(1), &json!("c4")));
    let broken = server.request("POST", "/api/games", &plain, "1. e4 Ke4 *");
    assert!(broken.status == 422 && broken.json()["error"].as_str().unwrap().contains("line 1"));
}

#[test]
fn the_page_inside_a_search_is_separate() {
    let server = Server::start(&[]);
    let fen = START.replace(' ', "%20");
    let page = server.get(&format!("/inside?fen={fen}"));
    assert!(page.status == 200 && page.body.to_lowercase().contains("negascout"), "{}", page.head);
    assert!(page.header("content-security-policy").unwrap().contains("'nonce-"));
    assert_eq!(server.get("/inside?fen=nonsense").status, 422);
}
