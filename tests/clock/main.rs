//! Games and moves against the clock. They are a separate binary, because Cargo runs one test
//! binary after the other, and they take turns: no other test takes processor time from them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;

use support::games::chess960_start;
use support::referee::{Budget, Game, self_play};
use support::session::{KIWIPETE, START, assert_good, session};

mod many_games;
#[path = "../suite/support/mod.rs"]
mod support;

const STANDARD: CastlingMode = CastlingMode::Standard;
const CHESS960: CastlingMode = CastlingMode::Chess960;

/// One second per side and a hundredth more per move.
const BULLET: Budget =
    Budget::Clock { base: Duration::from_millis(1000), increment: Duration::from_millis(10) };

/// Waits for the turn of the test: one test at a time, because each needs a processor.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn games_with_one_second_and_a_hundredth_per_move_are_played_without_a_fault() {
    let _turn = turn();
    for opening in ["e2e4 c7c5", "d2d4 d7d5 c2c4"] {
        let (game, ending) = self_play(Game::from_fen(START, STANDARD, opening), BULLET, 600);
        assert!(ending.is_some(), "a game of 600 plies: {}", game.position_command());
    }
}

#[test]
fn chess960_games_with_one_second_and_a_hundredth_per_move_are_played_without_a_fault() {
    let _turn = turn();
    for number in [100, 700] {
        let (game, ending) = self_play(Game::new(chess960_start(number), CHESS960), BULLET, 600);
        assert!(ending.is_some(), "a game of 600 plies: {}", game.position_command());
    }
}

#[test]
fn go_movetime_uses_its_time_but_not_more() {
    let _turn = turn();
    let (mut engine, game) = session(KIWIPETE, "");
    let begun = Instant::now();
    assert_good(&game, &engine.search("go movetime 300"));
    let used = begun.elapsed();
    assert!(used >= Duration::from_millis(150), "{used:?}");
    assert!(used <= Duration::from_millis(1300), "{used:?}");
}

#[test]
fn a_move_is_played_on_an_almost_empty_clock_for_any_order_of_words() {
    let _turn = turn();
    for go in [
        "go wtime 100 btime 100",
        "go winc 0 btime 5000 movestogo 3 wtime 60 binc 10",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go wtime -50 btime 1000",
        "go movestogo 1 wtime 1 btime 1",
        "go movetime 1",
        "go depth 30 movetime 50 nodes 1000000",
        "go wtime 9 btime 9 winc 9 binc 9 movestogo 40",
    ] {
        let (mut engine, game) = session(KIWIPETE, "");
        let begun = Instant::now();
        assert_good(&game, &engine.search(go));
        assert!(begun.elapsed() < Duration::from_secs(1), "{go}: {:?}", begun.elapsed());
    }
}

#[test]
fn after_ponderhit_the_clock_is_respected() {
    let _turn = turn();
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go wtime 1000 btime 1000 ponder");
    let said = engine.lines_during(Duration::from_millis(300));
    let begun = Instant::now();
    engine.send("ponderhit");
    let mut answer = engine.answer();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    answer.lines.splice(0..0, said);
    assert_good(&game, &answer);
}
