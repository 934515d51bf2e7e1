//! What a move cost its player, in chances of winning.

use crate::engine::units::Score;

/// How steeply the chance rises with the score, a centipawn.
const SLOPE: f64 = 0.003_682_08;

/// The chance of a person to win, 0 to 1, with a score as people are shown it; a draw counts half.
///
/// The curve is the one that lichess.org fitted to games of its players ("Lichess Accuracy
/// metric", 2022), and the steps of faults and the accuracy were chosen for it; a mate is certain.
/// Engines throw less away: their chances, in [`wdl`](crate::engine::evaluation::wdl), rise much
/// more steeply.
pub(super) fn winning_chance(score: Score) -> f64 {
    if score.is_win() {
        1.0
    } else if score.is_loss() {
        0.0
    } else {
        1.0 / (1.0 + (-SLOPE * f64::from(score.centipawns())).exp())
    }
}

/// A fault, by the loss of winning chance: the customary steps of lichess.org (lila,
/// `modules/tree/Advice.scala`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Fault {
    /// `?!`: a twentieth of a win is lost, or more.
    Inaccuracy,
    /// `?`: a tenth.
    Mistake,
    /// `??`: three twentieths.
    Blunder,
}

impl Fault {
    /// All of them, the smallest first.
    pub(crate) const ALL: [Fault; 3] = [Fault::Inaccuracy, Fault::Mistake, Fault::Blunder];

    /// The least loss of winning chance that makes it.
    pub(crate) const fn min_loss(self) -> f64 {
        match self {
            Fault::Inaccuracy => 0.05,
            Fault::Mistake => 0.10,
            Fault::Blunder => 0.15,
        }
    }

    /// The number of its glyph in PGN.
    pub(crate) const fn glyph(self) -> u8 {
        match self {
            Fault::Inaccuracy => 6,
            Fault::Mistake => 2,
            Fault::Blunder => 4,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Fault::Inaccuracy => "inaccuracy",
            Fault::Mistake => "mistake",
            Fault::Blunder => "blunder",
        }
    }

    /// The fault of a move that loses so much.
    fn of_loss(loss: f64) -> Option<Fault> {
        // A loss that is the difference of two chances may fall short by a rounding error.
        Fault::ALL.into_iter().rev().find(|fault| loss + 1e-9 >= fault.min_loss())
    }
}

/// Scores are no further from zero than this where centipawns are averaged, mates included: a
/// game thrown away in a won position would else outweigh all others.
const MAX_CENTIPAWNS: i32 = 1000;

/// A move, judged by the score of the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct JudgedMove {
    /// The winning chance that it gave away, 0 to 1.
    pub loss: f64,
    /// The centipawns that it gave away, of scores within ±1000.
    pub centipawns: i32,
    /// What it is called for that.
    pub fault: Option<Fault>,
}

impl JudgedMove {
    /// Nothing was given away.
    pub(crate) const BEST: JudgedMove = JudgedMove { loss: 0.0, centipawns: 0, fault: None };

    /// Judges a move by the score that the best one would have had and the score that it has, both
    /// for the one who played it.
    pub(crate) fn new(best: Score, played: Score) -> JudgedMove {
        let loss = (winning_chance(best) - winning_chance(played)).max(0.0);
        JudgedMove {
            loss,
            centipawns: (bounded(best) - bounded(played)).max(0),
            fault: Fault::of_loss(loss),
        }
    }

    /// How good it was in percent: `103.1668 exp(-4.354 loss) - 3.1669`, at most 100 and at least
    /// 0, as lichess.org does ("Lichess Accuracy metric", 2022).
    pub(crate) fn accuracy(&self) -> f64 {
        (103.1668 * (-4.354 * self.loss).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

fn bounded(score: Score) -> i32 {
    score.centipawns().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::units::Ply;
    use proptest::prelude::*;

    fn fault(best: i32, played: i32) -> Option<Fault> {
        JudgedMove::new(Score::new(best), Score::new(played)).fault
    }

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

    #[test]
    fn the_same_centipawns_weigh_less_where_the_game_is_decided() {
        assert_eq!(fault(0, -300), Some(Fault::Blunder));
        assert_eq!(fault(900, 600), Some(Fault::Inaccuracy));
        assert_eq!(fault(1500, 1200), None);
    }

    #[test]
    fn the_steps_are_a_twentieth_a_tenth_and_three_twentieths_of_a_win() {
        let of = Fault::of_loss;
        assert_eq!([of(0.049), of(0.05)], [None, Some(Fault::Inaccuracy)]);
        assert_eq!([of(0.099), of(0.10)], [Some(Fault::Inaccuracy), Some(Fault::Mistake)]);
        assert_eq!([of(0.149), of(0.15)], [Some(Fault::Mistake), Some(Fault::Blunder)]);
    }

    #[test]
    fn to_miss_a_mate_and_stay_far_ahead_is_no_fault_and_to_lose_a_won_game_is_one() {
        let mate = Score::mate_in(Ply::new(7));
        assert_eq!(JudgedMove::new(mate, Score::new(1200)).fault, None);
        assert_eq!(JudgedMove::new(mate, Score::new(0)).fault, Some(Fault::Blunder));
        assert_eq!(JudgedMove::new(mate, Score::new(0)).centipawns, 1000);
        assert_eq!(JudgedMove::new(Score::new(-900), -mate).centipawns, 100);
    }

    #[test]
    fn the_accuracy_of_a_move_is_the_published_curve() {
        let accuracy = |loss| JudgedMove { loss, ..JudgedMove::BEST }.accuracy();
        assert!(accuracy(0.0) > 99.99);
        // 103.1668 * exp(-0.04354 * 20) - 3.1669
        assert!((accuracy(0.20) - 40.014).abs() < 0.01, "{}", accuracy(0.20));
        assert_eq!(accuracy(1.0), 0.0);
    }

    proptest! {
        #[test]
        fn what_one_side_has_the_other_lacks(centipawns in -5000..5000) {
            let score = Score::new(centipawns);
            prop_assert!((winning_chance(score) + winning_chance(-score) - 1.0).abs() < 1e-12);
            prop_assert!(winning_chance(score + 1) > winning_chance(score));
        }

        #[test]
        fn a_move_that_is_better_than_expected_costs_nothing(best in -3000..3000, gain in 0..500) {
            let judged = JudgedMove::new(Score::new(best), Score::new(best + gain));
            prop_assert_eq!(judged, JudgedMove::BEST);
        }
    }
}
