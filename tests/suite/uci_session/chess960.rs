//! Chess960 in the protocol: castling moves in both directions, Shredder-FEN and X-FEN.

use super::messages;
use crate::support::engine::Engine;
use crate::support::referee::Game;
use shakmaty::CastlingMode;

const SHREDDER: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
const X_FEN: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
const CLASSICAL: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// A position, a castling move in Chess960 notation, and the beginning of the FEN after it.
const CASTLINGS: [(&str, &str, &str); 5] = [
    (CLASSICAL, "e1h1", "r3k2r/8/8/8/8/8/8/R4RK1 b"),
    (CLASSICAL, "e1a1", "r3k2r/8/8/8/8/8/8/2KR3R b"),
    // The king does not move.
    ("6k1/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "6k1/8/8/8/8/8/8/5RK1 b"),
    // King and rook change places.
    ("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "1k6/8/8/8/8/8/8/5RK1 b"),
    ("7k/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "7k/8/8/8/8/8/8/2KR4 b"),
];

fn chess960_engine() -> Engine {
    let mut engine = Engine::outrider();
    engine.send_unanswered("setoption name UCI_Chess960 value true");
    engine
}

fn shown(engine: &mut Engine) -> String {
    engine.ask("d").join("\n")
}

#[test]
fn in_chess960_castling_is_written_as_king_takes_rook() {
    for (fen, castling, _) in CASTLINGS {
        let mut engine = chess960_engine();
        engine.send_unanswered(&format!("position fen {fen}"));
        let answer = engine.search(&format!("go depth 4 searchmoves {castling}"));
        assert_eq!(answer.best.as_deref(), Some(castling), "{fen}");
        let game = Game::from_fen(fen, CastlingMode::Chess960, "");
        assert!(game.judge(&answer).is_ok_and(|mv| mv.is_some_and(|mv| mv.is_castle())));
    }
}

#[test]
fn in_chess960_castling_is_read_as_king_takes_rook() {
    for (fen, castling, after) in CASTLINGS {
        let mut engine = chess960_engine();
        engine.send_unanswered(&format!("position fen {fen} moves {castling}"));
        let shown = shown(&mut engine);
        assert!(shown.contains(after), "{fen} {castling}: {shown}");
    }
}

#[test]
fn in_standard_chess_castling_is_written_as_two_steps_of_the_king() {
    for (castling, after) in [("e1g1", CASTLINGS[0].2), ("e1c1", CASTLINGS[1].2)] {
        let mut engine = Engine::outrider();
        engine.send_unanswered(&format!("position fen {CLASSICAL}"));
        let answer = engine.search(&format!("go depth 4 searchmoves {castling}"));
        assert_eq!(answer.best.as_deref(), Some(castling));
        let game = Game::from_fen(CLASSICAL, CastlingMode::Standard, "");
        assert!(game.judge(&answer).is_ok_and(|mv| mv.is_some_and(|mv| mv.is_castle())));
        engine.send_unanswered(&format!("position fen {CLASSICAL} moves {castling}"));
        let shown = shown(&mut engine);
        assert!(shown.contains(after), "{shown}");
    }
}

#[test]
fn shredder_fen_and_x_fen_set_up_the_same_position() {
    let spread = [
        "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 0 1",
        "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w KQkq - 0 1",
    ];
    for [shredder, x_fen] in [[SHREDDER, X_FEN], spread] {
        let mut engine = chess960_engine();
        engine.send_unanswered(&format!("position fen {shredder}"));
        let first = shown(&mut engine);
        engine.send_unanswered("position startpos");
        engine.send_unanswered(&format!("position fen {x_fen}"));
        assert_eq!(first, shown(&mut engine));
        assert!(first.contains(shredder.split(' ').next().unwrap_or_default()), "{first}");
    }
    let mut engine = chess960_engine();
    engine.send_unanswered(&format!("position fen {} moves d1f1 d8b8", spread[0]));
    assert!(shown(&mut engine).contains("2kr1r2/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w"));
}

#[test]
fn impossible_castling_rights_are_removed_and_the_position_is_searched() {
    let mut engine = Engine::outrider();
    for (placement, given, kept) in [
        ("r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1", "KQkq", "-"),
        ("4k3/8/8/8/8/8/8/1R2K2R", "KQ", "K"),
    ] {
        let said = engine.ask(&format!("position fen {placement} w {given} - 0 8"));
        assert_eq!(messages(&said).len(), 1, "{said:#?}");
        assert!(said[0].contains(given) && said[0].contains(kept), "{said:#?}");
        assert!(shown(&mut engine).contains(&format!("{placement} w {kept} - 0 8")));
    }
    engine.quit();
}

#[test]
fn a_chess960_position_in_standard_chess_is_an_error_with_a_hint() {
    let mut engine = Engine::outrider();
    let said = engine.ask(&format!("position fen {SHREDDER}"));
    assert_eq!(messages(&said).len(), 1, "{said:#?}");
    assert!(said[0].contains("UCI_Chess960"), "{said:#?}");
    engine.send_unanswered("setoption name UCI_Chess960 value true");
    engine.send_unanswered(&format!("position fen {SHREDDER}"));
    // A message that the current position belongs to the other mode is allowed.
    engine.ask("setoption name UCI_Chess960 value false");
    engine.send_unanswered("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1");
    engine.quit();
}
