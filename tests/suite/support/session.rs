//! An engine with a position set up in it, and the referee that judges its answers.

use shakmaty::CastlingMode;

use super::engine::{Answer, Engine};
use super::referee::Game;

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Starts an engine with a position; returns it with the game for the referee.
pub fn session(fen: &str, moves: &str) -> (Engine, Game) {
    let mut engine = Engine::outrider();
    let game = Game::from_fen(fen, CastlingMode::Standard, moves);
    engine.send_unanswered(&game.position_command());
    (engine, game)
}

/// Lets the referee judge an answer, which must contain a move.
#[track_caller]
pub fn assert_good(game: &Game, answer: &Answer) {
    let mv = game.judge(answer).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(mv.is_some(), "no move");
}
