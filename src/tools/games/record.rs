//! What was found in a position, in a form for files.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position as _};

use super::examine::{Examined, OtherLine};
use crate::engine::evaluation::wdl::Wdl;
use crate::engine::position::notation::{format_move, parse_move};
use crate::engine::units::Depth;
use crate::tools::score_record::ScoreRecord;

/// A position of a file of games, searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PositionRecord {
    /// Which game of the file, from 1.
    pub game: usize,
    /// How many moves were played before.
    pub ply: usize,
    #[serde(flatten)]
    best: LineRecord,
    depth: i32,
    /// The lines behind the best one, if several were searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<LineRecord>,
}

/// A line of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct LineRecord {
    /// The score for the side to move.
    score: ScoreRecord,
    /// WDL (win, draw, loss) for the side to move, in permille.
    wdl: [u16; 3],
    line: Vec<String>,
}

impl PositionRecord {
    /// Writes down what was found in a position of a game.
    pub(crate) fn new(
        game: usize,
        ply: usize,
        chess: &Chess,
        examined: &Examined,
    ) -> PositionRecord {
        let mode = chess.castles().mode();
        let record = |score, wdl: Wdl, line: &[Move]| LineRecord {
            score,
            wdl: wdl.permille(),
            line: line.iter().map(|&mv| format_move(mv, mode)).collect(),
        };
        let Examined { score, wdl, line, depth, others } = examined;
        let others = others.iter().map(|other| record(other.score.into(), other.wdl, &other.line));
        PositionRecord {
            game,
            ply,
            best: record((*score).into(), *wdl, line),
            depth: depth.plies(),
            others: others.collect(),
        }
    }

    /// What was found in the position; a line ends where it cannot be played.
    pub(crate) fn examined(&self, chess: &Chess) -> Examined {
        let read = |record: &LineRecord| {
            let [win, draw, loss] = record.wdl;
            let (wdl, line) = (Wdl { win, draw, loss }, moves(&record.line, chess));
            OtherLine { score: record.score.into(), wdl, line }
        };
        let OtherLine { score, wdl, line } = read(&self.best);
        let others = self.others.iter().map(read).collect();
        Examined { score, wdl, line, depth: Depth::new(self.depth), others }
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
