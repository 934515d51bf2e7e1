//! `lab experiment` on chess positions, as a program.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use outrider_laboratory::algorithms::Algorithm;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::laboratory::{lab, text};

/// White mates on the back rank: Ra8 is mate, and no other move is.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/// Selects a single position, a queen ending, which is searched quickly.
const ONE_ENDING: [&str; 4] = ["--trees", "1", "--seed", "23"];

fn run(name: &str, threads: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("there is room for a directory");
    let status = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["lab", "experiment", name, "--threads", threads])
        .args(ONE_ENDING)
        .arg("--output")
        .arg(directory.path())
        .output()
        .expect("the program runs")
        .status;
    assert_eq!(status.code(), Some(0), "{name}");
    directory
}

/// Returns the rows of a file, each as a map by column name.
fn rows(directory: &Path, file: &str) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(directory.join(file)).expect("the file was written");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().expect("there is a header").collect();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn all_methods_find_the_same_value_of_a_position_at_a_depth() {
    for name in ["chess-algorithms", "chess-enhancements"] {
        let output = run(name, "2");
        let rows = rows(output.path(), &format!("{name}.csv"));
        let of_positions = || rows.iter().filter(|row| row["position"] != "all");
        let searched: HashSet<_> = of_positions().map(|row| &row["depth"]).collect();
        let values: HashSet<_> = of_positions().map(|row| (&row["depth"], &row["value"])).collect();
        assert_eq!((searched.len(), values.len()), (4, 4), "{name}");
        assert!(values.iter().all(|(_, value)| value.parse::<i32>().is_ok()), "{name}");
    }
}

#[test]
fn a_table_saves_leaves_with_every_algorithm() {
    let output = run("chess-algorithms", "2");
    let rows = rows(output.path(), "chess-algorithms.csv");
    let leaves = |setting: &str, method: &str| -> u64 {
        let wanted = ["all", "5", setting, method];
        let columns = ["position", "depth", "setting", "method"];
        let is_wanted =
            |row: &&HashMap<String, String>| columns.map(|it| row[it].as_str()) == wanted;
        let row = rows.iter().find(is_wanted).expect("there is such a row");
        row["leaves"].parse().expect("leaves are a number")
    };
    for method in ["alpha-beta", "NegaScout", "PVS"] {
        assert!(leaves("table", method) < leaves("no table", method), "{method}");
    }
    assert!(leaves("table", "SSS*") < leaves("no table", "alpha-beta"));
}

#[test]
fn counts_are_the_same_for_any_number_of_threads_and_times_are_in_their_own_table() {
    let name = "chess-enhancements";
    let (one, two) = (run(name, "1"), run(name, "2"));
    let table = |directory: &TempDir| {
        fs::read_to_string(directory.path().join("chess-enhancements.csv")).expect("a table")
    };
    assert_eq!(table(&one), table(&two));
    assert!(!table(&one).contains("seconds"));
    let times = rows(one.path(), "chess-enhancements-times.csv");
    // None and each of six alone; all and all but each of six.
    assert_eq!(times.len(), 2 * 7);
    assert!(times.iter().all(|row| row["seconds"].parse::<f64>().is_ok()));
}

#[test]
fn every_algorithm_solves_the_tree_of_a_position_and_lists_the_evaluated_lines() {
    let ran = lab(
        Path::new("."),
        &["solve", "--algorithm", "all", "--position", MATE_IN_ONE, "--depth", "2", "--json"],
        "",
    );
    let arguments = ["solve", "--algorithm", "minimax", "--position", "startpos", "--depth", "2"];
    let first_moves = lab(Path::new("."), &arguments, "");
    assert!(text(&first_moves.stdout).contains("leaves 400 "), "{}", text(&first_moves.stdout));
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let solved: Vec<Json> =
        text(&ran.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(solved.len(), Algorithm::ALL.len());
    for solution in solved {
        // A mate above the horizon is worth one more for each ply above it.
        assert_eq!((&solution["value"], &solution["proven"]), (&32_001.into(), &true.into()));
        let lines: Vec<&str> = solution["sequence"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|line| line.as_str().expect("moves"))
            .collect();
        assert!(lines.contains(&"a1a8"), "{solution}");
        let is_leaf = |line: &&str| *line == "a1a8" || line.split(' ').count() == 2;
        assert!(lines.iter().all(is_leaf), "{solution}");
    }
}

#[test]
fn a_search_of_a_position_that_ends_at_a_limit_uses_static_evaluations() {
    // White is a queen up, and no leaf is reached by the limit.
    let queen_up = ["--position", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "--depth", "4"];
    for algorithm in ["conspiracy", "minmax-approximation"] {
        let arguments = ["solve", "--algorithm", algorithm, "--nodes", "30", "--json"];
        let ran = lab(Path::new("."), &[&arguments[..], &queen_up].concat(), "");
        let solution: Json = serde_json::from_str(text(&ran.stdout)).expect("an object");
        assert_eq!((&solution["proven"], &solution["leaves"]), (&false.into(), &0.into()));
        assert!(solution["value"].as_i64().expect("a number") > 500, "{solution}");
    }
}

#[test]
fn a_position_needs_a_valid_depth_and_excludes_a_tree() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for wrong in [
        &["--position", fen][..],
        &["--position", fen, "--depth", "9"],
        &["--position", "4k3/8/8 w", "--depth", "1"],
        &["--position", fen, "--depth", "1", "--tree", "-"],
        &["--tree", "-", "--depth", "1"],
        &[],
    ] {
        let ran = lab(Path::new("."), &[&["solve", "--algorithm", "pvs"], wrong].concat(), "1");
        assert_eq!(ran.status.code(), Some(2), "{wrong:?}");
    }
}
