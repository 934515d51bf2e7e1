//! Ending games whose result is no longer in doubt.

use super::game::GameResult;
use crate::units::Score;

/// A score beyond this, in centipawns, wins.
const WON: i32 = 2_000;
/// For so many plies in a row: four moves of both sides.
const WON_PLIES: u32 = 8;
/// A score of at most this, in centipawns, is level.
const LEVEL: i32 = 10;
/// For so many plies in a row: ten moves of both sides.
const LEVEL_PLIES: u32 = 20;
/// A level stretch counts from this ply of the game on.
const LATE: u32 = 80;

/// Watches the scores of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Adjudicator {
    white_wins: u32,
    black_wins: u32,
    level: u32,
}

impl Adjudicator {
    /// Takes notice of White's score after so many plies of the game; returns the result if it is
    /// decided by now.
    pub fn hear(&mut self, white_score: Score, plies: u32) -> Option<GameResult> {
        let score = white_score.centipawns();
        count(&mut self.white_wins, score > WON);
        count(&mut self.black_wins, score < -WON);
        count(&mut self.level, score.abs() <= LEVEL && plies >= LATE);
        [
            (self.white_wins >= WON_PLIES, GameResult::WhiteWins),
            (self.black_wins >= WON_PLIES, GameResult::BlackWins),
            (self.level >= LEVEL_PLIES, GameResult::Draw),
        ]
        .into_iter()
        .find_map(|(decided, result)| decided.then_some(result))
    }
}

fn count(plies: &mut u32, goes_on: bool) {
    *plies = if goes_on { *plies + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(
        scores: impl IntoIterator<Item = i32>,
        first_ply: u32,
    ) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::default();
        scores.into_iter().zip(first_ply..).enumerate().find_map(|(heard, (score, ply))| {
            adjudicator.hear(Score::new(score), ply).map(|result| (heard + 1, result))
        })
    }

    #[test]
    fn a_side_wins_after_four_moves_of_both_sides_beyond_two_thousand() {
        assert_eq!(result([2001; 20], 10), Some((8, GameResult::WhiteWins)));
        assert_eq!(result([-2001; 20], 10), Some((8, GameResult::BlackWins)));
        assert_eq!(result([2000; 20], 10), None);
        assert_eq!(result([31_990; 7], 10), None);
    }

    #[test]
    fn a_score_that_falls_back_or_turns_over_begins_the_count_anew() {
        let wavering = [[3000; 7].as_slice(), &[1999], &[3000; 7], &[-3000; 8]].concat();
        assert_eq!(result(wavering, 10), Some((23, GameResult::BlackWins)));
    }

    #[test]
    fn a_long_level_stretch_is_a_draw_only_late_in_the_game() {
        assert_eq!(result([-10; 60], 80), Some((20, GameResult::Draw)));
        assert_eq!(result([0; 60], 70), Some((30, GameResult::Draw)));
        assert_eq!(result([0; 60], 10), None);
        assert_eq!(result([11; 200], 80), None);
    }
}
