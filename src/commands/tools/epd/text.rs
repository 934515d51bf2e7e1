//! Formats answers and summaries as lines of text.

use outrider_engine::position::san::format_san;
use outrider_engine::text::shorten;
use outrider_tools::suites::{Answer, BrokenLine, SolvedSuite, Suite, SuiteEntry};

/// Maximum width of a column, so that a few long texts do not widen it.
const MAX_WIDTH: usize = 36;

/// Widths of the columns for the answers of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
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
        Columns { name: widest(name), expected: widest(|entry| entry.exercise.wanted()) }
    }

    /// Formats an answer as a line.
    pub(super) fn line(&self, entry: &SuiteEntry, answer: &Answer) -> String {
        let Columns { name: width, expected } = *self;
        let (exercise, verdict) = (&entry.exercise, &answer.verdict);
        let mark = if verdict.solved { "solved" } else { "failed" };
        let played = answer.played.map(|mv| format_san(&exercise.chess, mv));
        let played = played.as_deref().unwrap_or("(none)");
        let score = answer.score.to_string();
        let mut line = format!(
            "{mark}  {:width$}  {played:7}  {:expected$}  {score:>8}",
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
        if verdict.solved && verdict.exact_mate == Some(false) {
            line += "  shorter than asked for";
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
    match suite.broken.len() {
        0 => {}
        1 => text += ", 1 broken line",
        broken => text += &format!(", {broken} broken lines"),
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
