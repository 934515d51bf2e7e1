//! Answers and summaries as text for people and as JSON for programs.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::{Move, Position as _};

use crate::analysis::Limit;
use crate::analysis::suite::{
    Answer, BrokenLine, Conditions, Entry, Exercise, Suite, Summary, Themes,
};
use crate::position::notation::{format_fen, format_move};
use crate::position::san::format_san;
use crate::units::Score;

/// Columns are not made wider than this for the sake of a few long texts.
const WIDEST: usize = 36;

/// The widths of the columns of a file's answers.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    name: usize,
    wanted: usize,
}

impl Columns {
    /// Columns that fit a file.
    pub fn of(suite: &Suite) -> Columns {
        let widest = |text: fn(&Entry) -> String| {
            let widths = suite.entries.iter().map(|entry| text(entry).chars().count());
            widths.max().unwrap_or(0).min(WIDEST)
        };
        Columns { name: widest(Entry::name), wanted: widest(|entry| entry.exercise.wanted()) }
    }

    /// The line that tells an answer.
    pub fn line(&self, entry: &Entry, answer: &Answer) -> String {
        let Columns { name, wanted } = *self;
        let (exercise, verdict) = (&entry.exercise, &answer.verdict);
        let mark = if verdict.solved { "solved" } else { "failed" };
        let played = played(exercise, answer).unwrap_or_else(|| "(none)".to_owned());
        let score = answer.outcome.score.to_string();
        let mut line = format!(
            "{mark}  {:name$}  {played:7}  {:wanted$}  {score:>8}",
            entry.name(),
            exercise.wanted()
        );
        if exercise.most_points() > 0 {
            line += &format!("  {:3}/{} points", verdict.points, exercise.most_points());
        }
        if let Some(found) = verdict.found {
            let (seconds, plies) = (found.elapsed.as_secs_f64(), found.depth.plies());
            line += &format!("  {seconds:8.3} s  depth {plies}");
        }
        if verdict.solved && verdict.exact_mate == Some(false) {
            line += "  shorter than asked for";
        }
        line
    }
}

/// The lines that sum up a file: the file itself, then its themes if it has several.
pub fn file_summary(suite: &Suite, summary: &Summary, themes: &Themes) -> String {
    let mut text = format!("{}: {summary}", suite.path.display());
    match suite.broken.len() {
        0 => {}
        1 => text += ", 1 broken line",
        broken => text += &format!(", {broken} broken lines"),
    }
    if themes.iter().count() > 1 {
        let width = themes.iter().map(|(theme, _)| theme.chars().count()).max().unwrap_or(0);
        for (theme, summary) in themes.iter() {
            text += &format!("\n  {theme:width$} {summary:#}");
        }
    }
    text
}

/// What is wrong with a line, with where it stands.
pub fn broken_line(suite: &Suite, broken: &BrokenLine) -> String {
    format!("{}:{}: {}", suite.path.display(), broken.line, broken.reason)
}

/// The conditions of a run.
pub fn conditions_json(conditions: &Conditions) -> Value {
    let limit = match conditions.limit {
        Limit::MoveTime(time) => json!({ "movetime_ms": time.as_millis() as u64 }),
        Limit::Nodes(nodes) => json!({ "nodes": nodes }),
        Limit::Depth(plies) => json!({ "depth": plies }),
    };
    json!({
        "engine": concat!("Outrider ", env!("CARGO_PKG_VERSION")),
        "limit": limit,
        "threads": conditions.threads,
        "jobs": conditions.jobs,
        "hash_mb": conditions.table_megabytes,
    })
}

/// The answer to a position.
pub fn result_json(suite: &Suite, entry: &Entry, answer: &Answer) -> Value {
    let (exercise, outcome, verdict) = (&entry.exercise, &answer.outcome, &answer.verdict);
    let castling = exercise.chess.castles().mode();
    let names = |moves: &[Move]| -> Vec<String> {
        moves.iter().map(|&mv| format_san(&exercise.chess, mv)).collect()
    };
    json!({
        "file": suite.path.display().to_string(),
        "line": entry.line,
        "id": exercise.id,
        "theme": exercise.theme(),
        "fen": format_fen(&exercise.chess),
        "bm": names(&exercise.best),
        "am": names(&exercise.avoid),
        "dm": exercise.mate,
        "solved": verdict.solved,
        "played": played(exercise, answer),
        "played_uci": outcome.best.map(|mv| format_move(mv, castling)),
        "score": score_json(outcome.score),
        "exact_mate": verdict.exact_mate,
        "points": (exercise.most_points() > 0).then_some(verdict.points),
        "most_points": (exercise.most_points() > 0).then(|| exercise.most_points()),
        "found_ms": verdict.found.map(|found| milliseconds(found.elapsed)),
        "found_depth": verdict.found.map(|found| found.depth.plies()),
        "depth": outcome.depth.plies(),
        "nodes": outcome.nodes,
        "elapsed_ms": milliseconds(outcome.elapsed),
    })
}

/// A line that was not understood.
pub fn broken_json(suite: &Suite, broken: &BrokenLine) -> Value {
    json!({
        "file": suite.path.display().to_string(),
        "line": broken.line,
        "reason": broken.reason.to_string(),
    })
}

/// A file that could not be read.
pub fn unreadable_json(path: &Path, error: &io::Error) -> Value {
    json!({ "file": path.display().to_string(), "reason": error.to_string() })
}

/// A summary; `name` says of what.
pub fn summary_json(name: &str, summary: &Summary, themes: Option<&Themes>) -> Value {
    let themes: Option<Vec<Value>> = themes.map(|themes| {
        themes.iter().map(|(theme, summary)| summary_json(theme, summary, None)).collect()
    });
    let mut value = json!({
        "name": name,
        "positions": summary.positions,
        "solved": summary.solved,
        "points": summary.points,
        "most_points": summary.most_points,
        "mean_time_to_solution_ms": summary.mean_time().map(milliseconds),
    });
    if let Some(themes) = themes {
        value["themes"] = themes.into();
    }
    value
}

fn played(exercise: &Exercise, answer: &Answer) -> Option<String> {
    answer.outcome.best.map(|mv| format_san(&exercise.chess, mv))
}

fn score_json(score: Score) -> Value {
    match score.mate_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "cp": score.centipawns() }),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
