//! Judges if an answer meets the conditions of a position, and since when.

use std::time::Duration;

use super::exercise::Exercise;
use outrider_engine::search::{Bound, Line, Outcome};
use outrider_engine::units::Depth;

/// Judgement of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The final answer is a solution. `None` if the position has no condition.
    pub solved: Option<bool>,
    /// Moment at which the solution was found, if the position is solved.
    pub found: Option<FoundAt>,
    /// Points of the move played.
    pub points: u32,
    /// The mate was announced with exactly the expected length. `None` if no mate is expected.
    pub exact_mate: Option<bool>,
}

impl Verdict {
    /// Returns the verdict in a word: `solved`, `failed`, or `evaluated` without a condition.
    pub fn word(&self) -> &'static str {
        match self.solved {
            Some(true) => "solved",
            Some(false) => "failed",
            None => "evaluated",
        }
    }
}

/// Moment of a search from which on every answer was a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundAt {
    /// Time since the search began.
    pub elapsed: Duration,
    /// Depth of the iteration in plies.
    pub depth: Depth,
}

/// Follows a search and remembers since when its best line is a solution.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    exercise: &'a Exercise,
    since: Option<FoundAt>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(exercise: &'a Exercise) -> Judge<'a> {
        Judge { exercise, since: None }
    }

    /// Takes a line that the search reports.
    pub(super) fn update(&mut self, line: &Line) {
        if let (1, Some(&mv), true) = (line.rank, line.moves.first(), self.exercise.has_condition())
        {
            let is_solution = self.exercise.is_solution(mv, line.score, line.bound);
            self.set(is_solution, line.progress.elapsed, line.depth);
        }
    }

    /// Judges the final answer.
    pub(super) fn decide(mut self, outcome: &Outcome) -> Verdict {
        let exercise = self.exercise;
        let solved = exercise.has_condition().then(|| {
            outcome.best.is_some_and(|mv| exercise.is_solution(mv, outcome.score, Bound::Exact))
        });
        self.set(solved == Some(true), outcome.elapsed, outcome.depth);
        Verdict {
            solved,
            found: self.since,
            points: outcome.best.map_or(0, |mv| exercise.points_of(mv)),
            exact_mate: exercise.mate.map(|mate| outcome.score.mate_moves() == Some(mate)),
        }
    }

    fn set(&mut self, is_solution: bool, elapsed: Duration, depth: Depth) {
        if !is_solution {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(FoundAt { elapsed, depth });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exercise::tests::exercise;
    use super::*;
    use outrider_engine::position::san::parse_san;
    use outrider_engine::search::Progress;
    use outrider_engine::units::{Ply, Score};

    fn line(exercise: &Exercise, mv: &str, score: Score, depth: i32) -> Line {
        Line {
            depth: Depth::new(depth),
            seldepth: 0,
            rank: 1,
            score,
            bound: Bound::Exact,
            progress: Progress {
                elapsed: Duration::from_secs(depth as u64),
                ..Progress::default()
            },
            moves: vec![parse_san(&exercise.chess, mv).unwrap()],
        }
    }

    /// Judges a search that reported these moves at depths 1, 2, 3 and so on, and played the last.
    fn judged(exercise: &Exercise, answers: &[(&str, Score)]) -> Verdict {
        let mut judge = Judge::new(exercise);
        let mut last = None;
        for (&(mv, score), depth) in answers.iter().zip(1..) {
            let line = line(exercise, mv, score, depth);
            judge.update(&line);
            last = Some(line);
        }
        let last = last.unwrap();
        judge.decide(&Outcome {
            best: Some(last.moves[0]),
            ponder: None,
            score: last.score,
            depth: last.depth,
            nodes: 0,
            elapsed: last.progress.elapsed,
        })
    }

    fn found_at(verdict: &Verdict) -> Option<i32> {
        verdict.found.map(|found| found.depth.plies())
    }

    const EQUAL: Score = Score::DRAW;

    #[test]
    fn a_best_move_solves_a_position_and_another_does_not() {
        let exercise = exercise("bm Ra8 Re8;");
        assert_eq!(judged(&exercise, &[("Re8+", EQUAL)]).solved, Some(true));
        let failed = judged(&exercise, &[("Ra8+", EQUAL), ("Kf1", EQUAL)]);
        assert_eq!(failed.solved, Some(false));
        assert_eq!(failed.found, None);
    }

    #[test]
    fn any_move_but_those_to_avoid_solves_a_position() {
        let exercise = exercise("am Ra8 Re8;");
        assert_eq!(judged(&exercise, &[("Kf1", EQUAL)]).solved, Some(true));
        assert_eq!(judged(&exercise, &[("Ra8", EQUAL)]).solved, Some(false));
    }

    #[test]
    fn a_solution_counts_from_the_moment_since_when_it_was_kept() {
        let exercise = exercise("bm Ra8;");
        let answers = [("Ra8", EQUAL), ("Kf1", EQUAL), ("Ra8", EQUAL), ("Ra8", EQUAL)];
        let verdict = judged(&exercise, &answers);
        assert_eq!(found_at(&verdict), Some(3));
        assert_eq!(verdict.found.unwrap().elapsed, Duration::from_secs(3));
    }

    #[test]
    fn changing_between_two_solutions_does_not_reset_the_time() {
        let exercise = exercise("bm Ra8 Re8;");
        let answers = [("Kf1", EQUAL), ("Ra8", EQUAL), ("Re8", EQUAL)];
        assert_eq!(found_at(&judged(&exercise, &answers)), Some(2));
    }

    #[test]
    fn a_solution_never_reported_before_it_was_played_is_found_at_the_end() {
        let exercise = exercise("bm Ra8;");
        let mut judge = Judge::new(&exercise);
        judge.update(&line(&exercise, "Kf1", EQUAL, 4));
        let verdict = judge.decide(&Outcome {
            best: Some(exercise.best[0]),
            ponder: None,
            score: EQUAL,
            depth: Depth::new(5),
            nodes: 0,
            elapsed: Duration::from_secs(9),
        });
        let found = FoundAt { elapsed: Duration::from_secs(9), depth: Depth::new(5) };
        assert_eq!(verdict.found, Some(found));
    }

    #[test]
    fn only_the_best_line_of_several_counts() {
        let exercise = exercise("bm Ra8;");
        let mut judge = Judge::new(&exercise);
        judge.update(&Line { rank: 2, ..line(&exercise, "Ra8", EQUAL, 1) });
        assert_eq!(judge.since, None);
    }

    #[test]
    fn a_mate_is_solved_by_announcing_at_most_its_length() {
        let mate_in_two = Score::mate_in(Ply::new(3));
        let verdict = judged(&exercise("dm 2;"), &[("Kf1", EQUAL), ("Kf1", mate_in_two)]);
        assert_eq!(verdict.solved, Some(true));
        assert_eq!((found_at(&verdict), verdict.exact_mate), (Some(2), Some(true)));
        let shorter = judged(&exercise("dm 3;"), &[("Kf1", mate_in_two)]);
        assert_eq!(shorter.solved, Some(true));
        assert_eq!(shorter.exact_mate, Some(false));
        assert_eq!(judged(&exercise("dm 1;"), &[("Kf1", mate_in_two)]).solved, Some(false));
        assert_eq!(judged(&exercise("dm 1;"), &[("Ra8", Score::new(900))]).solved, Some(false));
    }

    #[test]
    fn being_mated_is_announced_by_a_negative_score() {
        let mated = Score::mated_in(Ply::new(4));
        assert_eq!(judged(&exercise("dm -2;"), &[("Kf1", mated)]).solved, Some(true));
        assert_eq!(judged(&exercise("dm -1;"), &[("Kf1", mated)]).solved, Some(false));
        assert_eq!(judged(&exercise("dm 2;"), &[("Kf1", mated)]).solved, Some(false));
        assert_eq!(judged(&exercise("dm -2;"), &[("Kf1", -mated)]).solved, Some(false));
    }

    #[test]
    fn a_position_without_a_condition_is_neither_solved_nor_failed() {
        let verdict = judged(&exercise("id \"x\";"), &[("Ra8", EQUAL), ("Ra8", EQUAL)]);
        assert_eq!((verdict.solved, verdict.found), (None, None));
    }

    #[test]
    fn all_conditions_must_be_met() {
        let mate = Score::mate_in(Ply::new(1));
        let exercise = exercise("bm Ra8; dm 1;");
        assert_eq!(judged(&exercise, &[("Ra8", mate)]).solved, Some(true));
        assert_eq!(judged(&exercise, &[("Re8", mate)]).solved, Some(false));
        assert_eq!(judged(&exercise, &[("Ra8", EQUAL)]).solved, Some(false));
        assert_eq!(exercise.wanted(), "bm Ra8#; dm 1");
    }

    #[test]
    fn a_move_earns_its_points_whether_it_solves_or_not() {
        let exercise = exercise("bm Ra8; c0 \"Ra8=100, Kf1=7\";");
        assert_eq!(judged(&exercise, &[("Ra8", EQUAL)]).points, 100);
        let second_best = judged(&exercise, &[("Kf1", EQUAL)]);
        assert_eq!((second_best.solved, second_best.points), (Some(false), 7));
        assert_eq!(judged(&exercise, &[("Kh1", EQUAL)]).points, 0);
        assert_eq!(exercise.most_points(), 100);
    }
}
