//! A game with pondering, as a GUI plays it.

use shakmaty::Position as _;

use super::{START, assert_good, session};
use crate::support::info::lines_of_play;
use crate::support::referee::Game;

/// Returns the game after one more move, which must be legal.
fn after(game: &Game, text: &str) -> Game {
    let mut game = game.clone();
    game.play(game.find(text).unwrap_or_else(|fault| panic!("{fault}")));
    game
}

#[test]
fn a_game_is_played_with_pondering_for_expected_and_unexpected_replies() {
    let (mut engine, mut game) = session(START, "");
    engine.send_unanswered("setoption name Ponder value true");
    let mut answer = engine.search("go nodes 2000");
    let mut round = 0;
    while game.ending().is_none() && round < 40 {
        assert_good(&game, &answer);
        let last = lines_of_play(&answer.lines).pop().expect("a move comes with its line");
        assert_eq!(Some(&last.moves[0]), answer.best.as_ref());
        game = after(&game, &last.moves[0]);
        let Some(reply) = &answer.ponder else { break };
        let expected = after(&game, reply);
        engine.send_unanswered(&expected.position_command());
        engine.send("go ponder nodes 2000");
        let replies = game.chess().legal_moves();
        let other = replies.into_iter().find(|mv| Ok(*mv) != game.find(reply));
        if let Some(other) = other.filter(|_| round % 3 == 2) {
            engine.send("stop");
            assert!(expected.judge(&engine.answer()).is_ok());
            game.play(other);
            engine.send_unanswered(&game.position_command());
            answer = engine.search("go nodes 2000");
        } else {
            engine.send("ponderhit");
            game = expected;
            answer = engine.answer();
        }
        round += 1;
    }
    assert!(round > 10, "{round} rounds: {}", game.position_command());
    engine.quit();
}
