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
    let arguments = Arguments {
        files,
        limit: LimitArguments { depth: Some(4), ..LimitArguments::default() },
        threads: 1,
        jobs: Some(2),
        hash: 1,
        unordered: false,
        json: json.map(Path::to_owned),
        html: None,
        compare: None,
    };
    let (mut output, mut warnings) = (Vec::new(), Vec::new());
    let result = command(&arguments, "a commit", &mut output, &mut warnings);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    CommandOutput { result, output: text(output), warnings: text(warnings) }
}

#[test]
fn each_position_has_a_line_and_each_file_a_summary_with_its_themes() {
    let directory = Directory::new();
    let file = directory.file("some.epd", &[MATE, TRAP, POINTS]);
    let finished = run(vec![file.clone()], None);
    assert!(finished.result.is_ok());
    let lines: Vec<&str> = finished.output.lines().collect();
    assert!(lines[0].starts_with("solved  Back rank.1 "), "{}", lines[0]);
    assert!(lines[0].contains(" bm Ra8# Re8#; dm 1 ") && lines[0].contains(" mate 1 "));
    assert!(lines[1].starts_with("failed  Impossible.1 ") && lines[1].contains(" bm Kf1 "));
    assert!(lines[2].starts_with("solved  Forced.1 ") && lines[2].contains(" 10/10 points "));
    assert!(lines[3].starts_with(&format!("{}: 2 of 3 solved", file.display())));
    assert!(lines[3].contains("10 of 10 points"));
    let themes: Vec<&str> = lines[4..].iter().map(|line| &line[2..12]).collect();
    assert_eq!(themes, ["Back rank ", "Impossible", "Forced    "]);
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
    assert_eq!(finished.result.unwrap_err().to_string(), "1 of 1 files could not be read");
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
fn a_file_without_positions_is_not_a_failure() {
    let directory = Directory::new();
    let finished = run(vec![directory.file("empty.epd", &[])], None);
    assert!(finished.result.is_ok());
    assert!(finished.output.contains("0 of 0 solved"));
}

#[test]
fn the_json_document_has_settings_results_and_errors() {
    let directory = Directory::new();
    let path = directory.path("results.json");
    let files = vec![
        directory.file("some.epd", &[MATE, "rubbish", TRAP, POINTS]),
        directory.path("missing.epd"),
    ];
    assert!(run(files, Some(&path)).result.is_err());
    let document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(document["settings"]["limit"], json!({ "depth": 4 }));
    assert_eq!(document["settings"]["commit"], "a commit");
    assert_eq!(document["settings"]["jobs"], 2);
    assert_eq!(document["results"].as_array().unwrap().len(), 3);
    let mate = &document["results"][0];
    assert_eq!((&mate["solved"], &mate["dm"]), (&json!(true), &json!(1)));
    assert_eq!((&mate["line"], &mate["score"]), (&json!(1), &json!({ "mate": 1 })));
    assert_eq!(mate["points"], Value::Null);
    let trap = &document["results"][1];
    assert_eq!((&trap["solved"], &trap["found_ms"]), (&json!(false), &Value::Null));
    assert_eq!((&trap["line"], &trap["bm"]), (&json!(3), &json!(["Kf1"])));
    assert_eq!(document["results"][2]["points"], 10);
    assert_eq!(document["total"]["solved"], 2);
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
