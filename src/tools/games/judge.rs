//! Judgement of moves by the expected points that they lose.

use super::{ExaminedPosition, FoundLine};
use outrider_engine::units::Score;

/// Kind of a fault, by the loss of expected points.
///
/// The thresholds are twice those of lichess.org for its own curve (lila, `modules/tree/Advice.scala`):
/// engines make fewer mistakes than people, so near equality their expected points change twice as fast
/// with the score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fault {
    /// `?!`: loses at least 0.1 points.
    Inaccuracy,
    /// `?`: loses at least 0.2 points.
    Mistake,
    /// `??`: loses at least 0.3 points.
    Blunder,
}

impl Fault {
    /// All kinds, the smallest first.
    pub const ALL: [Fault; 3] = [Fault::Inaccuracy, Fault::Mistake, Fault::Blunder];

    /// Threshold: the smallest loss of expected points for this fault.
    pub(crate) const fn min_loss(self) -> f64 {
        match self {
            Fault::Inaccuracy => 0.10,
            Fault::Mistake => 0.20,
            Fault::Blunder => 0.30,
        }
    }

    /// Numeric annotation glyph in PGN.
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

    /// Returns the fault of a move with this loss.
    fn of_loss(loss: f64) -> Option<Fault> {
        // The loss is a difference of two expectations and may be too small by a rounding error.
        Fault::ALL.into_iter().rev().find(|fault| loss + 1e-9 >= fault.min_loss())
    }
}

/// Scores, mates included, are clamped to this before centipawns are averaged: otherwise one lost win
/// would outweigh all other games.
const MAX_CENTIPAWNS: i32 = 1000;

/// Factor for losses in the formulas of lichess.org, which were made for people; see [`Fault`].
pub(super) const SHARE_FOR_PEOPLE: f64 = 0.5;

/// A move, compared with the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JudgedMove {
    /// Lost expected points, 0 to 1; a draw is half a point.
    pub loss: f64,
    /// Lost centipawns, with scores clamped to ±1000.
    pub centipawns: i32,
    /// Kind of the fault, if it is one.
    pub fault: Option<Fault>,
    /// The game was won before the move and is not won after it.
    pub missed_win: bool,
    /// The move was the best one, and every other would have been a blunder. Known only if several lines
    /// were searched.
    pub only_move: bool,
}

/// With at least `WON` expected points the game counts as won, with at most `NOT_WON` as not won.
pub(super) const WON: f64 = 0.9;
pub(super) const NOT_WON: f64 = 0.6;

impl JudgedMove {
    /// A move without a loss.
    pub(crate) const BEST: JudgedMove =
        JudgedMove { loss: 0.0, centipawns: 0, fault: None, missed_win: false, only_move: false };

    /// Judges the best move of a position.
    pub(crate) fn best(before: &ExaminedPosition) -> JudgedMove {
        let best = before.wdl.expected_points();
        let gap = |second: &FoundLine| best - second.wdl.expected_points();
        let only_move = before
            .others
            .first()
            .is_some_and(|second| gap(second) + 1e-9 >= Fault::Blunder.min_loss());
        JudgedMove { only_move, ..JudgedMove::BEST }
    }

    /// Judges a move by the search results before and after it. `after` is from the opponent's point of
    /// view.
    pub(crate) fn new(before: &ExaminedPosition, after: &ExaminedPosition) -> JudgedMove {
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

    /// Returns the judgement of a move of a named opening: an inaccuracy is book, since a gambit gives
    /// something for the loss. Larger faults stay.
    pub(super) fn in_book(self) -> JudgedMove {
        let fault = self.fault.filter(|fault| *fault > Fault::Inaccuracy);
        JudgedMove { fault, ..self }
    }

    /// Returns the loss in percent of a point, rounded down, so that a loss below a threshold is not shown
    /// as having reached it.
    pub fn percent(&self) -> u32 {
        percent(self.loss)
    }

    /// Returns the accuracy of the move in percent, at most 100: `103.1668 exp(-4.354 loss / 2) - 3.1669`.
    /// The formula is that of lichess.org ("Lichess Accuracy metric", 2022), with half the loss.
    pub(crate) fn accuracy(&self) -> f64 {
        (103.1668 * (-4.354 * SHARE_FOR_PEOPLE * self.loss).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

/// Converts a loss of points to percent, rounded down. Tolerates a rounding error.
pub(super) fn percent(loss: f64) -> u32 {
    (100.0 * loss + 1e-7) as u32
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

    /// A search result with this internal score and this material.
    fn found(score: Score, material: u32) -> ExaminedPosition {
        let wdl = WDL_MODEL.wdl(score, material);
        ExaminedPosition {
            score: shown_score(score),
            wdl,
            line: Vec::new(),
            depth: Depth::new(9),
            others: Vec::new(),
        }
    }

    /// A search result with these chances to win, draw and lose.
    fn with_wdl([win, draw, loss]: [u16; 3]) -> ExaminedPosition {
        ExaminedPosition { wdl: Wdl { win, draw, loss }, ..found(Score::DRAW, 20) }
    }

    fn judged(best: Score, played: Score, material: u32) -> JudgedMove {
        JudgedMove::new(&found(best, material), &found(-played, material))
    }

    #[test]
    fn endings_are_judged_by_the_chances_to_win_draw_and_lose() {
        // The mover's chances before the move and after it.
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
    fn a_loss_of_centipawns_weighs_less_in_a_decided_game() {
        let fault = |best, played| judged(Score::new(best), Score::new(played), 78).fault;
        assert_eq!(fault(0, -200), Some(Fault::Blunder));
        assert_eq!(fault(300, 120), Some(Fault::Inaccuracy));
        assert_eq!(fault(1000, 700), None);
        assert_eq!(fault(-700, -1000), None);
    }

    #[test]
    fn the_thresholds_are_a_tenth_a_fifth_and_three_tenths_of_a_point() {
        let of = Fault::of_loss;
        assert_eq!([of(0.099), of(0.10)], [None, Some(Fault::Inaccuracy)]);
        assert_eq!([of(0.199), of(0.20)], [Some(Fault::Inaccuracy), Some(Fault::Mistake)]);
        assert_eq!([of(0.299), of(0.30)], [Some(Fault::Mistake), Some(Fault::Blunder)]);
    }

    #[test]
    fn a_missed_mate_is_a_fault_only_if_the_game_is_no_longer_won() {
        let mate = Score::mate_in(Ply::new(7));
        assert_eq!(judged(mate, Score::new(900), 40).fault, None);
        let thrown_away = judged(mate, Score::DRAW, 40);
        assert_eq!((thrown_away.fault, thrown_away.centipawns), (Some(Fault::Blunder), 1000));
        // A mate counts as ten pawns in the shown scale.
        let losing = Score::new(-600);
        let lost = judged(losing, -mate, 78).centipawns;
        assert_eq!(lost, shown_score(losing) - Score::new(-MAX_CENTIPAWNS));
    }

    #[test]
    fn a_win_is_missed_if_the_game_was_won_and_no_longer_is() {
        let missed = |best, played| judged(Score::new(best), Score::new(played), 40).missed_win;
        assert!(missed(600, 0) && missed(600, -300));
        assert!(!missed(600, 500) && !missed(100, 0) && !missed(0, -600));
    }

    #[test]
    fn a_move_is_the_only_move_if_all_others_are_blunders() {
        let second = |score| {
            let wdl = WDL_MODEL.wdl(Score::new(score), 40);
            let others = vec![FoundLine { score: Score::new(score), wdl, line: Vec::new() }];
            JudgedMove::best(&ExaminedPosition { others, ..found(Score::DRAW, 40) }).only_move
        };
        assert!(second(-400) && !second(-20));
        assert!(!JudgedMove::best(&found(Score::DRAW, 40)).only_move, "no other line is known");
    }

    #[test]
    fn the_accuracy_of_a_move_is_the_published_curve() {
        let accuracy = |loss| JudgedMove { loss, ..JudgedMove::BEST }.accuracy();
        assert!(accuracy(0.0) > 99.99);
        // 103.1668 * exp(-0.04354 * 20) - 3.1669
        assert!((accuracy(0.40) - 40.014).abs() < 0.01, "{}", accuracy(0.40));
    }

    #[test]
    fn an_inaccuracy_of_a_named_opening_is_book_and_a_mistake_is_not() {
        let fault = |loss| {
            let judged = JudgedMove { loss, fault: Fault::of_loss(loss), ..JudgedMove::BEST };
            judged.in_book().fault
        };
        assert_eq!([fault(0.18), fault(0.2)], [None, Some(Fault::Mistake)]);
        let judged = JudgedMove { loss: 0.18, ..JudgedMove::BEST };
        assert_eq!(judged.in_book().accuracy(), judged.accuracy(), "the loss still counts");
    }

    #[test]
    fn a_loss_below_a_threshold_is_not_shown_as_having_reached_it() {
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
