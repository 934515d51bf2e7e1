//! One game of the search against itself.

use shakmaty::{Chess, Position as _};

use super::adjudication::Adjudicator;
use super::game::{Game, GameResult, ScoredMove};
use super::header::Settings;
use crate::openings::{Openings, random_numbers, soft_limits};
use crate::position::{PackedMove, Position};
use crate::search::{Control, Engine, MemoryError};
use crate::units::Ply;

/// Size of a player's transposition table: a game of short searches does not fill more, and a
/// small one stays in the processor's caches.
const TABLE_MEGABYTES: usize = 2;
/// Whether an opening is balanced is searched with so many times the nodes of a move.
const OPENING_FACTOR: u64 = 10;

/// Plays both sides. Its thread needs [`Engine::STACK_SIZE`] bytes of stack.
pub struct Player {
    settings: Settings,
    openings: Openings,
    engine: Engine,
}

impl Player {
    /// A player for a run with these settings.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for its transposition table.
    pub fn new(settings: Settings) -> Result<Player, MemoryError> {
        let openings = Openings {
            book: Vec::new(),
            chess960_permille: settings.chess960_permille,
            nodes: u64::from(settings.nodes) * OPENING_FACTOR,
        };
        Ok(Player { settings, openings, engine: Engine::new(1, TABLE_MEGABYTES)? })
    }

    /// Plays the game with this number, which is always the same game. `None`
    /// if `control` says stop before its end.
    pub fn play(&mut self, number: u32, control: &Control) -> Option<Game> {
        let mut random = random_numbers(self.settings.seed, u64::from(number));
        self.engine.new_game();
        let start = self.openings.draw(&mut random, &mut self.engine, control)?;
        let (result, moves) = self.play_on(&start, control)?;
        Some(Game { number, start, result, is_played_out: false, scores_fade: true, moves })
    }

    fn play_on(
        &mut self,
        start: &Chess,
        control: &Control,
    ) -> Option<(GameResult, Vec<ScoredMove>)> {
        let mut position = Position::new(start.clone());
        let mut adjudicator = Adjudicator::default();
        let mut moves = Vec::with_capacity(256);
        loop {
            if let Some(result) = result_by_rule(&position) {
                return Some((result, moves));
            }
            let limits = soft_limits(u64::from(self.settings.nodes));
            let outcome = self.engine.go_here(&position, &limits, control);
            if control.is_stopped() {
                return None;
            }
            let best = outcome.best?;
            let score = position.turn().fold_wb(outcome.score, -outcome.score);
            moves.push(ScoredMove { mv: PackedMove::new(best), score });
            if let Some(result) = adjudicator.hear(score, plies_played(position.chess())) {
                return Some((result, moves));
            }
            position.push(best);
        }
    }
}

/// The result if the game is over by the rules.
fn result_by_rule(position: &Position) -> Option<GameResult> {
    if position.board().legal_moves().is_empty() {
        let winner = position.board().in_check().then(|| !position.turn());
        return Some(GameResult::of_winner(winner));
    }
    position.is_drawn(Ply::ROOT).then_some(GameResult::Draw)
}

/// Plies since the beginning of the game, the opening's included.
pub(super) fn plies_played(chess: &Chess) -> u32 {
    let moves = chess.fullmoves().get() - 1;
    moves.saturating_mul(2).saturating_add(chess.turn().fold_wb(0, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen_any, parse_move};
    use std::thread;

    fn position(fen: &str) -> Position {
        Position::new(parse_fen_any(fen).unwrap())
    }

    fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let builder = thread::Builder::new().stack_size(Engine::STACK_SIZE);
            builder.spawn_scoped(scope, work).unwrap().join().unwrap()
        })
    }

    #[test]
    fn games_end_by_rule() {
        let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
        assert_eq!(result_by_rule(&position(mated)), Some(GameResult::WhiteWins));
        let mating_after_fifty_moves = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90";
        let winner = result_by_rule(&position(mating_after_fifty_moves));
        assert_eq!(winner, Some(GameResult::WhiteWins));
        let mated = "6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
        assert_eq!(result_by_rule(&position(mated)), Some(GameResult::BlackWins));
        for drawn in [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 b - - 100 90",
            "7k/8/6K1/8/8/8/8/B7 b - - 0 1",
        ] {
            assert_eq!(result_by_rule(&position(drawn)), Some(GameResult::Draw), "{drawn}");
        }
        assert_eq!(result_by_rule(&Position::default()), None);
    }

    #[test]
    fn a_game_ends_with_the_third_occurrence_of_a_position() {
        let mut position = Position::default();
        for (played, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(8).enumerate() {
            assert_eq!(result_by_rule(&position), None, "after {played} plies");
            let mv = parse_move(position.chess(), text).unwrap();
            position.push(mv);
        }
        assert_eq!(result_by_rule(&position), Some(GameResult::Draw));
    }

    #[test]
    fn a_game_depends_on_nothing_but_settings_and_number() {
        let settings = Settings { seed: 5, nodes: 60, chess960_permille: 500 };
        on_a_large_stack(|| {
            let mut player = Player::new(settings).unwrap();
            let control = Control::default();
            let forwards: Vec<_> = (0..4).map(|number| player.play(number, &control)).collect();
            let mut other = Player::new(settings).unwrap();
            for number in [3, 1, 2, 0] {
                let game = other.play(number, &control).unwrap();
                assert_eq!(Some(&game), forwards[number as usize].as_ref());
                assert!(game.replay().all(|sample| sample.is_ok()));
                assert!(!game.moves.is_empty());
            }
        });
    }

    #[test]
    fn a_game_that_is_stopped_is_no_game() {
        let settings = Settings { seed: 5, nodes: 60, chess960_permille: 0 };
        let control = Control::default();
        control.stop();
        let game = on_a_large_stack(|| Player::new(settings).unwrap().play(0, &control));
        assert_eq!(game, None);
    }
}
