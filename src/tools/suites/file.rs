//! A file of test positions, one per line.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::exercise::Exercise;
use crate::input;
use outrider_engine::position::epd::{EpdError, line_content};

/// A test suite.
#[derive(Debug)]
pub struct Suite {
    /// Path of the file, or `-` for the standard input.
    pub path: PathBuf,
    /// Positions in the order of the file.
    pub entries: Vec<SuiteEntry>,
    /// Lines that cannot be read.
    pub broken: Vec<BrokenLine>,
}

/// A position of a test suite.
#[derive(Debug)]
pub struct SuiteEntry {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The position with its expected answer.
    pub exercise: Exercise,
}

/// A line that cannot be read.
#[derive(Debug)]
pub struct BrokenLine {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Error in the line.
    pub reason: EpdError,
}

impl SuiteEntry {
    /// Name of the position, or its line number if it has none.
    pub fn name(&self) -> String {
        self.exercise.id.clone().unwrap_or_else(|| format!("line {}", self.line))
    }
}

impl Suite {
    /// Name of the file in messages, results and pages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Creates a suite without positions.
    pub fn new(path: &Path) -> Suite {
        Suite { path: path.to_owned(), entries: Vec::new(), broken: Vec::new() }
    }

    /// Reads a file, or the standard input if the path is `-`. Lines that cannot be read go to
    /// [`Suite::broken`]. Skips empty lines and lines that begin with `#`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn read(path: &Path) -> io::Result<Suite> {
        let bytes = input::read(path).map_err(|error| error.reason)?;
        Ok(Suite::parse(path, &input::decode_text(bytes)))
    }

    /// Reads the text of a suite as [`Suite::read`] does.
    pub fn parse(path: &Path, text: &str) -> Suite {
        let mut suite = Suite::new(path);
        for read in (1..)
            .zip(text.lines().flat_map(lines_within))
            .filter_map(|(line, text)| read_line(line, text))
        {
            match read {
                Ok(entry) => suite.entries.push(entry),
                Err(broken) => suite.broken.push(broken),
            }
        }
        suite
    }

    /// Returns what was skipped in the lines that could be read, in the order of the first lines.
    pub fn skipped(&self) -> Vec<SkippedParts> {
        let mut parts: Vec<SkippedParts> = Vec::new();
        let mut indices = HashMap::new();
        for SuiteEntry { line, exercise } in &self.entries {
            for reason in exercise.skipped.iter().map(ToString::to_string) {
                let index = *indices.entry(reason.clone()).or_insert(parts.len());
                match parts.get_mut(index) {
                    Some(known) => known.lines += 1,
                    None => parts.push(SkippedParts { line: *line, lines: 1, reason }),
                }
            }
        }
        parts
    }
}

/// A fault for which parts of lines were skipped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SkippedParts {
    /// First of the lines, from 1.
    pub line: usize,
    /// Number of lines.
    pub lines: usize,
    /// The fault.
    pub reason: String,
}

impl fmt::Display for SkippedParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, skipped", self.reason)?;
        if self.lines > 1 { write!(f, " in {} lines", self.lines) } else { Ok(()) }
    }
}

/// Returns the lines within a line: old files of the Macintosh end lines with a carriage return alone.
pub(super) fn lines_within(line: &str) -> impl Iterator<Item = &str> {
    line.split('\r')
}

/// Reads a line with its number. Returns `None` if it is empty or a comment.
pub(super) fn read_line(line: usize, text: &str) -> Option<Result<SuiteEntry, BrokenLine>> {
    let exercise = Exercise::read(line_content(text)?);
    let broken = |reason| BrokenLine { line, reason };
    Some(exercise.map(|exercise| SuiteEntry { line, exercise }).map_err(broken))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXERCISE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;";

    #[test]
    fn a_broken_line_is_reported_by_its_number_and_the_rest_is_read() {
        let text = format!(
            "# a comment\n{EXERCISE}\nrubbish\n\n{EXERCISE} id \"second\";\r\n{EXERCISE} bm Qa1;"
        );
        let suite = Suite::parse(Path::new("some.epd"), &text);
        let names: Vec<String> = suite.entries.iter().map(SuiteEntry::name).collect();
        assert_eq!(names, ["line 2", "second"]);
        let broken: Vec<usize> = suite.broken.iter().map(|broken| broken.line).collect();
        assert_eq!(broken, [3, 6]);
        assert_eq!(suite.broken[1].reason.to_string(), "operation bm: Qa1 is not legal here");
    }

    #[test]
    fn what_was_skipped_is_counted_by_its_fault() {
        let text = format!("{EXERCISE}\n{EXERCISE} ep; 00:00;\n{EXERCISE} 00:00; id \"\"\";");
        let suite = Suite::parse(Path::new("some.epd"), &text);
        assert_eq!((suite.entries.len(), suite.broken.len()), (3, 0));
        let skipped: Vec<_> =
            suite.skipped().iter().map(|parts| (parts.line, parts.to_string())).collect();
        let word = "\"00:00\" is not the name of an operation, skipped in 2 lines".to_owned();
        let quote = "operation id: the closing quote is missing, skipped".to_owned();
        assert_eq!(skipped, [(2, word), (3, quote)]);
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        let suite = Suite::parse(Path::new("some.epd"), &format!("\u{feff}{EXERCISE}\n"));
        assert_eq!((suite.entries.len(), suite.broken.len()), (1, 0));
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(Suite::read(Path::new("there/is/no/such.epd")).is_err());
    }
}
