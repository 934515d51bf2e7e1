//! `lab experiment` on chess positions as its users run it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Draws a single position, a queen ending, which is searched in no time.
const ONE_ENDING: [&str; 4] = ["--trees", "1", "--seed", "5"];

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

/// The rows of a file, each by the names of its columns.
fn rows(directory: &Path, file: &str) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(directory.join(file)).expect("the file was written");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = lines.next().expect("there is a header").collect();
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn whatever_the_method_the_value_of_a_position_to_a_depth_is_the_same() {
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
fn a_table_spares_every_algorithm_leaves() {
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
fn counts_are_the_same_for_any_number_of_threads_and_times_stand_beside_them() {
    let name = "chess-enhancements";
    let (one, two) = (run(name, "1"), run(name, "2"));
    let table = |directory: &TempDir| {
        fs::read_to_string(directory.path().join("chess-enhancements.csv")).expect("a table")
    };
    assert_eq!(table(&one), table(&two));
    assert!(!table(&one).contains("seconds"));
    let times = rows(one.path(), "chess-enhancements-times.csv");
    // Nothing, each of six alone; everything, everything but each of six.
    assert_eq!(times.len(), 2 * 7);
    assert!(times.iter().all(|row| row["seconds"].parse::<f64>().is_ok()));
}
