//! What a position of a test suite asks for, and whether an answer meets it.

use std::time::Duration;

use shakmaty::{Chess, Move};
use thiserror::Error;

use crate::position::epd::{Epd, EpdError};
use crate::position::san::format_san;
use crate::search::{Bound, Line, Outcome};
use crate::units::{Depth, Score};

/// A position and what is asked for in it. All that is asked for has to be met together.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The position.
    pub chess: Chess,
    /// Its name, if it has one.
    pub id: Option<String>,
    /// One of these moves is to be played; empty if that is not asked for.
    pub best: Vec<Move>,
    /// None of these moves is to be played.
    pub avoid: Vec<Move>,
    /// A mate in at most so many full moves is to be announced: for the side to move if positive,
    /// against it if negative.
    pub mate: Option<i32>,
    /// The points that moves are worth; moves that are not named are worth none.
    pub points: Vec<(Move, u32)>,
}

/// Why a line holds no exercise.
#[derive(Debug, Error)]
pub enum ExerciseError {
    /// It is not understood.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// It does not say what a solution is.
    #[error("there is nothing to solve: neither bm, am or dm nor points in c0")]
    NothingAsked,
}

/// An answer, judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the answer given at the end is a solution.
    pub solved: bool,
    /// When it was found, if it is.
    pub found: Option<Found>,
    /// The points of the move played.
    pub points: u32,
    /// Whether the mate asked for was announced at exactly the length asked for; `None` if no
    /// mate is asked for.
    pub exact_mate: Option<bool>,
}

/// The moment of a search from which on every answer was a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Time since the search began.
    pub elapsed: Duration,
    /// Depth of the iteration in plies.
    pub depth: Depth,
}

impl Exercise {
    /// Reads a line of a suite.
    ///
    /// Points without best moves ask for the move that is worth most.
    ///
    /// # Errors
    ///
    /// Fails if the line is not understood or does not say what a solution is.
    pub fn read(line: &str) -> Result<Exercise, ExerciseError> {
        let epd: Epd = line.parse()?;
        let mut exercise = Exercise {
            id: epd.id().map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned),
            best: epd.best_moves(),
            avoid: epd.avoid_moves(),
            mate: epd.direct_mate(),
            points: epd.points()?,
            chess: epd.chess,
        };
        if exercise.best.is_empty() && exercise.avoid.is_empty() && exercise.mate.is_none() {
            let most = exercise.most_points();
            let worth_most =
                exercise.points.iter().filter(|(_, points)| *points == most && most > 0);
            exercise.best = worth_most.map(|(mv, _)| *mv).collect();
            if exercise.best.is_empty() {
                return Err(ExerciseError::NothingAsked);
            }
        }
        Ok(exercise)
    }

    /// The kind of position: its name without the number at the end.
    pub fn theme(&self) -> Option<&str> {
        let id = self.id.as_deref()?;
        let text = id.trim_end_matches(|c: char| c.is_ascii_digit());
        let theme = text.trim_end_matches(|c: char| c.is_whitespace() || ".,:-_#/".contains(c));
        (text.len() < id.len() && !theme.is_empty()).then_some(theme)
    }

    /// What is asked for, as a person reads it.
    pub fn wanted(&self) -> String {
        let moves = |opcode: &str, moves: &[Move]| {
            let names: Vec<String> = moves.iter().map(|&mv| format_san(&self.chess, mv)).collect();
            (!names.is_empty()).then(|| format!("{opcode} {}", names.join(" ")))
        };
        let mate = self.mate.map(|moves| format!("dm {moves}"));
        let parts = [moves("bm", &self.best), moves("am", &self.avoid), mate];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// The points that a move is worth.
    pub fn points_of(&self, mv: Move) -> u32 {
        self.points.iter().find(|(named, _)| *named == mv).map_or(0, |(_, points)| *points)
    }

    /// The points of the move that is worth most.
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|(_, points)| *points).max().unwrap_or(0)
    }

    /// Whether a move with its score meets all that is asked for.
    fn is_solution(&self, mv: Move, score: Score, bound: Bound) -> bool {
        (self.best.is_empty() || self.best.contains(&mv))
            && !self.avoid.contains(&mv)
            && self.mate.is_none_or(|mate| announces(score, bound, mate))
    }
}

/// Whether a score promises a mate in at most so many moves, for the same side.
fn announces(score: Score, bound: Bound, mate: i32) -> bool {
    let disproved = if mate > 0 { Bound::Upper } else { Bound::Lower };
    score.mate_moves().is_some_and(|moves| {
        bound != disproved
            && moves.signum() == mate.signum()
            && moves.unsigned_abs() <= mate.unsigned_abs()
    })
}

/// Follows a search and remembers since when its answer is a solution.
#[derive(Debug)]
pub struct Judge<'a> {
    exercise: &'a Exercise,
    since: Option<Found>,
}

impl<'a> Judge<'a> {
    /// Nothing has been answered yet.
    pub fn new(exercise: &'a Exercise) -> Judge<'a> {
        Judge { exercise, since: None }
    }

    /// The search tells a line.
    pub fn hear(&mut self, line: &Line) {
        if let (1, Some(&mv)) = (line.rank, line.moves.first()) {
            let is_solution = self.exercise.is_solution(mv, line.score, line.bound);
            self.note(is_solution, line.elapsed, line.depth);
        }
    }

    /// The search has ended.
    pub fn decide(mut self, outcome: &Outcome) -> Verdict {
        let exercise = self.exercise;
        let solved =
            outcome.best.is_some_and(|mv| exercise.is_solution(mv, outcome.score, Bound::Exact));
        self.note(solved, outcome.elapsed, outcome.depth);
        Verdict {
            solved,
            found: self.since,
            points: outcome.best.map_or(0, |mv| exercise.points_of(mv)),
            exact_mate: exercise.mate.map(|mate| outcome.score.mate_moves() == Some(mate)),
        }
    }

    fn note(&mut self, is_solution: bool, elapsed: Duration, depth: Depth) {
        if !is_solution {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some(Found { elapsed, depth });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::san::parse_san;
    use crate::units::Ply;

    const ROOKS: &str = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - -";

    fn exercise(operations: &str) -> Exercise {
        Exercise::read(&format!("{ROOKS} {operations}")).unwrap()
    }

    fn line(exercise: &Exercise, mv: &str, score: Score, depth: i32) -> Line {
        Line {
            depth: Depth::new(depth),
            seldepth: 0,
            rank: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: 0,
            elapsed: Duration::from_secs(depth as u64),
            moves: vec![parse_san(&exercise.chess, mv).unwrap()],
        }
    }

    /// A search that told these moves at depths 1, 2, 3 and so on and played the last of them.
    fn judged(exercise: &Exercise, answers: &[(&str, Score)]) -> Verdict {
        let mut judge = Judge::new(exercise);
        let mut last = None;
        for (&(mv, score), depth) in answers.iter().zip(1..) {
            let line = line(exercise, mv, score, depth);
            judge.hear(&line);
            last = Some(line);
        }
        let last = last.unwrap();
        judge.decide(&Outcome {
            best: Some(last.moves[0]),
            ponder: None,
            score: last.score,
            depth: last.depth,
            nodes: 0,
            elapsed: last.elapsed,
        })
    }

    fn found_at(verdict: &Verdict) -> Option<i32> {
        verdict.found.map(|found| found.depth.plies())
    }

    const EQUAL: Score = Score::DRAW;

    #[test]
    fn a_best_move_solves_a_position_and_another_does_not() {
        let exercise = exercise("bm Ra8 Re8;");
        assert!(judged(&exercise, &[("Re8+", EQUAL)]).solved);
        let failed = judged(&exercise, &[("Ra8+", EQUAL), ("Kf1", EQUAL)]);
        assert!(!failed.solved);
        assert_eq!(failed.found, None);
    }

    #[test]
    fn any_move_but_those_to_avoid_solves_a_position() {
        let exercise = exercise("am Ra8 Re8;");
        assert!(judged(&exercise, &[("Kf1", EQUAL)]).solved);
        assert!(!judged(&exercise, &[("Ra8", EQUAL)]).solved);
    }

    #[test]
    fn a_solution_counts_from_when_it_was_found_and_kept() {
        let exercise = exercise("bm Ra8;");
        let answers = [("Ra8", EQUAL), ("Kf1", EQUAL), ("Ra8", EQUAL), ("Ra8", EQUAL)];
        let verdict = judged(&exercise, &answers);
        assert_eq!(found_at(&verdict), Some(3));
        assert_eq!(verdict.found.unwrap().elapsed, Duration::from_secs(3));
    }

    #[test]
    fn changing_between_two_solutions_is_keeping_one() {
        let exercise = exercise("bm Ra8 Re8;");
        let answers = [("Kf1", EQUAL), ("Ra8", EQUAL), ("Re8", EQUAL)];
        assert_eq!(found_at(&judged(&exercise, &answers)), Some(2));
    }

    #[test]
    fn a_move_that_was_never_told_before_it_was_played_is_found_at_the_end() {
        let exercise = exercise("bm Ra8;");
        let mut judge = Judge::new(&exercise);
        judge.hear(&line(&exercise, "Kf1", EQUAL, 4));
        let verdict = judge.decide(&Outcome {
            best: Some(exercise.best[0]),
            ponder: None,
            score: EQUAL,
            depth: Depth::new(5),
            nodes: 0,
            elapsed: Duration::from_secs(9),
        });
        let found = Found { elapsed: Duration::from_secs(9), depth: Depth::new(5) };
        assert_eq!(verdict.found, Some(found));
    }

    #[test]
    fn only_the_best_line_of_several_counts() {
        let exercise = exercise("bm Ra8;");
        let mut judge = Judge::new(&exercise);
        judge.hear(&Line { rank: 2, ..line(&exercise, "Ra8", EQUAL, 1) });
        assert_eq!(judge.since, None);
    }

    #[test]
    fn a_mate_is_solved_by_announcing_it_in_time() {
        let mate_in_two = Score::mate_in(Ply::new(3));
        let verdict = judged(&exercise("dm 2;"), &[("Kf1", EQUAL), ("Kf1", mate_in_two)]);
        assert!(verdict.solved);
        assert_eq!((found_at(&verdict), verdict.exact_mate), (Some(2), Some(true)));
        let shorter = judged(&exercise("dm 3;"), &[("Kf1", mate_in_two)]);
        assert!(shorter.solved);
        assert_eq!(shorter.exact_mate, Some(false));
        assert!(!judged(&exercise("dm 1;"), &[("Kf1", mate_in_two)]).solved);
        assert!(!judged(&exercise("dm 1;"), &[("Ra8", Score::new(900))]).solved);
    }

    #[test]
    fn being_mated_is_announced_by_a_negative_score() {
        let mated = Score::mated_in(Ply::new(4));
        assert!(judged(&exercise("dm -2;"), &[("Kf1", mated)]).solved);
        assert!(!judged(&exercise("dm -1;"), &[("Kf1", mated)]).solved);
        assert!(!judged(&exercise("dm 2;"), &[("Kf1", mated)]).solved);
        assert!(!judged(&exercise("dm -2;"), &[("Kf1", -mated)]).solved);
    }

    #[test]
    fn a_score_that_may_be_too_high_announces_no_mate() {
        let mate = Score::mate_in(Ply::new(1));
        assert!(announces(mate, Bound::Lower, 1));
        assert!(!announces(mate, Bound::Upper, 1));
        assert!(announces(-Score::mate_in(Ply::new(2)), Bound::Upper, -1));
    }

    #[test]
    fn all_that_is_asked_for_has_to_be_met() {
        let mate = Score::mate_in(Ply::new(1));
        let exercise = exercise("bm Ra8; dm 1;");
        assert!(judged(&exercise, &[("Ra8", mate)]).solved);
        assert!(!judged(&exercise, &[("Re8", mate)]).solved);
        assert!(!judged(&exercise, &[("Ra8", EQUAL)]).solved);
        assert_eq!(exercise.wanted(), "bm Ra8#; dm 1");
    }

    #[test]
    fn a_move_earns_its_points_whether_it_solves_or_not() {
        let exercise = exercise("bm Ra8; c0 \"Ra8=100, Kf1=7\";");
        assert_eq!(judged(&exercise, &[("Ra8", EQUAL)]).points, 100);
        let second_best = judged(&exercise, &[("Kf1", EQUAL)]);
        assert_eq!((second_best.solved, second_best.points), (false, 7));
        assert_eq!(judged(&exercise, &[("Kh1", EQUAL)]).points, 0);
        assert_eq!(exercise.most_points(), 100);
    }

    #[test]
    fn points_alone_ask_for_the_move_that_is_worth_most() {
        assert_eq!(exercise("c0 \"Kf1=7, Ra8=100, Re8=100\";").wanted(), "bm Ra8# Re8#");
    }

    #[test]
    fn a_line_that_asks_for_nothing_is_refused() {
        for operations in ["", "id \"x\";", "c0 \"a comment\";", "c0 \"Kf1=0\";", "D1 20;"] {
            let read = Exercise::read(&format!("{ROOKS} {operations}"));
            assert!(matches!(read, Err(ExerciseError::NothingAsked)), "{operations}");
        }
    }

    #[test]
    fn a_theme_is_a_name_without_its_number() {
        let theme =
            |id: &str| exercise(&format!("bm Ra8; id \"{id}\";")).theme().map(str::to_owned);
        assert_eq!(theme("WAC.001").as_deref(), Some("WAC"));
        assert_eq!(theme("STS(v1.0) Undermine.001").as_deref(), Some("STS(v1.0) Undermine"));
        assert_eq!(theme("STS(v14.0) 7th Rank.12").as_deref(), Some("STS(v14.0) 7th Rank"));
        assert_eq!(theme("mate-in-2.013").as_deref(), Some("mate-in-2"));
        assert_eq!(theme("Position 7").as_deref(), Some("Position"));
        assert_eq!(theme("Réti's study"), None);
        assert_eq!(theme("17"), None);
        assert_eq!(theme(""), None);
    }
}
