//! What was found in a position, in a form for files.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position as _};

use super::examine::Examined;
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
    /// The score for the side to move.
    score: ScoreRecord,
    /// The chances of the side to move to win, draw and lose, in permille.
    wdl: [u16; 3],
    line: Vec<String>,
    depth: i32,
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
        PositionRecord {
            game,
            ply,
            score: examined.score.into(),
            wdl: [examined.wdl.win, examined.wdl.draw, examined.wdl.loss],
            line: examined.line.iter().map(|&mv| format_move(mv, mode)).collect(),
            depth: examined.depth.plies(),
        }
    }

    /// What was found in the position; the line ends where it cannot be played.
    pub(crate) fn examined(&self, chess: &Chess) -> Examined {
        let mut chess = chess.clone();
        let mut line = Vec::new();
        for text in &self.line {
            let Ok(mv) = parse_move(&chess, text) else {
                break;
            };
            chess.play_unchecked(mv);
            line.push(mv);
        }
        let [win, draw, loss] = self.wdl;
        let wdl = Wdl { win, draw, loss };
        Examined { score: self.score.into(), wdl, line, depth: Depth::new(self.depth) }
    }
}
