//! An engine as a GUI sees it: a process with lines of input and output.
//!
//! A thread reads the output, so that no test waits forever: a test that expects a line that does
//! not come fails with the output so far.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Maximum time for an immediate answer on a busy machine, also of a program under a sanitizer, which
/// is some twenty times slower.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine. Dropping it kills the process.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    received: RefCell<Vec<String>>,
}

/// Output of an engine from `go` to `bestmove`.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Lines before `bestmove`.
    pub lines: Vec<String>,
    /// The move to play; `None` for `bestmove (none)`.
    pub best: Option<String>,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
}

impl Engine {
    /// Starts the engine of this package.
    pub fn outrider() -> Engine {
        Engine::start(&mut Command::new(env!("CARGO_BIN_EXE_outrider")))
    }

    /// Starts an engine.
    pub fn start(command: &mut Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let stdout = child.stdout.take().expect("a pipe");
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                // A line that is not UTF-8 must fail the test that waits for it.
                let line = line.unwrap_or_else(|error| format!("unreadable: {error}"));
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let input = child.stdin.take();
        Engine { child, input, output, errors: Some(errors), received: RefCell::default() }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends any bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input was not closed");
        let sent = input.write_all(bytes).and_then(|()| input.flush());
        sent.unwrap_or_else(|error| panic!("the engine does not listen: {error}"));
    }

    /// Returns the next line before `deadline`; `None` if none comes or the engine has ended.
    fn line_until(&self, deadline: Instant) -> Option<String> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(line) => {
                self.received.borrow_mut().push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads up to the first line for which `wanted` is true; returns all lines including it.
    pub fn read_to(&self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        while let Some(line) = self.line_until(deadline) {
            lines.push(line);
            if lines.last().is_some_and(|line| wanted(line)) {
                return lines;
            }
        }
        let received = self.received.borrow();
        panic!(
            "no {what} came; the last lines were {:#?}",
            &received[received.len().saturating_sub(8)..]
        );
    }

    /// Returns all lines of output during this time.
    pub fn lines_during(&self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        std::iter::from_fn(|| self.line_until(deadline)).collect()
    }

    /// Waits until the engine is ready; returns its output before that.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.read_to("readyok", |line| line == "readyok");
        lines.pop();
        lines
    }

    /// Sends a line that starts no search; returns the answer of the engine.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
    }

    /// Sends a line that must have no answer.
    pub fn send_unanswered(&mut self, line: &str) {
        let said = self.ask(line);
        assert!(said.is_empty(), "{line} was answered with {said:#?}");
    }

    /// Searches and waits for the best move.
    pub fn search(&mut self, go: &str) -> Answer {
        self.send(go);
        self.answer()
    }

    /// Waits for the best move.
    pub fn answer(&self) -> Answer {
        let mut lines = self.read_to("bestmove", |line| line.starts_with("bestmove"));
        let last = lines.pop().unwrap_or_default();
        let words: Vec<_> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", "(none)"] => (None, None),
            ["bestmove", best] => (Some(best.to_owned()), None),
            ["bestmove", best, "ponder", reply] => (Some(best.to_owned()), Some(reply.to_owned())),
            _ => panic!("\"{last}\" is no bestmove line"),
        };
        Answer { lines, best, ponder }
    }

    /// Closes the engine's standard input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process to end, and checks that it ends by itself without errors.
    pub fn assert_ends(mut self) {
        let deadline = Instant::now() + PATIENCE;
        let status = self.wait_until(deadline).expect("the process ends");
        let errors = self.errors.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        assert!(status.success(), "ended with {status}: {errors}");
        assert_eq!(errors, "", "nothing is wrong");
    }

    /// Sends `quit` and checks that the engine ends without errors.
    pub fn quit(mut self) {
        self.send("quit");
        self.assert_ends();
    }

    fn wait_until(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            let status = self.child.try_wait().expect("the process can be asked");
            if status.is_some() || Instant::now() > deadline {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Both fail only if the process has already ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
