//! The handshake: `uci`, `isready`, the options, and the commands for humans.

use std::collections::BTreeMap;

use outrider_engine::evaluation::bare_king;
use outrider_engine::position::notation::parse_fen;
use shakmaty::CastlingMode;

use super::{START, session};
use crate::support::engine::Engine;

fn greeting(engine: &mut Engine) -> Vec<String> {
    engine.send("uci");
    engine.read_to("uciok", |line| line == "uciok")
}

/// An announced option: its type, default, minimum and maximum.
struct Announced {
    kind: String,
    default: Option<String>,
    range: Option<(i64, i64)>,
}

/// Parses `option name N type T [default D] [min A max B]`.
fn parse_option(line: &str) -> Option<(String, Announced)> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let words: Vec<_> = rest.split(' ').collect();
    let (kind, default, range) = match words[..] {
        ["button"] => ("button", None, None),
        ["string", "default", value] => ("string", Some(value), None),
        ["check", "default", value @ ("true" | "false")] => ("check", Some(value), None),
        ["spin", "default", value, "min", min, "max", max] => {
            ("spin", Some(value), Some((min.parse().ok()?, max.parse().ok()?)))
        }
        _ => return None,
    };
    let default = default.map(str::to_owned);
    Some((name.to_owned(), Announced { kind: kind.to_owned(), default, range }))
}

fn options(engine: &mut Engine) -> BTreeMap<String, Announced> {
    let said = greeting(engine);
    let lines = said.iter().filter(|line| line.starts_with("option"));
    lines.map(|line| parse_option(line).unwrap_or_else(|| panic!("\"{line}\""))).collect()
}

#[test]
fn uci_is_answered_with_name_author_options_and_uciok() {
    let mut engine = Engine::outrider();
    let said = greeting(&mut engine);
    let begins = |start: &str| said.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(begins("id name Outrider"), 1, "{said:#?}");
    assert_eq!(begins("id author "), 1, "{said:#?}");
    assert_eq!(said.len(), 3 + begins("option name "), "nothing else is said: {said:#?}");
    engine.quit();
}

#[test]
fn every_usual_option_is_announced_with_a_default_in_its_range() {
    let mut engine = Engine::outrider();
    let options = options(&mut engine);
    for (name, kind) in [
        ("Hash", "spin"),
        ("Clear Hash", "button"),
        ("Threads", "spin"),
        ("Ponder", "check"),
        ("MultiPV", "spin"),
        ("Move Overhead", "spin"),
        ("UCI_Chess960", "check"),
        ("UCI_AnalyseMode", "check"),
        ("OwnBook", "check"),
        ("BookFile", "string"),
        ("EvalFile", "string"),
    ] {
        let option = options.get(name).unwrap_or_else(|| panic!("no option {name}"));
        assert_eq!(option.kind, kind, "{name}");
        if let (Some((least, greatest)), Some(default)) = (option.range, &option.default) {
            let default = default.parse().unwrap_or_else(|_| panic!("{name}: {default}"));
            assert!((least..=greatest).contains(&default), "{name}");
        }
    }
    assert_eq!(options["Hash"].range.map(|(least, _)| least), Some(1));
}

#[test]
fn every_announced_default_and_minimum_can_be_set_without_a_message() {
    let mut engine = Engine::outrider();
    for (name, option) in options(&mut engine) {
        match option.default {
            None => engine.send_unanswered(&format!("setoption name {name}")),
            Some(default) => {
                engine.send_unanswered(&format!("setoption name {name} value {default}"))
            }
        }
        if let Some((least, _)) = option.range {
            engine.send_unanswered(&format!("setoption name {name} value {least}"));
        }
    }
    assert!(engine.search("go depth 3").best.is_some());
    engine.quit();
}

#[test]
fn names_and_values_of_options_may_be_written_in_any_case() {
    let mut engine = Engine::outrider();
    engine.send_unanswered("setoption name hash value 4");
    engine.send_unanswered("setoption name MULTIPV value 2");
    engine.send_unanswered("setoption name uci_chess960 value TRUE");
    assert!(engine.search("go depth 2").lines.iter().any(|line| line.contains("multipv 2")));
}

#[test]
fn isready_is_always_answered() {
    let mut engine = Engine::outrider();
    engine.send_unanswered("ucinewgame");
    engine.send_unanswered("isready");
    engine.read_to("second readyok", |line| line == "readyok");
    engine.send_unanswered("setoption name Hash value 8");
    engine.quit();
}

#[test]
fn lines_may_have_carriage_returns_and_extra_white_space() {
    let mut engine = Engine::outrider();
    engine.send_bytes(b"  uci \r\n\r\n\n");
    engine.read_to("uciok", |line| line == "uciok");
    engine.send_bytes(b"\tposition   startpos  moves\te2e4  \r\n go\t depth   2\r\n");
    let best = engine.answer().best.expect("a move");
    assert!(best.ends_with(['5', '6']), "{best} is no move of Black");
    engine.quit();
}

#[test]
fn d_shows_the_position() {
    let (mut engine, _) = session(START, "e2e4");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let shown = engine.ask("d").join("\n");
    for part in [fen, "Key: 823c9b50fd114196\n", "Checkers: none", "Legal moves: 20\n", " a7a5 "] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn eval_shows_the_value_of_the_search_and_reports_values_by_rule() {
    let by_rule = |answer: &[String]| answer.iter().any(|line| line.starts_with("By rule: "));
    let (mut engine, _) = session(START, "");
    let answer = engine.ask("eval");
    assert!(
        !by_rule(&answer) && answer.iter().any(|line| line.starts_with("Displayed score for "))
    );

    let fen = "3k4/8/3K4/8/8/8/1Q6/8 w - - 0 1";
    let (mut engine, _) = session(fen, "");
    let answer = engine.ask("eval");
    let chess = parse_fen(fen, CastlingMode::Standard).expect("a position");
    let value = bare_king::value(&chess).expect("a queen mates");
    let line = format!("Static evaluation for White: {value}");
    assert!(by_rule(&answer) && answer.contains(&line), "{answer:#?}");

    let (mut engine, _) = session("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", "");
    let answer = engine.ask("eval");
    let names_pieces = answer.iter().any(|line| line.contains("mating material"));
    let drawn = answer.contains(&"Static evaluation for White: +0.00".to_owned());
    assert!(by_rule(&answer) && drawn && !names_pieces, "a pawn cannot mate: {answer:#?}");

    let (mut engine, _) = session("8/8/7p/7K/8/4B3/8/k7 w - - 0 1", "");
    let answer = engine.ask("eval");
    let not_won = answer.contains(&"Static evaluation for White: +0.00".to_owned());
    assert!(by_rule(&answer) && not_won, "a bishop cannot mate: {answer:#?}");
}

#[test]
fn help_lists_the_usual_commands() {
    let mut engine = Engine::outrider();
    let help = engine.ask("help").join("\n");
    for command in ["position", "go", "setoption", "perft", "quit"] {
        assert!(help.contains(command), "help does not mention {command}");
    }
}

#[test]
fn perft_counts_the_moves_of_the_position() {
    for command in ["go perft 3", "perft 3"] {
        let (mut engine, _) = session(START, "");
        engine.send(command);
        let said = engine.read_to("count", |line| line.contains("8902"));
        let e2e4 = said.iter().find(|line| line.starts_with("e2e4"));
        assert!(e2e4.is_some_and(|line| line.contains("600")), "{said:#?}");
        engine.quit();
    }
}
