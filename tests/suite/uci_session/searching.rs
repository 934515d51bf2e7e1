//! Searching: the reports, and commands during a search.

use std::collections::HashSet;
use std::time::Duration;

use shakmaty::Position as _;

use super::{KIWIPETE, START, assert_good, messages, session};
use crate::support::engine::Engine;
use crate::support::info::{Info, Score, lines_of_play, parse};

#[test]
fn isready_is_answered_at_once_during_a_search() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go infinite");
    for _ in 0..20 {
        engine.ready();
    }
    engine.send("stop");
    assert!(game.find(&engine.answer().best.expect("a move")).is_ok());
    engine.quit();
}

#[test]
fn go_depth_reports_every_depth_up_to_the_limit() {
    let (mut engine, game) = session(KIWIPETE, "");
    let answer = engine.search("go depth 9");
    assert_good(&game, &answer);
    let exact = lines_of_play(&answer.lines).into_iter().filter(|line| !line.is_bound);
    let depths: Vec<_> = exact.map(|line| line.depth).collect();
    assert_eq!(depths, (1..=9).collect::<Vec<_>>());
}

#[test]
fn several_lines_are_reported_in_order_and_begin_with_different_moves() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send_unanswered("setoption name MultiPV value 4");
    let answer = engine.search("go depth 7");
    assert_good(&game, &answer);
    let lines = lines_of_play(&answer.lines);
    for depth in 1..=7 {
        let of_depth = lines.iter().filter(|line| line.depth == depth && !line.is_bound);
        let last: Vec<_> = of_depth.collect::<Vec<_>>().into_iter().rev().take(4).rev().collect();
        assert_eq!(last.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let first_moves: HashSet<_> = last.iter().map(|line| &line.moves[0]).collect();
        assert_eq!(first_moves.len(), 4, "{last:#?}");
        assert!(last.is_sorted_by_key(|line| -worth(line.score)), "{last:#?}");
    }
}

#[test]
fn wdl_is_reported_with_each_line_if_requested() {
    let (mut engine, _) = session(KIWIPETE, "");
    let wdl = |lines: &[String]| -> Vec<Vec<u32>> {
        let lines = lines.iter().filter(|line| line.contains(" score ") && line.contains(" pv "));
        let asked = |line: &String| {
            let after = line.split(" wdl ").nth(1).unwrap_or_default();
            after.split(' ').map_while(|word| word.parse().ok()).take(3).collect()
        };
        lines.map(asked).collect()
    };
    let silent = wdl(&engine.search("go depth 5").lines);
    assert!(silent.len() >= 5 && silent.iter().all(Vec::is_empty), "{silent:?}");
    engine.send_unanswered("setoption name UCI_ShowWDL value true");
    let asked = wdl(&engine.search("go depth 5").lines);
    assert!(asked.len() >= 5);
    for wdl in asked {
        assert_eq!((wdl.len(), wdl.iter().sum::<u32>()), (3, 1000), "{wdl:?}");
    }
}

/// Orders scores, mates beyond all others.
fn worth(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) => moves.signum() * 100_000 - moves,
    }
}

#[test]
fn the_number_of_lines_is_limited_to_the_number_of_moves() {
    let (mut engine, game) = session("7k/8/8/8/8/8/6R1/K7 b - - 0 1", "");
    engine.send_unanswered("setoption name MultiPV value 9");
    let answer = engine.search("go depth 6");
    assert_good(&game, &answer);
    let ranks = lines_of_play(&answer.lines).iter().map(|line| line.rank).max();
    assert_eq!(ranks, Some(1), "the king can go to h7 only");
}

#[test]
fn only_the_searchmoves_are_searched() {
    for go in ["go depth 7 searchmoves a2a3 a2a4", "go searchmoves a2a3 a2a4 depth 7"] {
        let (mut engine, game) = session(KIWIPETE, "");
        let answer = engine.search(go);
        assert_good(&game, &answer);
        for line in lines_of_play(&answer.lines) {
            assert!(["a2a3", "a2a4"].contains(&&*line.moves[0]), "{go}: {line:?}");
        }
        assert!(!lines_of_play(&answer.lines).is_empty());
    }
}

#[test]
fn illegal_searchmoves_are_named_and_ignored() {
    for (go, best, reported) in [
        ("go depth 5 searchmoves e1e3 a2a3 hello", Some("a2a3"), ["e1e3", "2 left out"]),
        ("go searchmoves e1h1 e1e3 depth 5", Some("e1g1"), ["e1e3", "1 left out"]),
        ("go depth 5 searchmoves e1e3", None, ["e1e3", "all legal moves are searched"]),
    ] {
        let (mut engine, game) = session(KIWIPETE, "");
        let answer = engine.search(go);
        let said = messages(&answer.lines);
        assert!(said.len() == 1 && reported.iter().all(|part| said[0].contains(part)), "{said:?}");
        assert_good(&game, &answer);
        assert!(best.is_none() || answer.best.as_deref() == best, "{go}: {answer:?}");
    }
}

#[test]
fn a_long_search_reports_its_current_move() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go infinite");
    let is_current = |line: &str| matches!(parse(line), Ok(Info::CurrentMove { .. }));
    engine.read_to("currmove", is_current);
    engine.send("stop");
    assert_good(&game, &engine.answer());
}

#[test]
fn a_long_iteration_reports_nodes_speed_and_hashfull() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go infinite");
    let said = engine.read_to("numbers", |line| parse(line) == Ok(Info::Progress));
    let numbers = said.last().expect("a line");
    for word in ["nodes ", "nps ", "hashfull ", "time "] {
        assert!(numbers.contains(word), "{numbers}");
    }
    engine.send("stop");
    assert_good(&game, &engine.answer());
}

#[test]
fn a_known_mate_is_not_reported_by_every_iteration_but_by_the_last() {
    let (mut engine, game) = session("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "");
    let answer = engine.search("go depth 200");
    assert_good(&game, &answer);
    let lines = lines_of_play(&answer.lines);
    assert!(lines.len() < 50, "{} lines", lines.len());
    let last = lines.last().expect("a line");
    assert_eq!((last.depth, last.score), (200, Score::Mate(2)));
}

#[test]
fn a_repeated_stop_is_answered_once() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send_unanswered("stop");
    engine.send("go infinite");
    engine.send("stop");
    engine.send("stop");
    engine.send("stop");
    assert_good(&game, &engine.answer());
    engine.send_unanswered("stop");
    engine.quit();
}

#[test]
fn a_script_sent_at_once_gets_an_answer_for_each_go() {
    let mut engine = Engine::outrider();
    for line in [
        "position fen 4k3/8/8/8/8/8/QQQ5/4K3 w - - 0 1",
        "go nodes 20000",
        "position fen rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "go nodes 20000",
        "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        "setoption name Hash value 2",
        "go movetime 100",
        "ucinewgame",
        "go depth 3",
    ] {
        engine.send(line);
    }
    let answers: Vec<_> = (0..4).map(|_| engine.answer().best).collect();
    assert!(answers[0].is_some());
    assert_eq!(answers[1], None, "the position was refused");
    assert_eq!(answers[2..], [Some("a1a8".to_owned()), Some("a1a8".to_owned())]);
    engine.quit();
}

#[test]
fn a_go_during_a_search_without_a_limit_is_rejected_with_a_message() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go infinite");
    let said = engine.ask("go depth 1");
    assert_eq!(messages(&said).len(), 1, "{said:#?}");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    engine.send("stop");
    assert_good(&game, &engine.answer());
    let rest = engine.lines_during(Duration::from_millis(100));
    assert!(rest.is_empty(), "{rest:#?}");
}

#[test]
fn other_commands_do_not_disturb_a_search() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send("go infinite");
    let mut said = Vec::new();
    for line in [
        "position startpos moves e2e4",
        "setoption name Hash value 2",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "hello",
        "ponderhit",
        "d",
        "eval",
        "uci",
    ] {
        said.extend(engine.ask(line));
    }
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    engine.send("stop");
    let answer = engine.answer();
    assert_good(&game, &answer);
    assert!(lines_of_play(&answer.lines).iter().all(|line| line.rank == 1));
    engine.send_unanswered("setoption name UCI_Chess960 value false");
    engine.send_unanswered(&game.position_command());
    assert_good(&game, &engine.search("go depth 5"));
    engine.quit();
}

#[test]
fn a_mate_or_stalemate_on_the_board_is_answered_with_no_move() {
    for fen in ["7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1"] {
        for go in ["go depth 5", "go movetime 50", "go wtime 1000 btime 1000", "go nodes 1000"] {
            let (mut engine, game) = session(fen, "");
            let answer = engine.search(go);
            assert_eq!(game.judge(&answer), Ok(None), "{fen} {go}");
            let score = if game.chess().is_checkmate() { "mate 0" } else { "cp 0" };
            assert_eq!(answer.lines, [format!("info depth 0 score {score}")], "{fen} {go}");
            engine.quit();
        }
    }
}

#[test]
fn a_drawn_game_continues_if_the_gui_asks_for_a_move() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3);
    for (fen, moves) in [
        (START, &*shuffle),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", ""),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 90", ""),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 90", ""),
    ] {
        let (mut engine, game) = session(fen, moves);
        assert_good(&game, &engine.search("go depth 5"));
    }
}

#[test]
fn several_threads_follow_the_same_rules() {
    let (mut engine, game) = session(KIWIPETE, "");
    engine.send_unanswered("setoption name Threads value 3");
    assert_good(&game, &engine.search("go depth 9"));
    assert_good(&game, &engine.search("go nodes 20000"));
    engine.send("go infinite");
    let said = engine.lines_during(Duration::from_millis(200));
    engine.send("stop");
    let mut answer = engine.answer();
    answer.lines.splice(0..0, said);
    assert_good(&game, &answer);
    engine.send_unanswered("setoption name Threads value 1");
    assert_good(&game, &engine.search("go depth 5"));
    engine.quit();
}

#[test]
fn a_game_is_followed_move_by_move() {
    let (mut engine, mut game) = session(START, "");
    engine.send_unanswered("ucinewgame");
    for _ in 0..30 {
        engine.send_unanswered(&game.position_command());
        let answer = engine.search("go depth 4");
        let mv = game.judge(&answer).unwrap_or_else(|fault| panic!("{fault}"));
        game.play(mv.expect("the game has not ended"));
    }
    engine.quit();
}

#[test]
fn two_engines_at_the_same_time_do_not_affect_each_other() {
    let (mut one, game) = session(KIWIPETE, "");
    let mut other = Engine::outrider();
    one.send("go infinite");
    assert!(other.search("go depth 4").best.is_some());
    one.send("stop");
    assert_good(&game, &one.answer());
}
