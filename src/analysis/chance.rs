//! From scores to chances of winning.

use crate::units::Score;

/// How steeply the chance rises with the score, a centipawn.
const SLOPE: f64 = 0.003_682_08;

/// The chance to win, 0 to 1, of the side that a score is good for; a draw counts half.
///
/// The curve is the one that lichess.org fitted to games of its players ("Lichess Accuracy
/// metric", 2022); a mate is certain.
pub fn winning_chance(score: Score) -> f64 {
    if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        1.0 / (1.0 + (-SLOPE * f64::from(score.centipawns())).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Ply;
    use proptest::prelude::*;

    #[test]
    fn an_equal_position_is_an_even_chance_and_a_mate_is_certain() {
        assert_eq!(winning_chance(Score::DRAW), 0.5);
        assert_eq!(winning_chance(Score::mate_in(Ply::new(5))), 1.0);
        assert_eq!(winning_chance(Score::mated_in(Ply::new(4))), 0.0);
    }

    #[test]
    fn the_curve_is_that_of_lichess() {
        // 50 + 50 * (2 / (1 + exp(-0.00368208 * 200)) - 1) percent.
        assert!((winning_chance(Score::new(200)) - 0.676_22).abs() < 1e-5);
    }

    proptest! {
        #[test]
        fn what_one_side_has_the_other_lacks(centipawns in -5000..5000) {
            let score = Score::new(centipawns);
            prop_assert!((winning_chance(score) + winning_chance(-score) - 1.0).abs() < 1e-12);
            prop_assert!(winning_chance(score + 1) > winning_chance(score));
        }
    }
}
