//! Games against the clock. They are a binary of their own because Cargo runs one test binary after
//! the other: no other test takes the processor from them.

use std::time::Duration;

use shakmaty::CastlingMode;

use support::games::chess960_start;
use support::referee::{Budget, Game, self_play};

#[path = "../suite/support/mod.rs"]
mod support;

const STANDARD: CastlingMode = CastlingMode::Standard;
const CHESS960: CastlingMode = CastlingMode::Chess960;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// One second a side and a hundredth more a move.
const BULLET: Budget =
    Budget::Clock { base: Duration::from_millis(1000), increment: Duration::from_millis(10) };

#[test]
fn games_at_one_second_and_a_hundredth_are_played_to_their_end_without_a_fault() {
    for opening in ["e2e4 c7c5", "d2d4 d7d5 c2c4"] {
        let (game, ending) = self_play(Game::from_fen(START, STANDARD, opening), BULLET, 600);
        assert!(ending.is_some(), "a game of 600 plies: {}", game.position_command());
    }
}

#[test]
fn chess960_games_at_one_second_and_a_hundredth_are_played_to_their_end_without_a_fault() {
    for number in [100, 700] {
        let (game, ending) = self_play(Game::new(chess960_start(number), CHESS960), BULLET, 600);
        assert!(ending.is_some(), "a game of 600 plies: {}", game.position_command());
    }
}
