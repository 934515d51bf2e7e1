//! Measures with played-out games how often adjudication would have been wrong.

use super::adjudication::Adjudicator;
use super::game::GameResult;
use super::replay::LabelledPosition;

/// Counts how often the scores would have ended played-out games, and how often wrongly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdjudicationCheck {
    /// Number of played-out games.
    pub games: u64,
    /// Games that would have been ended as won.
    pub won: Verdicts,
    /// Games that would have been ended as drawn.
    pub drawn: Verdicts,
}

/// Games that would have been ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    /// Number of these games.
    pub games: u64,
    /// Games with another result in the end.
    pub wrong: u64,
}

impl AdjudicationCheck {
    /// Counts a played-out game. `winning_score`, in centipawns, is the score that won the other games
    /// of its run; if it is 0, that is unknown, and only the game is counted.
    pub fn add(&mut self, positions: &[LabelledPosition], winning_score: u16) {
        self.games += 1;
        if winning_score == 0 {
            return;
        }
        let mut adjudicator = Adjudicator::new(winning_score);
        let verdict = positions.iter().find_map(|position| {
            let verdict = adjudicator.add_score(position.white_score, position.board.chess())?;
            Some((verdict, position.result?))
        });
        let Some((verdict, result)) = verdict else {
            return;
        };
        let verdicts = if verdict == GameResult::Draw { &mut self.drawn } else { &mut self.won };
        verdicts.games += 1;
        verdicts.wrong += u64::from(verdict != result);
    }
}
