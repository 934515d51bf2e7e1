//! An answer as stored in files: in the journal of a run and in its results.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position as _};

use super::exercise::{self, Exercise};
use super::file::{Suite, SuiteEntry};
use super::judge::{FoundAt, Verdict};
use super::solve::Answer;
use crate::score_record::ScoreRecord;
use outrider_engine::position::notation::{format_fen, format_move, parse_move};
use outrider_engine::position::san::format_san;
use outrider_engine::units::Depth;

/// A position with its answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// Name of the suite's file.
    pub file: String,
    /// Line number in the file, from 1.
    pub line: usize,
    /// Name of the position, if any.
    pub id: Option<String>,
    /// Theme of the position: its name without the number at the end.
    pub theme: Option<String>,
    /// The position.
    pub fen: String,
    /// Best moves in standard algebraic notation.
    pub bm: Vec<String>,
    /// Moves to avoid in standard algebraic notation.
    pub am: Vec<String>,
    /// Expected mate in full moves, negative if the side to move is mated.
    pub dm: Option<i32>,
    /// The answer is a solution. `None` if the position has no expected answer.
    pub solved: Option<bool>,
    /// Move played in standard algebraic notation.
    pub played: Option<String>,
    /// Move played in UCI notation.
    pub played_uci: Option<String>,
    /// Score of the move for the side to move, on the scale shown to users.
    pub score: ScoreRecord,
    /// The best line in UCI notation; it begins with the move played.
    #[serde(default)]
    pub pv: Vec<String>,
    /// The mate was announced with exactly the expected length. `None` if no mate is expected.
    pub exact_mate: Option<bool>,
    /// Points of the move, if the position has points.
    pub points: Option<u32>,
    /// Points of the best move, if the position has points.
    pub most_points: Option<u32>,
    /// Time in milliseconds from which on the answer was correct.
    pub found_ms: Option<f64>,
    /// Depth in plies from which on the answer was correct.
    pub found_depth: Option<i32>,
    /// Depth of the last completed iteration in plies.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Duration of the search in milliseconds.
    pub elapsed_ms: f64,
}

impl AnswerRecord {
    /// Creates the record of an answer to a position of a suite.
    pub fn new(suite: &Suite, entry: &SuiteEntry, answer: &Answer) -> AnswerRecord {
        let (exercise, verdict) = (&entry.exercise, &answer.verdict);
        let castling = exercise.chess.castles().mode();
        let earns = exercise.most_points() > 0;
        AnswerRecord {
            file: suite.name(),
            line: entry.line,
            id: exercise.id.clone(),
            theme: exercise.theme().map(str::to_owned),
            fen: format_fen(&exercise.chess),
            bm: exercise.names(&exercise.best),
            am: exercise.names(&exercise.avoid),
            dm: exercise.mate,
            solved: verdict.solved,
            played: answer.played.map(|mv| format_san(&exercise.chess, mv)),
            played_uci: answer.played.map(|mv| format_move(mv, castling)),
            score: answer.score.into(),
            pv: answer.line.iter().map(|&mv| format_move(mv, castling)).collect(),
            exact_mate: verdict.exact_mate,
            points: earns.then_some(verdict.points),
            most_points: earns.then(|| exercise.most_points()),
            found_ms: verdict.found.map(|found| milliseconds(found.elapsed)),
            found_depth: verdict.found.map(|found| found.depth.plies()),
            depth: answer.depth.plies(),
            nodes: answer.nodes,
            elapsed_ms: milliseconds(answer.elapsed),
        }
    }

    /// Restores the answer to `exercise`. Returns `None` if a move is illegal there.
    pub(crate) fn answer(&self, exercise: &Exercise) -> Option<Answer> {
        let played = self.played_uci.as_ref().map(|text| parse_move(&exercise.chess, text));
        let found = self.found_ms.zip(self.found_depth);
        let found =
            found.map(|(ms, depth)| FoundAt { elapsed: duration(ms), depth: Depth::new(depth) });
        Some(Answer {
            played: played.transpose().ok()?,
            line: self.line_from(exercise.chess.clone())?,
            score: self.score.into(),
            depth: Depth::new(self.depth),
            nodes: self.nodes,
            elapsed: duration(self.elapsed_ms),
            verdict: Verdict {
                solved: self.solved,
                found,
                points: self.points.unwrap_or(0),
                exact_mate: self.exact_mate,
            },
        })
    }

    fn line_from(&self, mut chess: Chess) -> Option<Vec<Move>> {
        let mut line = Vec::with_capacity(self.pv.len());
        for text in &self.pv {
            let mv = parse_move(&chess, text).ok()?;
            chess.play_unchecked(mv);
            line.push(mv);
        }
        Some(line)
    }

    /// Name of the position, or its line number if it has none.
    pub fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| format!("line {}", self.line))
    }

    /// Returns true if the answer is a solution.
    pub(crate) fn is_solved(&self) -> bool {
        self.solved == Some(true)
    }

    /// Describes the expected answer. Empty if there is none.
    pub fn wanted(&self) -> String {
        exercise::wanted(&self.bm, &self.am, self.dm)
    }
}

/// Converts a time to milliseconds with microsecond precision, as files store it.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn duration(milliseconds: f64) -> Duration {
    Duration::from_micros((milliseconds * 1000.0).round() as u64)
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::*;
    use outrider_engine::units::{Ply, Score};

    /// Returns a failed answer to a position with this name.
    pub(crate) fn record(id: &str) -> AnswerRecord {
        AnswerRecord {
            file: "some.epd".to_owned(),
            line: 1,
            id: Some(id.to_owned()),
            theme: id.split_once('.').map(|(theme, _)| theme.to_owned()),
            fen: "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1".to_owned(),
            bm: vec!["Ra8#".to_owned(), "Re8#".to_owned()],
            am: vec!["Kf1".to_owned()],
            dm: Some(1),
            solved: Some(false),
            played: Some("Kf1".to_owned()),
            played_uci: Some("g1f1".to_owned()),
            score: Score::new(31).into(),
            pv: vec!["g1f1".to_owned()],
            exact_mate: None,
            points: None,
            most_points: None,
            found_ms: None,
            found_depth: None,
            depth: 9,
            nodes: 1000,
            elapsed_ms: 1.5,
        }
    }

    #[test]
    fn a_record_describes_the_expected_answer() {
        assert_eq!(record("A.1").wanted(), "bm Ra8# Re8#; am Kf1; dm 1");
        assert_eq!(AnswerRecord { id: None, line: 7, ..record("") }.name(), "line 7");
    }

    #[test]
    fn a_written_answer_reads_back_the_same() {
        let text = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - c0 \"Ra8=100\";\n\
                    7k/8/6QK/8/8/8/8/8 b - - dm -1;";
        let suite = Suite::parse(Path::new("some.epd"), text);
        let micros = Duration::from_micros(1_234_567);
        let solved = Answer::for_tests(&suite.entries[0].exercise, "Ra8", micros);
        let verdict =
            Verdict { solved: Some(true), found: None, points: 0, exact_mate: Some(true) };
        let score = Score::mated_in(Ply::new(0));
        let mated = Answer { played: None, line: Vec::new(), score, verdict, ..solved.clone() };
        for (entry, answer) in suite.entries.iter().zip([solved, mated]) {
            let text = serde_json::to_string(&AnswerRecord::new(&suite, entry, &answer)).unwrap();
            let record: AnswerRecord = serde_json::from_str(&text).unwrap();
            assert_eq!(record.answer(&entry.exercise), Some(answer));
            let illegal = "a1h8".to_owned();
            let changed = AnswerRecord { played_uci: Some(illegal.clone()), ..record.clone() };
            assert_eq!(changed.answer(&entry.exercise), None);
            let changed = AnswerRecord { pv: vec![illegal], ..record };
            assert_eq!(changed.answer(&entry.exercise), None);
        }
    }
}
