//! The λ-return: a mean of the later scores and the result of a game.
//!
//! The result of a game tells how good a position was. So do the scores of the moves that followed:
//! they come sooner and depend less on chance, but are limited by what the search knew. The λ-return
//! (Sutton 1988, "Learning to predict by the methods of temporal differences") is a weighted mean of
//! all of them: each ply counts λ times as much as the ply before, and the result has the remaining
//! weight.

use shakmaty::Color;

use super::config::sigmoid;
use crate::selfplay::{LabelledPosition, ScoredMove};
use outrider_engine::units::Score;

/// Parameters of the λ-return.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LambdaReturn {
    /// Weight of a ply relative to the ply before, 0 to 1. With 1 only the result counts.
    pub lambda: f32,
    /// Centipawns by which the odds of winning grow e-fold.
    pub scale: f32,
}

impl LambdaReturn {
    /// Returns White's points, 0 to 1, for each of these consecutive positions of a game.
    pub(super) fn returns(self, played: &[LabelledPosition]) -> Vec<f32> {
        let (mut result, mut points) = (None, 0.5);
        let mut returns = vec![points; played.len()];
        for (place, position) in returns.iter_mut().zip(played).rev() {
            // A known endgame can give the positions before it another result than the game.
            if position.result != result {
                result = position.result;
                points = result.map_or(0.5, |result| result.points_for(Color::White));
            }
            if let Some(chance) = self.chance(position.white_score) {
                points = self.lambda * points + (1.0 - self.lambda) * chance;
            }
            *place = points;
        }
        returns
    }

    /// Converts a score to White's expected points. Returns `None` if the position has no label.
    fn chance(self, score: Score) -> Option<f32> {
        (score != ScoredMove::NO_LABEL).then(|| sigmoid(score.centipawns() as f32 / self.scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Game, GameResult};
    use outrider_engine::position::{Board, PackedMove};
    use proptest::prelude::*;
    use shakmaty::{Chess, Position as _};

    /// Returns the positions of a game with these scores.
    fn game(scores: &[i32], result: GameResult) -> Vec<LabelledPosition> {
        let mut board = Board::new(Chess::default());
        let mut moves = Vec::new();
        for &score in scores {
            let mv = board.chess().legal_moves()[0];
            moves.push(ScoredMove { mv: PackedMove::new(mv), score: Score::new(score) });
            board.play(mv);
        }
        let start = Chess::default();
        let game =
            Game { number: 1, start, result, is_played_out: false, moves, deviations: Vec::new() };
        game.replay().map(|position| position.unwrap()).collect()
    }

    fn returns(lambda: f32, scores: &[i32], result: GameResult) -> Vec<f32> {
        LambdaReturn { lambda, scale: 100.0 }.returns(&game(scores, result))
    }

    #[test]
    fn each_ply_counts_a_share_of_the_ply_before_and_the_result_has_the_rest() {
        let half = returns(0.5, &[0, 0], GameResult::WhiteWins);
        assert_eq!(half, [0.625, 0.75]);
        let no_label = ScoredMove::NO_LABEL.centipawns();
        assert_eq!(returns(0.5, &[no_label, 0], GameResult::BlackWins), [0.25, 0.25]);
    }

    #[test]
    fn a_result_known_before_the_end_counts_for_the_positions_before_it() {
        let mut played = game(&[0, 0, 0], GameResult::Draw);
        played[..2].iter_mut().for_each(|position| position.result = Some(GameResult::WhiteWins));
        let points = |lambda| LambdaReturn { lambda, scale: 100.0 }.returns(&played);
        assert_eq!(points(1.0), [1.0, 1.0, 0.5]);
        assert_eq!(points(0.5), [0.625, 0.75, 0.5]);
    }

    proptest! {
        #[test]
        fn lambda_one_gives_the_result_and_lambda_zero_the_score(
            scores in prop::collection::vec(-2000..2000, 1..20),
        ) {
            let result = returns(1.0, &scores, GameResult::BlackWins);
            prop_assert!(result.iter().all(|&points| points == 0.0));
            let own = returns(0.0, &scores, GameResult::BlackWins);
            for (points, score) in own.into_iter().zip(scores) {
                prop_assert!((points - sigmoid(score as f32 / 100.0)).abs() < 1e-6);
            }
        }
    }
}
