//! An installed program: help, completions, manual pages, and the data for OpenBench.

use std::process::{Command, Output};

fn outrider(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outrider")).args(arguments).output().expect("it runs")
}

/// Returns the output of the program, which must succeed.
fn answer(arguments: &[&str]) -> String {
    let ran = outrider(arguments);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    String::from_utf8(ran.stdout).expect("text")
}

/// Returns the names of all commands, from the help's list.
fn commands() -> Vec<String> {
    let help = answer(&["help"]);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.map_while(|line| line.split_whitespace().next()).map(str::to_owned);
    let commands: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(commands.len() > 10, "{commands:?}");
    commands
}

#[test]
fn completions_for_every_shell_contain_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = answer(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        assert!(script.contains("movetime"), "{shell}");
    }
    let refused = outrider(&["completions", "teletype"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_program_and_every_command_have_a_manual_page() {
    let page = answer(&["man"]);
    assert!(page.contains(".TH outrider 1"), "{page}");
    for command in commands() {
        let name = command.replace('-', "\\-");
        assert!(page.contains(&format!("outrider\\-{name}(1)")), "{command}");
    }
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join("share/man1");
    answer(&["man", folder.to_str().expect("text")]);
    let mut names = vec!["outrider.1".to_owned(), "outrider-data-merge.1".to_owned()];
    names.extend(commands().iter().map(|command| format!("outrider-{command}.1")));
    for name in names {
        let page = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(page.contains(".TH"), "{name}");
    }
}

#[test]
fn manual_pages_that_cannot_be_written_give_one_line_and_exit_code_one() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let ran = outrider(&["man", file.to_str().expect("text")]);
    let complaint = String::from_utf8(ran.stderr).expect("text");
    assert_eq!((ran.status.code(), complaint.lines().count()), (Some(1), 1), "{complaint}");
    assert!(complaint.contains("cannot write to ") && complaint.contains("file"), "{complaint}");
}

#[test]
fn the_openbench_file_names_the_compiler_version_of_the_sources() {
    let file = include_str!("../../.github/openbench.json");
    let engine: serde_json::Value = serde_json::from_str(file).expect("JSON");
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    assert_eq!(engine["build"]["compilers"][0], format!("cargo>={wanted}.0"));
    assert!(engine["nps"].as_u64() > Some(0) && engine["private"] == false);
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(engine[presets]["default"].is_object(), "{presets}");
    }
}
