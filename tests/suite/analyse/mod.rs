//! `outrider analyse` as a program: the files it writes, and its reaction to bad input.

mod annotated;
mod files;
mod inputs;
mod lessons;
mod pages;
mod repertoire;
mod resumed;
mod stream;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const GAMES: &str = "\
[White \"Ann\"]
[Black \"Bob\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[White \"Bob\"]
[Black \"Ann\"]
[Result \"1-0\"]

1. e4 {[%clk 0:10:00]} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
";

fn outrider(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outrider"));
    command.arg("analyse").args(arguments).current_dir(directory);
    command
}

fn analyse(directory: &TempDir, games: &str, arguments: &[&str]) -> Output {
    fs::write(directory.path().join("games.pgn"), games).unwrap();
    let arguments = [&["games.pgn", "--hash", "1"], arguments].concat();
    outrider(directory.path(), &arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the output is text")
}

fn file(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn files(directory: &TempDir) -> Vec<String> {
    files_in(directory.path())
}

fn files_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
