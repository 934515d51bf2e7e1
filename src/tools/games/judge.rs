//! What a move cost its player, in points that the game was expected to bring.

use super::{Examined, FoundLine};
use outrider_engine::units::Score;

/// A fault, by the loss of expected points.
///
/// The steps are twice those that lichess.org takes for its curve (lila,
/// `modules/tree/Advice.scala`): near an even game the expected points of engines, which throw less
/// away than people, change twice as fast with the score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// `?!`: a tenth of a point is lost, or more.
    Inaccuracy,
    /// `?`: a fifth.
    Mistake,
    /// `??`: three tenths.
    Blunder,
}

impl Fault {
    /// All of them, the smallest first.
    pub const ALL: [Fault; 3] = [Fault::Inaccuracy, Fault::Mistake, Fault::Blunder];

    /// The least loss of expected points that makes it.
    pub(crate) const fn min_loss(self) -> f64 {
        match self {
            Fault::Inaccuracy => 0.10,
            Fault::Mistake => 0.20,
            Fault::Blunder => 0.30,
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

    /// Annotation sign: `?!`, `?` or `??`.
    pub const fn sign(self) -> &'static str {
        match self {
            Fault::Inaccuracy => "?!",
            Fault::Mistake => "?",
            Fault::Blunder => "??",
        }
    }

    /// English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Inaccuracy => "inaccuracy",
            Fault::Mistake => "mistake",
            Fault::Blunder => "blunder",
        }
    }

    /// The fault of a move that loses so much.
    fn of_loss(loss: f64) -> Option<Fault> {
        // A loss that is the difference of two expectations may fall short by a rounding error.
        Fault::ALL.into_iter().rev().find(|fault| loss + 1e-9 >= fault.min_loss())
    }
}

/// Scores are no further from zero than this where centipawns are averaged, mates included: a
/// game thrown away in a won position would otherwise outweigh all others.
const MAX_CENTIPAWNS: i32 = 1000;

/// How much of a loss counts where lichess.org's measures for people are used; see [`Fault`].
pub(super) const SHARE_FOR_PEOPLE: f64 = 0.5;

/// A move, judged by the score of the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JudgedMove {
    /// The expected points that it gave away, 0 to 1; a draw is half a point.
    pub loss: f64,
    /// The centipawns that it gave away, of scores within ±1000.
    pub centipawns: i32,
    /// What it is called for that.
    pub fault: Option<Fault>,
    /// Whether it let a won game slip.
    pub missed_win: bool,
    /// Whether it was the best one, and every other would have been a blunder; known only where
    /// several lines were searched.
    pub only_move: bool,
}

/// Who may expect as many points as this is winning, and who may expect no more than the other is
/// not.
const WON: f64 = 0.9;
const NOT_WON: f64 = 0.6;

impl JudgedMove {
    /// Nothing was given away.
    pub(crate) const BEST: JudgedMove =
        JudgedMove { loss: 0.0, centipawns: 0, fault: None, missed_win: false, only_move: false };

    /// The best move of a position.
    pub(crate) fn best(before: &Examined) -> JudgedMove {
        let best = before.wdl.expected_points();
        let gap = |second: &FoundLine| best - second.wdl.expected_points();
        let only_move =
            before.others.first().is_some_and(|it| gap(it) + 1e-9 >= Fault::Blunder.min_loss());
        JudgedMove { only_move, ..JudgedMove::BEST }
    }

    /// Judges a move by what was found in the position before it, and in the one behind it, which
    /// the other side sees.
    pub(crate) fn new(before: &Examined, after: &Examined) -> JudgedMove {
        let (best, kept) =
            (before.wdl.expected_points(), after.wdl.for_opponent().expected_points());
        let loss = (best - kept).max(0.0);
        JudgedMove {
            loss,
            centipawns: (bounded(before.score) - bounded(-after.score)).max(0),
            fault: Fault::of_loss(loss),
            missed_win: best >= WON && kept <= NOT_WON,
            only_move: false,
        }
    }

    /// The loss in whole percent of a point, rounded down: no loss looks greater than the step of a
    /// fault that it does not reach.
    pub fn percent(&self) -> u32 {
        (100.0 * self.loss + 1e-7) as u32
    }

    /// How good it was in percent: `103.1668 exp(-4.354 loss / 2) - 3.1669`, at most 100, as
    /// lichess.org does with its own chances ("Lichess Accuracy metric", 2022).
    pub(crate) fn accuracy(&self) -> f64 {
        (103.1668 * (-4.354 * SHARE_FOR_PEOPLE * self.loss).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

fn bounded(score: Score) -> i32 {
    score.centipawns().clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::evaluation::wdl::{WDL_MODEL, Wdl, shown_score};
    use outrider_engine::units::{Depth, Ply};
    use proptest::prelude::*;

    /// What a search finds with this score of its own and this material.
    fn found(score: Score, material: u32) -> Examined {
        let wdl = WDL_MODEL.wdl(score, material);
        Examined {
            score: shown_score(score),
            wdl,
            line: Vec::new(),
            depth: Depth::new(9),
            others: Vec::new(),
        }
    }

    /// What is found with these chances to win, draw and lose.
    fn with_wdl([win, draw, loss]: [u16; 3]) -> Examined {
        Examined { wdl: Wdl { win, draw, loss }, ..found(Score::DRAW, 20) }
    }

    fn judged(best: Score, played: Score, material: u32) -> JudgedMove {
        JudgedMove::new(&found(best, material), &found(-played, material))
    }

    #[test]
    fn four_endings_are_judged_by_what_they_are_worth() {
        // The mover's chances before the move, and behind it.
        let fault = |before, [win, draw, loss]: [u16; 3]| {
            JudgedMove::new(&with_wdl(before), &with_wdl([loss, draw, win])).fault
        };
        let blunder = Some(Fault::Blunder);
        assert_eq!(fault([890, 110, 0], [2, 994, 4]), blunder, "a knight for nothing");
        assert_eq!(fault([984, 16, 0], [51, 949, 0]), blunder, "a won pawn ending");
        assert_eq!(fault([914, 86, 0], [12, 986, 2]), blunder, "a won rook ending");
        assert_eq!(fault([0, 0, 1000], [0, 0, 1000]), None, "lost all the time");
        let won = with_wdl([1000, 0, 0]);
        assert!(won.wdl.expected_points() >= 0.9);
    }

    #[test]
    fn the_same_centipawns_weigh_less_where_the_game_is_decided() {
        let fault = |best, played| judged(Score::new(best), Score::new(played), 78).fault;
        assert_eq!(fault(0, -200), Some(Fault::Blunder));
        assert_eq!(fault(300, 120), Some(Fault::Inaccuracy));
        assert_eq!(fault(1000, 700), None);
        assert_eq!(fault(-700, -1000), None);
    }

    #[test]
    fn the_steps_are_a_tenth_a_fifth_and_three_tenths_of_a_point() {
        let of = Fault::of_loss;
        assert_eq!([of(0.099), of(0.10)], [None, Some(Fault::Inaccuracy)]);
        assert_eq!([of(0.199), of(0.20)], [Some(Fault::Inaccuracy), Some(Fault::Mistake)]);
        assert_eq!([of(0.299), of(0.30)], [Some(Fault::Mistake), Some(Fault::Blunder)]);
    }

    #[test]
    fn to_miss_a_mate_and_stay_far_ahead_is_no_fault_and_to_lose_a_won_game_is_one() {
        let mate = Score::mate_in(Ply::new(7));
        assert_eq!(judged(mate, Score::new(900), 40).fault, None);
        let thrown_away = judged(mate, Score::DRAW, 40);
        assert_eq!((thrown_away.fault, thrown_away.centipawns), (Some(Fault::Blunder), 1000));
        // A mate counts as ten pawns of those that are shown.
        let behind = Score::new(-600);
        let from_bad_to_worse = judged(behind, -mate, 78).centipawns;
        assert_eq!(from_bad_to_worse, shown_score(behind) - Score::new(-MAX_CENTIPAWNS));
    }

    #[test]
    fn a_win_is_missed_where_it_was_there_and_is_no_more() {
        let missed = |best, played| judged(Score::new(best), Score::new(played), 40).missed_win;
        assert!(missed(600, 0) && missed(600, -300));
        assert!(!missed(600, 500) && !missed(100, 0) && !missed(0, -600));
    }

    #[test]
    fn an_only_move_is_one_beside_which_all_others_are_blunders() {
        let second = |score| {
            let wdl = WDL_MODEL.wdl(Score::new(score), 40);
            let others = vec![FoundLine { score: Score::new(score), wdl, line: Vec::new() }];
            JudgedMove::best(&Examined { others, ..found(Score::DRAW, 40) }).only_move
        };
        assert!(second(-400) && !second(-20));
        assert!(!JudgedMove::best(&found(Score::DRAW, 40)).only_move, "nothing is known of others");
    }

    #[test]
    fn the_accuracy_of_a_move_is_the_published_curve() {
        let accuracy = |loss| JudgedMove { loss, ..JudgedMove::BEST }.accuracy();
        assert!(accuracy(0.0) > 99.99);
        // 103.1668 * exp(-0.04354 * 20) - 3.1669
        assert!((accuracy(0.40) - 40.014).abs() < 0.01, "{}", accuracy(0.40));
    }

    #[test]
    fn a_loss_below_a_step_is_not_shown_as_having_reached_it() {
        let percent = |loss| JudgedMove { loss, ..JudgedMove::BEST }.percent();
        assert_eq!([percent(0.1999), percent(0.2), percent(0.3 - 0.1)], [19, 20, 20]);
    }

    proptest! {
        #[test]
        fn a_move_that_is_better_than_expected_costs_nothing(
            best in -3000..3000, gain in 0..500, material in 0_u32..80,
        ) {
            let judged = judged(Score::new(best), Score::new(best + gain), material);
            prop_assert_eq!(judged, JudgedMove::BEST);
        }
    }
}
