//! The results of a run as stored in files.

use serde::{Deserialize, Serialize};

use super::file::{BrokenLine, SkippedParts, Suite};
use super::record::{AnswerRecord, milliseconds};
use super::solve::RunSettings;
use super::solved::SolvedSuite;
use super::summary::{SuiteSummary, Themes, percent};

/// Results of a run over suites.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// Settings of the run.
    pub settings: RunSettings,
    /// Summary of all positions.
    pub total: SummaryRecord,
    /// Summaries of the suites, each with its themes.
    pub files: Vec<SummaryRecord>,
    /// Answers to all positions.
    pub results: Vec<AnswerRecord>,
    /// Lines that cannot be read.
    pub broken_lines: Vec<BrokenRecord>,
    /// Parts of lines that were skipped.
    #[serde(default)]
    pub skipped_parts: Vec<SkippedRecord>,
    /// Files that could not be read.
    pub unreadable_files: Vec<UnreadableRecord>,
}

impl Results {
    /// Collects the results of a run.
    pub fn new(
        settings: &RunSettings,
        solved: &[SolvedSuite<'_>],
        unreadable: &[UnreadableRecord],
    ) -> Results {
        let summary = |solved: &SolvedSuite<'_>| {
            SummaryRecord::new(&solved.suite.name(), &solved.summary, Some(&solved.themes))
        };
        let answers = solved.iter().flat_map(|solved| {
            let answered = solved.answered();
            answered.map(|(entry, answer)| AnswerRecord::new(solved.suite, entry, answer))
        });
        let broken = solved.iter().flat_map(|SolvedSuite { suite, .. }| {
            suite.broken.iter().map(|line| BrokenRecord::new(suite, line))
        });
        Results {
            settings: settings.clone(),
            total: SummaryRecord::new("total", &SolvedSuite::total(solved), None),
            files: solved.iter().map(summary).collect(),
            results: answers.collect(),
            broken_lines: broken.collect(),
            skipped_parts: solved
                .iter()
                .flat_map(|solved| SkippedRecord::of(solved.suite))
                .collect(),
            unreadable_files: unreadable.to_vec(),
        }
    }
}

/// Summary of a theme, a suite or all suites.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SummaryRecord {
    /// Name of the theme or file, or `total`.
    pub name: String,
    /// Number of positions with an expected answer.
    pub positions: usize,
    /// Number of positions without one, which were only evaluated.
    #[serde(default)]
    pub evaluated: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Sum of the points of the moves played.
    pub points: u64,
    /// Sum of the points of the best moves.
    pub most_points: u64,
    /// Mean time to the solution in milliseconds, if a position is solved.
    pub mean_time_to_solution_ms: Option<f64>,
    /// Summaries of the themes of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub themes: Option<Vec<SummaryRecord>>,
}

impl SummaryRecord {
    pub(crate) fn new(
        name: &str,
        summary: &SuiteSummary,
        themes: Option<&Themes>,
    ) -> SummaryRecord {
        let themes = themes.map(|themes| {
            themes.iter().map(|(name, summary)| SummaryRecord::new(name, summary, None)).collect()
        });
        SummaryRecord {
            name: name.to_owned(),
            positions: summary.positions,
            evaluated: summary.evaluated,
            solved: summary.solved,
            points: summary.points,
            most_points: summary.most_points,
            mean_time_to_solution_ms: summary.mean_time().map(milliseconds),
            themes,
        }
    }

    /// Percentage of positions solved.
    pub fn percent(&self) -> f64 {
        percent(self.solved as u64, self.positions as u64)
    }
}

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BrokenRecord {
    /// Name of the suite's file.
    pub file: String,
    /// Line number in the file, from 1.
    pub line: usize,
    /// Error in the line.
    pub reason: String,
}

impl BrokenRecord {
    /// Creates the record of a line that cannot be read.
    pub(crate) fn new(suite: &Suite, broken: &BrokenLine) -> BrokenRecord {
        BrokenRecord { file: suite.name(), line: broken.line, reason: broken.reason.to_string() }
    }
}

/// A fault for which parts of lines of a file were skipped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SkippedRecord {
    /// Name of the suite's file.
    pub file: String,
    /// The fault and its lines.
    #[serde(flatten)]
    pub parts: SkippedParts,
}

impl SkippedRecord {
    fn of(suite: &Suite) -> impl Iterator<Item = SkippedRecord> + use<'_> {
        let record = |parts| SkippedRecord { file: suite.name(), parts };
        suite.skipped().into_iter().map(record)
    }
}

/// A file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreadableRecord {
    /// Name of the file.
    pub file: String,
    /// Error in reading it.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use crate::PositionLimit;

    #[test]
    fn written_results_read_back_the_same() {
        let count = SummaryRecord {
            name: "total".to_owned(),
            positions: 1,
            evaluated: 0,
            solved: 0,
            points: 0,
            most_points: 0,
            mean_time_to_solution_ms: None,
            themes: None,
        };
        let settings = RunSettings::for_tests(PositionLimit::Nodes(7));
        let results = Results {
            settings,
            files: vec![SummaryRecord { themes: Some(vec![count.clone()]), ..count.clone() }],
            total: count,
            results: vec![record("A.1"), record("A.2")],
            broken_lines: Vec::new(),
            skipped_parts: Vec::new(),
            unreadable_files: Vec::new(),
        };
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
    }
}
