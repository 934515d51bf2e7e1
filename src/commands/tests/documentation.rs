//! Tests that the help and the documentation show valid commands.

use std::ffi::OsString;

use super::*;

const README: &str = include_str!("../../../README.md");

/// Splits a line into words like a shell, up to a redirection, a pipe or a remark.
fn words(line: &str) -> Vec<OsString> {
    let ends = ["  ", " #", " > ", " | "];
    let line = ends.iter().fold(line, |line, end| line.split(end).next().unwrap_or(line));
    let quoted = line.split('"').enumerate();
    let words = quoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(part)],
    });
    words.collect()
}

/// Returns the example calls in the help of a command and of its subcommands.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().map(|line| line.trim_start_matches("Example: ").trim());
    let own = lines.filter(|line| line.starts_with("outrider")).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(examples)).collect()
}

#[test]
fn every_example_of_the_help_is_valid() {
    let examples = examples(&Cli::command());
    let commands = Cli::command();
    let names = commands.get_subcommands().map(|command| command.get_name());
    for command in names.filter(|&name| name != "spsa") {
        let shown = |line: &String| {
            words(line)
                .get(1)
                .is_some_and(|word| word.to_string_lossy().split(' ').next() == Some(command))
        };
        assert!(examples.iter().any(shown), "no example of {command}");
    }
    for example in examples {
        let taken = Cli::try_parse_from(genfens::split_request(words(&example).into_iter()));
        // A call for help is a parser error with exit code 0.
        let code = taken.as_ref().map_or_else(clap::Error::exit_code, |_| 0);
        assert_eq!(code, 0, "{example}: {}", taken.unwrap_err());
    }
}

#[test]
fn the_readme_lists_exactly_the_commands_of_the_help() {
    let listed = README.lines().filter_map(|line| line.strip_prefix("| `outrider "));
    let mut listed: Vec<&str> = listed.filter_map(|rest| rest.split('`').next()).collect();
    let cli = Cli::command();
    let mut known: Vec<&str> = cli.get_subcommands().map(|command| command.get_name()).collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}

/// Returns the lines of the shell blocks of a page.
fn shell_lines(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("sh\n")).flat_map(str::lines)
}

#[test]
fn every_command_in_the_documentation_is_valid() {
    const PROTOCOL: &str = include_str!("../../protocol/uci/README.md");
    const LABORATORY: &str = include_str!("../../laboratory/README.md");
    let training = include_str!("../../tools/training/mod.rs").replace("//! ", "");
    let lines: Vec<&str> =
        [README, PROTOCOL, LABORATORY, &training].into_iter().flat_map(shell_lines).collect();
    let commands: Vec<&str> =
        lines.into_iter().filter(|line| line.starts_with("outrider")).collect();
    assert!(training.contains("outrider material-network"));
    assert!(commands.len() > 10, "{commands:?}");
    for line in commands {
        let taken = Cli::try_parse_from(words(line));
        assert!(taken.is_ok(), "{line}: {}", taken.unwrap_err());
    }
}
