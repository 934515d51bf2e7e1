//! Tests of lines of test suites: what is understood, what is refused and why.

use proptest::prelude::*;

use super::*;
use crate::engine::position::notation::format_fen;

const SAMPLE: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";

fn epd(text: &str) -> Epd {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(operations: &str) -> String {
    let line = format!("{SAMPLE} {operations}");
    line.parse::<Epd>().unwrap_err().to_string()
}

fn names(epd: &Epd, moves: &[Move]) -> Vec<String> {
    moves.iter().map(|&mv| format_san(&epd.chess, mv)).collect()
}

#[test]
fn best_moves_and_moves_to_avoid_are_legal_moves() {
    let epd = epd(&format!("{SAMPLE} bm f5 Bf2+; am d1a1, Kh1!; id \"a test\";"));
    assert_eq!(names(&epd, &epd.best_moves()), ["f5", "Bf2"]);
    assert_eq!(names(&epd, &epd.avoid_moves()), ["Ra1", "Kh1"]);
    assert_eq!(epd.id(), Some("a test"));
    assert_eq!(epd.direct_mate(), None);
}

#[test]
fn numbers_are_typed_and_other_operations_are_kept_as_text() {
    let epd =
        epd(&format!("{SAMPLE} dm -3; acd 20; acn 123456789012; ce -35; pv f5 \"x;y\"; D1 4"));
    assert_eq!(
        epd.operations,
        [
            Operation::DirectMate(-3),
            Operation::AnalysisDepth(20),
            Operation::AnalysisNodes(123_456_789_012),
            Operation::Evaluation(-35),
            Operation::Other { opcode: "pv".into(), operands: "f5 \"x;y\"".into() },
            Operation::Other { opcode: "D1".into(), operands: "4".into() },
        ]
    );
}

#[test]
fn a_quoted_string_may_hold_semicolons() {
    let epd = epd(&format!("{SAMPLE} c0 \"one; two\"; c9 \"\"; id \"a;b\""));
    assert_eq!(epd.comment(0), Some("one; two"));
    assert_eq!(epd.comment(9), Some(""));
    assert_eq!(epd.comment(1), None);
    assert_eq!(epd.id(), Some("a;b"));
}

#[test]
fn quotes_may_be_left_out_around_a_name() {
    assert_eq!(epd(&format!("{SAMPLE} id WAC.001 ;")).id(), Some("WAC.001"));
}

#[test]
fn the_counters_may_come_as_in_a_fen_or_as_operations() {
    for line in [
        format!("{SAMPLE} 12 40 bm f5;"),
        format!("{SAMPLE} bm f5; hmvc 12; fmvn 40;"),
        format!("{SAMPLE} 3 4 ;hmvc 12;bm f5; fmvn 40"),
    ] {
        let epd = epd(&line);
        assert_eq!(format_fen(&epd.chess), format!("{SAMPLE} 12 40"));
        assert_eq!(epd.to_string(), format!("{SAMPLE} hmvc 12; fmvn 40; bm f5;"));
    }
    assert_eq!(format_fen(&epd(SAMPLE).chess), format!("{SAMPLE} 0 1"));
}

#[test]
fn the_operations_of_perft_files_are_understood() {
    let line = "8/8/8/4B2b/6nN/8/5P2/2R1K2k w C - 0 1 ;D1 34 ;D2 318";
    let epd = epd(line);
    assert_eq!(epd.operations.len(), 2);
    assert!(epd.chess.castles().mode().is_chess960());
}

#[test]
fn castling_in_chess960_can_be_a_best_move() {
    let line = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - bm O-O-O;";
    assert_eq!(epd(line).best_moves(), epd(&line.replace("O-O-O", "e1b1")).best_moves());
}

#[test]
fn points_for_moves_are_read_from_the_first_comment() {
    let epd = epd(&format!("{SAMPLE} bm f5; c0 \"f5=100, Bf2=46, fxg5+=22,h3= 1\";"));
    let points = epd.points().unwrap();
    let (moves, points): (Vec<_>, Vec<_>) = points.into_iter().unzip();
    assert_eq!(names(&epd, &moves), ["f5", "Bf2", "fxg5", "h3"]);
    assert_eq!(points, [100, 46, 22, 1]);
}

#[test]
fn points_for_a_promotion_are_told_from_the_piece() {
    let epd = epd("8/P6k/8/8/8/8/8/K7 w - - c0 \"a8=Q=90, a8=N=5\";");
    let points: Vec<u32> = epd.points().unwrap().into_iter().map(|(_, points)| points).collect();
    assert_eq!(points, [90, 5]);
}

#[test]
fn a_comment_on_something_else_gives_no_points() {
    for comment in ["Fischer - Spassky, 1972", "elo=2400", "", "f5=many", "f5=100, and more"] {
        let epd = epd(&format!("{SAMPLE} c0 \"{comment}\";"));
        assert_eq!(epd.points().unwrap(), [], "{comment}");
    }
    let epd = epd(&format!("{SAMPLE} c0 \"f5=100, f6=3\";"));
    assert_eq!(epd.points().unwrap_err().to_string(), "operation c0: f6 is not legal here");
}

#[test]
fn what_is_wrong_with_an_operation_is_told() {
    for (operations, reason) in [
        ("bm Qh9;", "operation bm: \"Qh9\" is not a move"),
        ("am f5 Ra8;", "operation am: Ra8 is not legal here"),
        ("bm ;", "operation bm: a move is missing"),
        ("dm 0;", "operation dm: \"0\" is not a number of moves to a mate"),
        ("dm soon;", "operation dm: \"soon\" is not a number of moves to a mate"),
        ("acd -1;", "operation acd: \"-1\" is not a depth in plies"),
        ("hmvc x;", "operation hmvc: \"x\" is not a number of halfmoves"),
        ("id \"a\" \"b\";", "operation id: \"\"a\" \"b\"\" is not one quoted string"),
        ("bm f5; c0 \"open;", "operation c0: the closing quote is missing"),
        ("bm f5; +-;", "\"+-\" does not begin with the name of an operation"),
    ] {
        assert_eq!(refusal(operations), reason);
    }
}

#[test]
fn what_is_wrong_with_a_position_is_told() {
    let error = |line: &str| line.parse::<Epd>().unwrap_err().to_string();
    assert!(error("").contains("not 0"));
    assert!(error("8/8/8/8/8/8/8/8 w -; bm e4;").contains("not 3"));
    assert!(error("8/8/8/8 w - - bm e4;").contains("is not a FEN"));
    assert!(error("8/8/8/8/8/8/8/8 w - - bm e4;").contains("not a playable position"));
}

/// Positions from random play, of standard chess and of Chess960.
fn chess() -> impl Strategy<Value = Chess> {
    let starts = prop_oneof![
        Just("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
        Just("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -"),
        Just("r3k2r/P6P/8/2pP4/8/8/p6p/R3K2R w KQkq c6"),
    ];
    (starts, prop::collection::vec(any::<prop::sample::Index>(), 0..60)).prop_map(|(fen, picks)| {
        let mut chess = parse_fen_any(fen).unwrap();
        for pick in picks {
            let moves = chess.legal_moves();
            if moves.is_empty() {
                break;
            }
            chess.play_unchecked(moves[pick.index(moves.len())]);
        }
        chess
    })
}

fn operation(legal: Vec<Move>) -> impl Strategy<Value = Operation> {
    let string = "[^\"\\pC]{0,20}";
    let count = legal.len().min(1)..=legal.len().min(4);
    let none = legal.is_empty();
    let moves = prop::sample::subsequence(legal, count);
    let named = prop_oneof![
        any::<i32>().prop_filter("no mate", |n| *n != 0).prop_map(Operation::DirectMate),
        any::<u32>().prop_map(Operation::AnalysisDepth),
        any::<u64>().prop_map(Operation::AnalysisNodes),
        any::<i32>().prop_map(Operation::Evaluation),
        string.prop_map(|text| Operation::Id(text.trim().to_owned())),
        (0..10u8, string).prop_map(|(number, text)| Operation::Comment { number, text }),
        ("x[a-zA-Z0-9_]{0,8}", "([a-z0-9]{1,9}|\"[^\"\\pC]{0,9}\")?")
            .prop_map(|(opcode, operands)| Operation::Other { opcode, operands }),
    ];
    (named, moves, any::<bool>(), any::<bool>()).prop_map(
        move |(named, moves, plays, best)| match (plays && !none, best) {
            (true, true) => Operation::BestMoves(moves),
            (true, false) => Operation::AvoidMoves(moves),
            (false, _) => named,
        },
    )
}

fn any_epd() -> impl Strategy<Value = Epd> {
    chess().prop_flat_map(|chess| {
        let legal = chess.legal_moves().to_vec();
        prop::collection::vec(operation(legal), 0..6)
            .prop_map(move |operations| Epd { chess: chess.clone(), operations })
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back_the_same(epd in any_epd()) {
        let line = epd.to_string();
        let again: Epd = line.parse().unwrap();
        prop_assert_eq!(&again, &epd);
        prop_assert_eq!(format_fen(&again.chess), format_fen(&epd.chess));
        prop_assert_eq!(again.to_string(), line);
    }

    #[test]
    fn whatever_is_accepted_is_printed_in_a_form_that_stays(noise in "[a-z0-9;\" =+,]{0,60}") {
        if let Ok(epd) = format!("{SAMPLE} {noise}").parse::<Epd>() {
            let line = epd.to_string();
            let again: Epd = line.parse().unwrap();
            prop_assert_eq!(again.to_string(), line);
            let _ = epd.points();
        }
    }

    #[test]
    fn noise_is_refused_without_harm(noise in any::<String>(), tail in any::<String>()) {
        let _ = noise.parse::<Epd>();
        let _ = format!("{SAMPLE} {tail}").parse::<Epd>();
        let _ = format!("{SAMPLE} bm {noise}; c0 \"{tail}=1\"").parse::<Epd>().map(|epd| epd.points());
    }
}
