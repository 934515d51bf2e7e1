//! Statements of the pages for readers are true for the program.

use std::path::Path;

use crate::support::engine::Engine;

const README: &str = include_str!("../../README.md");
const FIRST_PAGE: &str = include_str!("../../src/lib.rs");
const PROTOCOL: &str = include_str!("../../src/protocol/uci/README.md");
const LABORATORY: &str = include_str!("../../src/laboratory/README.md");

/// Returns the lines of a page's shell blocks.
fn shell_lines(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("sh\n")).flat_map(str::lines)
}

#[test]
fn every_file_named_in_the_crate_documentation_exists() {
    let head = FIRST_PAGE.lines().map_while(|line| line.strip_prefix("//!"));
    let head: Vec<&str> = head.flat_map(|line| line.split('`').skip(1).step_by(2)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in head.iter().filter(|name| name.ends_with(".rs")) {
        let place = if name.starts_with("tests/") { "" } else { "src" };
        assert!(root.join(place).join(name).exists(), "there is no {name}");
    }
    assert!(head.contains(&"engine/search/negascout.rs"), "{head:?}");
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() <= 150, "{} lines", README.lines().count());
    assert!(README.len() <= 10_000, "{} bytes", README.len());
}

#[test]
#[cfg(unix)]
fn the_laboratorys_examples_run_unchanged() {
    use std::env;
    use std::fs;
    use std::process::Command;

    let program = Path::new(env!("CARGO_BIN_EXE_outrider"));
    let mut path = program.parent().expect("a directory").as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let directory = tempfile::tempdir().expect("a directory");
    for page in [README, LABORATORY] {
        let lines = shell_lines(page);
        let example: Vec<&str> = lines
            .filter(|line| line.starts_with("echo") || line.starts_with("outrider lab"))
            .collect();
        let ran = Command::new("sh")
            .args(["-e", "-c", &example.join("\n")])
            .env("PATH", &path)
            .current_dir(directory.path())
            .output()
            .expect("there is a shell");
        assert!(ran.status.success(), "{example:?}: {ran:?}");
    }
    let drawn = fs::read_to_string(directory.path().join("tree.svg")).expect("a drawing");
    let shown = include_str!("../../.github/negascout.svg");
    assert!(drawn == shown, "renew .github/negascout.svg by the commands of the README");
}

#[test]
fn the_protocols_example_is_the_engines_answer() {
    let timeless = |line: &str| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for timed in ["nps", "time"] {
            if let Some(at) = words.iter().position(|&word| word == timed) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    let example = PROTOCOL.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let is_answer = |line: &&str| line.starts_with("info") || line.starts_with("bestmove");
    let (wanted, commands): (Vec<&str>, Vec<&str>) =
        example.expect("an example").lines().partition(is_answer);
    let mut engine = Engine::outrider();
    commands.into_iter().for_each(|command| engine.send(command));
    let answered = engine.read_to("bestmove", |line| line.starts_with("bestmove"));
    let answered: Vec<String> = answered.iter().map(|line| timeless(line)).collect();
    let wanted: Vec<String> = wanted.into_iter().map(timeless).collect();
    assert_eq!(answered, wanted);
}

#[test]
#[cfg(not(feature = "tune"))]
fn the_protocols_page_lists_every_option_with_its_default() {
    let mut engine = Engine::outrider();
    engine.send("uci");
    let announced = engine.read_to("uciok", |line| line == "uciok");
    let options = announced.iter().filter_map(|line| line.strip_prefix("option name "));
    let options: Vec<&str> = options.collect();
    let page = PROTOCOL.replace('`', "");
    for rest in &options {
        let (name, kind) = rest.split_once(" type ").expect("a type");
        let default = kind.split_once(" default ").map_or("", |(_, rest)| rest);
        let default = default.split(' ').next().expect("a word");
        let row = format!("| {name} | {default}").trim_end().to_owned();
        assert!(page.contains(&row), "the page lacks {row:?}");
        assert!(default.is_empty() || page.contains(&format!("{row} |")), "{row:?}");
    }
    let rows = PROTOCOL.lines().skip_while(|line| !line.starts_with("## Options"));
    let rows = rows.filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, options.len());
}
