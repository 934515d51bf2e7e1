//! `outrider lab` as a program.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

/// A smallest uniform tree in which NegaScout evaluates fewer leaves than alpha-beta: only p.2.1.2,
/// leaf 5, is saved.
pub const SAVES_A_LEAF: &str = "[[[5 1] [8 9]] [[7 4] [3 2]]]";

/// Runs a command of the laboratory in a directory, with a standard input.
pub fn lab(directory: &Path, arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .arg("lab")
        .args(arguments)
        .current_dir(directory)
        .env("RUST_BACKTRACE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = program.stdin.take().expect("the input is a pipe");
    let input = input.to_owned();
    // The program may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = program.wait_with_output().expect("the program ends");
    writer.join().expect("the input was written");
    output
}

/// Returns standard output or error as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}
