//! Answers in a form for files, which everything is made of that is told about a run: tables,
//! reports, comparisons, and the journal by which it is resumed.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Position as _;

use super::exercise;
use super::file::{BrokenLine, Entry, Suite};
use super::solve::{Answer, Conditions};
use super::summary::{Summary, Themes};
use crate::analysis::score_record::ScoreRecord;
use crate::analysis::{COMMIT, ENGINE, Limit};
use crate::position::notation::{format_fen, format_move};
use crate::position::san::format_san;

/// A run over suites.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// How the positions were searched.
    pub settings: Settings,
    /// All positions together.
    pub total: Count,
    /// The suites, each with its themes.
    pub files: Vec<Count>,
    /// The positions.
    pub results: Vec<Record>,
    /// Lines that hold no exercise.
    pub broken_lines: Vec<BrokenRecord>,
    /// Files that could not be read.
    pub unreadable_files: Vec<UnreadableRecord>,
}

/// How positions were searched, and by what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Name and version of the program.
    pub engine: String,
    /// The commit that it was made from.
    #[serde(default)]
    pub commit: String,
    /// What ended a search.
    pub limit: Limit,
    /// Search threads a position.
    pub threads: usize,
    /// Positions searched at the same time.
    pub jobs: usize,
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
}

impl Settings {
    /// Of this program under these conditions.
    pub fn new(conditions: &Conditions) -> Settings {
        Settings {
            engine: ENGINE.to_owned(),
            commit: COMMIT.to_owned(),
            limit: conditions.limit,
            threads: conditions.threads,
            jobs: conditions.jobs,
            hash_mb: conditions.table_megabytes,
        }
    }
}

/// A position with its answer. Scores are for the side to move.
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
    /// A mate in so many moves was to be announced.
    pub dm: Option<i32>,
    /// Whether the answer was right.
    pub solved: bool,
    /// The move played.
    pub played: Option<String>,
    /// The same as the protocol writes it.
    pub played_uci: Option<String>,
    /// Its score.
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
            score: outcome.score.into(),
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

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// What was counted of a suite, a theme or all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Count {
    /// Of what.
    pub name: String,
    /// Positions searched.
    pub positions: usize,
    /// Positions solved.
    pub solved: usize,
    /// Points earned.
    pub points: u64,
    /// Points that could have been earned.
    pub most_points: u64,
    /// The mean time to the solution in milliseconds.
    pub mean_time_to_solution_ms: Option<f64>,
    /// The themes of a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub themes: Option<Vec<Count>>,
}

impl Count {
    /// Writes a summary down.
    pub fn new(name: &str, summary: &Summary, themes: Option<&Themes>) -> Count {
        let themes = themes.map(|themes| {
            themes.iter().map(|(name, summary)| Count::new(name, summary, None)).collect()
        });
        Count {
            name: name.to_owned(),
            positions: summary.positions,
            solved: summary.solved,
            points: summary.points,
            most_points: summary.most_points,
            mean_time_to_solution_ms: summary.mean_time().map(milliseconds),
            themes,
        }
    }

    /// The share of positions solved in percent.
    pub fn percent(&self) -> f64 {
        if self.positions == 0 { 0.0 } else { 100.0 * self.solved as f64 / self.positions as f64 }
    }
}

/// A line that holds no exercise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BrokenRecord {
    /// The suite.
    pub file: String,
    /// The line in it, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl BrokenRecord {
    /// Writes down what is wrong with a line.
    pub fn new(suite: &Suite, broken: &BrokenLine) -> BrokenRecord {
        BrokenRecord {
            file: suite.path.display().to_string(),
            line: broken.line,
            reason: broken.reason.to_string(),
        }
    }
}

/// A file that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreadableRecord {
    /// The file.
    pub file: String,
    /// Why not.
    pub reason: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::units::Score;

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

    #[test]
    fn results_that_were_written_are_read_again() {
        let count = Count {
            name: "total".to_owned(),
            positions: 1,
            solved: 0,
            points: 0,
            most_points: 0,
            mean_time_to_solution_ms: None,
            themes: None,
        };
        let settings = Settings {
            engine: ENGINE.to_owned(),
            commit: COMMIT.to_owned(),
            limit: Limit::Nodes(7),
            threads: 1,
            jobs: 2,
            hash_mb: 3,
        };
        let results = Results {
            settings,
            files: vec![Count { themes: Some(vec![count.clone()]), ..count.clone() }],
            total: count,
            results: vec![record("A.1"), record("A.2")],
            broken_lines: Vec::new(),
            unreadable_files: Vec::new(),
        };
        let text = serde_json::to_string(&results).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
    }
}
