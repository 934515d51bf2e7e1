//! Suites with their answers: what summaries, pages and files of results are made of.

use super::file::{Suite, SuiteEntry};
use super::solve::Answer;
use super::summary::{SuiteSummary, Themes};

/// A suite that was solved to its end.
#[derive(Clone, Debug)]
pub struct SolvedSuite<'a> {
    pub suite: &'a Suite,
    /// As many as the suite has positions.
    pub answers: Vec<Answer>,
    pub summary: SuiteSummary,
    pub themes: Themes,
}

impl<'a> SolvedSuite<'a> {
    /// Counts the answers to a suite, one for each of its positions.
    pub(crate) fn new(suite: &'a Suite, answers: Vec<Answer>) -> SolvedSuite<'a> {
        let (mut summary, mut themes) = (SuiteSummary::default(), Themes::default());
        for (entry, answer) in suite.entries.iter().zip(&answers) {
            summary.add(&entry.exercise, answer);
            themes.add(&entry.exercise, answer);
        }
        SolvedSuite { suite, answers, summary, themes }
    }

    /// The positions with their answers.
    pub(crate) fn answered(&self) -> impl Iterator<Item = (&'a SuiteEntry, &Answer)> {
        self.suite.entries.iter().zip(&self.answers)
    }

    /// The summary of several suites together.
    pub fn total(solved: &[SolvedSuite<'_>]) -> SuiteSummary {
        let mut total = SuiteSummary::default();
        for suite in solved {
            suite.answered().for_each(|(entry, answer)| total.add(&entry.exercise, answer));
        }
        total
    }
}
