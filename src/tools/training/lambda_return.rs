//! What the rest of a game brought, by its later scores and its result.
//!
//! The result of a game says whether a position was good, and so do the scores of the moves that
//! followed: sooner, and with less chance in it, but only by what the search knew. The λ-return (Sutton
//! 1988, "Learning to predict by the methods of temporal differences") is a mean of all of them, in which
//! each ply counts λ times as much as the one before and the result has the rest.

use shakmaty::Color;

use super::config::sigmoid;
use crate::selfplay::{LabelledPosition, ScoredMove};
use outrider_engine::units::Score;

/// How the later scores of a game count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LambdaReturn {
    /// What each ply counts beside the one before, 0 to 1. With 1 the result alone counts.
    pub lambda: f32,
    /// Centipawns by which the winning chances change from 1 to 1 to e to 1.
    pub scale: f32,
}

impl LambdaReturn {
    /// White's points, 0 to 1, at each of these positions, which follow one another in a game.
    pub(super) fn returns(self, played: &[LabelledPosition]) -> Vec<f32> {
        let (mut result, mut points) = (None, 0.5);
        let mut returns = vec![points; played.len()];
        for (place, position) in returns.iter_mut().zip(played).rev() {
            // Where the endgame is known the game has another result up to there than it ended with.
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

    /// White's chance by a score, if there is one.
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

    /// A game of shuffling with these scores.
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
    fn each_ply_counts_a_part_of_the_one_before_and_the_result_the_rest() {
        let half = returns(0.5, &[0, 0], GameResult::WhiteWins);
        assert_eq!(half, [0.625, 0.75]);
        let no_label = ScoredMove::NO_LABEL.centipawns();
        assert_eq!(returns(0.5, &[no_label, 0], GameResult::BlackWins), [0.25, 0.25]);
    }

    #[test]
    fn a_result_that_is_known_before_the_end_counts_for_what_led_there() {
        let mut played = game(&[0, 0, 0], GameResult::Draw);
        played[..2].iter_mut().for_each(|position| position.result = Some(GameResult::WhiteWins));
        let points = |lambda| LambdaReturn { lambda, scale: 100.0 }.returns(&played);
        assert_eq!(points(1.0), [1.0, 1.0, 0.5]);
        assert_eq!(points(0.5), [0.625, 0.75, 0.5]);
    }

    proptest! {
        #[test]
        fn with_one_the_result_counts_and_with_nothing_the_score(
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
