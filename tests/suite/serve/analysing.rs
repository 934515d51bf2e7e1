use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::START;
use crate::support::http::Server;

fn request(moves: &[&str], lines: usize) -> Value {
    let position = json!({ "fen": START, "chess960": false, "moves": moves });
    json!({ "position": position, "lines": lines, "threads": 1, "megabytes": 4 })
}

fn lines(analysis: &Value) -> usize {
    analysis["lines"].as_array().map_or(0, Vec::len)
}

#[test]
fn an_analysis_sends_lines_until_it_is_stopped() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    let answer = server.post(&format!("{client}/analysis"), &request(&["e2e4"], 3));
    assert_eq!(answer.status, 204, "{}", answer.body);
    let analysis = events.wait_for("analysis", |analysis| {
        lines(analysis) == 3 && analysis["lines"][0]["depth"].as_i64() > Some(5)
    });
    let best = &analysis["lines"][0];
    assert_eq!(best["moves"][0]["number"], "1...");
    assert_eq!(best["wdl"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 1000);
    assert!(analysis["fen"].as_str().unwrap().contains(" b "));
    server.post(&format!("{client}/analysis/stop"), &Value::Null);
    events.wait_for("analysis", |analysis| analysis["activity"] == "off");
}

#[test]
fn a_refused_position_ends_the_analysis_of_the_previous_one() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/analysis"), &request(&[], 1));
    events.wait_for("analysis", |analysis| analysis["activity"] == "searching");
    let refused = server.post(&format!("{client}/analysis"), &request(&["e2e5"], 1));
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert!(refused.body.contains("e2e5") && !refused.body.contains("kept"), "{}", refused.body);
    events.wait_for("analysis", |analysis| analysis["activity"] == "off");
}

#[test]
fn pages_that_share_one_thread_take_turns() {
    let server = Server::start(&["--threads", "1"]);
    let mut both = [(), ()].map(|()| {
        let client = server.client();
        let events = server.events(&client);
        server.post(&format!("{client}/analysis"), &request(&[], 1));
        events
    });
    let has_line = |analysis: &Value| lines(analysis) == 1;
    both[0].wait_for("analysis", has_line);
    both[1].wait_for("analysis", has_line);
    both[0].wait_for("analysis", |analysis| analysis["activity"] == "searching");
}

#[test]
fn an_analysis_without_a_listener_ends_after_a_while() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/analysis"), &request(&[], 1));
    events.wait_for("analysis", |analysis| analysis["activity"] == "searching");
    drop(events);
    // A page that listens again would keep it, so the test waits.
    thread::sleep(Duration::from_secs(20));
    server.events(&client).wait_for("analysis", |analysis| analysis["activity"] == "off");
}

#[test]
fn legal_moves_of_a_position_are_reported_and_wrong_positions_are_errors() {
    let server = Server::start(&[]);
    let position = |moves: &[&str]| server.post("/api/position", &request(moves, 1)["position"]);
    let read = position(&["e2e4", "e7e5"]).json();
    assert_eq!(read["position"]["moves"].as_array().unwrap().len(), 29);
    let refused = position(&["e2e4", "e2e4"]);
    assert_eq!(refused.status, 422);
    assert!(refused.json()["error"].as_str().unwrap().contains("move 2"), "{}", refused.body);
}
