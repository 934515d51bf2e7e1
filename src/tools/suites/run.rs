//! A run over suites, kept in a journal, and all that comes out of it.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::exercise::Exercise;
use super::file::{Entry, Suite};
use super::record::Record;
use super::results::{BrokenRecord, Count, Results, RunSettings, UnreadableRecord};
use super::solve::{engines, solve};
use super::summary::{Summary, Themes};
use crate::engine::search::{Engine, MemoryError};
use crate::tools::journal::{Journal, JournalError};

/// Why a run does not come to its end.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is no memory for the tables.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// There is no journal to work with.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// What makes two runs the same work: all but how many positions are searched at the same time.
#[derive(PartialEq, Serialize, Deserialize)]
struct Work {
    settings: RunSettings,
    /// The suites with the positions that they ask for.
    suites: Vec<(String, Vec<usize>)>,
    /// A checksum of the questions.
    questions: u32,
}

impl Work {
    fn new(suites: &[Suite], settings: &RunSettings) -> Work {
        let lines = |suite: &Suite| suite.entries.iter().map(|entry| entry.line).collect();
        let name = |suite: &Suite| suite.path.display().to_string();
        let mut hasher = crc32fast::Hasher::new();
        for entry in suites.iter().flat_map(|suite| &suite.entries) {
            hasher.update(format!("{:?}", entry.exercise).as_bytes());
        }
        Work {
            settings: RunSettings { jobs: 1, ..settings.clone() },
            suites: suites.iter().map(|suite| (name(suite), lines(suite))).collect(),
            questions: hasher.finalize(),
        }
    }
}

/// Solves suites one after the other. With a path for it there is a journal, by which a run that
/// is killed is resumed by another one of the same work.
pub struct Run {
    settings: RunSettings,
    engines: Vec<Engine>,
    journal: Option<Journal>,
    known: HashMap<(String, usize), Record>,
    total: Summary,
    counts: Vec<Count>,
    records: Vec<Record>,
}

impl Run {
    /// Makes engines and begins or resumes the journal.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for the tables, or the journal cannot be used.
    pub fn new(
        suites: &[Suite],
        settings: RunSettings,
        journal: Option<PathBuf>,
    ) -> Result<Run, RunError> {
        let most = suites.iter().map(|suite| suite.entries.len()).max().unwrap_or(0);
        let engines = engines(&settings, most)?;
        let (mut kept, mut records) = (None, Vec::new());
        if let Some(path) = journal {
            let (journal, found) = Journal::resume(path, &Work::new(suites, &settings))?;
            (kept, records) = (Some(journal), found);
        }
        let place = |record: Record| ((record.file.clone(), record.line), record);
        Ok(Run {
            settings,
            engines,
            journal: kept,
            known: records.into_iter().map(place).collect(),
            total: Summary::default(),
            counts: Vec::new(),
            records: Vec::new(),
        })
    }

    /// How many positions are known from a run before.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// Of all positions so far.
    pub fn total(&self) -> &Summary {
        &self.total
    }

    /// Solves a suite; `tell` hears of each position in their order. Returns what was counted.
    ///
    /// # Errors
    ///
    /// Fails if a position could not be told or written to the journal.
    pub fn solve(
        &mut self,
        suite: &Suite,
        tell: &mut dyn FnMut(&Record) -> io::Result<()>,
    ) -> io::Result<(Summary, Themes)> {
        let name = suite.path.display().to_string();
        let place = |entry: &Entry| (name.clone(), entry.line);
        let mut known: Vec<Option<Record>> =
            suite.entries.iter().map(|entry| self.known.remove(&place(entry))).collect();
        let open: Vec<usize> = (0..known.len()).filter(|&index| known[index].is_none()).collect();
        let exercises: Vec<&Exercise> =
            open.iter().map(|&index| &suite.entries[index].exercise).collect();
        let (mut summary, mut themes) = (Summary::default(), Themes::default());
        let Run { total, records, journal, engines, settings, .. } = self;
        let mut take = |record: Record| {
            summary.add(&record);
            total.add(&record);
            themes.add(&record);
            tell(&record)?;
            records.push(record);
            io::Result::Ok(())
        };
        let mut due = 0;
        solve(&exercises, settings.limit, engines, &mut |index, answer| {
            let record = Record::new(suite, &suite.entries[open[index]], &answer);
            if let Some(journal) = journal {
                journal.append(&record)?;
            }
            known[due..open[index]].iter_mut().filter_map(Option::take).try_for_each(&mut take)?;
            due = open[index] + 1;
            take(record)
        })?;
        known[due..].iter_mut().filter_map(Option::take).try_for_each(&mut take)?;
        self.counts.push(Count::new(&name, &summary, Some(&themes)));
        Ok((summary, themes))
    }

    /// All that came out of the suites.
    pub fn results(
        &self,
        suites: &[Suite],
        unreadable: impl IntoIterator<Item = UnreadableRecord>,
    ) -> Results {
        let broken = suites
            .iter()
            .flat_map(|suite| suite.broken.iter().map(|line| BrokenRecord::new(suite, line)));
        Results {
            settings: self.settings.clone(),
            total: Count::new("total", &self.total, None),
            files: self.counts.clone(),
            results: self.records.clone(),
            broken_lines: broken.collect(),
            unreadable_files: unreadable.into_iter().collect(),
        }
    }

    /// What came out is kept elsewhere: the journal is no longer needed.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be removed.
    pub fn close(self) -> io::Result<()> {
        self.journal.map_or(Ok(()), Journal::remove)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;
    use crate::tools::Limit;

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

    fn run(directory: &TempDir, suite: &Suite, nodes: u64) -> Result<Run, RunError> {
        let settings = RunSettings::of_tests(Limit::Nodes(nodes));
        let journal = directory.path().join("out.json.unfinished");
        Run::new(std::slice::from_ref(suite), settings, Some(journal))
    }

    /// What does not depend on the clock.
    fn untimed(run: &Run) -> Vec<Record> {
        let timeless =
            |record: &Record| Record { found_ms: None, elapsed_ms: 0.0, ..record.clone() };
        run.records.iter().map(timeless).collect()
    }

    #[test]
    fn a_run_that_ended_early_is_resumed_and_comes_to_the_same() {
        let directory = TempDir::new().unwrap();
        let suite = suite(&directory);
        let mut told = Vec::new();
        let mut whole = run(&directory, &suite, 3000).unwrap();
        whole
            .solve(&suite, &mut |record| {
                told.push(record.name());
                Ok(())
            })
            .unwrap();
        assert_eq!(told, ["mate.1", "trap.1", "trap.2", "mate.2"]);
        let expected = untimed(&whole);
        whole.close().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "the suite alone is left");

        let mut broken = run(&directory, &suite, 3000).unwrap();
        assert_eq!(broken.known(), 0);
        let failed = broken.solve(&suite, &mut |record| match record.name().as_str() {
            "trap.1" => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        drop(broken);

        let mut resumed = run(&directory, &suite, 3000).unwrap();
        assert_eq!(resumed.known(), 2);
        let (summary, themes) = resumed.solve(&suite, &mut |_| Ok(())).unwrap();
        assert_eq!(untimed(&resumed), expected);
        assert_eq!((summary.positions, summary.solved), (4, 3));
        assert_eq!(themes.iter().count(), 2);
        let results = resumed.results(std::slice::from_ref(&suite), []);
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
