//! The options for a weaker opponent, as a GUI sets them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::{KING_AND_QUEEN, START, assert_good, session, timeless};
use crate::support::engine::{Answer, Engine};
use crate::support::info::lines_of_play;
use crate::support::syzygy_folder;

fn depth(answer: &Answer) -> u64 {
    lines_of_play(&answer.lines).iter().map(|line| line.depth).max().expect("a line of play")
}

#[test]
fn the_elo_counts_only_if_the_strength_is_limited() {
    let (mut engine, game) = session(START, "");
    let full = engine.search("go depth 12");
    engine.send_unanswered("setoption name UCI_Elo value 450");
    engine.send_unanswered("ucinewgame");
    assert_eq!(timeless(&engine.search("go depth 12")), timeless(&full));
    engine.send_unanswered("setoption name UCI_LimitStrength value true");
    let beginner = engine.search("go depth 12");
    assert_good(&game, &beginner);
    engine.send_unanswered("setoption name UCI_Elo value 1600");
    let clubman = engine.search("go depth 12");
    assert!(depth(&beginner) < depth(&clubman), "{} plies", depth(&clubman));
    assert!(depth(&clubman) < depth(&full), "{} plies", depth(&clubman));
    engine.send_unanswered("setoption name UCI_AnalyseMode value true");
    assert_eq!(
        timeless(&engine.search("go depth 12")),
        timeless(&full),
        "analysis is not weakened"
    );
    engine.quit();
}

#[test]
fn a_game_announced_while_a_search_ends_has_the_same_player_from_its_first_move() {
    let (mut engine, _) = session(START, "");
    engine.send_unanswered("setoption name MultiPV value 20");
    engine.send_unanswered("setoption name UCI_LimitStrength value true");
    engine.send_unanswered("setoption name UCI_Elo value 450");
    let seen = |answer: &Answer| {
        let lines = lines_of_play(&answer.lines);
        lines.iter().map(|line| line.moves[0].clone()).collect::<BTreeSet<_>>()
    };
    for _ in 0..3 {
        for line in ["go infinite", "stop", "ucinewgame", "position startpos", "go depth 1"] {
            engine.send(line);
        }
        engine.answer();
        let first = seen(&engine.answer());
        assert_eq!(seen(&engine.search("go depth 1")), first, "what is missed stays so");
    }
    engine.quit();
}

#[test]
fn skill_levels_limit_the_strength_and_the_maximum_does_not() {
    let (mut engine, _) = session(START, "");
    let full = engine.search("go depth 12");
    engine.send_unanswered("setoption name Skill Level value 0");
    let weakest = engine.search("go depth 12");
    assert!(depth(&weakest) < 4, "{} plies", depth(&weakest));
    engine.send_unanswered("setoption name Skill Level value 20");
    let strongest = engine.search("go depth 12");
    assert_eq!(timeless(&strongest), timeless(&full), "nothing was remembered of the others");
    engine.quit();
}

#[test]
fn a_weaker_player_does_not_use_endgame_tables() {
    let (mut engine, _) = session(KING_AND_QUEEN, "");
    engine.ask(&format!("setoption name SyzygyPath value {}", syzygy_folder().display()));
    let hit = |line: &String| line.contains(" tbhits ") && !line.contains(" tbhits 0 ");
    let asked = |answer: &Answer| answer.lines.iter().any(hit);
    assert!(asked(&engine.search("go depth 4")));
    engine.send_unanswered("setoption name Skill Level value 10");
    assert!(!asked(&engine.search("go depth 4")));
    engine.quit();
}

#[test]
fn weak_players_open_with_common_first_moves() {
    let (mut engine, _) = session(START, "");
    engine.send_unanswered("setoption name UCI_LimitStrength value true");
    engine.send_unanswered("setoption name UCI_Elo value 450");
    let mut first = BTreeSet::new();
    // Two thirds of the openings begin alike, so it is very unlikely that forty games all do.
    for _ in 0..40 {
        engine.send_unanswered("ucinewgame");
        engine.send_unanswered("position startpos");
        first.insert(engine.search("go movetime 20").best.expect("a move"));
    }
    let learned = ["e2e4", "d2d4", "c2c4", "g1f3", "g2g3"];
    assert!(first.iter().all(|mv| learned.contains(&&**mv)), "{first:?}");
    assert!(first.len() > 1, "{first:?}");
    engine.quit();
}

#[test]
fn a_weak_player_pauses_only_if_asked_and_stop_ends_the_pause() {
    let (mut engine, _) = session(KING_AND_QUEEN, "");
    engine.send_unanswered("setoption name Skill Level value 0");
    engine.send_unanswered("setoption name Pauses value true");
    // Without a time limit there is no pause.
    engine.search("go depth 3");
    // The pause is at least nine seconds, and stop ends it at once.
    engine.send("go movetime 60000");
    let said = engine.lines_during(Duration::from_millis(300));
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    let within_five_seconds = |engine: &mut Engine, command: &str| {
        let asked = Instant::now();
        engine.send(command);
        engine.answer();
        assert!(asked.elapsed() < Duration::from_secs(5), "{command}");
    };
    within_five_seconds(&mut engine, "stop");
    engine.send_unanswered("setoption name Pauses value false");
    within_five_seconds(&mut engine, "go movetime 60000");
    engine.quit();
}
