//! An answer in a form for files: a line of the journal by which a run is resumed, and a part of its
//! results.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Position as _;

use super::exercise;
use super::file::{Entry, Suite};
use super::solve::Answer;
use crate::engine::evaluation::wdl::shown_score;
use crate::engine::position::notation::{format_fen, format_move};
use crate::engine::position::san::format_san;
use crate::tools::score_record::ScoreRecord;

/// A position with its answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The suite.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// The name of the position.
    pub id: Option<String>,
    /// The kind of position.
    pub theme: Option<String>,
    /// The position.
    pub fen: String,
    /// One of these moves was to be played.
    pub bm: Vec<String>,
    /// None of these was.
    pub am: Vec<String>,
    /// The mate that was to be announced, in moves.
    pub dm: Option<i32>,
    /// Whether the answer was right.
    pub solved: bool,
    /// The move played.
    pub played: Option<String>,
    /// The same as the protocol writes it.
    pub played_uci: Option<String>,
    /// Its score for the side to move, as people are shown it.
    pub score: ScoreRecord,
    /// Whether the mate was announced at exactly the length asked for.
    pub exact_mate: Option<bool>,
    /// The points that the move earned.
    pub points: Option<u32>,
    /// The points that the best one would have.
    pub most_points: Option<u32>,
    /// When the solution was found for good, in milliseconds.
    pub found_ms: Option<f64>,
    /// At which depth, in plies.
    pub found_depth: Option<i32>,
    /// The last iteration that was finished.
    pub depth: i32,
    /// Positions searched.
    pub nodes: u64,
    /// The time of the search in milliseconds.
    pub elapsed_ms: f64,
}

impl Record {
    /// Writes an answer down.
    pub fn new(suite: &Suite, entry: &Entry, answer: &Answer) -> Record {
        let (exercise, outcome, verdict) = (&entry.exercise, &answer.outcome, &answer.verdict);
        let castling = exercise.chess.castles().mode();
        let earns = exercise.most_points() > 0;
        Record {
            file: suite.path.display().to_string(),
            line: entry.line,
            id: exercise.id.clone(),
            theme: exercise.theme().map(str::to_owned),
            fen: format_fen(&exercise.chess),
            bm: exercise.names(&exercise.best),
            am: exercise.names(&exercise.avoid),
            dm: exercise.mate,
            solved: verdict.solved,
            played: outcome.best.map(|mv| format_san(&exercise.chess, mv)),
            played_uci: outcome.best.map(|mv| format_move(mv, castling)),
            score: shown_score(outcome.score, exercise.chess.board()).into(),
            exact_mate: verdict.exact_mate,
            points: earns.then_some(verdict.points),
            most_points: earns.then(|| exercise.most_points()),
            found_ms: verdict.found.map(|found| milliseconds(found.elapsed)),
            found_depth: verdict.found.map(|found| found.depth.plies()),
            depth: outcome.depth.plies(),
            nodes: outcome.nodes,
            elapsed_ms: milliseconds(outcome.elapsed),
        }
    }

    /// What the position is called: its name, or where it stands.
    pub fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| format!("line {}", self.line))
    }

    /// What was asked for, as a person reads it.
    pub fn wanted(&self) -> String {
        exercise::wanted(&self.bm, &self.am, self.dm)
    }
}

/// A time as files have it.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::engine::units::Score;

    /// A failed answer to a position of the theme that its name says.
    pub fn record(id: &str) -> Record {
        Record {
            file: "some.epd".to_owned(),
            line: 1,
            id: Some(id.to_owned()),
            theme: id.split_once('.').map(|(theme, _)| theme.to_owned()),
            fen: "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1".to_owned(),
            bm: vec!["Ra8#".to_owned(), "Re8#".to_owned()],
            am: vec!["Kf1".to_owned()],
            dm: Some(1),
            solved: false,
            played: Some("Kf1".to_owned()),
            played_uci: Some("g1f1".to_owned()),
            score: Score::new(31).into(),
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
    fn a_record_says_what_was_asked_for() {
        assert_eq!(record("A.1").wanted(), "bm Ra8# Re8#; am Kf1; dm 1");
        assert_eq!(Record { id: None, line: 7, ..record("") }.name(), "line 7");
    }
}
