//! How often adjudication would have been wrong, from games that were played out.

use super::adjudication::Adjudicator;
use super::game::GameResult;
use super::replay::LabelledPosition;

/// How often the scores would have ended games, and how often wrongly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdjudicationCheck {
    pub games: u64,
    /// Of these, games that would have been ended as won.
    pub won: Verdicts,
    /// Games that would have been ended as drawn.
    pub drawn: Verdicts,
}

/// Games that would have been ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdicts {
    pub games: u64,
    /// Those that came to another result in the end.
    pub wrong: u64,
}

impl AdjudicationCheck {
    /// Counts a game that was played out, with the score in centipawns that won the games it was
    /// played among. Where that is not known, 0, nothing is said about the others.
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
