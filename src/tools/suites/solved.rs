//! Suites with their answers, the input of summaries, pages and results.

use super::file::{Suite, SuiteEntry};
use super::solve::Answer;
use super::summary::{SuiteSummary, Themes};

/// A suite with an answer to each of its positions.
#[derive(Clone, Debug)]
pub struct SolvedSuite<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Answers in the order of the positions.
    pub answers: Vec<Answer>,
    /// Summary of all positions.
    pub summary: SuiteSummary,
    /// Summaries by theme.
    pub themes: Themes,
}

impl<'a> SolvedSuite<'a> {
    /// Counts the answers to a suite, one per position.
    pub(crate) fn new(suite: &'a Suite, answers: Vec<Answer>) -> SolvedSuite<'a> {
        let (mut summary, mut themes) = (SuiteSummary::default(), Themes::default());
        for (entry, answer) in suite.entries.iter().zip(&answers) {
            summary.add(&entry.exercise, answer);
            themes.add(&entry.exercise, answer);
        }
        SolvedSuite { suite, answers, summary, themes }
    }

    /// Returns the positions with their answers.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (&'a SuiteEntry, &Answer)> {
        self.suite.entries.iter().zip(&self.answers)
    }

    /// Returns the summary of several suites together.
    pub fn total(solved: &[SolvedSuite<'_>]) -> SuiteSummary {
        let mut total = SuiteSummary::default();
        for suite in solved {
            suite.answered().for_each(|(entry, answer)| total.add(&entry.exercise, answer));
        }
        total
    }
}
