//! `lab experiment` as a program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn experiment(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["lab", "experiment"])
        .args(arguments)
        .arg("--output")
        .arg(directory)
        .output()
        .expect("the program runs")
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("there is room for a directory")
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).expect("the file was written")
}

#[test]
fn table_chart_and_times_if_any_are_written_and_named() {
    let output = directory();
    let inside = output.path().join("new/one");
    let ran = experiment(&["refutation-wall", "--trees", "2", "--seed", "5"], &inside);
    assert_eq!(ran.status.code(), Some(0));
    let said = String::from_utf8(ran.stdout).expect("the output is text");
    assert!(said.contains("refutation-wall.csv") && said.contains("refutation-wall.svg"), "{said}");
    assert!(said.starts_with("the paper: "), "{said}");
    let table = read(&inside, "refutation-wall.csv");
    let mut lines = table.lines();
    let header = "order,width,depth,distance,trees,nodes,mean_nodes,percent_of_largest";
    assert_eq!(lines.next(), Some(header));
    // Two orders, four sizes, fifty windows.
    assert_eq!(lines.count(), 2 * 4 * 50);
    assert!(table.lines().skip(1).all(|line| line.split(',').nth(4) == Some("2")));
    let chart = read(&inside, "refutation-wall.svg");
    assert!(chart.starts_with("<svg") && chart.contains("strongly ordered trees"));
    assert!(!inside.join("refutation-wall-times.csv").exists());
    let other_seed = experiment(&["refutation-wall", "--trees", "2", "--seed", "6"], &inside);
    assert_eq!(other_seed.status.code(), Some(0));
    assert_ne!(table, read(&inside, "refutation-wall.csv"), "the seed counts");
    let timed = experiment(&["execution-time", "--trees", "1", "--threads", "2"], &inside);
    assert_eq!(timed.status.code(), Some(0));
    assert!(read(&inside, "execution-time-times.csv").contains("milliseconds"));
}

#[test]
fn the_error_for_an_unknown_experiment_lists_the_known_ones() {
    let output = directory();
    let ran = experiment(&["reinefeld-1984"], output.path());
    assert_eq!(ran.status.code(), Some(2));
    let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
    assert!(complaint.contains("reinefeld-1983, path-refinement, refutation-wall"), "{complaint}");
}

#[test]
fn wrong_numbers_are_errors() {
    let output = directory();
    for arguments in [["--trees", "0"], ["--threads", "0"], ["--seed", "many"]] {
        let ran = experiment(&[&["scout-ratio"][..], &arguments].concat(), output.path());
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn more_chess_positions_than_available_are_an_error() {
    let output = directory();
    for name in ["chess-algorithms", "chess-enhancements"] {
        let ran = experiment(&[name, "--trees", "79"], output.path());
        let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
        assert_eq!(ran.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains("there are only 78 positions: use --trees 78"), "{complaint}");
        assert_eq!(fs::read_dir(output.path()).expect("a directory").count(), 0);
    }
}

#[test]
fn a_directory_that_cannot_be_written_is_reported_before_the_search() {
    let output = directory();
    let file = output.path().join("taken");
    fs::write(&file, "").expect("the file can be written");
    // A million trees would take hours.
    let ran = experiment(&["reinefeld-1983", "--trees", "1000000"], &file);
    assert_eq!(ran.status.code(), Some(1));
    let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
    assert!(complaint.contains(&format!("cannot write {}", file.display())), "{complaint}");
}
