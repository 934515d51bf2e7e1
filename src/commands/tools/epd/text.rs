//! Formats answers and summaries as lines of text.

use std::cmp::Reverse;

use outrider_engine::position::san::format_san;
use outrider_engine::text::shorten;
use outrider_tools::suites::{Answer, BrokenLine, SolvedSuite, Suite, SuiteEntry};

/// Maximum width of a column, so that a few long texts do not widen it.
const MAX_WIDTH: usize = 36;

/// Maximum number of kinds of skipped text that are named for a file; the results name all.
const MAX_SKIPPED: usize = 10;

/// Widths of the columns for the answers of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    mark: usize,
    name: usize,
    expected: usize,
}

impl Columns {
    /// Computes the widths that fit the texts of a suite.
    pub(super) fn for_suite(suite: &Suite) -> Columns {
        let widest = |text: fn(&SuiteEntry) -> String| {
            let widths = suite.entries.iter().map(|entry| text(entry).chars().count());
            widths.max().unwrap_or(0).min(MAX_WIDTH)
        };
        let is_judged = suite.entries.iter().all(|entry| entry.exercise.has_condition());
        Columns {
            mark: if is_judged { "solved".len() } else { "evaluated".len() },
            name: widest(name),
            expected: widest(|entry| entry.exercise.wanted()),
        }
    }

    /// Formats an answer as a line.
    pub(super) fn line(&self, entry: &SuiteEntry, answer: &Answer) -> String {
        let Columns { mark, name: width, expected } = *self;
        let (exercise, verdict) = (&entry.exercise, &answer.verdict);
        let played = answer.played.map(|mv| format_san(&exercise.chess, mv));
        let played = played.as_deref().unwrap_or("(none)");
        let score = answer.score.to_string();
        let mut line = format!(
            "{:mark$}  {:width$}  {played:7}  {:expected$}  {score:>8}",
            verdict.word(),
            name(entry),
            exercise.wanted()
        );
        let most = exercise.most_points();
        if most > 0 {
            line += &format!("  {:3}/{most} points", verdict.points);
        }
        if let Some(found) = verdict.found {
            let (seconds, plies) = (found.elapsed.as_secs_f64(), found.depth.plies());
            line += &format!("  {seconds:8.3} s  depth {plies}");
        }
        if verdict.solved == Some(true) && verdict.exact_mate == Some(false) {
            line += "  shorter than asked for";
        }
        if verdict.solved.is_none() {
            let moves = exercise.line_names(&answer.line).join(" ");
            line += &format!("  depth {:3}  {moves}", answer.depth.plies());
        }
        line
    }
}

/// Name of a position, made safe for a terminal.
fn name(entry: &SuiteEntry) -> String {
    shorten(&entry.name())
}

/// Formats the summary of a file, and of its themes if it has several.
pub(super) fn file_summary(solved: &SolvedSuite<'_>) -> String {
    let SolvedSuite { suite, summary, themes, .. } = solved;
    let mut text = format!("{}: {summary}", suite.name());
    if !suite.broken.is_empty() {
        text += &format!(", {}", broken_lines(suite.broken.len()));
    }
    let skipped: usize = suite.skipped().iter().map(|parts| parts.lines).sum();
    match skipped {
        0 => {}
        1 => text += ", 1 part of a line skipped",
        parts => text += &format!(", {parts} parts of lines skipped"),
    }
    let themes: Vec<_> = themes.iter().map(|(theme, own)| (shorten(theme), own)).collect();
    if themes.len() > 1 {
        let width = themes.iter().map(|(theme, _)| theme.chars().count()).max().unwrap_or(0);
        for (theme, summary) in themes {
            text += &format!("\n  {theme:width$} {summary:#}");
        }
    }
    text
}

/// Formats the error in a line with its file and number.
pub(super) fn broken_line(suite: &Suite, broken: &BrokenLine) -> String {
    format!("{}:{}: {}", suite.name(), broken.line, broken.reason)
}

/// Formats the number of broken lines.
pub(super) fn broken_lines(count: usize) -> String {
    format!("{count} broken {}", if count == 1 { "line" } else { "lines" })
}

/// Formats the error of a run that read no position, with the number of broken lines.
pub(super) fn nothing_read(broken: usize) -> String {
    match broken {
        0 => "there are no positions to search".to_owned(),
        broken => format!("no position could be read: {}", broken_lines(broken)),
    }
}

/// Names the skipped text in the lines of a suite, the most frequent kinds first.
pub(super) fn skipped_parts(suite: &Suite) -> Vec<String> {
    let mut parts = suite.skipped();
    parts.sort_by_key(|parts| Reverse(parts.lines));
    let name = suite.name();
    let named = parts.iter().take(MAX_SKIPPED);
    let mut lines: Vec<_> = named.map(|parts| format!("{name}:{}: {parts}", parts.line)).collect();
    if let Some(more @ 1..) = parts.len().checked_sub(MAX_SKIPPED) {
        lines.push(format!("{name}: {more} other kinds of parts of lines were skipped"));
    }
    lines
}
