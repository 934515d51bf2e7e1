//! Searches the positions of a suite, several at the same time.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Move;

use super::exercise::Exercise;
use super::judge::{Judge, Verdict};
use crate::limit::PositionLimit;
use crate::workers;
use outrider_engine::evaluation::wdl::shown_score;
use outrider_engine::position::Position;
use outrider_engine::search::{Bound, Control, Engine, MemoryError, Report};
use outrider_engine::units::{Depth, Score};

/// Engine and settings of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSettings {
    /// Name and version of the engine.
    pub engine: String,
    /// Commit that the engine was built from; empty if it is not known.
    pub commit: String,
    /// Limit of the search of each position.
    pub limit: PositionLimit,
    /// Threads of each engine.
    pub threads: usize,
    /// Positions searched at the same time, each by an engine of its own.
    pub jobs: usize,
    /// Size of the transposition table of each engine in megabytes.
    #[serde(rename = "hash_mb")]
    pub table_megabytes: usize,
}

#[cfg(test)]
impl RunSettings {
    /// Returns settings with this limit for tests.
    pub(crate) fn for_tests(limit: PositionLimit) -> RunSettings {
        let (engine, commit) = ("Outrider".to_owned(), "a commit".to_owned());
        RunSettings { engine, commit, limit, threads: 1, jobs: 2, table_megabytes: 1 }
    }
}

/// The answer to an exercise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Move played; `None` if there is no legal move.
    pub played: Option<Move>,
    /// Best line, which begins with the move played.
    pub line: Vec<Move>,
    /// Score of the move for the side to move, on the scale shown to users.
    pub score: Score,
    /// Depth of the last completed iteration.
    pub depth: Depth,
    /// Nodes searched.
    pub nodes: u64,
    /// Duration of the search.
    pub elapsed: Duration,
    /// Judgement of the answer.
    pub verdict: Verdict,
}

/// Controls a run from outside.
#[derive(Clone, Copy)]
pub struct RunControl<'a> {
    /// Stops the run at once. Positions being searched get no answer.
    pub stop: &'a Control,
    /// Called before each position on the thread that searches it. It may wait. Its error ends the run.
    pub before_each: &'a (dyn Fn() -> io::Result<()> + Sync),
}

/// Creates the engines for `solve`, at most one per position.
///
/// # Errors
///
/// Fails if there is not enough memory for their tables.
pub fn engines(settings: &RunSettings, positions: usize) -> Result<Vec<Engine>, MemoryError> {
    let jobs = settings.jobs.min(positions);
    Engine::new_many(jobs, settings.threads, settings.table_megabytes)
}

/// Searches all exercises, each with an empty transposition table. Calls `take` with the number of an
/// exercise and its answer when it is found.
///
/// # Errors
///
/// Returns an error of `take` or the control at once. Fails if a thread cannot be started, and with
/// [`io::ErrorKind::Interrupted`] if the run is stopped.
pub(super) fn solve(
    exercises: &[(usize, &Exercise)],
    limit: PositionLimit,
    engines: &mut [Engine],
    control: RunControl<'_>,
    take: &mut dyn FnMut(usize, Answer) -> io::Result<()>,
) -> io::Result<()> {
    let work = |engine: &mut &mut Engine, &(number, exercise): &(usize, &Exercise)| {
        let answer =
            (control.before_each)().map(|()| answer(engine, exercise, limit, control.stop));
        let is_cut_short = control.stop.is_stopped();
        (!is_cut_short).then_some(answer.map(|answer| (number, answer)))
    };
    let mut open = exercises.len();
    workers::run(engines, exercises.iter(), control.stop, work, |result| {
        let (number, answer) = result?;
        open -= 1;
        take(number, answer).map(ControlFlow::Continue)
    })?;
    if open == 0 { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
}

/// Searches an exercise with an empty transposition table.
pub(super) fn answer(
    engine: &mut Engine,
    exercise: &Exercise,
    limit: PositionLimit,
    control: &Control,
) -> Answer {
    engine.new_game();
    let position = Position::new(exercise.chess.clone());
    let mut judge = Judge::new(exercise);
    let mut best_line: Vec<Move> = Vec::new();
    let update: &mut dyn FnMut(Report) = &mut |report| {
        if let Report::Line(line) = report {
            judge.update(&line);
            let is_new = line.bound == Bound::Exact || line.moves.first() != best_line.first();
            if line.rank == 1 && is_new {
                best_line = line.moves;
            }
        }
    };
    // The threads of the workers have a large enough stack.
    let outcome = engine.go_on_this_thread(&position, &limit.limits(), control, Some(update));
    if best_line.first() != outcome.best.as_ref() {
        best_line = outcome.best.into_iter().collect();
    }
    Answer {
        played: outcome.best,
        line: best_line,
        score: shown_score(outcome.score),
        depth: outcome.depth,
        nodes: outcome.nodes,
        elapsed: outcome.elapsed,
        verdict: judge.decide(&outcome),
    }
}

#[cfg(test)]
impl Answer {
    /// Returns the answer of a search that preferred this move from `elapsed` on.
    pub(crate) fn for_tests(exercise: &Exercise, mv: &str, elapsed: Duration) -> Answer {
        use outrider_engine::position::san::parse_san;

        let mv = parse_san(&exercise.chess, mv).unwrap();
        let (score, depth) = (Score::mate_in(outrider_engine::units::Ply::new(1)), Depth::new(7));
        let has_condition = exercise.has_condition();
        let solved = has_condition.then(|| exercise.is_solution(mv, score, Bound::Exact));
        let found = (solved == Some(true)).then_some(super::judge::FoundAt { elapsed, depth });
        let points = exercise.points_of(mv);
        let verdict = Verdict { solved, found, points, exact_mate: None };
        Answer { played: Some(mv), line: vec![mv], score, depth, nodes: 1000, elapsed, verdict }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use shakmaty::Position as _;

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
        RunSettings { jobs, ..RunSettings::for_tests(PositionLimit::Depth(3)) }
    }

    fn solve_all(
        jobs: usize,
        take: &mut dyn FnMut(usize, Answer) -> io::Result<()>,
    ) -> io::Result<()> {
        let (exercises, settings) = (exercises(), settings(jobs));
        let mut engines = engines(&settings, exercises.len()).unwrap();
        let numbered: Vec<_> = exercises.iter().enumerate().collect();
        let control = RunControl { stop: &Control::default(), before_each: &|| Ok(()) };
        solve(&numbered, settings.limit, &mut engines, control, take)
    }

    #[test]
    fn a_run_stopped_or_refused_by_its_control_keeps_the_answers_found() {
        let exercises = exercises();
        let numbered: Vec<_> = exercises.iter().enumerate().collect();
        let mut engines = engines(&settings(1), exercises.len()).unwrap();
        let mut ends = |stop: &Control, before_each: &(dyn Fn() -> io::Result<()> + Sync)| {
            let mut found = 0;
            let control = RunControl { stop, before_each };
            let limit = PositionLimit::Depth(3);
            let ended = solve(&numbered, limit, &mut engines, control, &mut |_, _| {
                found += 1;
                Ok(())
            });
            (ended.unwrap_err().kind(), found)
        };
        let refused = ends(&Control::default(), &|| Err(io::ErrorKind::BrokenPipe.into()));
        assert_eq!(refused, (io::ErrorKind::BrokenPipe, 0));
        let (stop, begun) = (Control::default(), AtomicUsize::new(0));
        let stop_at_third = || {
            if begun.fetch_add(1, Ordering::Relaxed) == 2 {
                stop.stop();
            }
            Ok(())
        };
        assert_eq!(ends(&stop, &stop_at_third), (io::ErrorKind::Interrupted, 2));
    }

    #[test]
    fn each_exercise_is_answered_once_with_any_number_of_jobs() {
        for jobs in [1, 4] {
            let mut answered = Vec::new();
            solve_all(jobs, &mut |number, answer| {
                assert!(answer.verdict.solved == Some(true), "{}", MATES[number % MATES.len()]);
                answered.push(number);
                Ok(())
            })
            .unwrap();
            answered.sort_unstable();
            assert_eq!(answered, (0..12).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_best_line_is_legal_and_begins_with_the_move_played() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mated = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
        for limit in [PositionLimit::Depth(6), PositionLimit::Nodes(3_000)] {
            let mut lines = Vec::new();
            let exercises = [start, mated].map(|fen| Exercise::read(fen).unwrap());
            let numbered: Vec<_> = exercises.iter().enumerate().collect();
            let mut engines = engines(&settings(1), 2).unwrap();
            let control = RunControl { stop: &Control::default(), before_each: &|| Ok(()) };
            solve(&numbered, limit, &mut engines, control, &mut |_, answer| {
                assert_eq!(answer.verdict.solved, None);
                assert_eq!(answer.line.first(), answer.played.as_ref());
                lines.push(answer.line);
                Ok(())
            })
            .unwrap();
            assert!(lines[0].len() > 2 && lines[1].is_empty(), "{lines:?}");
            let mut chess = exercises[0].chess.clone();
            for &mv in &lines[0] {
                assert!(chess.is_legal(mv), "{mv}");
                chess.play_unchecked(mv);
            }
        }
    }

    #[test]
    fn each_position_is_searched_with_an_empty_table() {
        let mut nodes = Vec::new();
        solve_all(1, &mut |_, answer| {
            nodes.push(answer.nodes);
            Ok(())
        })
        .unwrap();
        assert!(nodes.chunks(MATES.len()).all(|round| round == &nodes[..MATES.len()]));
    }

    #[test]
    fn an_error_in_taking_an_answer_ends_the_work() {
        let mut taken = 0;
        let result = solve_all(2, &mut |_, _| {
            taken += 1;
            Err(io::ErrorKind::BrokenPipe.into())
        });
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(taken, 1);
    }

    #[test]
    fn at_most_one_engine_per_position_is_created() {
        assert_eq!(engines(&settings(4), 2).unwrap().len(), 2);
        assert_eq!(engines(&settings(4), 0).unwrap().len(), 0);
    }
}
