//! A file of test positions, one a line.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::exercise::{Exercise, ExerciseError};
use crate::STANDARD_INPUT;
use outrider_engine::position::epd::line_content;

#[derive(Debug)]
pub struct Suite {
    pub path: PathBuf,
    /// The positions, in the order of the file.
    pub entries: Vec<SuiteEntry>,
    /// The lines that hold no exercise.
    pub broken: Vec<BrokenLine>,
}

#[derive(Debug)]
pub struct SuiteEntry {
    /// The number of its line, from 1.
    pub line: usize,
    pub exercise: Exercise,
}

/// A line that holds no exercise.
#[derive(Debug)]
pub struct BrokenLine {
    pub line: usize,
    pub reason: ExerciseError,
}

impl SuiteEntry {
    /// What the position is called: its name, or where it stands.
    pub fn name(&self) -> String {
        self.exercise.id.clone().unwrap_or_else(|| format!("line {}", self.line))
    }
}

impl Suite {
    /// The file's name as messages, results and pages have it.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// One of which no line was read yet.
    pub fn new(path: &Path) -> Suite {
        Suite { path: path.to_owned(), entries: Vec::new(), broken: Vec::new() }
    }

    /// Reads a file, or the standard input for `-`. Lines that hold no exercise do not keep the others
    /// from being read; empty lines and lines that begin with `#` are passed over.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn read(path: &Path) -> io::Result<Suite> {
        let bytes = if path == Path::new(STANDARD_INPUT) {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes)?;
            bytes
        } else {
            fs::read(path)?
        };
        Ok(Suite::parse(path, &String::from_utf8_lossy(&bytes)))
    }

    pub fn parse(path: &Path, text: &str) -> Suite {
        let mut suite = Suite::new(path);
        for read in (1..).zip(text.lines()).filter_map(|(line, text)| read_line(line, text)) {
            match read {
                Ok(entry) => suite.entries.push(entry),
                Err(broken) => suite.broken.push(broken),
            }
        }
        suite
    }
}

/// Reads the line of this number; nothing if it is empty or a comment.
pub(super) fn read_line(line: usize, text: &str) -> Option<Result<SuiteEntry, BrokenLine>> {
    let exercise = Exercise::read(line_content(line, text)?);
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
    fn the_mark_at_the_start_of_some_text_files_does_no_harm() {
        let suite = Suite::parse(Path::new("some.epd"), &format!("\u{feff}{EXERCISE}\n"));
        assert_eq!((suite.entries.len(), suite.broken.len()), (1, 0));
    }

    #[test]
    fn a_file_that_is_not_there_cannot_be_read() {
        assert!(Suite::read(Path::new("there/is/no/such.epd")).is_err());
    }
}
