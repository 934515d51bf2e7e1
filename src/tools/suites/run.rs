//! A run over suites, with a journal from which it can be resumed.

use std::io;
use std::mem;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::exercise::Exercise;
use super::file::{Suite, SuiteEntry};
use super::record::AnswerRecord;
use super::solve::{Answer, RunControl, RunSettings, engines, solve};
use super::solved::SolvedSuite;
use crate::journal::{Journal, JournalError};
use crate::workers::Queue;
use outrider_engine::search::{Control, Engine, MemoryError};

/// Reason why a run cannot begin.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is not enough memory for the transposition tables.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Identity of a run in its journal. `jobs` is not part of it.
#[derive(PartialEq, Serialize, Deserialize)]
struct RunIdentity {
    settings: RunSettings,
    /// Names of the suites and the line numbers of their positions.
    suites: Vec<(String, Vec<usize>)>,
    /// Checksum of all exercises.
    questions: u32,
}

impl RunIdentity {
    fn new(suites: &[Suite], settings: &RunSettings) -> RunIdentity {
        let lines = |suite: &Suite| suite.entries.iter().map(|entry| entry.line).collect();
        let mut hasher = crc32fast::Hasher::new();
        for entry in suites.iter().flat_map(|suite| &suite.entries) {
            hasher.update(format!("{:?}", entry.exercise).as_bytes());
        }
        RunIdentity {
            settings: RunSettings { jobs: 1, ..settings.clone() },
            suites: suites.iter().map(|suite| (suite.name(), lines(suite))).collect(),
            questions: hasher.finalize(),
        }
    }
}

/// Solves suites one after another, optionally with a journal from which a killed run is resumed.
pub struct SuiteRun<'a> {
    suites: &'a [Suite],
    settings: RunSettings,
    engines: Vec<Engine>,
    journal: Option<Journal>,
    /// Known answers for each position of each suite.
    answers: Vec<Vec<Option<Answer>>>,
}

impl<'a> SuiteRun<'a> {
    /// Creates the engines, and creates or resumes the journal.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory for the tables, or the journal cannot be used.
    pub fn new(
        suites: &'a [Suite],
        settings: RunSettings,
        journal: Option<PathBuf>,
    ) -> Result<SuiteRun<'a>, RunError> {
        let most = suites.iter().map(|suite| suite.entries.len()).max().unwrap_or(0);
        let engines = engines(&settings, most)?;
        let answers = suites.iter().map(|suite| vec![None; suite.entries.len()]).collect();
        let mut run = SuiteRun { suites, settings, engines, journal: None, answers };
        if let Some(path) = journal {
            let identity = RunIdentity::new(suites, &run.settings);
            let (journal, records) = Journal::resume(path, &identity)?;
            run.journal = Some(journal);
            records.iter().for_each(|record| run.restore(record));
        }
        Ok(run)
    }

    /// Takes over an answer from the journal. If it does not fit its position, that is searched again.
    fn restore(&mut self, record: &AnswerRecord) {
        for (suite, answers) in self.suites.iter().zip(&mut self.answers) {
            let index = suite.entries.binary_search_by_key(&record.line, |entry| entry.line);
            if let Ok(index) = index
                && suite.name() == record.file
                && answers[index].is_none()
            {
                answers[index] = record.answer(&suite.entries[index].exercise);
                return;
            }
        }
    }

    /// Returns the settings of the run.
    pub fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Number of known answers, from the journal or from this run.
    pub fn known(&self) -> usize {
        self.answers.iter().flatten().flatten().count()
    }

    /// Solves the suite with this index. Appends each answer to the journal when it is found. Calls
    /// `report` with all answers, in the order of their positions if `in_order`, else as found.
    ///
    /// # Errors
    ///
    /// Returns the error of `report`. Fails if the journal cannot be written or a thread cannot be
    /// started.
    pub fn solve(
        &mut self,
        index: usize,
        in_order: bool,
        report: &mut dyn FnMut(&SuiteEntry, &Answer) -> io::Result<()>,
    ) -> io::Result<SolvedSuite<'a>> {
        let stop = Control::default();
        let control = RunControl { stop: &stop, before_each: &|| Ok(()) };
        self.solve_with_control(control, index, in_order, report)
    }

    /// Like [`SuiteRun::solve`], but can be stopped.
    ///
    /// # Errors
    ///
    /// Also returns the error of the control, and [`io::ErrorKind::Interrupted`] if it is stopped.
    pub fn solve_with_control(
        &mut self,
        control: RunControl<'_>,
        index: usize,
        in_order: bool,
        report: &mut dyn FnMut(&SuiteEntry, &Answer) -> io::Result<()>,
    ) -> io::Result<SolvedSuite<'a>> {
        let suite = &self.suites[index];
        let SuiteRun { answers, journal, engines, settings, .. } = self;
        let answers = &mut answers[index];
        let open: Vec<(usize, &Exercise)> = (0..)
            .zip(&suite.entries)
            .filter(|&(number, _)| answers[number].is_none())
            .map(|(number, entry)| (number, &entry.exercise))
            .collect();
        let mut due = Queue::new(0, in_order);
        let known = (0..answers.len()).filter(|&number| answers[number].is_some());
        known.for_each(|number| due.push(number, number));
        let mut report_due = |due: &mut Queue<usize>, answers: &[Option<Answer>]| {
            while let Some(number) = due.pop() {
                let answer = answers[number].as_ref().expect("a due answer is known");
                report(&suite.entries[number], answer)?;
            }
            io::Result::Ok(())
        };
        report_due(&mut due, answers)?;
        solve(&open, settings.limit, engines, control, &mut |number, answer| {
            if let Some(journal) = journal {
                journal.append(&AnswerRecord::new(suite, &suite.entries[number], &answer))?;
            }
            answers[number] = Some(answer);
            due.push(number, number);
            report_due(&mut due, answers)
        })?;
        Ok(SolvedSuite::new(suite, mem::take(answers).into_iter().flatten().collect()))
    }

    /// Removes the journal, after the results were saved elsewhere.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be removed.
    pub fn close(self) -> Result<(), JournalError> {
        self.journal.map_or(Ok(()), Journal::remove)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tempfile::TempDir;

    use super::super::judge::Verdict;
    use super::super::results::Results;
    use super::*;
    use crate::PositionLimit;

    const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8; dm 1; id \"mate.1\";\n\
                         6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Kf1; id \"trap.1\";\n\
                         rubbish\n\
                         k7/8/1K6/8/8/8/8/7Q b - - bm Kb8; c0 \"Kb8=10\"; id \"trap.2\";\n\
                         7k/R7/8/8/8/8/8/1R4K1 w - - bm Rb8; dm 1; id \"mate.2\";\n";

    fn suite(directory: &TempDir) -> Suite {
        let path = directory.path().join("some.epd");
        fs::write(&path, SUITE).unwrap();
        Suite::read(&path).unwrap()
    }

    fn run<'a>(
        directory: &TempDir,
        suite: &'a Suite,
        nodes: u64,
    ) -> Result<SuiteRun<'a>, RunError> {
        let settings = RunSettings::for_tests(PositionLimit::Nodes(nodes));
        let journal = directory.path().join("out.json.unfinished");
        SuiteRun::new(std::slice::from_ref(suite), settings, Some(journal))
    }

    /// Returns the answers without times.
    fn untimed(solved: &SolvedSuite<'_>) -> Vec<Answer> {
        let timeless = |answer: &Answer| {
            let verdict = Verdict { found: None, ..answer.verdict.clone() };
            Answer { elapsed: Duration::ZERO, verdict, ..answer.clone() }
        };
        solved.answers.iter().map(timeless).collect()
    }

    #[test]
    fn a_resumed_run_gives_the_results_of_an_uninterrupted_one() {
        let directory = TempDir::new().unwrap();
        let suite = suite(&directory);
        let mut names = Vec::new();
        let mut whole = run(&directory, &suite, 3000).unwrap();
        let solved = whole.solve(0, true, &mut |entry, _| {
            names.push(entry.name());
            Ok(())
        });
        assert_eq!(names, ["mate.1", "trap.1", "trap.2", "mate.2"]);
        let expected = untimed(&solved.unwrap());
        whole.close().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "only the suite is left");

        let mut broken = run(&directory, &suite, 3000).unwrap();
        assert_eq!(broken.known(), 0);
        let failed = broken.solve(0, true, &mut |entry, _| match entry.name().as_str() {
            "trap.1" => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        drop(broken);

        let mut resumed = run(&directory, &suite, 3000).unwrap();
        let known = resumed.known();
        assert!(
            (2..=4).contains(&known),
            "{known}: the answers before the failure and those found meanwhile"
        );
        let solved = [resumed.solve(0, false, &mut |_, _| Ok(())).unwrap()];
        assert_eq!(untimed(&solved[0]), expected);
        assert_eq!((solved[0].summary.positions, solved[0].summary.solved), (4, 3));
        assert_eq!(solved[0].themes.iter().count(), 2);
        let results = Results::new(resumed.settings(), &solved, &[]);
        assert_eq!((results.total.solved, results.files[0].solved), (3, 3));
        assert_eq!(results.broken_lines[0].line, 3);
    }

    #[test]
    fn a_run_with_other_limits_or_another_suite_is_not_resumed() {
        let directory = TempDir::new().unwrap();
        let suite = suite(&directory);
        drop(run(&directory, &suite, 3000).unwrap());
        assert!(matches!(run(&directory, &suite, 4000), Err(RunError::Journal(_))));
        fs::write(directory.path().join("some.epd"), SUITE.replace("bm Kf1", "bm Kh1")).unwrap();
        let other = Suite::read(&directory.path().join("some.epd")).unwrap();
        assert!(matches!(run(&directory, &other, 3000), Err(RunError::Journal(_))));
        run(&directory, &suite, 3000).unwrap();
    }
}
