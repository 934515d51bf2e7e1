//! Limits: depth, nodes, mate, infinite, pondering. Time limits are tested in `tests/clock`.

use std::time::Duration;

use super::{KIWIPETE, START, assert_good, messages, session, timeless};
use crate::support::engine::{Answer, Engine};
use crate::support::info::{Score, lines_of_play};

/// Mate and stalemate on the board: a search has nothing to do.
const OVER: [&str; 2] = ["7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"];

/// So many captures that the first iteration takes longer than other searches.
const QUEENS: &str = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";

/// Positions and moves to mate, from the mating side's point of view.
const MATES: [(&str, i32); 5] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("8/8/8/8/8/6k1/4r3/7K b - - 0 1", 1),
];

/// Waits longer than a search that need not wait would take to answer.
fn assert_waits(engine: &Engine) -> Vec<String> {
    let said = engine.lines_during(Duration::from_millis(300));
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    said
}

fn last_nodes(answer: &Answer) -> u64 {
    lines_of_play(&answer.lines).last().expect("a line of play").nodes
}

#[test]
fn the_last_line_reports_exactly_the_allowed_nodes() {
    for nodes in [1000, 5000, 50_000, 200_000] {
        let (mut engine, game) = session(KIWIPETE, "");
        let answer = engine.search(&format!("go nodes {nodes}"));
        assert_good(&game, &answer);
        assert_eq!(last_nodes(&answer), nodes, "{:#?}", answer.lines);
    }
}

#[test]
fn a_single_node_is_enough_for_a_move() {
    let (mut engine, game) = session(KIWIPETE, "");
    assert_good(&game, &engine.search("go nodes 1"));
}

#[test]
fn a_search_stays_within_its_nodes_even_if_captures_explode() {
    // The referee has no such position: a game can have nine queens, not thirty.
    let mut engine = Engine::outrider();
    engine.send_unanswered(&format!("position fen {QUEENS}"));
    for nodes in [1, 2, 10, 300, 5_000] {
        let answer = engine.search(&format!("go nodes {nodes}"));
        assert!(answer.best.is_some());
        assert_eq!(last_nodes(&answer), nodes, "{:#?}", answer.lines);
    }
    engine.send_unanswered("setoption name Threads value 3");
    for nodes in [1, 2, 300, 5_000] {
        let answer = engine.search(&format!("go nodes {nodes}"));
        assert!(answer.best.is_some());
        // Each thread may be between two checks of the shared count.
        assert!(last_nodes(&answer) < nodes + 1_000, "{:#?}", answer.lines);
    }
    engine.quit();
}

#[test]
fn go_nodes_is_repeatable_after_ucinewgame() {
    let (mut engine, game) = session(KIWIPETE, "");
    let fresh = engine.search("go nodes 60000");
    engine.send_unanswered("position startpos moves e2e4");
    engine.search("go nodes 30000");
    for _ in 0..2 {
        engine.send_unanswered("ucinewgame");
        engine.send_unanswered(&game.position_command());
        let again = engine.search("go nodes 60000");
        assert_eq!(timeless(&again), timeless(&fresh));
        assert_eq!((&again.best, &again.ponder), (&fresh.best, &fresh.ponder));
    }
}

#[test]
fn clear_hash_forgets_everything_that_a_search_has_learned() {
    let (mut engine, game) = session(KIWIPETE, "");
    let fresh = engine.search("go nodes 60000");
    assert_ne!(timeless(&engine.search("go nodes 60000")), timeless(&fresh));
    engine.send_unanswered("position startpos moves e2e4");
    engine.search("go nodes 30000");
    engine.send_unanswered("setoption name Clear Hash");
    engine.send_unanswered(&game.position_command());
    assert_eq!(timeless(&engine.search("go nodes 60000")), timeless(&fresh));
}

#[test]
fn go_infinite_never_answers_before_stop() {
    let forced = "7k/8/8/8/8/8/6R1/K7 b - - 0 1";
    for fen in OVER.into_iter().chain([START, MATES[0].0, forced]) {
        for go in ["go infinite", "go infinite depth 1", "go nodes 1 infinite"] {
            let (mut engine, game) = session(fen, "");
            engine.send(go);
            assert_waits(&engine);
            engine.send("stop");
            let judged = game.judge(&engine.answer()).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(judged.is_none(), OVER.contains(&fen), "{fen}");
            engine.quit();
        }
    }
}

#[test]
fn go_ponder_never_answers_before_ponderhit_or_stop() {
    for fen in OVER.into_iter().chain([START, MATES[0].0]) {
        for go in ["go ponder wtime 50 btime 50", "go ponder movetime 10", "go ponder depth 1"] {
            for release in ["ponderhit", "stop"] {
                let (mut engine, game) = session(fen, "");
                engine.send(go);
                assert_waits(&engine);
                engine.send(release);
                let judged = game.judge(&engine.answer()).unwrap_or_else(|fault| panic!("{fault}"));
                assert_eq!(judged.is_none(), OVER.contains(&fen), "{fen}");
                engine.quit();
            }
        }
    }
}

#[test]
fn after_ponderhit_and_stop_the_move_has_its_latest_line() {
    let forced = "7k/8/8/8/8/8/6R1/K7 b - - 0 1";
    for fen in [KIWIPETE, MATES[1].0, forced] {
        for (go, release) in [
            ("go ponder wtime 50 btime 50", "ponderhit"),
            ("go ponder depth 1", "ponderhit"),
            ("go ponder wtime 9000 btime 9000", "stop"),
            ("go infinite", "stop"),
            ("go infinite depth 3", "stop"),
        ] {
            let (mut engine, game) = session(fen, "");
            engine.send(go);
            let mut said = engine.read_to("line of play", |line| line.contains(" pv "));
            said.extend(assert_waits(&engine));
            let before = lines_of_play(&said).pop().expect("a line of play");
            engine.send(release);
            let answer = engine.answer();
            assert_good(&game, &answer);
            let last = lines_of_play(&answer.lines).pop().expect("a line of play");
            assert_eq!(Some(&last.moves[0]), answer.best.as_ref(), "{fen} {go}");
            assert!(last.nodes >= before.nodes && last.depth >= before.depth, "{fen} {go}");
        }
    }
}

#[test]
fn go_mate_finds_the_mate_and_announces_its_distance() {
    for (fen, moves) in MATES {
        let (mut engine, game) = session(fen, "");
        let answer = engine.search(&format!("go mate {moves}"));
        assert_good(&game, &answer);
        let last = lines_of_play(&answer.lines).pop().expect("a line of play");
        assert_eq!(last.score, Score::Mate(moves), "{fen}: {last:?}");
        assert_eq!(last.moves.len(), 2 * moves as usize - 1, "{fen}: {last:?}");
    }
}

#[test]
fn the_absence_of_a_mate_is_reported_only_if_all_lines_were_searched() {
    let (mut engine, _) = session("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "");
    let verdict = |answer: &Answer| messages(&answer.lines).join(" ");
    let some = engine.search("go mate 1 searchmoves h1g1");
    assert_eq!(verdict(&some), "mate in 1: undecided");
    engine.send_unanswered("setoption name UCI_LimitStrength value true");
    engine.send_unanswered("setoption name UCI_Elo value 450");
    for _ in 0..20 {
        engine.send_unanswered("ucinewgame");
        let weak = engine.search("go mate 1");
        assert!(!verdict(&weak).contains("none"), "{weak:?}");
    }
    engine.send_unanswered("setoption name UCI_LimitStrength value false");
    engine.send_unanswered("position fen 7k/8/8/6K1/8/8/8/R7 w - - 4294967295 1");
    assert_eq!(verdict(&engine.search("go mate 3")), "mate in 3: undecided");
    engine.quit();
}

#[test]
fn being_mated_is_announced_as_a_negative_distance() {
    let (mut engine, game) = session("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1", "");
    let answer = engine.search("go depth 6");
    assert_good(&game, &answer);
    let last = lines_of_play(&answer.lines).pop().expect("a line of play");
    assert_eq!(last.score, Score::Mate(-1));
}

#[test]
fn an_impossible_hash_size_is_an_error_and_the_old_table_is_kept() {
    let (mut engine, game) = session(KIWIPETE, "");
    let options = engine.ask("uci");
    let hash =
        options.iter().find(|line| line.starts_with("option name Hash ")).expect("an option");
    let whole_memory = hash.rsplit(' ').next().expect("a word");
    engine.send_unanswered("setoption name Hash value 4");
    for size in ["4000000000", "99999999999999999999999999"] {
        let said = engine.ask(&format!("setoption name Hash value {size}"));
        assert_eq!((messages(&said).len(), said.len()), (1, 1), "{said:#?}");
    }
    // The message names the current size of the table.
    let said = engine.ask(&format!("setoption name Hash value {whole_memory}"));
    assert!(said[0].contains("the table of 4 MB is kept"), "{said:#?}");
    assert_good(&game, &engine.search("go depth 7"));
    engine.quit();
}

#[test]
fn only_searches_with_a_clock_use_up_the_nodestime_clock() {
    let (mut engine, _) = session(KIWIPETE, "");
    engine.send_unanswered("setoption name nodestime value 1");
    let by_the_clock = "go wtime 60000 btime 60000";
    assert!(last_nodes(&engine.search(by_the_clock)) > 200);
    engine.search("go nodes 80000");
    assert!(last_nodes(&engine.search(by_the_clock)) > 200, "the clock was not used up");
    engine.quit();
}

#[test]
fn an_ending_search_of_the_last_game_does_not_use_the_next_games_clock() {
    let (mut engine, _) = session(KIWIPETE, "");
    engine.send_unanswered("setoption name nodestime value 1");
    engine.send("go infinite wtime 60000000 btime 60000000");
    // More nodes than the next game has on its clock.
    engine.lines_during(Duration::from_millis(500));
    let by_the_clock = "go wtime 60000 btime 60000";
    for line in ["stop", "ucinewgame", "position startpos", by_the_clock] {
        engine.send(line);
    }
    engine.answer();
    assert!(last_nodes(&engine.answer()) > 200);
    assert!(last_nodes(&engine.search(by_the_clock)) > 200);
    engine.quit();
}
