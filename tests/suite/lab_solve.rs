//! `outrider lab solve` as a program: answers, errors and exit codes.

use std::fs;
use std::path::Path;
use std::process::Output;

use outrider_laboratory::algorithms::Algorithm;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::support::laboratory::{SAVES_A_LEAF, lab, text};

/// Solves trees from the standard input.
fn solve(algorithm: &str, more: &[&str], trees: &str) -> Output {
    let arguments = ["solve", "--algorithm", algorithm, "--tree", "-"];
    lab(Path::new("."), &[&arguments, more].concat(), trees)
}

/// Returns the objects that `--json` prints.
fn objects(algorithm: &str, more: &[&str], trees: &str) -> Vec<Json> {
    let ran = solve(algorithm, &[&["--json"], more].concat(), trees);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), ""));
    let lines = text(&ran.stdout).lines();
    lines.map(|line| serde_json::from_str(line).expect("an object of JSON")).collect()
}

fn complaint(trees: &str) -> String {
    let ran = solve("negascout", &[], trees);
    assert_eq!(ran.status.code(), Some(2), "{trees}");
    let complaint = text(&ran.stderr).to_owned();
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

#[test]
fn an_answer_is_a_line_with_value_and_leaves() {
    let ran = solve("alphabeta-soft", &[], SAVES_A_LEAF);
    assert_eq!(ran.status.code(), Some(0));
    let line = text(&ran.stdout).trim_end();
    assert_eq!(line.lines().count(), 1);
    let words: Vec<_> = line.split_whitespace().collect();
    let expected = ["alphabeta-soft", "value", "5", "leaves", "7", "distinct", "7", "nodes", "14"];
    assert_eq!(words[..9], expected);
    assert_eq!(words[10..], ["ms"]);
}

#[test]
fn json_has_the_sequence_of_leaves_too() {
    let [object] = &objects("negascout", &[], SAVES_A_LEAF)[..] else { panic!("one tree") };
    assert_eq!(object["algorithm"], "negascout");
    assert_eq!(object["value"], 5);
    assert_eq!((&object["leaves"], &object["distinct_leaves"]), (&6.into(), &6.into()));
    assert_eq!(object["sequence"], serde_json::json!([0, 1, 2, 4, 6, 7]));
}

#[test]
fn json_has_the_keys_in_the_documented_order() {
    let ran = solve("minimax", &["--json"], "[3 4]");
    let expected =
        r#"{"algorithm":"minimax","value":4,"leaves":2,"distinct_leaves":2,"sequence":[0,1],"#;
    assert!(text(&ran.stdout).starts_with(expected), "{}", text(&ran.stdout));
}

#[test]
fn a_leaf_that_is_evaluated_again_is_counted_again() {
    // The second leaf passes SCOUT's TEST and is evaluated once more.
    let [object] = &objects("scout", &[], "[1 2]")[..] else { panic!("one tree") };
    assert_eq!(object["sequence"], serde_json::json!([0, 1, 1]));
    assert_eq!((&object["leaves"], &object["distinct_leaves"]), (&3.into(), &2.into()));
}

#[test]
fn each_tree_of_a_file_is_answered_by_a_line() {
    let directory = TempDir::new().expect("a directory");
    let trees = "# two trees\n7\n\n[[5 7] [[-7 3] [2 9]]]  # Max's view\n[[1 2] [3 4]]\n";
    fs::write(directory.path().join("trees"), trees).expect("a file");
    let arguments = ["solve", "--algorithm", "negascout", "--tree", "trees"];
    let ran = lab(directory.path(), &arguments, "");
    assert_eq!(ran.status.code(), Some(0));
    let values: Vec<_> = text(&ran.stdout)
        .lines()
        .map(|line| line.split_whitespace().nth(2).expect("a value"))
        .collect();
    assert_eq!(values, ["7", "5", "3"]);
    let lines = objects("negascout", &[], trees).into_iter().map(|object| object["line"].clone());
    assert_eq!(lines.collect::<Vec<_>>(), [2, 4, 5]);
}

#[test]
fn all_algorithms_find_the_same_value() {
    let objects = objects("all", &[], "[[5 7] [[-7 3] [2 9]]]");
    let names = objects.iter().map(|object| object["algorithm"].as_str().expect("a name"));
    assert!(names.eq(Algorithm::ALL.iter().map(|algorithm| algorithm.name())));
    assert!(objects.iter().all(|object| object["value"] == 5));
}

#[test]
fn several_algorithms_answer_in_the_given_order() {
    let objects = objects("scout,minimax", &[], "1\n2\n");
    let answers = objects.iter().map(|object| (&object["algorithm"], &object["value"]));
    let expected = [("scout", 1), ("minimax", 1), ("scout", 2), ("minimax", 2)];
    assert!(
        answers
            .map(|(name, value)| (name.as_str(), value.as_i64()))
            .eq(expected.map(|(name, value)| (Some(name), Some(value))))
    );
}

#[test]
fn a_right_first_guess_takes_mtdf_two_passes() {
    // Is the value at least -3? Needs the root and two leaves. Is it more? Needs all four.
    let nodes = |guess: &str| {
        let objects = objects("mtdf", &["--first-guess", guess], "[-9 -3 -5]");
        assert_eq!(objects[0]["value"], -3);
        objects[0]["nodes"].as_u64().expect("a number")
    };
    assert_eq!(nodes("-3"), 3 + 4);
    assert!(nodes("-1000") > 7);
}

#[test]
fn searches_that_grow_a_tree_end_at_their_limits() {
    let tree = "[[[3 9] [4 1]] [[8 2] [6 5]]]";
    let leaves = |algorithm: &str, more: &[&str]| {
        objects(algorithm, more, tree)[0]["leaves"].as_u64().expect("a number")
    };
    for algorithm in ["conspiracy", "minmax-approximation"] {
        assert!(leaves(algorithm, &[]) > 0);
        assert_eq!(leaves(algorithm, &["--nodes", "3"]), 0, "{algorithm}: no leaf is that near");
    }
    let certain = leaves("conspiracy", &[]);
    assert!(leaves("conspiracy", &["--conspiracy-threshold", "1"]) < certain);
}

#[test]
fn a_value_that_is_unproven_at_the_limit_is_marked() {
    let (tree, limit) = ("[[3 9] [4 1]]", ["--nodes", "3"]);
    for algorithm in ["conspiracy", "minmax-approximation"] {
        for (more, shown, proven) in [(&limit[..], "≈0", false), (&[], "3", true)] {
            let ran = solve(algorithm, more, tree);
            assert_eq!(text(&ran.stdout).split_whitespace().nth(2), Some(shown), "{algorithm}");
            assert_eq!(objects(algorithm, more, tree)[0]["proven"], proven, "{algorithm}");
        }
    }
    assert!(objects("all", &[], tree).iter().all(|object| object["proven"] == true));
    // One tip alone cannot change the value from 5 to 20; that more would be needed does not prove
    // it.
    let tree = "[[5 7] [[7 99] [8 20]]]";
    let [object] = &objects("conspiracy", &["--conspiracy-threshold", "1"], tree)[..] else {
        panic!("one tree")
    };
    assert_eq!((&object["value"], &object["proven"]), (&5.into(), &false.into()));
}

#[test]
fn best_first_searches_show_the_longest_open_list_and_all_show_their_time() {
    // SSS* on two levels: all moves of the root, the first answer to each.
    let [object] = &objects("sss", &[], "[[1 2] [4 5] [7 8]]")[..] else { panic!("one tree") };
    assert_eq!(object["open_peak"], 3, "{object}");
    let answer = solve("sss", &[], "[[1 2] [4 5] [7 8]]");
    assert!(text(&answer.stdout).contains("OPEN up to 3"), "{}", text(&answer.stdout));
    for object in objects("all", &[], "[[1 2] [4 5] [7 8]]") {
        assert!(object["elapsed_ms"].as_f64().is_some_and(|time| time >= 0.0), "{object}");
    }
}

#[test]
fn aspiration_searches_again_if_its_window_misses() {
    let leaves = |guess: &str| {
        let more = ["--guess", guess, "--delta", "2"];
        let objects = objects("aspiration", &more, "[[4 9] [6 7]]");
        assert_eq!(objects[0]["value"], 6);
        objects[0]["leaves"].as_u64().expect("a number")
    };
    assert!(leaves("6") <= 4);
    assert!(leaves("-50") > 4);
}

#[test]
fn malformed_trees_give_line_and_column_and_exit_code_two() {
    for (trees, line, column) in [
        ("[[5 7] [[-7 3] [2 9]]", 1, 1),
        ("[1 2]]", 1, 6),
        ("5\n[1 []]", 2, 4),
        ("5\n\n [7 1000000001]", 3, 5),
        ("[1 2 x]", 1, 6),
        ("[1 2] 3", 1, 7),
        ("[1, 2]", 1, 3),
        ("", 1, 1),
    ] {
        let complaint = complaint(trees);
        let place = format!("standard input, line {line}, column {column}: ");
        assert!(complaint.contains(&place), "{complaint}");
    }
}

#[test]
fn trees_before_a_malformed_one_are_answered() {
    let ran = solve("minimax", &[], "1\n2\n[\n");
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(text(&ran.stdout).lines().count(), 2);
    assert!(text(&ran.stderr).contains("line 3, column 1"), "{}", text(&ran.stderr));
}

#[test]
fn the_error_for_a_malformed_tree_names_its_file() {
    let directory = TempDir::new().expect("a directory");
    fs::write(directory.path().join("odd.tree"), "[1 2\n").expect("a file");
    let arguments = ["solve", "--algorithm", "minimax", "--tree", "odd.tree"];
    let ran = lab(directory.path(), &arguments, "");
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(
        text(&ran.stderr),
        "Error: odd.tree, line 1, column 1: this [ is not closed: a tree must end on the line where \
         it begins\n"
    );
}

#[test]
fn wrong_usage_has_exit_code_two() {
    for arguments in [
        &["solve"][..],
        &["solve", "--algorithm", "minimax"],
        &["solve", "--tree", "-"],
        &["solve", "--algorithm", "negascoot", "--tree", "-"],
        &["solve", "--algorithm", "mtdf", "--tree", "-", "--first-guess", "1000000001"],
        &["solve", "--algorithm", "aspiration", "--tree", "-", "--delta", "0"],
    ] {
        let ran = lab(Path::new("."), arguments, "1");
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_error_for_an_unknown_algorithm_lists_all_names() {
    let ran = lab(Path::new("."), &["solve", "--algorithm", "nego", "--tree", "-"], "1");
    for name in Algorithm::ALL.iter().map(|algorithm| algorithm.name()).chain(["all"]) {
        assert!(text(&ran.stderr).contains(name), "{}", text(&ran.stderr));
    }
}

#[test]
fn a_missing_file_is_a_failure_but_not_wrong_usage() {
    let arguments = ["solve", "--algorithm", "minimax", "--tree", "no such file"];
    let ran = lab(Path::new("."), &arguments, "");
    assert_eq!(ran.status.code(), Some(1));
    let complaint = text(&ran.stderr);
    assert!(complaint.starts_with("Error: cannot read no such file: "), "{complaint}");
    assert_eq!(
        complaint.lines().count(),
        1,
        "no trace of calls, whatever is asked for: {complaint}"
    );
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_solved_by_every_algorithm() {
    let depth = 100_000;
    let chain = format!("{}-7{}", "[".repeat(depth), "]".repeat(depth));
    for object in objects("all", &[], &chain) {
        assert_eq!(object["value"], -7, "{object}");
        assert_eq!(object["distinct_leaves"], 1, "{object}");
    }
}

#[test]
fn a_deep_tree_with_leaves_at_all_depths_is_solved() {
    let depth = 20_000;
    let leaves: String = (0..depth).map(|number| format!(" {}]", number * 31 % 97)).collect();
    let values: Vec<_> = objects("all", &[], &format!("{}5{leaves}", "[".repeat(depth)))
        .iter()
        .map(|object| object["value"].clone())
        .collect();
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}

#[test]
fn a_deep_chain_in_a_null_window_is_solved() {
    let depth = 100_000;
    for (leaf, value) in [(1, 1), (-1, 0)] {
        let chain = format!("{}{leaf}{}", "[".repeat(depth), "]".repeat(depth));
        for object in objects("all", &[], &format!("[0 {chain}]")) {
            assert_eq!(object["value"], value, "{object}");
        }
    }
}

#[test]
fn the_error_for_a_chain_deeper_than_the_limit_names_the_limit() {
    let depth = 250_001;
    let complaint = complaint(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
    assert!(complaint.contains("250000"), "{complaint}");
}

#[test]
fn a_tree_of_a_million_leaves_is_read_and_solved() {
    let mut tree = String::from("[");
    for row in 0..1000_i64 {
        let leaves: Vec<_> =
            (0..1000).map(|leaf| ((row * 7919 + leaf * 104_729) % 1_000_003).to_string()).collect();
        tree += &format!("[{}]", leaves.join(" "));
    }
    let objects = objects("minimax,alphabeta-soft", &[], &(tree + "]"));
    assert_eq!(objects[0]["leaves"], 1_000_000);
    assert_eq!(objects[0]["value"], objects[1]["value"]);
}
