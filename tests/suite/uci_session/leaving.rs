//! The end of a session: `quit`, and the end of standard input, at any moment.

use super::{KIWIPETE, START, assert_good, session};

const STATES: [&str; 5] =
    ["isready", "go infinite", "go depth 60", "go ponder wtime 1000 btime 1000", "go perft 9"];

#[test]
fn quit_ends_the_process_at_once_in_every_state() {
    for state in STATES {
        let (mut engine, _) = session(KIWIPETE, "");
        engine.send(state);
        engine.quit();
    }
}

#[test]
fn closing_standard_input_ends_the_process_at_once_in_every_state() {
    for state in STATES {
        let (mut engine, _) = session(KIWIPETE, "");
        engine.send(state);
        engine.close_input();
        engine.assert_ends();
    }
}

#[test]
fn several_searching_threads_end_with_the_process() {
    let (mut engine, _) = session(KIWIPETE, "");
    engine.send_unanswered("setoption name Threads value 4");
    engine.send("go infinite");
    engine.close_input();
    engine.assert_ends();
}

#[test]
fn a_running_search_is_answered_when_the_session_ends() {
    for end in ["\nquit\n", "\n", ""] {
        for go in ["go depth 15", "go infinite", "go ponder wtime 1000 btime 1000"] {
            let (mut engine, game) = session(KIWIPETE, "");
            engine.send_bytes(format!("{go}{end}").as_bytes());
            engine.close_input();
            assert_good(&game, &engine.answer());
            engine.assert_ends();
        }
    }
}

#[test]
fn each_waiting_search_is_answered_when_the_session_ends() {
    let (mut engine, game) = session(START, "");
    engine.send_bytes(b"go infinite\nstop\ngo depth 30\nquit\n");
    assert_good(&game, &engine.answer());
    assert_good(&game, &engine.answer());
    engine.assert_ends();
}

#[test]
fn a_bench_completes_after_the_end_of_the_input() {
    for end in ["\nquit\n", "\n"] {
        let (mut engine, _) = session(START, "");
        engine.send_bytes(format!("bench 1{end}").as_bytes());
        engine.close_input();
        engine.read_to("nodes", |line| line.contains(" nps"));
        engine.assert_ends();
    }
}

#[test]
fn a_last_line_without_a_line_feed_is_handled() {
    let (mut engine, _) = session(KIWIPETE, "");
    engine.send_bytes(b"isready");
    engine.close_input();
    engine.read_to("readyok", |line| line == "readyok");
    engine.assert_ends();
}
