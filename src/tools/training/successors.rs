//! Positions that random moves reach from the positions of games.
//!
//! A search values many positions that nobody would play into, and games have few of them. These need no
//! search: their score is the static value of a network, until a better labeller replaces it.

use std::sync::Arc;

use rand::{RngExt as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position as _};

use super::sample::Sample;
use crate::selfplay::{BrokenGame, Filter, Game};
use outrider_engine::evaluation::Network;
use outrider_engine::openings::random_numbers;
use outrider_engine::position::Board;

/// Random moves tried from a position to reach one that the filter keeps.
const TRIES: usize = 3;
/// Share of the positions that are two random moves away, so that both sides have erred.
const SECOND_MOVES: f64 = 0.3;

/// Draws positions after random moves.
#[derive(Clone)]
pub struct Successors {
    /// Mean number of positions drawn from each position of a game, on and off the line of play.
    pub per_position: f64,
    /// Seed of the random numbers. The positions of a game do not depend on other games.
    pub seed: u64,
    /// Network whose static value is the score.
    pub network: Arc<Network>,
}

impl Successors {
    /// Returns the positions drawn from a game. No capture wins material in them, nobody is in check, and
    /// they have no points.
    ///
    /// # Errors
    ///
    /// Fails if the game has an illegal move.
    pub(super) fn of(&self, filter: &Filter, game: &Game) -> Result<Vec<Sample>, BrokenGame> {
        let mut random =
            random_numbers(self.seed, u64::from(crc32fast::hash(&game.moves_to_bytes())));
        let mut samples = Vec::new();
        for position in game.replay().chain(game.replay_deviations()) {
            let board = position?.board;
            let more = random.random_bool(self.per_position.fract());
            for _ in 0..self.per_position as usize + usize::from(more) {
                let found = (0..TRIES).find_map(|_| successor(&board, filter, &mut random));
                samples.extend(found.and_then(|found| self.sample(&found)));
            }
        }
        Ok(samples)
    }

    fn sample(&self, board: &Board) -> Option<Sample> {
        let chess = board.chess();
        let value = self.network.value(chess.board(), chess.turn());
        let score = value.clamp_static().centipawns() as i16;
        Sample::from_board(chess.board(), chess.turn(), score, None)
    }
}

/// Returns the position after one or two random moves, if the filter does not exclude it.
fn successor(board: &Board, filter: &Filter, random: &mut ChaCha8Rng) -> Option<Board> {
    let mut next = board.clone();
    next.play(random_move(next.chess(), random)?);
    if random.random_bool(SECOND_MOVES) {
        next.play(random_move(next.chess(), random)?);
    }
    let is_over = next.chess().legal_moves().is_empty() || next.chess().is_insufficient_material();
    (!is_over && !filter.excludes_before_search(&next)).then_some(next)
}

fn random_move(chess: &Chess, random: &mut ChaCha8Rng) -> Option<Move> {
    chess.legal_moves().choose(random).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Deviation, GameResult, ScoredMove};
    use outrider_engine::position::PackedMove;
    use outrider_engine::units::Score;

    /// Returns a game of some plies from the starting position, with a position off the line of play.
    fn game() -> Game {
        let mut board = Board::new(Chess::default());
        let scored = |mv| ScoredMove { mv: PackedMove::new(mv), score: Score::DRAW };
        let mut moves = Vec::new();
        for ply in 0..40 {
            let legal = board.chess().legal_moves();
            let mv = legal[ply % legal.len()];
            moves.push(scored(mv));
            board.play(mv);
        }
        let mut other = Board::new(Chess::default());
        let mv = other.chess().legal_moves()[5];
        other.play(mv);
        let found = scored(other.chess().legal_moves()[0]);
        let deviations = vec![Deviation { ply: 0, mv: PackedMove::new(mv), found }];
        let (start, result) = (Chess::default(), GameResult::Draw);
        Game { number: 1, start, result, is_played_out: false, moves, deviations }
    }

    fn successors(per_position: f64, seed: u64) -> Vec<Sample> {
        let network = Network::built_in();
        let filter = Filter { first_plies: 0, ..Filter::default() };
        Successors { per_position, seed, network }.of(&filter, &game()).unwrap()
    }

    #[test]
    fn positions_are_drawn_in_the_number_asked_for_and_again_with_the_same_seed() {
        let samples = successors(2.5, 1);
        // Some positions are found excluded three times.
        assert!((60..=123).contains(&samples.len()), "{}", samples.len());
        assert_eq!(samples, successors(2.5, 1));
        assert_ne!(samples, successors(2.5, 2));
        assert!(successors(0.0, 1).is_empty());
    }

    #[test]
    fn a_position_has_the_static_value_as_its_score_and_no_points() {
        let network = Network::built_in();
        for sample in successors(1.0, 3) {
            let board: shakmaty::Board = sample.pieces().collect();
            let value = network.value(&board, shakmaty::Color::White).clamp_static();
            assert_eq!((sample.score(), sample.points()), (value, None));
        }
    }
}
