//! Games played through: from what is stored to the positions that a learner sees.

use std::slice;

use shakmaty::{Color, Move};
use thiserror::Error;

use super::game::{Game, GameResult, ScoredMove};
use crate::position::Board;
use crate::units::Score;

/// A position of a game with what the search and the game had to say about it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// The move played in it, which is the search's best.
    pub best: Move,
    /// The search's score from White's point of view.
    pub white_score: Score,
    /// How the game ended.
    pub result: GameResult,
}

impl Sample {
    /// The side to move.
    pub fn turn(&self) -> Color {
        use shakmaty::Position as _;
        self.board.chess().turn()
    }

    /// The search's score from the point of view of the side to move.
    pub fn score_for_mover(&self) -> Score {
        self.turn().fold_wb(self.white_score, -self.white_score)
    }

    /// The result in points for the side to move: 0, 0.5 or 1.
    pub fn points_for_mover(&self) -> f32 {
        self.result.points_for(self.turn())
    }
}

/// A game holds a move that is not legal where it was played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {ply} of game {number} is not legal")]
pub struct BrokenGame {
    /// The game's number.
    pub number: u32,
    /// Which of its moves, from 1.
    pub ply: usize,
}

/// The positions of a game from the start on, each with the move played in it. An illegal move
/// ends it with an error.
pub struct Replay<'a> {
    game: &'a Game,
    board: Board,
    moves: slice::Iter<'a, ScoredMove>,
}

impl Game {
    /// Plays the game through.
    pub fn replay(&self) -> Replay<'_> {
        Replay { game: self, board: Board::new(self.start.clone()), moves: self.moves.iter() }
    }
}

impl Iterator for Replay<'_> {
    type Item = Result<Sample, BrokenGame>;

    fn next(&mut self) -> Option<Self::Item> {
        let scored = self.moves.next()?;
        let Some(best) = self.board.legal_move(scored.mv) else {
            let ply = self.game.moves.len() - self.moves.len();
            self.moves = [].iter();
            return Some(Err(BrokenGame { number: self.game.number, ply }));
        };
        let board = self.board.clone();
        self.board.play(best);
        let result = self.game.result;
        Some(Ok(Sample { board, best, white_score: scored.score, result }))
    }
}
