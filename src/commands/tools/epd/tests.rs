//! Tests of the whole command, from files to output.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8 Re8; dm 1; id \"Back rank.1\";";
const TRAP: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Kf1; id \"Impossible.1\";";
const POINTS: &str = "k7/8/1K6/8/8/8/8/7Q b - - bm Kb8; c0 \"Kb8=10\"; id \"Forced.1\";";

/// Temporary folder of a test.
struct Directory(TempDir);

impl Directory {
    fn new() -> Directory {
        Directory(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, lines: &[&str]) -> PathBuf {
        std::fs::write(self.path(name), lines.join("\n")).unwrap();
        self.path(name)
    }
}

struct CommandOutput {
    result: anyhow::Result<()>,
    output: String,
    warnings: String,
}

fn run(files: Vec<PathBuf>, json: Option<&Path>) -> CommandOutput {
    run_with(Arguments { json: json.map(Path::to_owned), ..arguments(files) })
}

fn arguments(files: Vec<PathBuf>) -> Arguments {
    Arguments {
        files,
        limit: LimitArguments { depth: Some(4), ..LimitArguments::default() },
        threads: 1,
        jobs: Some(2),
        hash: 1,
        unordered: false,
        json: None,
        csv: None,
        html: None,
        compare: None,
    }
}

fn run_with(arguments: Arguments) -> CommandOutput {
    let (mut output, mut warnings) = (Vec::new(), Vec::new());
    let result = command(&arguments, "a commit", &mut output, &mut warnings);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    CommandOutput { result, output: text(output), warnings: text(warnings) }
}

#[test]
fn each_position_has_a_line_and_each_file_a_summary_with_its_themes() {
    let directory = Directory::new();
    let file = directory.file("some.epd", &[MATE, TRAP, POINTS, MATE, TRAP]);
    let finished = run(vec![file.clone()], None);
    assert!(finished.result.is_ok());
    let lines: Vec<&str> = finished.output.lines().collect();
    assert!(lines[0].starts_with("solved  Back rank.1 "), "{}", lines[0]);
    assert!(lines[0].contains(" bm Ra8# Re8#; dm 1 ") && lines[0].contains(" mate 1 "));
    assert!(lines[1].starts_with("failed  Impossible.1 ") && lines[1].contains(" bm Kf1 "));
    assert!(lines[2].starts_with("solved  Forced.1 ") && lines[2].contains(" 10/10 points "));
    assert!(lines[5].starts_with(&format!("{}: 3 of 5 solved", file.display())));
    assert!(lines[5].contains("10 of 10 points"));
    let themes: Vec<&str> = lines[6..].iter().map(|line| &line[2..12]).collect();
    assert_eq!(themes, ["Back rank ", "Impossible"], "not the theme of one position");
    assert!(finished.warnings.is_empty());
}

#[test]
fn broken_lines_are_reported_and_counted_and_the_others_are_solved() {
    let directory = Directory::new();
    let file = directory.file("some.epd", &["rubbish", MATE, "", &MATE.replace("Ra8", "Ra9")]);
    let finished = run(vec![file.clone()], None);
    assert!(finished.result.is_ok());
    assert!(
        finished.output.contains("1 of 1 solved") && finished.output.contains("2 broken lines")
    );
    let warnings: Vec<&str> = finished.warnings.lines().collect();
    assert!(warnings[0].starts_with(&format!("{}:1: a position has four", file.display())));
    let reason = format!("{}:4: operation bm: \"Ra9\" is not a move", file.display());
    assert_eq!(warnings[1], reason);
}

#[test]
fn an_unreadable_file_fails_after_the_others_are_solved() {
    let directory = Directory::new();
    let missing = directory.path("missing.epd");
    let finished = run(vec![missing, directory.file("some.epd", &[MATE])], None);
    let error = finished.result.unwrap_err().to_string();
    assert_eq!(error, "1 of 2 files could not be read");
    assert!(finished.output.contains("1 of 1 solved"));
    assert!(finished.warnings.contains("missing.epd: cannot be read: "));
}

#[test]
fn without_a_readable_file_the_results_of_an_earlier_run_are_kept() {
    let directory = Directory::new();
    let results = directory.path("results.json");
    assert!(run(vec![directory.file("some.epd", &[MATE])], Some(&results)).result.is_ok());
    let before = std::fs::read(&results).unwrap();
    let finished = run(vec![directory.path("missing.epd")], Some(&results));
    assert_eq!(finished.result.unwrap_err().to_string(), "the file could not be read");
    assert_eq!(std::fs::read(&results).unwrap(), before);
}

#[test]
fn several_files_have_a_total() {
    let directory = Directory::new();
    let files = vec![directory.file("one.epd", &[MATE, MATE]), directory.file("two.epd", &[TRAP])];
    let finished = run(files, None);
    let last = finished.output.lines().last().unwrap();
    assert!(last.starts_with("total: 2 of 3 solved (66.7 %)"), "{last}");
}

#[test]
fn if_no_position_can_be_read_the_run_fails_and_earlier_results_stay() {
    let directory = Directory::new();
    let results = directory.path("results.json");
    let good = directory.file("some.epd", &[MATE]);
    assert!(run(vec![good.clone()], Some(&results)).result.is_ok());
    let before = std::fs::read(&results).unwrap();
    let empty = directory.file("empty.epd", &["# only a comment"]);
    let broken = directory.file("broken.epd", &["rubbish", &MATE.replace("Ra8", "Ra9")]);
    for (files, reason) in [
        (vec![empty.clone()], "there are no positions to search"),
        (vec![broken.clone()], "no position could be read: 2 broken lines"),
        (vec![empty.clone(), broken.clone()], "no position could be read: 2 broken lines"),
    ] {
        let finished = run(files, Some(&results));
        assert_eq!(finished.result.unwrap_err().to_string(), reason);
        assert_eq!(std::fs::read(&results).unwrap(), before);
    }
    assert!(run(vec![empty, broken, good], None).result.is_ok());
}

#[test]
fn mates_among_the_best_moves_are_solved_and_skipped_words_are_named() {
    let directory = Directory::new();
    let file = directory.file(
        "mates.epd",
        &[
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #1; id \"one\";",
            "7k/8/5K2/8/8/8/8/6Q1 w - - 3 8 bm #1;",
            "8/8/8/8/8/6k1/1q6/7K w - - bm #-1; ep; 00:00;",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #1; 00:00;",
        ],
    );
    let json = directory.path("mates.json");
    let finished = run(vec![file.clone()], Some(&json));
    assert!(finished.result.is_ok());
    let summary = finished.output.lines().last().unwrap();
    assert!(summary.contains("4 of 4 solved") && summary.ends_with("2 parts of lines skipped"));
    let reason = "\"00:00\" is not the name of an operation";
    let warning = format!("{}:3: {reason}, skipped in 2 lines\n", file.display());
    assert_eq!(finished.warnings, warning);
    let document: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert_eq!(
        (&document["results"][2]["dm"], &document["results"][2]["bm"]),
        (&json!(-1), &json!([]))
    );
    let skipped = json!([{ "file": file, "line": 3, "lines": 2, "reason": reason }]);
    assert_eq!(document["skipped_parts"], skipped);
}

#[test]
fn a_table_needs_the_name_of_a_file() {
    let directory = Directory::new();
    let files = vec![directory.file("some.epd", &[MATE])];
    let finished = run_with(Arguments { csv: Some(PathBuf::from("-")), ..arguments(files) });
    assert!(finished.result.unwrap_err().is::<WrongInput>());
    assert!(finished.output.is_empty());
}

#[test]
fn only_the_most_frequent_skipped_parts_are_named() {
    let directory = Directory::new();
    let mut lines: Vec<String> = (0..14).map(|time| format!("{MATE} 00:{time:02};")).collect();
    lines.push(format!("{MATE} 00:13;"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let finished = run(vec![directory.file("times.epd", &lines)], None);
    let warnings: Vec<&str> = finished.warnings.lines().collect();
    assert_eq!(warnings.len(), 11);
    assert!(warnings[0].contains(":14: \"00:13\"") && warnings[0].ends_with("in 2 lines"));
    assert!(warnings[10].ends_with("times.epd: 4 other kinds of parts of lines were skipped"));
    assert!(finished.output.lines().last().unwrap().ends_with("15 parts of lines skipped"));
}

#[test]
fn positions_without_an_expected_answer_are_evaluated() {
    let directory = Directory::new();
    let (fen, mated) = ("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    let file = directory.file("some.fen", &[fen, MATE, mated]);
    let (json, csv) = (directory.path("out.json"), directory.path("out.csv"));
    let with_files = Arguments {
        json: Some(json.clone()),
        csv: Some(csv.clone()),
        ..arguments(vec![file.clone()])
    };
    let finished = run_with(with_files);
    assert!(finished.result.is_ok() && finished.warnings.is_empty(), "{}", finished.warnings);
    let lines: Vec<&str> = finished.output.lines().collect();
    assert!(lines[0].starts_with("evaluated  line 1 ") && lines[0].contains(" mate 1 "));
    assert!(lines[0].contains("  depth ") && lines[0].ends_with("#"), "{}", lines[0]);
    assert!(lines[1].starts_with("solved     Back rank.1 "), "{}", lines[1]);
    assert!(lines[2].starts_with("evaluated  line 3 ") && lines[2].contains("(none)"));
    assert!(lines[3].starts_with(&format!("{}: 1 of 1 solved", file.display())));
    assert!(lines[3].ends_with(", 2 only evaluated"), "{}", lines[3]);
    let document: Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    let result = &document["results"][0];
    assert_eq!((&result["solved"], &result["score"]), (&Value::Null, &json!({ "mate": 1 })));
    assert_eq!(result["pv"], json!([result["played_uci"]]));
    assert_eq!(document["total"]["positions"], 1);
    assert_eq!(
        (&document["total"]["solved"], &document["total"]["evaluated"]),
        (&json!(1), &json!(2))
    );
    let table = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(table.lines().count(), 4);
    assert!(table.lines().nth(1).unwrap().contains(&format!(",1,,{fen},")), "{table}");
    let finished = run(vec![directory.file("plain.fen", &[fen, mated])], None);
    assert!(finished.result.is_ok());
    assert!(
        finished.output.ends_with("plain.fen: 2 positions, only evaluated\n"),
        "{}",
        finished.output
    );
}

#[test]
fn the_json_document_has_settings_results_and_errors() {
    let directory = Directory::new();
    let path = directory.path("results.json");
    let files = vec![
        directory.file("some.epd", &[MATE, "rubbish", TRAP, POINTS, MATE, TRAP]),
        directory.path("missing.epd"),
    ];
    assert!(run(files, Some(&path)).result.is_err());
    let document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(document["settings"]["limit"], json!({ "depth": 4 }));
    assert_eq!(document["settings"]["commit"], "a commit");
    assert_eq!(document["settings"]["jobs"], 2);
    assert_eq!(document["results"].as_array().unwrap().len(), 5);
    let mate = &document["results"][0];
    assert_eq!((&mate["solved"], &mate["dm"]), (&json!(true), &json!(1)));
    assert_eq!((&mate["line"], &mate["score"]), (&json!(1), &json!({ "mate": 1 })));
    assert_eq!(mate["points"], Value::Null);
    let trap = &document["results"][1];
    assert_eq!((&trap["solved"], &trap["found_ms"]), (&json!(false), &Value::Null));
    assert_eq!((&trap["line"], &trap["bm"]), (&json!(3), &json!(["Kf1"])));
    assert_eq!(document["results"][2]["points"], 10);
    assert_eq!(document["total"]["solved"], 3);
    assert_eq!(document["files"][0]["themes"][1]["name"], "Impossible");
    assert_eq!(document["broken_lines"][0]["line"], 2);
    assert_eq!(document["unreadable_files"].as_array().unwrap().len(), 1);
}

#[test]
fn a_json_file_that_cannot_be_written_fails_before_any_search() {
    let directory = Directory::new();
    let path = directory.path("no such directory").join("results.json");
    let finished = run(vec![directory.file("some.epd", &[MATE])], Some(&path));
    assert!(finished.result.unwrap_err().to_string().starts_with("cannot write "));
    assert!(finished.output.is_empty());
}
