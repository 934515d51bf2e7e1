//! Limits of connections: no client keeps others out.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::http::Server;

/// More connections than one address may have.
const MANY: usize = 256;
/// A newcomer waits at most this time.
const MAX_DELAY: Duration = Duration::from_secs(10);

/// Opens connections that send these requests and never read.
fn never_reading(server: &Server, requests: &str) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = server.connect();
        stream.set_nonblocking(true).unwrap();
        // The server may close the connection before all is sent.
        let _ = stream.write(requests.as_bytes());
        stream
    };
    (0..MANY).map(open).collect()
}

/// Checks that a newcomer gets an answer in time, with the path and the status of the answer.
fn assert_newcomer_is_served(server: &Server, path: &str, status: u16) {
    let begin = Instant::now();
    let answer = server.get(path);
    assert_eq!(answer.status, status, "{}", answer.head);
    assert!(begin.elapsed() < MAX_DELAY, "{:?}", begin.elapsed());
}

#[test]
fn connections_that_never_read_their_answers_do_not_keep_a_newcomer_out() {
    let server = Server::start(&[]);
    let request = format!("GET /script.js HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let held = never_reading(&server, &request.repeat(300));
    assert_newcomer_is_served(&server, "/", 200);
    drop(held);
}

#[test]
fn refused_connections_do_not_keep_a_newcomer_out() {
    let server = Server::start(&["--listen", "0.0.0.0"]);
    let (_, key) = server.link.split_once("/?").expect("a secret");
    let held = never_reading(&server, &"GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n".repeat(300));
    assert_newcomer_is_served(&server, &format!("/?{key}"), 200);
    drop(held);
}

#[test]
fn half_sent_requests_do_not_keep_a_newcomer_out() {
    let server = Server::start(&[]);
    let head = format!("POST /api/games HTTP/1.1\r\nhost: {}\r\n", server.address);
    for half in [
        "GET / HTTP/1.1\r\nho".to_owned(),
        format!("{head}content-type: text/plain\r\ncontent-length: 1000\r\n\r\n1. e4"),
        String::new(),
    ] {
        let held = never_reading(&server, &half);
        assert_newcomer_is_served(&server, "/", 200);
        drop(held);
    }
}

#[test]
fn a_refused_connection_is_closed_after_one_answer() {
    let server = Server::start(&[]);
    let answers = server.raw(&b"GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n".repeat(3));
    assert_eq!(answers.matches("HTTP/1.1 403").count(), 1, "{answers}");
}

#[test]
fn a_connection_is_closed_after_a_thousand_requests() {
    let server = Server::start(&[]);
    let request = format!("GET /nothing HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    let mut stream = server.connect();
    let mut sender = stream.try_clone().unwrap();
    let sent = std::thread::spawn(move || sender.write_all(request.repeat(1001).as_bytes()));
    let mut answers = Vec::new();
    let _ = stream.read_to_end(&mut answers);
    let _ = sent.join();
    let answers = String::from_utf8_lossy(&answers);
    assert_eq!(answers.matches("HTTP/1.1 404").count(), 1000);
    assert_eq!(answers.matches("connection: close").count(), 1);
}

#[test]
fn an_idle_connection_is_closed() {
    let server = Server::start(&[]);
    let mut stream = server.connect();
    let request = format!("GET /nothing HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    // Reads to the end of the connection; the helper's timeout would fail this.
    stream.read_to_string(&mut answer).expect("the server closes the connection");
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[test]
fn the_fifth_event_stream_of_a_client_ends_the_first() {
    let server = Server::start(&[]);
    let client = server.client();
    let mut streams = Vec::new();
    for _ in 0..5 {
        let mut events = server.events(&client);
        events.wait_for("analysis", |_| true);
        streams.push(events);
    }
    // The end of the chunks.
    let mut rest = String::new();
    while rest != "0\r\n" {
        rest.clear();
        assert!(streams[0].lines.read_line(&mut rest).unwrap() > 0, "it ends in order");
    }
    server.post(&format!("{client}/game"), &super::game("black", "standard".into()));
    streams[1].wait_for("game", |game| !game["plies"].as_array().unwrap().is_empty());
}

#[test]
fn pages_can_share_an_event_stream() {
    let server = Server::start(&[]);
    let clients = [server.client(), server.client()];
    let ids = clients.each_ref().map(|client| client.rsplit('/').next().unwrap());
    let mut stream = server.connect();
    let path = format!("/api/events?clients={},{},abc", ids[0], ids[1]);
    let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let mut next = |name: &str, id: &str| {
        let is_name = |line: &String| *line == format!("event: {name}");
        loop {
            lines.find(is_name).expect("an event");
            if lines.next().unwrap() == format!("data: {id}") {
                let data = lines.next().unwrap();
                let json = data.strip_prefix("data: ").unwrap();
                return serde_json::from_str::<Value>(json).unwrap();
            }
        }
    };
    assert_eq!(next("gone", "abc"), Value::Null);
    for (client, id) in clients.iter().zip(ids) {
        server.post(&format!("{client}/game"), &super::game("white", "standard".into()));
        assert_eq!(next("game", id)["person"], "white");
    }
    for wrong in ["", "x", "ab%0Acd"] {
        assert_eq!(server.get(&format!("/api/events?clients={wrong}")).status, 400, "{wrong}");
    }
}
