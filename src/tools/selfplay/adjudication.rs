//! Adjudication: games whose result is no longer in doubt end, since computing time is better spent on
//! others.
//!
//! A game ends once it has looked decided for some plies in a row: one side wins with a chance of
//! at least 98 percent, as the scale of the evaluation says ([`winning_score`]); late in the game its
//! scores have been level for long; or the endgame is known ([`Endgames`](super::Endgames)).
//! One game in ten is played to its end all the same, to see how often that would have been wrong
//! and for the endgames that are met nowhere else.

use super::game::GameResult;
use crate::engine::units::Score;

/// The chance of winning, in expected points, from which on a game counts as won.
const WON: f64 = 0.98;
/// Plies in a row for which a side has won or an endgame is known: two moves of both sides.
const DECIDED_PLIES: u32 = 4;
/// A score of at most this, in centipawns, is level.
const LEVEL: i32 = 10;
/// Plies in a row of level scores: ten moves of both sides.
const LEVEL_PLIES: u32 = 20;
/// A level stretch counts from this ply of the game on.
const LATE: u32 = 80;
/// Every n-th game is played out.
const PLAYED_OUT: u32 = 10;

/// The least score in centipawns that wins often enough for a game to end, where points rise with
/// the score on this scale (see [`ScorePoints::scale`](super::ScorePoints::scale)).
pub fn winning_score(scale: f64) -> u16 {
    (scale * (WON / (1.0 - WON)).ln()).ceil() as u16
}

/// Whether the game with this number is played to its end by the rules.
pub fn is_played_out(number: u32) -> bool {
    number % PLAYED_OUT == PLAYED_OUT - 1
}

/// Counts what decides a game, ply by ply.
#[derive(Clone, Copy, Debug)]
pub struct Adjudicator {
    winning_score: i32,
    white_wins: u32,
    black_wins: u32,
    level: u32,
    known: Option<GameResult>,
    known_plies: u32,
}

impl Adjudicator {
    /// For games that are won from this score on, in centipawns.
    pub fn new(winning_score: u16) -> Adjudicator {
        let winning_score = winning_score.into();
        let (white_wins, black_wins, level, known_plies) = (0, 0, 0, 0);
        Adjudicator { winning_score, white_wins, black_wins, level, known: None, known_plies }
    }

    /// Adds White's score after this ply of the game; returns the result if the
    /// scores have decided it by now.
    pub fn add_score(&mut self, white_score: Score, plies: u32) -> Option<GameResult> {
        let score = white_score.centipawns();
        count(&mut self.white_wins, score >= self.winning_score);
        count(&mut self.black_wins, score <= -self.winning_score);
        count(&mut self.level, score.abs() <= LEVEL && plies >= LATE);
        [
            (self.white_wins >= DECIDED_PLIES, GameResult::WhiteWins),
            (self.black_wins >= DECIDED_PLIES, GameResult::BlackWins),
            (self.level >= LEVEL_PLIES, GameResult::Draw),
        ]
        .into_iter()
        .find_map(|(decided, result)| decided.then_some(result))
    }

    /// Adds what is known about the endgame of the next position; returns the result if it
    /// has been the same for long enough.
    pub fn add_endgame(&mut self, known: Option<GameResult>) -> Option<GameResult> {
        self.known_plies = if known == self.known { self.known_plies + 1 } else { 1 };
        self.known = known;
        known.filter(|_| self.known_plies >= DECIDED_PLIES)
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
        let mut adjudicator = Adjudicator::new(600);
        scores.into_iter().zip(first_ply..).enumerate().find_map(|(added, (score, ply))| {
            adjudicator.add_score(Score::new(score), ply).map(|result| (added + 1, result))
        })
    }

    #[test]
    fn a_side_wins_after_two_moves_of_both_sides_with_a_winning_score() {
        assert_eq!(result([600; 20], 10), Some((4, GameResult::WhiteWins)));
        assert_eq!(result([-600; 20], 10), Some((4, GameResult::BlackWins)));
        assert_eq!(result([599; 20], 10), None);
        assert_eq!(result([31_990; 3], 10), None);
    }

    #[test]
    fn a_winning_score_wins_98_of_100_points_on_the_scale_of_the_evaluation() {
        for scale in [100.0, 143.0, 400.0] {
            let score = f64::from(winning_score(scale));
            let chance = |score: f64| 1.0 / (1.0 + (-score / scale).exp());
            assert!(chance(score) >= 0.98 && chance(score - 1.0) < 0.98, "{score} for {scale}");
        }
    }

    #[test]
    fn a_score_that_falls_back_or_turns_over_begins_the_count_anew() {
        let wavering = [[3000; 3].as_slice(), &[599], &[3000; 3], &[-3000; 4]].concat();
        assert_eq!(result(wavering, 10), Some((11, GameResult::BlackWins)));
    }

    #[test]
    fn a_long_level_stretch_is_a_draw_only_late_in_the_game() {
        assert_eq!(result([-10; 60], 80), Some((20, GameResult::Draw)));
        assert_eq!(result([0; 60], 70), Some((30, GameResult::Draw)));
        assert_eq!(result([0; 60], 10), None);
        assert_eq!(result([11; 200], 80), None);
    }

    #[test]
    fn an_endgame_that_stays_known_ends_the_game() {
        let mut adjudicator = Adjudicator::new(600);
        let (won, drawn) = (Some(GameResult::WhiteWins), Some(GameResult::Draw));
        let endgames = [won, won, won, None, won, won, won, drawn, drawn, drawn, drawn];
        let results = endgames.map(|known| adjudicator.add_endgame(known));
        assert!(results[..10].iter().all(Option::is_none), "{results:?}");
        assert_eq!(results[10], drawn);
        assert!([None; 9].iter().all(|&unknown| adjudicator.add_endgame(unknown).is_none()));
    }

    #[test]
    fn one_game_in_ten_is_played_out() {
        assert_eq!((0..1000).filter(|&number| is_played_out(number)).count(), 100);
    }
}
