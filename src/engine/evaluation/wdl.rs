//! Win, draw and loss (WDL): the probabilities of the results for a score, and the score that is shown.
//!
//! The centipawns of the search are internal and not shown. A model of the results was fitted to our own
//! games. The probability to win is a logistic curve of the score,
//! `1 / (1 + exp((even - score) / spread))`, the probability to lose is the same curve of the negative
//! score, and the rest is the probability of a draw (the ordered logit of McCullagh 1980; engines have
//! used it since Stockfish 12). `even` is the score with an even chance to win, and a greater `spread`
//! makes the curve flatter; both depend on the material on the board. `outrider data wdl` fits both to
//! games and draws them.
//!
//! Shown scores have one scale for all positions, as chess programs expect: 100 centipawns are an even
//! chance to win at the beginning of a game. With fewer pieces the same chance needs a higher score.

use shakmaty::Board;

use super::material::points;
use crate::units::Score;

/// Probabilities of win, draw and loss (WDL) in permille; their sum is 1,000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// Probability that the side of the score wins.
    pub win: u16,
    /// Probability of a draw.
    pub draw: u16,
    /// Probability that the other side wins.
    pub loss: u16,
}

/// A model that turns scores into probabilities. Each array has the coefficients of a polynomial, the
/// constant first. Its variable is [`WdlModel::HALF_MATERIAL`] divided by the material, so it grows as
/// pieces leave the board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// Score with an even chance to win, in centipawns.
    pub even: [f64; 3],
    /// Increase of the score that multiplies the odds to win by e, in centipawns.
    pub spread: [f64; 3],
}

/// The model of the engine, fitted by `outrider data wdl` to its games with three earlier networks. The
/// games of networks cd527b7c, e00fd920 and 91a84307 agree with it in the mean;
/// `benches/record/networks.md` has the fits.
pub const WDL_MODEL: WdlModel = WdlModel { even: [6.7, 119.8, -16.1], spread: [50.0, -6.3, 1.9] };

/// Returns the points of all pieces: 1 for a pawn, 3 for a minor piece, 5 for a rook, 9 for a queen; 78
/// at the beginning of a game.
pub fn material(board: &Board) -> u32 {
    points(board, board.occupied())
}

/// Returns the score as it is shown to people; see [`WdlModel::shown`].
pub fn shown_score(score: Score) -> Score {
    WDL_MODEL.shown(score)
}

impl Wdl {
    /// Returns the expected points in a game, 0 to 1; a draw counts half.
    pub fn expected_points(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / 1000.0
    }

    /// Returns the same probabilities from the opponent's view.
    pub fn for_opponent(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Returns win, draw and loss as an array.
    pub fn permille(self) -> [u16; 3] {
        [self.win, self.draw, self.loss]
    }
}

impl WdlModel {
    /// Material to which the coefficients refer: half of the material at the beginning of a game.
    pub const HALF_MATERIAL: f64 = 39.0;

    /// Range of the material. Values outside of it are clamped, since there were few games to fit.
    pub const MATERIAL: std::ops::RangeInclusive<u32> = 10..=78;

    /// Returns the score with an even chance to win, in centipawns.
    pub fn even(&self, material: u32) -> f64 {
        polynomial(&self.even, material).max(1.0)
    }

    /// Returns the increase of the score that multiplies the odds to win by e, in centipawns.
    pub fn spread(&self, material: u32) -> f64 {
        polynomial(&self.spread, material).max(1.0)
    }

    /// Returns the probabilities for the side of the score. A mate or a win by the tables is certain.
    pub fn wdl(&self, score: Score, material: u32) -> Wdl {
        let win_permille = |score: f64| {
            let odds = ((score - self.even(material)) / self.spread(material)).exp();
            (1000.0 * odds / (1.0 + odds)).round() as u16
        };
        let (win, loss) = match score {
            score if score.is_win() => (1000, 0),
            score if score.is_loss() => (0, 1000),
            score => {
                let score = f64::from(score.centipawns());
                (win_permille(score), win_permille(-score))
            }
        };
        Wdl { win, draw: 1000 - (win + loss).min(1000), loss }
    }

    /// Returns the score as it is shown: 100 centipawns are an even chance to win with all pieces on the
    /// board. Scores of wins by mate or by the tables do not change.
    pub fn shown(&self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        let shown = 100.0 * f64::from(score.centipawns()) / self.even(*WdlModel::MATERIAL.end());
        Score::new(shown.round() as i32).clamp_static()
    }
}

fn polynomial(coefficients: &[f64; 3], material: u32) -> f64 {
    let range = WdlModel::MATERIAL;
    let x = WdlModel::HALF_MATERIAL / f64::from(material.clamp(*range.start(), *range.end()));
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Ply;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_greater_score_wins_no_less_often_and_permille_add_up(
            score in -3000..3000, more in 0..500, material in 0_u32..200,
        ) {
            let of = |score| WDL_MODEL.wdl(Score::new(score), material);
            let (lower, higher) = (of(score), of(score + more));
            prop_assert!(higher.win >= lower.win && higher.loss <= lower.loss);
            prop_assert_eq!(lower.win + lower.draw + lower.loss, 1000);
            let turned = of(-score);
            prop_assert_eq!((turned.win, turned.loss), (lower.loss, lower.win));
            let shown = |score| WDL_MODEL.shown(Score::new(score));
            prop_assert!(shown(score + more) >= shown(score));
            prop_assert_eq!(shown(-score), -shown(score));
        }
    }

    #[test]
    fn an_announced_mate_is_certain_and_is_shown_unchanged() {
        let mate = Score::mate_in(Ply::new(5));
        assert_eq!(WDL_MODEL.wdl(mate, 30), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(WDL_MODEL.wdl(-mate, 30), Wdl { win: 0, draw: 0, loss: 1000 });
        assert_eq!(WDL_MODEL.shown(mate), mate);
    }

    #[test]
    fn a_won_ending_is_shown_with_the_score_that_programs_expect() {
        // Material as with an extra rook and three pawns on each side.
        let score = (0..2000).map(Score::new).find(|&score| WDL_MODEL.wdl(score, 11).win >= 950);
        let shown = WDL_MODEL.shown(score.expect("some score wins")).centipawns();
        assert!((400..1000).contains(&shown), "{shown}");
        let wdl = WDL_MODEL.wdl(Score::new(0), 11);
        assert_eq!(wdl.expected_points(), 0.5);
    }

    #[test]
    fn a_game_begins_with_78_points_of_material() {
        assert_eq!(material(&Board::new()), 78);
    }
}
