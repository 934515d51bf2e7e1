//! Positions and moves as text: printed texts are read back, and errors describe what is wrong.

use outrider_engine::position::notation::{
    format_fen, format_move, parse_fen, parse_fen_any, parse_move,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::support::games::positions;

const STANDARD: CastlingMode = CastlingMode::Standard;
const CHESS960: CastlingMode = CastlingMode::Chess960;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn printing_and_reading_a_move_returns_the_same_move(chess in positions(120)) {
        for mv in chess.legal_moves() {
            let chess960 = format_move(mv, CHESS960);
            prop_assert_eq!(parse_move(&chess, &chess960).ok(), Some(mv), "{}", chess960);
            if chess.castles().mode() == STANDARD {
                let standard = format_move(mv, STANDARD);
                prop_assert_eq!(parse_move(&chess, &standard).ok(), Some(mv), "{}", standard);
            }
        }
    }

    #[test]
    fn printing_and_reading_a_fen_returns_the_same_position(chess in positions(120)) {
        let fen = format_fen(&chess);
        let again = parse_fen(&fen, CHESS960).expect("what is printed can be read");
        prop_assert_eq!(&again, &chess);
        prop_assert_eq!(again.halfmoves(), chess.halfmoves());
        prop_assert_eq!(again.fullmoves(), chess.fullmoves());
        prop_assert_eq!(format_fen(&again), fen);
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,80}", move_like in "[a-h1-8@qQkK0]{4,5}") {
        for mode in [STANDARD, CHESS960] {
            let _ = parse_fen(&text, mode);
        }
        let start = Chess::default();
        let _ = parse_move(&start, &text);
        if let Ok(mv) = parse_move(&start, &move_like) {
            prop_assert!(start.is_legal(mv));
        }
    }

    #[test]
    fn a_text_that_resembles_a_fen_is_read_or_an_error_but_never_panics(
        board in "([1-8pnbrqkPNBRQK]{1,8}/){7}[1-8pnbrqkPNBRQK]{1,8}",
        rest in "( [wbx]( [KQkqA-Ha-h-]{1,4}( [a-h-][1-8]?( [0-9]{1,12}( [0-9]{1,12})?)?)?)?)?",
    ) {
        if let Ok(chess) = parse_fen(&format!("{board}{rest}"), CHESS960) {
            prop_assert!(chess.legal_moves().iter().all(|&mv| chess.is_legal(mv)));
        }
    }
}

#[test]
fn castling_is_written_for_the_mode_and_read_in_both_forms() {
    let chess = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", STANDARD).expect("a good FEN");
    for (steps, takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let mv = parse_move(&chess, steps).expect("castling is legal");
        assert!(mv.is_castle());
        assert_eq!(parse_move(&chess, takes_rook).expect("castling is legal"), mv);
        assert_eq!(format_move(mv, STANDARD), steps);
        assert_eq!(format_move(mv, CHESS960), takes_rook);
    }
}

#[test]
fn x_fen_and_shredder_fen_describe_the_same_position() {
    let pairs = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "HAha"),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", "HFhf"),
        // Two rooks on one side of the king: the letter K means the outer one.
        ("k7/8/8/8/8/8/8/2K1RR2 w K - 0 1", "F"),
        ("k7/8/8/8/8/8/8/2K1RR2 w E - 0 1", "E"),
    ];
    for (fen, letters) in pairs {
        let mut fields: Vec<_> = fen.split(' ').collect();
        fields[2] = letters;
        let shredder = fields.join(" ");
        let x_fen = parse_fen(fen, CHESS960).expect("an X-FEN");
        assert_eq!(x_fen, parse_fen(&shredder, CHESS960).expect("a Shredder-FEN"), "{fen}");
        assert!(x_fen.castles().any());
        assert_eq!(parse_fen_any(fen).expect("either"), x_fen);
    }
}

#[test]
fn a_fen_may_lack_its_counters() {
    let bare = parse_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", STANDARD).expect("as in EPD");
    assert_eq!((bare.halfmoves(), bare.fullmoves().get()), (0, 1));
}

#[test]
fn the_error_for_a_bad_fen_describes_the_fault() {
    let faults = [
        ("", "not a FEN"),
        ("hello", "board"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "board"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "turn"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w XYZ - 0 1", "castling"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "ep square"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "halfmove"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x", "fullmove"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "check"),
        ("P3k3/8/8/8/8/8/8/K7 w - - 0 1", "a pawn is on the first or last rank"),
        ("bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1", "UCI_Chess960"),
    ];
    for (fen, fault) in faults {
        let Err(error) = parse_fen(fen, STANDARD) else {
            panic!("\"{fen}\" was accepted");
        };
        let message = error.to_string();
        assert!(message.contains(fault), "\"{message}\" does not speak of \"{fault}\"");
        assert!(message.contains(fen), "\"{message}\" does not show the FEN");
    }
}

#[test]
fn the_error_for_a_bad_move_distinguishes_malformed_from_illegal() {
    let start = Chess::default();
    for text in ["", "e4", "castle", "e2e9", "e2e4x", "Ng1f3", "é2e4"] {
        let error = parse_move(&start, text).expect_err(text);
        assert!(error.to_string().contains("not a move"), "{error}");
    }
    for text in ["e2e5", "e7e5", "0000", "e1g1", "a7a8q", "e2e4q", "N@f3", "d4d5"] {
        let error = parse_move(&start, text).expect_err(text);
        assert_eq!(error.to_string(), format!("{text} is not legal here"));
    }
}

#[test]
fn a_position_with_too_many_moves_for_the_move_list_is_an_error() {
    // White would have more than 270 moves.
    let queens = "kBQQQQQB/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1";
    assert!(parse_fen(queens, STANDARD).is_err());
    // The maximum number of moves that is possible in a game.
    let playable = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let chess = parse_fen(playable, STANDARD).expect("a position with as much material as can be");
    assert_eq!(chess.legal_moves().len(), 218);
}
