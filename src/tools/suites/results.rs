//! A run in a form for files: what tables, reports and comparisons are made of.

use serde::{Deserialize, Serialize};

use super::file::{BrokenLine, Suite};
use super::record::{AnswerRecord, milliseconds};
use super::solve::RunSettings;
use super::solved::SolvedSuite;
use super::summary::{SuiteSummary, Themes, percent};

/// A run over suites.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    pub settings: RunSettings,
    /// All positions together.
    pub total: SummaryRecord,
    /// The suites, each with its themes.
    pub files: Vec<SummaryRecord>,
    pub results: Vec<AnswerRecord>,
    /// Lines that hold no exercise.
    pub broken_lines: Vec<BrokenRecord>,
    /// Files that could not be read.
    pub unreadable_files: Vec<UnreadableRecord>,
}

impl Results {
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
            unreadable_files: unreadable.to_vec(),
        }
    }
}

/// What was counted of a suite, a theme or all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SummaryRecord {
    pub name: String,
    pub positions: usize,
    pub solved: usize,
    pub points: u64,
    /// Points that could have been earned.
    pub most_points: u64,
    /// The mean time to the solution in milliseconds.
    pub mean_time_to_solution_ms: Option<f64>,
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
            solved: summary.solved,
            points: summary.points,
            most_points: summary.most_points,
            mean_time_to_solution_ms: summary.mean_time().map(milliseconds),
            themes,
        }
    }

    /// The share of positions solved in percent.
    pub fn percent(&self) -> f64 {
        percent(self.solved as u64, self.positions as u64)
    }
}

/// A line that holds no exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BrokenRecord {
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    pub reason: String,
}

impl BrokenRecord {
    /// Writes down what is wrong with a line.
    pub(crate) fn new(suite: &Suite, broken: &BrokenLine) -> BrokenRecord {
        BrokenRecord { file: suite.name(), line: broken.line, reason: broken.reason.to_string() }
    }
}

/// A file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreadableRecord {
    pub file: String,
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use crate::PositionLimit;

    #[test]
    fn results_that_were_written_are_read_again() {
        let count = SummaryRecord {
            name: "total".to_owned(),
            positions: 1,
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
            unreadable_files: Vec::new(),
        };
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
    }
}
