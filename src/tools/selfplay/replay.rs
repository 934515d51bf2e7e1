//! Replays stored games to get the positions to train with.

use std::vec;

use shakmaty::{Color, Move};
use thiserror::Error;

use super::endgames::Endgames;
use super::game::{Game, GameResult, ScoredMove};
use outrider_engine::position::Board;
use outrider_engine::units::Score;

/// A position of a game, labelled with the score of the search and the result of the game.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The position.
    pub board: Board,
    /// The best move of the search; on the line of play it is the move played.
    pub best: Move,
    /// Score of the search from White's point of view.
    pub white_score: Score,
    /// Result of the game, possibly corrected: see [`Game::replay_knowing`]. `None` off the line of
    /// play.
    pub result: Option<GameResult>,
}

impl LabelledPosition {
    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        use shakmaty::Position as _;
        self.board.chess().turn()
    }

    /// Score of the search from the point of view of the side to move.
    pub fn score_for_mover(&self) -> Score {
        self.turn().fold_wb(self.white_score, -self.white_score)
    }

    /// Points of the side to move, 0, 0.5 or 1, if there is a result.
    pub fn points_for_mover(&self) -> Option<f32> {
        self.result.map(|result| result.points_for(self.turn()))
    }
}

/// A game with an illegal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move {ply} of game {number} is not legal")]
pub struct BrokenGame {
    /// Number of the game.
    pub number: u32,
    /// Ply of the illegal move, from 1.
    pub ply: usize,
}

/// An iterator over the positions of a game from its start, each with the move played in it. It ends
/// with an error at an illegal move.
pub struct Replay {
    positions: vec::IntoIter<LabelledPosition>,
    broken: Option<BrokenGame>,
}

impl Game {
    /// Replays the game, with results corrected where a bare king faces mating material.
    pub fn replay(&self) -> Replay {
        self.replay_knowing(&Endgames::default())
    }

    /// Replays the game. The result of a position is the first result that `endgames` knows from that
    /// position on; if there is none, the result of the game.
    pub fn replay_knowing(&self, endgames: &Endgames) -> Replay {
        let mut board = Board::new(self.start.clone());
        let mut positions = Vec::with_capacity(self.moves.len());
        for &ScoredMove { mv, score: white_score } in &self.moves {
            let Some(best) = board.legal_move(mv) else {
                break;
            };
            positions.push(LabelledPosition {
                board: board.clone(),
                best,
                white_score,
                result: Some(self.result),
            });
            board.play(best);
        }
        let mut result = endgames.result(board.chess()).unwrap_or(self.result);
        for position in positions.iter_mut().rev() {
            result = endgames.result(position.board.chess()).unwrap_or(result);
            position.result = Some(result);
        }
        let broken = (positions.len() < self.moves.len())
            .then(|| BrokenGame { number: self.number, ply: positions.len() + 1 });
        Replay { positions: positions.into_iter(), broken }
    }

    /// Returns the positions off the line of play, each with its best move and without a result.
    pub fn replay_deviations(&self) -> impl Iterator<Item = Result<LabelledPosition, BrokenGame>> {
        let mut board = Board::new(self.start.clone());
        let mut played = 0;
        self.deviations.iter().map(move |deviation| {
            let ply = usize::from(deviation.ply);
            let broken = |ply| BrokenGame { number: self.number, ply: ply + 1 };
            while played < ply {
                let scored = self.moves.get(played).ok_or_else(|| broken(played))?;
                board.play(board.legal_move(scored.mv).ok_or_else(|| broken(played))?);
                played += 1;
            }
            let mut board = board.clone();
            board.play(board.legal_move(deviation.mv).ok_or_else(|| broken(ply))?);
            let ScoredMove { mv, score: white_score } = deviation.found;
            let best = board.legal_move(mv).ok_or_else(|| broken(ply))?;
            Ok(LabelledPosition { board, best, white_score, result: None })
        })
    }
}

impl Iterator for Replay {
    type Item = Result<LabelledPosition, BrokenGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.positions.next().map(Ok).or_else(|| self.broken.take().map(Err))
    }
}
