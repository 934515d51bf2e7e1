//! `outrider serve` as a browser sees it: bytes over a socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::engine::PATIENCE;

/// A running server. Dropping it kills the process.
pub struct Server {
    pub child: Child,
    /// The line that it printed.
    pub link: String,
    /// Address to connect to.
    pub address: SocketAddr,
}

/// Answer of a server.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    /// Returns the value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines();
        lines
            .filter_map(|line| line.split_once(": "))
            .find_map(|(it, value)| (it == name).then_some(value))
    }
}

impl Server {
    /// Starts a server at a free port.
    pub fn start(arguments: &[&str]) -> Server {
        Server::start_at(0, arguments)
    }

    pub fn start_at(port: u16, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_outrider"))
            .args(["serve", "--port", &port.to_string()])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut link = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut link).expect("a line");
        let link = link.trim().to_owned();
        let place = link.trim_start_matches("http://").split('/').next().expect("an address");
        let port = place.rsplit(':').next().expect("a port").parse().expect("a number");
        Server { child, link, address: SocketAddr::from(([127, 0, 0, 1], port)) }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server takes connections");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Sends bytes; returns the answer until the end of the connection, if there is one.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server may close the connection before all is sent, if it has received enough.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request with these headers and the required ones.
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let own = format!("{}", self.address);
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        let is_given = |name: &str| headers.iter().any(|(given, _)| *given == name);
        if !is_given("host") {
            head += &format!("host: {own}\r\n");
        }
        if !body.is_empty() && !is_given("content-type") {
            head += "content-type: application/json\r\n";
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let answer =
            self.raw(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.request("POST", path, &[], &body)
    }

    /// Registers a new client; returns the path of its resources.
    pub fn client(&self) -> String {
        let answer = self.post("/api/clients", &Value::Null);
        assert_eq!(answer.status, 200, "{}", answer.body);
        format!("/api/clients/{}", answer.json()["id"].as_str().expect("a name"))
    }

    /// Listens to the events of a client.
    pub fn events(&self, client: &str) -> Events {
        let mut stream = self.connect();
        let request = format!("GET {client}/events HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).expect("the server reads");
        Events { lines: BufReader::new(stream) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Events that the server sends to a client.
pub struct Events {
    pub lines: BufReader<TcpStream>,
}

impl Events {
    /// Waits for an event with this name for which `fits` is true.
    pub fn wait_for(&mut self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        let mut is_named = false;
        let mut last = String::new();
        while Instant::now() < until {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line);
            assert!(read.is_ok_and(|bytes| bytes > 0), "no more events; the last was {last}");
            if let Some(event) = line.trim_end().strip_prefix("event: ") {
                is_named = event == name;
            } else if let Some(data) = line.trim_end().strip_prefix("data: ").filter(|_| is_named) {
                let value = serde_json::from_str(data).expect("JSON");
                if fits(&value) {
                    return value;
                }
                data.clone_into(&mut last);
            }
        }
        panic!("no such event; the last was {last}");
    }
}

/// Waits until a condition is true, or fails.
pub fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
