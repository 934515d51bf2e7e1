//! Answers and summaries as lines of text.

use crate::engine::units::Score;
use crate::tools::suites::{BrokenLine, Entry, Record, Suite, Summary, Themes};

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
    pub fn line(&self, record: &Record) -> String {
        let Columns { name, wanted } = *self;
        let mark = if record.solved { "solved" } else { "failed" };
        let played = record.played.as_deref().unwrap_or("(none)");
        let score = Score::from(record.score).to_string();
        let mut line = format!(
            "{mark}  {:name$}  {played:7}  {:wanted$}  {score:>8}",
            record.name(),
            record.wanted()
        );
        if let (Some(points), Some(most)) = (record.points, record.most_points) {
            line += &format!("  {points:3}/{most} points");
        }
        if let (Some(found), Some(plies)) = (record.found_ms, record.found_depth) {
            line += &format!("  {:8.3} s  depth {plies}", found / 1000.0);
        }
        if record.solved && record.exact_mate == Some(false) {
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
