//! What the pages for readers say about the program is true of the program.

use clap::{CommandFactory as _, Parser as _};
use outrider::commands::Cli;
use outrider::uci::options::Options;

const README: &str = include_str!("../../README.md");
const PROTOCOL: &str = include_str!("../../src/uci/README.md");
#[cfg(feature = "tools")]
const LABORATORY: &str = include_str!("../../src/laboratory/README.md");

/// The lines of a page's blocks for the shell.
fn shell_lines(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("sh\n")).flat_map(str::lines)
}

/// The words of a line, as the shell would give them to a program: the pages quote none.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" #").next().expect("a first part");
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_readme_is_short() {
    assert!(README.lines().count() <= 200, "{} lines", README.lines().count());
    assert!(README.len() <= 14_000, "{} bytes", README.len());
}

#[test]
#[cfg(feature = "tools")]
fn the_readme_lists_every_command_of_the_help_and_no_other() {
    let listed = README.lines().filter_map(|line| line.strip_prefix("| `outrider "));
    let mut listed: Vec<&str> = listed.filter_map(|rest| rest.split('`').next()).collect();
    let cli = Cli::command();
    let mut known: Vec<&str> = cli.get_subcommands().map(|command| command.get_name()).collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
#[cfg(feature = "tools")]
fn the_program_takes_every_command_that_the_pages_show() {
    let lines: Vec<&str> =
        [README, PROTOCOL, LABORATORY].into_iter().flat_map(shell_lines).collect();
    let commands: Vec<&str> =
        lines.into_iter().filter(|line| line.starts_with("outrider")).collect();
    assert!(commands.len() > 10, "{commands:?}");
    for line in commands {
        let taken = Cli::try_parse_from(words(line));
        assert!(taken.is_ok(), "{line}: {}", taken.unwrap_err());
    }
}

#[test]
#[cfg(all(feature = "tools", unix))]
fn the_laboratorys_examples_run_as_they_stand() {
    use std::env;
    use std::fs;
    use std::path::Path;
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
#[cfg(not(feature = "tune"))]
fn the_protocols_page_lists_every_option_with_its_default() {
    let announced = Options::new().to_string();
    let page = PROTOCOL.replace('`', "");
    for line in announced.lines() {
        let rest = line.strip_prefix("option name ").expect("an option");
        let (name, kind) = rest.split_once(" type ").expect("a type");
        let default = kind.split_once(" default ").map_or("", |(_, rest)| rest);
        let default = default.split(' ').next().expect("a word");
        let row = format!("| {name} | {default}").trim_end().to_owned();
        assert!(page.contains(&row), "the page lacks {row:?}");
        assert!(default.is_empty() || page.contains(&format!("{row} |")), "{row:?}");
    }
    let rows = PROTOCOL.lines().skip_while(|line| !line.starts_with("## Options"));
    let rows = rows.filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, announced.lines().count());
}
