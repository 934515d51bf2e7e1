use std::io::Write as _;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::long_suite;
use crate::support::http::{Server, eventually};

#[test]
fn the_page_has_a_strict_policy_and_no_inline_scripts_or_styles() {
    let server = Server::start(&[]);
    let page = server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let own_data = "<script type=\"application/json\"";
    let scripts = page.body.matches("<script").count();
    assert_eq!(
        page.body.matches("<script type=\"module\" src=\"/").count()
            + page.body.matches(own_data).count(),
        scripts
    );
    for inline in ["<style", " style=", " onclick=", "http://", "https://", "javascript:"] {
        assert!(!page.body.contains(inline), "{inline}");
    }
    for (path, kind) in [("/script.js", "text/javascript"), ("/style.css", "text/css")] {
        let file = server.get(path);
        assert!(file.status == 200 && file.header("content-type").unwrap().starts_with(kind));
    }
}

#[test]
fn other_host_names_and_other_sites_are_rejected() {
    let server = Server::start(&[]);
    let port = server.address.port();
    let rebound = format!("evil.example:{port}");
    for headers in [
        [("host", rebound.as_str())],
        [("origin", "http://evil.example")],
        [("origin", "null")],
        [("sec-fetch-site", "cross-site")],
    ] {
        let answer = server.request("POST", "/api/clients", &headers, "");
        assert_eq!(answer.status, 403, "{headers:?}");
    }
    assert_eq!(server.request("GET", "/", &[("host", &rebound)], "").status, 403);
    let named = format!("localhost:{port}");
    assert_eq!(server.request("GET", "/", &[("host", &named)], "").status, 200);
}

#[test]
fn beyond_the_loopback_every_request_needs_the_secret_of_the_link() {
    let server = Server::start(&["--listen", "0.0.0.0"]);
    let (_, key) = server.link.split_once("/?").expect("a secret");
    assert!(key.len() > 64, "{key}");
    for path in ["/", "/script.js", "/api/clients", "/nothing", "/?key=1"] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.body.contains("<html")), (403, false), "{path}");
    }
    let page = server.get(&format!("/?{key}"));
    assert_eq!(page.status, 200);
    let cookie = page.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    assert_eq!(server.request("POST", "/api/clients", &[("cookie", pair)], "").status, 200);
    let other = pair.replace(|digit| ('0'..='8').contains(&digit), "9");
    assert_eq!(server.request("POST", "/api/clients", &[("cookie", &other)], "").status, 403);
}

#[test]
fn too_long_and_malformed_requests_are_rejected_and_the_server_continues() {
    let server = Server::start(&[]);
    let client = server.client();
    let long = json!({ "move": "e4".repeat(100_000) });
    assert_eq!(server.post(&format!("{client}/game/move"), &long).status, 413);
    let large = "x".repeat((4 << 20) + 1);
    let plain = [("content-type", "text/plain")];
    let games = server.request("POST", "/api/games", &plain, &large);
    let review = json!({ "pgn": large, "game": 0, "milliseconds": 100 });
    for answer in [games, server.post(&format!("{client}/review"), &review)] {
        assert_eq!(answer.status, 413);
        let said = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(said.contains("a file has at most 4 MB"), "{said}");
    }
    let header =
        format!("GET / HTTP/1.1\r\nhost: {}\r\nx: {}\r\n\r\n", server.address, "x".repeat(200_000));
    let answer = server.raw(header.as_bytes());
    assert!(answer.is_empty() || answer.contains("431"), "{answer}");
    assert!(server.raw(b"\x16\x03\x01\x02\x00\xff nonsense\r\n\r\n").contains("400"));
    for body in ["{", "[]", "{\"move\":1}", "{\"move\":\"e4\",\"more\":1}"] {
        let answer = server.request("POST", &format!("{client}/game/move"), &[], body);
        assert!((400..=422).contains(&answer.status), "{body}: {}", answer.status);
        assert!(answer.json()["error"].is_string());
    }
    let answer =
        server.request("POST", &format!("{client}/game/move"), &plain, "{\"move\":\"e4\"}");
    assert_eq!(answer.status, 415);
    let answer = server.request("POST", "/api/games?game=first", &plain, "1. e4 *");
    assert!(answer.status == 400 && answer.json()["error"].is_string(), "{}", answer.body);
    for path in
        ["/../Cargo.toml", "/etc/passwd", "//etc/passwd", "/%2e%2e/Cargo.toml", "/api/clients/../x"]
    {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_page_without_a_connection_can_ask_if_it_is_known() {
    let server = Server::start(&[]);
    let client = server.client();
    assert_eq!(server.get(&client).status, 204);
    assert_eq!(server.get("/api/clients/another").status, 404);
}

#[test]
fn the_number_of_pages_is_limited_and_the_next_one_gets_an_error() {
    let server = Server::start(&["--sessions", "2", "--hash", "4"]);
    let clients = [server.client(), server.client()];
    let _listening = clients.each_ref().map(|client| server.events(client));
    let refused = server.post("/api/clients", &Value::Null);
    assert_eq!(refused.status, 503);
    assert!(refused.json()["error"].as_str().unwrap().contains("all 2 sessions are in use"));
    server.post(&format!("{}/leave", clients[0]), &Value::Null);
    assert_eq!(server.post("/api/clients", &Value::Null).status, 200);
    assert_eq!(server.get(&clients[0]).status, 404, "its place is taken");
}

#[test]
fn a_reloaded_page_keeps_its_place() {
    let server = Server::start(&["--sessions", "1", "--hash", "2"]);
    let client = server.client();
    server.post(&format!("{client}/leave"), &Value::Null);
    let mut events = server.events(&client);
    events.wait_for("analysis", |_| true);
    assert_eq!(server.post("/api/clients", &Value::Null).status, 503);
    assert_eq!(server.get(&client).status, 204);
}

#[test]
fn too_little_memory_for_the_pages_is_an_error_at_the_start() {
    let refused = |hash, code, reason| {
        let program = env!("CARGO_BIN_EXE_outrider");
        let arguments = ["serve", "--port", "0", "--sessions", "5", "--hash", hash];
        let output = Command::new(program).args(arguments).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(message.contains(reason), "{message}");
    };
    refused("8", 2, "8 MB are less than 2 MB for each");
    refused("99999999", 1, "a hash of 99999999 MB does not fit");
}

#[test]
fn the_error_for_a_port_in_use_names_a_free_one() {
    let server = Server::start(&[]);
    let port = server.address.port().to_string();
    let output =
        Command::new(env!("CARGO_BIN_EXE_outrider")).args(["serve", "--port", &port]).output();
    let output = output.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains(&format!("port {port} is in use")), "{said}");
    assert!(said.contains("the next free one is"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_even_during_work() {
    let mut server = Server::start(&[]);
    let client = server.client();
    let mut events = server.events(&client);
    server.post(&format!("{client}/suite"), &long_suite());
    events.wait_for("work", |work| work["stage"] == "running");
    let pid = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    // Much earlier than the minute that the suite takes.
    let end = Instant::now() + Duration::from_secs(20);
    let code = loop {
        match server.child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None => assert!(Instant::now() < end, "it waits for what is under way"),
        }
        thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(code, Some(0));
}

/// Returns the numbers of threads and open files of a process.
#[cfg(target_os = "linux")]
fn threads_and_files(pid: u32) -> (usize, usize) {
    let entries = |folder| std::fs::read_dir(format!("/proc/{pid}/{folder}")).unwrap().count();
    (entries("task"), entries("fd"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_vanished_clients_leave_no_threads_or_connections() {
    let server = Server::start(&["--sessions", "2"]);
    let pid = server.child.id();
    let client = server.client();
    assert_eq!(server.get("/").status, 200);
    let before = threads_and_files(pid);
    for number in 0..100 {
        let mut stream = server.connect();
        let host = server.address;
        let garbage = match number % 4 {
            0 => String::new(),
            1 => "\u{0}\u{1}\u{2}garbage".to_owned(),
            2 => format!(
                "POST {client}/game HTTP/1.1\r\nhost: {host}\r\ncontent-length: 999\r\n\r\n{{"
            ),
            _ => format!("GET {client}/events HTTP/1.1\r\nhost: {host}\r\n\r\n"),
        };
        stream.write_all(garbage.as_bytes()).unwrap();
    }
    eventually("all is given back", || threads_and_files(pid) <= before);
    assert_eq!(server.get("/").status, 200);
}
