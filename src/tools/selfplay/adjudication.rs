//! Adjudication: ends games whose result is no longer in doubt, to save computing time for others.
//!
//! A game ends after it looked decided for some plies in a row:
//!
//! - one side is expected to score at least 96.6 percent by the scale of the evaluation
//!   ([`winning_score`]);
//! - late in the game, the scores were level for long;
//! - few pieces are left and neither side is far ahead;
//! - the result of the endgame is known ([`Endgames`](super::Endgames)).
//!
//! It also ends as a draw if neither side is far ahead and there was no capture or pawn move for long.
//! Some of these verdicts are wrong. That costs little if a network learns more from scores than from
//! results, and the time saved is used for other games.
//!
//! One game in twenty is played to its end by the rules. This measures how often adjudication is wrong,
//! and provides endgames that occur nowhere else.

use shakmaty::{Chess, Position as _};

use super::game::{GameResult, plies_played};
use outrider_engine::units::Score;

/// Expected points from which on a game counts as won.
const WIN_CHANCE: f64 = 0.966;
/// Plies in a row with a winning score or a known endgame: two moves of both sides.
const DECIDED_PLIES: u32 = 4;
/// Largest level score, in centipawns.
const LEVEL_SCORE: i32 = 10;
/// Plies in a row of level scores: ten moves of both sides.
const LEVEL_PLIES: u32 = 20;
/// Ply of the game from which on level scores count.
const LEVEL_FROM_PLY: u32 = 80;
/// Largest score, in centipawns, that is not a win when few pieces are left or there is no progress. With
/// 100 instead of 30, and six plies instead of eight, 26 of 253 draws were wrong, not 9 of 210, in the
/// games of a run that were played out.
const MAX_UNDECIDED_SCORE: i32 = 30;
/// Number of pieces, including kings, that seldom win a game that is not won yet.
const FEW_PIECES: usize = 6;
/// Plies in a row with few pieces and an undecided score: four moves of both sides.
const FEW_PIECES_PLIES: u32 = 8;
/// Plies since the last capture or pawn move after which neither side makes progress. Positions from
/// here on are not trained on (see [`Filter::shuffled_from`](super::Filter::shuffled_from)).
const SHUFFLED_PLIES: u32 = 40;
/// One game out of this many is played out.
const PLAYED_OUT_INTERVAL: u32 = 20;

/// Smallest score in centipawns that ends a game, for a scale of scores as in
/// [`ScorePoints::scale`](super::scale::ScorePoints::scale).
pub(super) fn winning_score(scale: f64) -> u16 {
    (scale * (WIN_CHANCE / (1.0 - WIN_CHANCE)).ln()).ceil() as u16
}

/// Returns true if the game with this number is played to its end by the rules.
pub(super) fn is_played_out(number: u32) -> bool {
    number % PLAYED_OUT_INTERVAL == PLAYED_OUT_INTERVAL - 1
}

/// Counts, ply by ply, the conditions that decide a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjudicator {
    winning_score: i32,
    white_wins: u32,
    black_wins: u32,
    level: u32,
    few_pieces: u32,
    known: Option<GameResult>,
    known_plies: u32,
}

impl Adjudicator {
    /// Creates an adjudicator. A game is won from `winning_score` on, in centipawns.
    pub(super) fn new(winning_score: u16) -> Adjudicator {
        Adjudicator {
            winning_score: winning_score.into(),
            white_wins: 0,
            black_wins: 0,
            level: 0,
            few_pieces: 0,
            known: None,
            known_plies: 0,
        }
    }

    /// Adds White's score of the next position. Returns the result if the scores have decided the game.
    pub(super) fn add_score(&mut self, white_score: Score, position: &Chess) -> Option<GameResult> {
        let score = white_score.centipawns();
        let is_undecided = score.abs() <= MAX_UNDECIDED_SCORE;
        count(&mut self.white_wins, score >= self.winning_score);
        count(&mut self.black_wins, score <= -self.winning_score);
        count(
            &mut self.level,
            score.abs() <= LEVEL_SCORE && plies_played(position) >= LEVEL_FROM_PLY,
        );
        count(
            &mut self.few_pieces,
            is_undecided && position.board().occupied().count() <= FEW_PIECES,
        );
        let is_shuffled = is_undecided && position.halfmoves() >= SHUFFLED_PLIES;
        let is_level = self.level >= LEVEL_PLIES || self.few_pieces >= FEW_PIECES_PLIES;
        [
            (self.white_wins >= DECIDED_PLIES, GameResult::WhiteWins),
            (self.black_wins >= DECIDED_PLIES, GameResult::BlackWins),
            (is_level || is_shuffled, GameResult::Draw),
        ]
        .into_iter()
        .find_map(|(decided, result)| decided.then_some(result))
    }

    /// Adds the known result of the next position, if any. Returns it after enough plies in a row.
    pub(super) fn add_endgame(&mut self, known: Option<GameResult>) -> Option<GameResult> {
        self.known_plies = if known == self.known { self.known_plies + 1 } else { 1 };
        self.known = known;
        known.filter(|_| self.known_plies >= DECIDED_PLIES)
    }
}

/// Counts plies in a row in which a condition holds.
fn count(plies: &mut u32, holds: bool) {
    *plies = if holds { *plies + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::super::scale::sigmoid;
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;

    /// Returns a position with many pieces after `plies` plies, the last `halfmoves` without progress.
    fn middlegame(plies: u32, halfmoves: u32) -> Chess {
        let (turn, moves) = (["w", "b"][plies as usize % 2], plies / 2 + 1);
        let fen =
            format!("r1bqk1nr/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQK1NR {turn} - - {halfmoves} {moves}");
        parse_fen_any(&fen).unwrap()
    }

    /// Returns the number of scores after which the game is decided, and the result.
    fn verdict<'a>(
        scores: impl IntoIterator<Item = i32>,
        positions: impl IntoIterator<Item = &'a Chess>,
    ) -> Option<(usize, GameResult)> {
        let mut adjudicator = Adjudicator::new(600);
        scores.into_iter().zip(positions).enumerate().find_map(|(added, (score, position))| {
            adjudicator.add_score(Score::new(score), position).map(|result| (added + 1, result))
        })
    }

    /// Returns the verdict in a middlegame that begins at this ply.
    fn result(
        scores: impl IntoIterator<Item = i32>,
        first_ply: u32,
    ) -> Option<(usize, GameResult)> {
        let positions: Vec<Chess> =
            (first_ply..first_ply + 200).map(|ply| middlegame(ply, 0)).collect();
        verdict(scores, &positions)
    }

    #[test]
    fn a_side_wins_after_two_moves_of_both_sides_with_a_winning_score() {
        assert_eq!(result([600; 20], 10), Some((4, GameResult::WhiteWins)));
        assert_eq!(result([-600; 20], 10), Some((4, GameResult::BlackWins)));
        assert_eq!(result([599; 20], 10), None);
        assert_eq!(result([31_990; 3], 10), None);
    }

    #[test]
    fn a_winning_score_expects_966_of_1000_points_on_the_scale_of_the_evaluation() {
        for scale in [100.0, 143.0, 400.0] {
            let score = f64::from(winning_score(scale));
            let chance = |score: f64| sigmoid(score / scale);
            assert!(chance(score) >= 0.966 && chance(score - 1.0) < 0.966, "{score} for {scale}");
        }
    }

    #[test]
    fn a_lower_score_or_a_change_of_side_restarts_the_count() {
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
    fn six_pieces_with_undecided_scores_for_four_moves_of_both_sides_are_a_draw() {
        let six = parse_fen_any("4k3/4p3/8/8/8/1r6/1R2P3/4K3 w - - 0 20").unwrap();
        let seven = parse_fen_any("4k3/4pp2/8/8/8/1r6/1R2P3/4K3 w - - 0 20").unwrap();
        assert_eq!(verdict([-30; 20], &vec![six.clone(); 20]), Some((8, GameResult::Draw)));
        assert_eq!(verdict([31; 20], &vec![six.clone(); 20]), None);
        assert_eq!(verdict([0; 20], &vec![seven.clone(); 20]), None);
        let with_a_hope = [[0; 7].as_slice(), &[50], &[0; 10]].concat();
        assert_eq!(verdict(with_a_hope, &vec![six; 20]), Some((16, GameResult::Draw)));
    }

    #[test]
    fn twenty_moves_without_progress_are_a_draw_unless_a_side_is_ahead() {
        let shuffled: Vec<Chess> = (36..60).map(|count| middlegame(60 + count, count)).collect();
        assert_eq!(verdict([-30; 24], &shuffled), Some((5, GameResult::Draw)));
        assert_eq!(verdict([31; 24], &shuffled), None);
    }

    #[test]
    fn an_endgame_result_known_for_two_moves_of_both_sides_ends_the_game() {
        let mut adjudicator = Adjudicator::new(600);
        let (won, drawn) = (Some(GameResult::WhiteWins), Some(GameResult::Draw));
        let endgames = [won, won, won, None, won, won, won, drawn, drawn, drawn, drawn];
        let results = endgames.map(|known| adjudicator.add_endgame(known));
        assert!(results[..10].iter().all(Option::is_none), "{results:?}");
        assert_eq!(results[10], drawn);
        assert!([None; 9].iter().all(|&unknown| adjudicator.add_endgame(unknown).is_none()));
    }

    #[test]
    fn one_game_in_twenty_is_played_out() {
        assert_eq!((0..1000).filter(|&number| is_played_out(number)).count(), 50);
    }
}
