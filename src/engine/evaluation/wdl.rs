//! Win, draw and loss (WDL): what a score is worth in games, and the score that people are shown.
//!
//! The search's centipawns are not shown. What they are worth was fitted to our own games: the
//! probability to win is a logistic curve of the score, `1 / (1 + exp((even - score) / spread))`, the
//! probability to lose is the same curve of the negative score, and the rest is the probability of a
//! draw (the ordered logit of McCullagh 1980; engines have used it since Stockfish 12). `even` is the
//! score with an even chance to win and `spread` how gently the curve rises; both depend on the
//! material on the board. `outrider data wdl` fits both curves to games and draws them.
//!
//! Shown scores have one scale for all positions, as chess programs expect it: 100 centipawns are an
//! even chance to win at the beginning of a game. With fewer pieces the same chance takes more.

use shakmaty::Board;

use super::material::points;
use crate::units::Score;

/// Probabilities of win, draw and loss (WDL) in permille; together 1,000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// That the side whose score it is wins.
    pub win: u16,
    /// That nobody wins.
    pub draw: u16,
    /// That the other side wins.
    pub loss: u16,
}

/// How scores become probabilities. Each row has the coefficients of a polynomial in
/// [`WdlModel::HALF_MATERIAL`] divided by the material, the constant first: the fewer pieces
/// there are, the faster both grow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score with an even chance to win, in centipawns.
    pub even: [f64; 3],
    /// The score by which the odds to win grow e-fold, in centipawns.
    pub spread: [f64; 3],
}

/// The model of the engine's own games with three earlier networks, with which those of the network
/// that is built in agree; `outrider data wdl` fits it, and `benches/record/networks.md` has both.
pub const WDL_MODEL: WdlModel = WdlModel { even: [6.7, 119.8, -16.1], spread: [50.0, -6.3, 1.9] };

/// The worth of all pieces together: 1 for a pawn, 3 for a minor piece, 5 for a rook, 9 for a queen; 78 at
/// the beginning of a game.
pub fn material(board: &Board) -> u32 {
    points(board, board.occupied())
}

/// The score as it is shown to people; see [`WdlModel::shown`].
pub fn shown_score(score: Score) -> Score {
    WDL_MODEL.shown(score)
}

impl Wdl {
    /// The points that this is worth in a game, 0 to 1: a draw counts half.
    pub fn expected_points(self) -> f64 {
        (f64::from(self.win) + f64::from(self.draw) / 2.0) / 1000.0
    }

    /// The same chances as the opponent has them.
    pub fn for_opponent(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// Win, draw and loss.
    pub fn permille(self) -> [u16; 3] {
        [self.win, self.draw, self.loss]
    }
}

impl WdlModel {
    /// The material to which coefficients refer: half of what a game begins with.
    pub const HALF_MATERIAL: f64 = 39.0;

    /// Material outside this range counts as that at its end: fits have little to go by there.
    pub const MATERIAL: std::ops::RangeInclusive<u32> = 10..=78;

    /// The score with an even chance to win, in centipawns.
    pub fn even(&self, material: u32) -> f64 {
        polynomial(&self.even, material).max(1.0)
    }

    /// The score by which the odds to win grow e-fold, in centipawns.
    pub fn spread(&self, material: u32) -> f64 {
        polynomial(&self.spread, material).max(1.0)
    }

    /// Win, draw and loss for the side whose score this is. A mate or a win by tables is certain.
    pub fn wdl(&self, score: Score, material: u32) -> Wdl {
        let reached = |score: f64| {
            let odds = ((score - self.even(material)) / self.spread(material)).exp();
            (1000.0 * odds / (1.0 + odds)).round() as u16
        };
        let (win, loss) = match score {
            score if score.is_win() => (1000, 0),
            score if score.is_loss() => (0, 1000),
            score => {
                let score = f64::from(score.centipawns());
                (reached(score), reached(-score))
            }
        };
        Wdl { win, draw: 1000 - (win + loss).min(1000), loss }
    }

    /// The score as it is shown, in centipawns of which 100 are an even chance to win with all
    /// pieces on the board. Scores of wins by mate or tables are not in centipawns and stay as they are.
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
    fn an_announced_mate_is_certain_and_shown_as_it_is() {
        let mate = Score::mate_in(Ply::new(5));
        assert_eq!(WDL_MODEL.wdl(mate, 30), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!(WDL_MODEL.wdl(-mate, 30), Wdl { win: 0, draw: 0, loss: 1000 });
        assert_eq!(WDL_MODEL.shown(mate), mate);
    }

    #[test]
    fn a_won_ending_is_shown_as_what_programs_take_for_won() {
        // Chances as in a game with a rook more and three pawns on each side.
        let score = (0..2000).map(Score::new).find(|&it| WDL_MODEL.wdl(it, 11).win >= 950);
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
