//! `lab experiment` as its users run it.

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
fn a_table_and_a_chart_are_written_and_named() {
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
}

#[test]
fn the_same_seed_gives_the_same_table_with_any_number_of_threads() {
    let table = |seed: &str, threads: &str| {
        let output = directory();
        let arguments = ["scout-ratio", "--trees", "3", "--seed", seed, "--threads", threads];
        assert_eq!(experiment(&arguments, output.path()).status.code(), Some(0));
        read(output.path(), "scout-ratio.csv")
    };
    assert_eq!(table("11", "1"), table("11", "3"));
    assert_ne!(table("11", "2"), table("12", "2"));
}

#[test]
fn times_are_written_beside_the_table() {
    let output = directory();
    let ran = experiment(&["execution-time", "--trees", "1"], output.path());
    assert_eq!(ran.status.code(), Some(0));
    assert!(read(output.path(), "execution-time-times.csv").contains("milliseconds"));
    assert!(!read(output.path(), "execution-time.csv").contains("milliseconds"));
}

#[test]
fn an_unknown_experiment_is_answered_with_the_known_ones() {
    let output = directory();
    let ran = experiment(&["reinefeld-1984"], output.path());
    assert_eq!(ran.status.code(), Some(2));
    let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
    assert!(complaint.contains("reinefeld-1983, path-refinement, refutation-wall"), "{complaint}");
}

#[test]
fn wrong_numbers_are_refused() {
    let output = directory();
    for arguments in [["--trees", "0"], ["--threads", "0"], ["--seed", "many"]] {
        let ran = experiment(&[&["scout-ratio"][..], &arguments].concat(), output.path());
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_directory_that_cannot_be_written_is_named_before_anything_is_searched() {
    let output = directory();
    let file = output.path().join("taken");
    fs::write(&file, "").expect("the file can be written");
    // A million trees would take hours.
    let ran = experiment(&["reinefeld-1983", "--trees", "1000000"], &file);
    assert_eq!(ran.status.code(), Some(1));
    let complaint = String::from_utf8(ran.stderr).expect("the complaint is text");
    assert!(complaint.contains(&format!("cannot write {}", file.display())), "{complaint}");
}
