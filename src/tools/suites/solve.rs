//! Searching positions, several at a time, and handing out the answers in order.

use std::io;
use std::ops::ControlFlow;

use super::exercise::Exercise;
use super::judge::{Judge, Verdict};
use super::results::RunSettings;
use crate::engine::position::Position;
use crate::engine::search::{Control, Engine, MemoryError, Outcome, Report};
use crate::tools::limit::Limit;
use crate::tools::workers::{self, InOrder};

/// The answer to an exercise.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What the search came to.
    pub outcome: Outcome,
    /// What that is worth.
    pub verdict: Verdict,
}

/// Makes engines for [`solve`], no more than there are positions to search.
///
/// # Errors
///
/// Fails if there is no memory for their tables.
pub fn engines(settings: &RunSettings, positions: usize) -> Result<Vec<Engine>, MemoryError> {
    let jobs = settings.jobs.min(positions);
    Engine::new_many(jobs, settings.threads, settings.table_megabytes)
}

/// Searches all exercises, each as if it were the first, and tells the answers in the order of the
/// exercises as soon as they are due.
///
/// # Errors
///
/// Ends early with the error of the first answer that could not be told, or if a thread cannot be
/// started.
pub fn solve(
    exercises: &[&Exercise],
    limit: Limit,
    engines: &mut [Engine],
    tell: &mut dyn FnMut(usize, Answer) -> io::Result<()>,
) -> io::Result<()> {
    let control = Control::default();
    let jobs = exercises.iter().enumerate();
    let work = |engine: &mut &mut Engine, (index, exercise): (usize, &&Exercise)| {
        Some((index, answer(engine, exercise, limit, &control)))
    };
    let mut in_order = InOrder::default();
    workers::run(engines, jobs, &control, work, |(index, answer)| {
        in_order.add(index, answer);
        in_order.by_ref().try_for_each(|(index, answer)| tell(index, answer))?;
        Ok(ControlFlow::Continue(()))
    })
}

fn answer(engine: &mut Engine, exercise: &Exercise, limit: Limit, control: &Control) -> Answer {
    engine.new_game();
    let position = Position::new(exercise.chess.clone());
    let mut judge = Judge::new(exercise);
    let outcome = engine.go(&position, &limit.limits(), control, &mut |report| {
        if let Report::Line(line) = report {
            judge.hear(&line);
        }
    });
    let verdict = judge.decide(&outcome);
    Answer { outcome, verdict }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATES: [&str; 3] = [
        "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8 Re8; dm 1;",
        "7k/R7/8/8/8/8/8/1R4K1 w - - bm Rb8; dm 1;",
        "k7/8/1K6/8/8/8/8/6Q1 w - - am Qa1; dm 1;",
    ];

    fn exercises() -> Vec<Exercise> {
        MATES.iter().cycle().take(12).map(|line| Exercise::read(line).unwrap()).collect()
    }

    fn settings(jobs: usize) -> RunSettings {
        RunSettings { jobs, ..RunSettings::of_tests(Limit::Depth(3)) }
    }

    fn told(jobs: usize, tell: &mut dyn FnMut(usize, Answer) -> io::Result<()>) -> io::Result<()> {
        let (exercises, settings) = (exercises(), settings(jobs));
        let mut engines = engines(&settings, exercises.len()).unwrap();
        solve(&exercises.iter().collect::<Vec<_>>(), settings.limit, &mut engines, tell)
    }

    #[test]
    fn answers_come_in_the_order_of_the_exercises_however_many_are_worked_on() {
        for jobs in [1, 4] {
            let mut indices = Vec::new();
            told(jobs, &mut |index, answer| {
                assert!(answer.verdict.solved, "{}", MATES[index % MATES.len()]);
                indices.push(index);
                Ok(())
            })
            .unwrap();
            assert_eq!(indices, (0..12).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_position_is_searched_as_if_it_were_the_first() {
        let mut nodes = Vec::new();
        told(1, &mut |_, answer| {
            nodes.push(answer.outcome.nodes);
            Ok(())
        })
        .unwrap();
        assert!(nodes.chunks(MATES.len()).all(|round| round == &nodes[..MATES.len()]));
    }

    #[test]
    fn when_nobody_listens_any_more_the_work_ends() {
        let mut told_of = 0;
        let result = told(2, &mut |_, _| {
            told_of += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        });
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(told_of, 1);
    }

    #[test]
    fn no_more_engines_are_made_than_there_are_positions() {
        assert_eq!(engines(&settings(4), 2).unwrap().len(), 2);
        assert_eq!(engines(&settings(4), 0).unwrap().len(), 0);
    }
}
