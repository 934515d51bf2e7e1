//! Search results in the form used in journals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position as _};

use super::KnownGame;
use super::examine::{ExaminedPosition, FoundLine};
use crate::score_record::ScoreRecord;
use outrider_engine::evaluation::wdl::Wdl;
use outrider_engine::position::notation::{format_move, parse_move};
use outrider_engine::units::{Depth, Score};

/// A search result in a game. Games are counted from 1, plies from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnalysisRecord {
    Position(PositionRecord),
    /// Result of the longer search for the reason of a fault.
    Reason {
        game: usize,
        ply: usize,
        proven: bool,
    },
    /// The moves of a puzzle with their scores.
    Puzzle {
        game: usize,
        ply: usize,
        moves: Vec<LineRecord>,
    },
}

/// Search result of a position in a file of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PositionRecord {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Number of plies before the position.
    pub ply: usize,
    #[serde(flatten)]
    best: LineRecord,
    depth: i32,
    /// Further lines, if several were searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<LineRecord>,
}

/// A line of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LineRecord {
    /// Score for the side to move.
    score: ScoreRecord,
    /// WDL (win, draw, loss) for the side to move, in permille.
    wdl: [u16; 3],
    line: Vec<String>,
}

impl AnalysisRecord {
    /// Creates the record of a puzzle.
    pub(crate) fn puzzle(
        game: usize,
        ply: usize,
        chess: &Chess,
        lines: &[FoundLine],
    ) -> AnalysisRecord {
        AnalysisRecord::Puzzle { game, ply, moves: LineRecord::all(lines, chess) }
    }
}

impl PositionRecord {
    /// Creates the record of a position.
    pub(crate) fn new(
        game: usize,
        ply: usize,
        chess: &Chess,
        examined: &ExaminedPosition,
    ) -> PositionRecord {
        let ExaminedPosition { score, wdl, line, depth, others } = examined;
        PositionRecord {
            game,
            ply,
            best: LineRecord::new(*score, *wdl, line, chess),
            depth: depth.plies(),
            others: LineRecord::all(others, chess),
        }
    }

    /// Returns the search result; a line ends before its first illegal move.
    pub(crate) fn examined(&self, chess: &Chess) -> ExaminedPosition {
        let FoundLine { score, wdl, line } = self.best.found(chess);
        let others = self.others.iter().map(|other| other.found(chess)).collect();
        ExaminedPosition { score, wdl, line, depth: Depth::new(self.depth), others }
    }
}

impl LineRecord {
    fn new(score: Score, wdl: Wdl, line: &[Move], chess: &Chess) -> LineRecord {
        let mode = chess.castles().mode();
        LineRecord {
            score: score.into(),
            wdl: wdl.permille(),
            line: line.iter().map(|&mv| format_move(mv, mode)).collect(),
        }
    }

    fn all(lines: &[FoundLine], chess: &Chess) -> Vec<LineRecord> {
        lines.iter().map(|line| LineRecord::new(line.score, line.wdl, &line.line, chess)).collect()
    }

    fn found(&self, chess: &Chess) -> FoundLine {
        let [win, draw, loss] = self.wdl;
        let (wdl, line) = (Wdl { win, draw, loss }, moves(&self.line, chess));
        FoundLine { score: self.score.into(), wdl, line }
    }
}

fn moves(texts: &[String], chess: &Chess) -> Vec<Move> {
    let mut chess = chess.clone();
    let mut line = Vec::new();
    for text in texts {
        let Ok(mv) = parse_move(&chess, text) else {
            break;
        };
        chess.play_unchecked(mv);
        line.push(mv);
    }
    line
}

/// Results of an earlier run, by game and ply.
#[derive(Debug, Default)]
pub(super) struct KnownGames {
    positions: BTreeMap<(usize, usize), PositionRecord>,
    reasons: BTreeMap<(usize, usize), bool>,
    puzzles: BTreeMap<(usize, usize), Vec<LineRecord>>,
}

impl KnownGames {
    /// Number of positions that were searched.
    pub(super) fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Returns the results for a game, which has these positions.
    pub(super) fn game(&self, number: usize, boards: &[Chess]) -> KnownGame {
        let position = |(ply, chess): (usize, &Chess)| {
            self.positions.get(&(number, ply)).map(|record| record.examined(chess))
        };
        let reasons = self.reasons.range((number, 0)..(number + 1, 0));
        KnownGame {
            positions: boards.iter().enumerate().map(position).collect(),
            reasons: reasons.map(|(&(_, ply), &proven)| (ply, proven)).collect(),
        }
    }

    /// Returns the moves of a puzzle with their scores, if they were searched.
    pub(super) fn puzzle(
        &self,
        number: usize,
        ply: usize,
        chess: &Chess,
    ) -> Option<Vec<FoundLine>> {
        let moves = self.puzzles.get(&(number, ply))?;
        Some(moves.iter().map(|line| line.found(chess)).collect())
    }
}

impl FromIterator<AnalysisRecord> for KnownGames {
    fn from_iter<T: IntoIterator<Item = AnalysisRecord>>(records: T) -> KnownGames {
        let mut known = KnownGames::default();
        for record in records {
            match record {
                AnalysisRecord::Position(record) => {
                    known.positions.insert((record.game, record.ply), record);
                }
                AnalysisRecord::Reason { game, ply, proven } => {
                    known.reasons.insert((game, ply), proven);
                }
                AnalysisRecord::Puzzle { game, ply, moves } => {
                    known.puzzles.insert((game, ply), moves);
                }
            }
        }
        known
    }
}
