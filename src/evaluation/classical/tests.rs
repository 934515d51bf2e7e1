use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, PositionError, Role, Setup};

use super::*;

/// From here random moves promote, take and castle within a few plies.
const LIVELY: &str = "r3k2r/1P4P1/8/2pPp3/3pPp2/8/1p4p1/R3K2R w KQkq c6 0 1";

fn chess(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
}

fn chess960(number: u32) -> Chess {
    let board = shakmaty::Board::chess960(number);
    let castling_rights = board.rooks();
    Setup { board, castling_rights, ..Setup::initial() }.position(CastlingMode::Chess960).unwrap()
}

fn value(chess: &Chess) -> i32 {
    let board = Board::new(chess.clone());
    let mut evaluation = Classical::default();
    evaluation.refresh(&board);
    evaluation.value(&board).centipawns()
}

fn value_of(fen: &str) -> i32 {
    value(&chess(fen))
}

fn mirrored(chess: &Chess) -> Chess {
    let setup = chess.to_setup(EnPassantMode::Legal).into_mirrored();
    setup
        .position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap()
}

fn some_start() -> impl Strategy<Value = Chess> {
    prop_oneof![
        (0..960u32).prop_map(chess960),
        Just(chess(LIVELY)),
        Just(chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")),
    ]
}

/// A game's moves as picks among the legal ones.
fn some_picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..10_000usize, 0..120)
}

fn pick(chess: &Chess, pick: usize) -> Option<Move> {
    let moves = chess.legal_moves();
    (!moves.is_empty()).then(|| moves[pick % moves.len()])
}

proptest! {
    #[test]
    fn both_colours_are_judged_alike(start in some_start(), picks in some_picks()) {
        let mut chess = start;
        for number in picks {
            prop_assert_eq!(value(&chess), value(&mirrored(&chess)));
            let Some(mv) = pick(&chess, number) else { break };
            chess.play_unchecked(mv);
        }
    }

    #[test]
    fn moves_made_and_taken_back_leave_what_a_fresh_start_counts(
        start in some_start(),
        picks in some_picks(),
    ) {
        let mut board = Board::new(start);
        let mut evaluation = Classical::default();
        evaluation.refresh(&board);
        let mut counted = vec![evaluation.top()];
        for number in picks {
            let Some(mv) = pick(board.chess(), number) else { break };
            evaluation.push(&board, mv);
            board.play(mv);
            prop_assert_eq!(evaluation.top(), Accumulator::of(board.chess()));
            counted.push(evaluation.top());
        }
        while let Some(accumulator) = counted.pop() {
            prop_assert_eq!(evaluation.top(), accumulator);
            evaluation.pop();
        }
    }
}

#[test]
fn every_kind_of_move_is_followed() {
    let positions = [
        LIVELY,
        // Kings and rooks that pass each other, swap squares, or stay where they are.
        "7k/8/8/8/8/8/8/RK2R3 w AE - 0 1",
        "1r3kr1/8/8/8/8/8/8/K7 b bg - 0 1",
        "7k/8/8/8/8/8/8/2RKR3 w CE - 0 1",
        "k7/8/8/8/8/8/8/1R4KR w BH - 0 1",
    ];
    let (mut promotions, mut en_passant, mut castles) = (0, 0, 0);
    for fen in positions {
        let board = Board::new(chess(fen));
        let mut evaluation = Classical::default();
        evaluation.refresh(&board);
        for mv in board.legal_moves() {
            let mut after = board.clone();
            after.play(mv);
            evaluation.push(&board, mv);
            assert_eq!(evaluation.top(), Accumulator::of(after.chess()), "{mv:?} in {fen}");
            evaluation.pop();
            promotions += usize::from(mv.is_promotion());
            en_passant += usize::from(mv.is_en_passant());
            castles += usize::from(mv.is_castle());
        }
    }
    assert_eq!((promotions, en_passant, castles), (16, 1, 8));
}

#[test]
fn a_null_move_changes_nothing_but_the_side_to_move() {
    let board =
        Board::new(chess("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w - - 4 4"));
    let passed = board.pass().unwrap();
    let mut evaluation = Classical::default();
    evaluation.refresh(&board);
    let before = evaluation.value(&board).centipawns();
    evaluation.push_null();
    let after = evaluation.value(&passed).centipawns();
    assert_eq!(before - TEMPO, -(after - TEMPO));
    evaluation.pop();
    assert_eq!(evaluation.value(&board).centipawns(), before);
}

#[test]
fn the_longest_line_of_a_search_fits() {
    let board = Board::new(Chess::default());
    let mut evaluation = Classical::default();
    evaluation.refresh(&board);
    for _ in 0..=MAX_PLY {
        evaluation.push_null();
    }
    assert_eq!(evaluation.value(&board).centipawns(), TEMPO);
}

#[test]
fn the_initial_position_is_worth_the_right_to_move() {
    assert_eq!(value(&Chess::default()), TEMPO);
}

#[test]
fn a_queen_more_decides() {
    assert!(value_of("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 800);
    assert!(value_of("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -800);
}

#[test]
fn an_army_of_queens_is_still_no_mate() {
    let value = value_of("4k3/8/8/8/8/8/QQQQQQQQ/RNBQKBNR b - - 0 1");
    assert!(value < -9 * 900);
    assert!(!Score::new(value).is_mate());
}

#[test]
fn a_board_full_of_queens_is_worth_the_most_that_a_static_value_can_be() {
    // No FEN of so many pieces is read: a position can hold them all the same.
    let mut setup = Setup::empty();
    setup.turn = Color::Black;
    for square in Square::ALL {
        setup.board.set_piece_at(square, Role::Queen.of(Color::White));
    }
    setup.board.set_piece_at(Square::A8, Role::King.of(Color::Black));
    setup.board.set_piece_at(Square::H1, Role::King.of(Color::White));
    let full: Chess = setup
        .position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap();
    assert_eq!(Score::new(value(&full)), -Score::MAX_STATIC);
    assert_eq!(Score::new(value(&mirrored(&full))), -Score::MAX_STATIC);
}

#[test]
fn a_passed_pawn_gains_with_every_step_from_the_third_rank_on() {
    let steps = ["8/8/8/8/P7/8", "8/8/8/P7/8/8", "8/8/P7/8/8/8", "8/P7/8/8/8/8", "P7/8/8/8/8/8"];
    let values = steps.map(|pawn| value_of(&format!("8/{pawn}/2k1K3 w - - 0 1")));
    assert!(values.is_sorted_by(|before, after| before < after), "{values:?}");
}

#[test]
fn two_bishops_are_worth_more_than_the_sum_of_each() {
    let none = value_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let light = value_of("4k3/8/8/8/8/8/4P3/4KB2 w - - 0 1") - none;
    let dark = value_of("4k3/8/8/8/8/8/4P3/2B1K3 w - - 0 1") - none;
    let both = value_of("4k3/8/8/8/8/8/4P3/2B1KB2 w - - 0 1") - none;
    assert!(both > light + dark);
}
