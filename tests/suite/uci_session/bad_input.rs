//! Bad input: one message describes the error, and the state does not change. Only a position that cannot
//! be set leaves no position, so that no answer is about an earlier one.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::{START, assert_good, messages, session};
use crate::support::engine::Engine;
use crate::support::games::SHARP;
use crate::support::referee::Game;

/// State after 1.e4, which no bad line may change.
const STATE: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// Wrong lines, each with a word that the message must contain.
const WRONG: [(&str, &str); 16] = [
    ("hello", "hello"),
    ("xboard", "xboard"),
    ("bestmove e2e4", "bestmove"),
    ("setoption", "option"),
    ("setoption name", "option"),
    ("setoption name Nonsense value 3", "Nonsense"),
    ("setoption name Hash", "Hash"),
    ("setoption name Hash value", "Hash"),
    ("setoption name Hash value much", "much"),
    ("setoption name Hash value 0", "Hash"),
    ("setoption name Hash value -7", "Hash"),
    ("setoption name Threads value 1000000", "Threads"),
    ("setoption name MultiPV value 0", "MultiPV"),
    ("setoption name UCI_Chess960 value maybe", "maybe"),
    ("setoption name Move Overhead value soon", "soon"),
    ("setoption name EvalFile value /nowhere", "/nowhere"),
];

/// Wrong positions, each with a word that the message must contain.
const WRONG_POSITIONS: [(&str, &str); 12] = [
    ("position", "position"),
    ("position endpos", "startpos"),
    ("position fen", "FEN"),
    ("position fen 8/8/8/8 w - - 0 1", "8/8/8/8"),
    ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "board"),
    ("position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "check"),
    ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "turn"),
    ("position startpos moves e2e5", "e2e5"),
    ("position startpos moves e2e4 e7e5 e1g1", "e1g1"),
    ("position startpos moves e2e4 xyz", "xyz"),
    ("position startpos moves d2d4 0000", "0000"),
    ("position startpos moves a2a4 a7a8q", "a7a8q"),
];

/// Wrong limits: the search begins without them, with one message.
const WRONG_LIMITS: [&str; 11] = [
    "go depth x",
    "go depth",
    "go nodes many",
    "go nodes -1",
    "go movetime",
    "go wtime abc btime 100",
    "go quickly",
    "go searchmoves e2e5 depth 1",
    "go mate soon",
    "go nodes -1 movestogo 0 depth now please",
    "go perft many",
];

#[test]
fn each_wrong_line_gets_one_message_about_it_and_changes_nothing() {
    let (mut engine, game) = session(START, "e2e4");
    for (line, word) in WRONG {
        let said = engine.ask(line);
        assert_eq!(said.len(), 1, "{line}: {said:#?}");
        let reported = messages(&said).concat();
        assert!(reported.contains(word), "{line}: {reported}");
        let shown = engine.ask("d").join("\n");
        assert!(shown.contains(STATE), "{line}: {shown}");
    }
    assert_good(&game, &engine.search("go depth 4"));
    engine.quit();
}

#[test]
fn the_message_about_a_wrong_value_names_the_value_that_is_kept() {
    let (mut engine, _) = session(START, "");
    for line in [
        "setoption name Hash value 24",
        "setoption name UCI_Elo value 1500",
        "setoption name UCI_ShowWDL value true",
    ] {
        engine.send_unanswered(line);
    }
    for (line, kept) in [
        ("setoption name Hash value banana", "24"),
        ("setoption name UCI_Elo value 99999", "1500"),
        ("setoption name UCI_ShowWDL value perhaps", "true"),
        ("setoption name Threads value 0", "1"),
        ("setoption name Move Overhead value", "10"),
        ("setoption name nodestime value -1", "0"),
    ] {
        let reported = messages(&engine.ask(line)).concat();
        assert!(reported.ends_with(&format!("; {kept} is kept")), "{line}: {reported}");
    }
    engine.quit();
}

#[test]
fn after_a_wrong_position_no_answer_is_about_the_previous_one() {
    let (mut engine, game) = session(START, "e2e4");
    for (line, word) in WRONG_POSITIONS {
        let said = engine.ask(line);
        let reported = messages(&said).concat();
        assert_eq!(said.len(), 1, "{line}: {said:#?}");
        assert!(reported.contains(word), "{line}: {reported}");
        for command in ["d", "eval", "perft 1"] {
            let said = engine.ask(command);
            assert_eq!(messages(&said).len(), said.len(), "{line}, {command}: {said:#?}");
            assert!(messages(&said).concat().contains(word), "{line}, {command}: {said:#?}");
        }
        for go in ["go depth 4", "go movetime 10", "go wtime 100 btime 100"] {
            let answer = engine.search(go);
            assert_eq!(answer.best, None, "{line}: {answer:#?}");
            assert!(messages(&answer.lines).concat().contains(word), "{line}: {answer:#?}");
            assert!(answer.lines.iter().all(|line| !line.contains(" score ")), "{answer:#?}");
        }
        engine.send_unanswered(&game.position_command());
        assert_good(&game, &engine.search("go depth 4"));
    }
    engine.quit();
}

#[test]
fn each_wrong_limit_gets_one_message_and_still_a_move() {
    for line in WRONG_LIMITS {
        let (mut engine, game) = session(START, "e2e4");
        let answer = engine.search(line);
        assert_eq!(messages(&answer.lines).len(), 1, "{line}: {answer:#?}");
        assert_good(&game, &answer);
        assert_good(&game, &engine.search("go depth 4"));
        engine.quit();
    }
}

#[test]
fn wrong_lines_during_a_search_get_their_message_and_do_not_disturb_it() {
    let (mut engine, game) = session(START, "e2e4");
    engine.send("go infinite");
    for (line, _) in WRONG.into_iter().chain(WRONG_POSITIONS) {
        let said = engine.ask(line);
        assert_eq!(messages(&said).len(), 1, "{line}: {said:#?}");
    }
    engine.send("stop");
    assert_good(&game, &engine.answer());
    engine.quit();
}

#[test]
fn a_line_of_a_megabyte_is_handled_like_any_other() {
    let (mut engine, game) = session(START, "e2e4");
    for begin in ["", "position fen ", "position startpos moves ", "setoption name Hash value "] {
        let said = engine.ask(&format!("{begin}{}", "x".repeat(1 << 20)));
        assert_eq!(messages(&said).len(), 1, "\"{begin}\"");
        assert!(said.iter().all(|line| line.len() < 1000), "\"{begin}\": the echo is not cut");
    }
    let knights = "g1f3 g8f6 f3g1 f6g8 ".repeat(10_000);
    engine.send_unanswered(&format!("position startpos moves {knights}"));
    assert!(engine.search("go depth 4").best.is_some());
    engine.send_unanswered(&game.position_command());
    assert_good(&game, &engine.search("go depth 4"));
    engine.quit();
}

#[test]
fn bytes_that_are_not_utf_8_do_no_harm() {
    let (mut engine, game) = session(START, "e2e4");
    let mut random = StdRng::seed_from_u64(0x0b5e55ed);
    engine.send_bytes(b"\xff\xfe\x00\n\xc3\x28\ngo\xff depth 1\n\0\0\0\n\n");
    for _ in 0..100 {
        let length = random.random_range(0..200);
        let noise: Vec<u8> = (0..length).map(|_| random.random()).collect();
        engine.send_bytes(&noise);
        engine.send_bytes(b"\n");
    }
    engine.ready();
    assert_good(&game, &engine.search("go depth 4"));
    engine.quit();
}

/// Returns a word that the protocol knows or might receive, or a part of something longer.
fn word(random: &mut StdRng) -> String {
    const WORDS: [&str; 44] = [
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "e1g1",
        "e1h1",
        "a7a8q",
        "0000",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "mate",
        "infinite",
        "ponder",
        "searchmoves",
        "stop",
        "ponderhit",
        "ucinewgame",
        "isready",
        "uci",
        "setoption",
        "name",
        "value",
        "Hash",
        "Clear",
        "Threads",
        "MultiPV",
        "UCI_Chess960",
        "true",
        "d",
        "eval",
        "help",
        "debug",
        "1",
        "-1",
        "3",
    ];
    match random.random_range(0..10) {
        0 => random.random_range(i64::MIN..i64::MAX).to_string(),
        1 => random_fen(random),
        _ => WORDS[random.random_range(0..WORDS.len())].to_owned(),
    }
}

/// Returns a FEN with a few characters replaced by others that occur in FENs.
fn random_fen(random: &mut StdRng) -> String {
    const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/ wb-KQkqAHah0";
    let mut fen = SHARP[random.random_range(0..SHARP.len())].as_bytes().to_vec();
    for _ in 0..random.random_range(0..4) {
        let place = random.random_range(0..fen.len());
        fen[place] = LETTERS[random.random_range(0..LETTERS.len())];
    }
    format!("position fen {}", String::from_utf8_lossy(&fen))
}

/// Sends lines of the protocol's words in random order, and stops the searches that they have
/// begun.
fn babble(engine: &mut Engine, random: &mut StdRng) {
    let count = random.random_range(1..7);
    let words: Vec<_> = (0..count).map(|_| word(random)).collect();
    engine.send(&words.join(" "));
    engine.send("stop");
    engine.ready();
}

/// Waits for an answer that no other search has. Earlier lines may have asked for readiness or
/// begun a search more than once; then all are answered.
fn settle(engine: &mut Engine) {
    engine.send("position fen 1r5k/P7/8/8/8/8/8/K7 w - - 0 1");
    engine.send("go depth 1 searchmoves a7b8n");
    engine.read_to("bestmove a7b8n", |line| line.starts_with("bestmove a7b8n"));
}

#[test]
fn nonsense_of_known_words_causes_no_crash_and_no_illegal_move() {
    let mut random = StdRng::seed_from_u64(0x1905);
    for _ in 0..4 {
        let mut engine = Engine::outrider();
        for _ in 0..100 {
            babble(&mut engine, &mut random);
        }
        settle(&mut engine);
        engine.send("setoption name UCI_Chess960 value false");
        engine.send("setoption name MultiPV value 1");
        let game = Game::from_fen(SHARP[0], shakmaty::CastlingMode::Standard, "");
        engine.ask(&game.position_command());
        assert_good(&game, &engine.search("go depth 4"));
        engine.quit();
    }
}

#[test]
fn absurd_positions_are_searched_or_rejected() {
    for fen in [
        "kBQQQQQB/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 4294967295 4294967295",
        "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
    ] {
        let mut engine = Engine::outrider();
        let refused = messages(&engine.ask(&format!("position fen {fen}"))).len() == 1;
        let answer = engine.search("go nodes 3000");
        if !refused {
            let best = answer.best.unwrap_or_default();
            assert!(best.len() >= 4, "{fen}: {best}");
        }
        engine.quit();
    }
}

#[test]
fn positions_with_endless_captures_get_a_move_in_time() {
    for fen in [
        "Q3K2Q/qQqQ4/1qQqq3/kq1Q1qq1/1qQQ2Q1/qQ1q1q2/q1Q1q1Q1/Q2QQ1q1 w - - 0 1",
        "qrqrkqrq/q1q1q1q1/1Q1q1q1q/q1q1Q1q1/1Q1Q1Q1Q/Q1Q1q1Q1/1Q1Q1Q1Q/QRQRKQRQ w - - 0 1",
    ] {
        for go in ["go movetime 50", "go nodes 1000", "go infinite"] {
            let mut engine = Engine::outrider();
            let refused = messages(&engine.ask(&format!("position fen {fen}"))).len() == 1;
            engine.send(go);
            if go == "go infinite" {
                engine.send("stop");
            }
            let answer = engine.answer();
            assert!(refused || answer.lines.iter().any(|line| line.contains(" pv ")), "{answer:?}");
            let best = answer.best.unwrap_or_default();
            assert!(refused || best.len() >= 4, "{fen}: {best}");
            engine.quit();
        }
    }
}
