//! Positions: packed moves, null moves, partial keys, repetition and the other draws by rule.

use std::collections::HashSet;

use outrider_engine::position::notation::{format_fen, parse_fen_any, parse_move};
use outrider_engine::position::{Board, Keys, PackedMove, Position};
use outrider_engine::units::Ply;
use proptest::prelude::*;
use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

use crate::support::games::{Playout, playouts, positions};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn packing_and_unpacking_returns_the_same_move(chess in positions(120)) {
        let board = Board::new(chess);
        let mut packed = HashSet::new();
        for mv in board.legal_moves() {
            let small = PackedMove::new(mv);
            prop_assert_eq!(board.legal_move(small), Some(mv));
            prop_assert_eq!((Some(small.from()), small.to()), (mv.from(), mv.to()));
            let bits = PackedMove::to_bits(Some(small));
            prop_assert_eq!(PackedMove::from_bits(bits), Some(small));
            prop_assert!(packed.insert(small), "{:?} shares its bits with another move", mv);
        }
        prop_assert_eq!(PackedMove::to_bits(None), 0);
        prop_assert_eq!(PackedMove::from_bits(0), None);
    }

    #[test]
    fn unpacking_any_sixteen_bits_returns_only_legal_moves(chess in positions(120)) {
        let board = Board::new(chess);
        let legal: HashSet<Move> = board.legal_moves().into_iter().collect();
        let unpacked: HashSet<Move> = (0..=u16::MAX)
            .filter_map(PackedMove::from_bits)
            .filter_map(|packed| board.legal_move(packed))
            .collect();
        prop_assert_eq!(unpacked, legal);
    }

    #[test]
    fn a_null_move_changes_only_the_side_to_move(playout in playouts(120)) {
        for (chess, _) in playout.steps() {
            let board = Board::new(chess);
            let Some(passed) = board.after_null_move() else {
                prop_assert!(board.in_check(), "refused in {:?}", board.chess());
                continue;
            };
            prop_assert!(!board.in_check());
            prop_assert_eq!(passed.chess().turn(), !board.chess().turn());
            prop_assert_eq!(passed.chess().board(), board.chess().board());
            prop_assert_eq!(
                passed.chess().castles().castling_rights(),
                board.chess().castles().castling_rights()
            );
            prop_assert_eq!(passed.chess().legal_ep_square(), None);
            prop_assert_eq!(*passed.keys(), Keys::from_scratch(passed.chess()));
            prop_assert_eq!(passed.reversible_plies(), 0);
        }
    }

    #[test]
    fn a_partial_key_changes_exactly_when_its_part_changes(playout in playouts(120)) {
        for (chess, mv) in playout.steps() {
            let before = Board::new(chess);
            let mut after = before.clone();
            after.play(mv);
            for (name, part, key) in PARTS {
                let same_part = part(before.chess()) == part(after.chess());
                let same_key = key(before.keys()) == key(after.keys());
                prop_assert_eq!(same_part, same_key, "{} key, {:?}", name, mv);
            }
        }
    }

    #[test]
    fn taking_moves_back_restores_everything(playout in playouts(80), nulls in any::<u64>()) {
        let mut position = Position::new(playout.start.clone());
        let mut earlier = Vec::new();
        for (ply, (_, mv)) in playout.steps().enumerate() {
            // A null move that is taken back at once must not change anything either.
            if nulls >> (ply % 64) & 1 == 1 {
                let before = snapshot(&position);
                if position.push_null() {
                    prop_assert_ne!(&before, &snapshot(&position));
                    position.pop();
                }
                prop_assert_eq!(before, snapshot(&position));
            }
            earlier.push(snapshot(&position));
            position.push(mv);
        }
        while let Some(before) = earlier.pop() {
            position.pop();
            prop_assert_eq!(before, snapshot(&position));
        }
    }

    #[test]
    fn repetitions_agree_with_a_comparison_of_the_whole_game(
        playout in shuffles(),
        searched in 0_usize..40,
    ) {
        let mut position = Position::new(playout.start.clone());
        let mut game = vec![playout.start.clone()];
        let root = playout.moves.len().saturating_sub(searched);
        for (index, &mv) in (1..).zip(&playout.moves) {
            position.push(mv);
            let now = position.chess().clone();
            let ply = index.max(root) - root;
            let seen = game.iter().filter(|chess| **chess == now).count();
            let seen_in_search =
                game.iter().skip(root + 1).any(|chess| ply > 0 && *chess == now);
            game.push(now);
            prop_assert_eq!(
                position.is_repetition(Ply::new(ply)),
                seen >= 2 || seen_in_search,
                "after move {} of {:?}, ply {}", index, playout, ply
            );
        }
    }

    #[test]
    fn a_search_knows_all_positions_of_the_game_that_can_be_repeated(
        playout in shuffles(),
        root in 0_usize..40,
    ) {
        let mut whole = Position::new(playout.start.clone());
        let mut searched = whole.for_search();
        for (index, &mv) in playout.moves.iter().enumerate() {
            if index == root {
                searched = whole.for_search();
            }
            whole.push(mv);
            searched.push(mv);
            let ply = Ply::new((index + 1).saturating_sub(root));
            prop_assert_eq!(searched.is_drawn(ply), whole.is_drawn(ply));
            prop_assert_eq!(searched.can_repeat(ply), whole.can_repeat(ply));
        }
    }

    #[test]
    fn a_move_to_an_earlier_position_is_detected_before_it_is_made(playout in shuffles()) {
        let mut position = Position::new(playout.start.clone());
        let mut game = vec![playout.start.clone()];
        for &mv in &playout.moves {
            let leads_back = position.has_occurred(position.board().key_after(mv));
            position.push(mv);
            prop_assert_eq!(leads_back, game.contains(position.chess()), "{:?}", playout);
            game.push(position.chess().clone());
        }
    }

    #[test]
    fn a_possible_repetition_by_the_next_move_is_detected_without_trying_moves(
        playout in shuffles(),
        searched in 0_usize..40,
    ) {
        let mut position = Position::new(playout.start.clone());
        let root = playout.moves.len().saturating_sub(searched);
        for (index, &mv) in (1..).zip(&playout.moves) {
            position.push(mv);
            let ply = Ply::new(index.max(root) - root);
            let tried = position.board().legal_moves().into_iter().any(|mv| {
                let mut after = position.clone();
                after.push(mv);
                after.is_repetition(ply.next())
            });
            prop_assert_eq!(position.can_repeat(ply), tried, "move {} of {:?}", index, playout);
        }
    }

    #[test]
    fn a_square_is_threatened_if_a_piece_of_the_other_side_attacks_it(chess in positions(120)) {
        let (board, side) = (chess.board(), !chess.turn());
        let attacked = |&square: &Square| board.attacks_to(square, side, board.occupied()).any();
        let threats: Bitboard = Square::ALL.into_iter().filter(attacked).collect();
        prop_assert_eq!(Board::new(chess.clone()).threats().all, threats);
    }

    #[test]
    fn a_king_is_boxed_in_if_it_has_no_legal_move(chess in positions(120)) {
        prop_assume!(!chess.is_check());
        let steps = |mv: &Move| mv.role() == Role::King && !mv.is_castle();
        let boxed_in = !chess.legal_moves().iter().any(steps);
        prop_assert_eq!(Board::new(chess).king_is_boxed_in(), boxed_in);
    }
}

/// Name of a part, the squares that its key covers, and the key.
type Part = (&'static str, fn(&Chess) -> Vec<Bitboard>, fn(&Keys) -> u64);

const PARTS: [Part; 4] = [
    ("pawn", |chess| pieces(chess, &Color::ALL, &[Role::Pawn]), |keys| keys.pawn.0),
    (
        "minor",
        |chess| pieces(chess, &Color::ALL, &[Role::Knight, Role::Bishop, Role::King]),
        |keys| keys.minor.0,
    ),
    ("white", |chess| pieces(chess, &[Color::White], &NOT_PAWNS), |keys| keys.non_pawn.white.0),
    ("black", |chess| pieces(chess, &[Color::Black], &NOT_PAWNS), |keys| keys.non_pawn.black.0),
];

const NOT_PAWNS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

fn pieces(chess: &Chess, colors: &[Color], roles: &[Role]) -> Vec<Bitboard> {
    let every = colors.iter().flat_map(|&color| roles.iter().map(move |role| role.of(color)));
    every.map(|piece| chess.board().by_piece(piece)).collect()
}

fn snapshot(position: &Position) -> (String, Keys, Bitboard, usize) {
    let board = position.board();
    (format_fen(board.chess()), *board.keys(), board.checkers(), board.reversible_plies())
}

/// Games in which pieces move back every other time, so that positions repeat.
fn shuffles() -> impl Strategy<Value = Playout> {
    let choices = prop::collection::vec(any::<u16>(), 0..60);
    (positions(40), choices).prop_map(|(start, choices)| {
        let mut chess = start.clone();
        let mut moves: Vec<Move> = Vec::new();
        for choice in choices {
            let legal = chess.legal_moves();
            if legal.is_empty() {
                break;
            }
            let back = moves.iter().nth_back(1).and_then(|mv| {
                legal.iter().find(|x| x.from() == Some(mv.to()) && Some(x.to()) == mv.from())
            });
            let random = legal[usize::from(choice) % legal.len()];
            let mv = back.copied().filter(|_| choice % 16 != 0).unwrap_or(random);
            chess.play_unchecked(mv);
            moves.push(mv);
        }
        Playout { start, moves }
    })
}

fn position(fen: &str, moves: &str) -> Position {
    let mut position = Position::new(parse_fen_any(fen).unwrap_or_else(|error| panic!("{error}")));
    push(&mut position, moves);
    position
}

fn push(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = parse_move(position.chess(), text).unwrap_or_else(|error| panic!("{error}"));
        position.push(mv);
    }
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

#[test]
fn in_the_game_the_third_occurrence_is_a_draw_and_the_second_is_not() {
    let mut game = Position::default();
    push(&mut game, SHUFFLE);
    assert!(!game.is_repetition(Ply::ROOT));
    push(&mut game, SHUFFLE);
    assert!(game.is_repetition(Ply::ROOT) && game.is_drawn(Ply::ROOT));
}

#[test]
fn in_the_search_the_second_occurrence_after_the_root_is_a_draw() {
    let mut game = Position::default();
    push(&mut game, "e2e4 e7e5");
    push(&mut game, SHUFFLE);
    assert!(game.is_repetition(Ply::new(5)), "the position repeated lies after the root");
    assert!(!game.is_repetition(Ply::new(4)), "the position repeated is the root itself");
    assert!(!game.is_repetition(Ply::new(3)), "the position repeated lies before the root");
}

#[test]
fn a_position_with_other_castling_or_en_passant_rights_is_not_a_repetition() {
    let rights = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let game = position(rights, &"e1e2 e8e7 e2e1 e7e8 ".repeat(2));
    assert!(!game.is_repetition(Ply::ROOT), "the first occurrence still had its castling rights");
    let game = position(rights, &"e1e2 e8e7 e2e1 e7e8 ".repeat(3));
    assert!(game.is_repetition(Ply::ROOT));
    let passing = "4k1n1/8/8/8/1p6/8/P7/4K1N1 w - - 0 1";
    let game = position(passing, &format!("a2a4 {}", "g8f6 g1f3 f6g8 f3g1 ".repeat(2)));
    assert!(!game.is_repetition(Ply::ROOT), "the first occurrence allowed en passant");
}

#[test]
fn pieces_that_have_exchanged_their_squares_are_not_a_repetition() {
    // After the first move of the knight the queen was on a1 and the rook on b1.
    let moves = "c3d5 g8f8 a1a2 f8e8 b1a1 e8f7 a2b1 f7g7 d5c3 g7g8";
    let game = position("6k1/8/8/8/8/2N5/8/QR4K1 w - - 0 1", moves);
    assert!(!game.can_repeat(Ply::new(20)));
}

#[test]
fn a_null_move_ends_the_search_for_repetitions() {
    let mut game = Position::default();
    push(&mut game, "g1f3");
    assert!(game.push_null());
    push(&mut game, "f3g1");
    assert!(game.push_null());
    assert_eq!(game.board().key(), Position::default().board().key());
    assert!(!game.is_repetition(Ply::new(20)));
    push(&mut game, SHUFFLE);
    assert!(game.is_repetition(Ply::new(20)), "what repeats after the null move still counts");
}

#[test]
fn a_hundred_plies_without_progress_are_a_draw_and_ninety_nine_are_not() {
    let rook_ending = "4k3/8/8/8/8/8/8/R3K3 w - - 98 90";
    assert!(!position(rook_ending, "a1a2").is_drawn(Ply::ROOT));
    assert!(position(rook_ending, "a1a2 e8e7").is_drawn(Ply::ROOT));
    assert!(position(rook_ending, "a1a2 e8e7 a2a7").is_drawn(Ply::ROOT), "check is no escape");
    let pawn_ending = "4k3/8/8/8/8/8/P7/4K3 w - - 99 90";
    assert!(!position(pawn_ending, "a2a3").is_drawn(Ply::ROOT), "a pawn move starts again");
}

#[test]
fn a_mate_on_the_hundredth_ply_wins() {
    let game = position("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g7");
    assert!(game.chess().is_checkmate());
    assert!(!game.is_drawn(Ply::ROOT));
}

#[test]
fn a_position_that_no_series_of_moves_can_win_is_a_draw() {
    let drawn = ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4KN2", "4kb2/8/8/8/8/8/8/4K3"];
    let same_colour = ["4kb2/8/8/8/8/8/8/2B1K3"];
    let alive = [
        "4k3/8/8/8/8/8/P7/4K3",
        "4k3/8/8/8/8/8/8/R3K3",
        "4k3/8/8/8/8/8/8/1N2KN2",
        "2b1k3/8/8/8/8/8/8/2B1K3",
        "4kn2/8/8/8/8/8/8/4KN2",
        "4kn2/8/8/8/8/8/8/4KB2",
    ];
    for fen in drawn.into_iter().chain(same_colour) {
        assert!(position(fen, "").is_drawn(Ply::ROOT), "{fen}");
    }
    for fen in alive {
        assert!(!position(fen, "").is_drawn(Ply::ROOT), "{fen}");
    }
}

#[test]
fn non_pawn_material_is_that_of_the_side_to_move() {
    let has_non_pawn_material = |fen| position(fen, "").board().has_non_pawn_material();
    assert!(has_non_pawn_material("4k3/8/8/8/8/8/P7/4KN2 w - - 0 1"));
    assert!(!has_non_pawn_material("4k3/8/8/8/8/8/P7/4KN2 b - - 0 1"));
    assert!(!has_non_pawn_material("4kr2/8/8/8/8/8/P7/4K3 w - - 0 1"));
}
