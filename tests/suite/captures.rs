//! Captures that the quiescence search generates, compared with the legal moves.

use outrider_engine::position::Board;
use proptest::prelude::*;
use shakmaty::{Bitboard, Move, Role};

use crate::support::games::positions;

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut moves: Vec<_> = moves.into_iter().map(|mv| format!("{mv:?}")).collect();
    moves.sort();
    moves
}

fn is_wanted(mv: &Move) -> bool {
    mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn generated_legal_moves_are_the_legal_captures_and_queen_promotions(chess in positions(150)) {
        let board = Board::new(chess);
        let mut found = Vec::new();
        board.each_tactical(Bitboard::FULL, true, |mv| found.push(mv));
        found.retain(|&mv| board.is_legal(mv));
        prop_assert_eq!(sorted(found), sorted(board.legal_moves().into_iter().filter(is_wanted)));
    }

    #[test]
    fn only_pieces_on_target_squares_are_captured(chess in positions(150), targets: u64) {
        let board = Board::new(chess);
        let (mut found, mut all) = (Vec::new(), Vec::new());
        board.each_tactical(Bitboard(targets), false, |mv| found.push(mv));
        board.each_tactical(Bitboard::FULL, false, |mv| all.push(mv));
        all.retain(|mv| mv.is_promotion() || Bitboard(targets).contains(mv.to()));
        prop_assert_eq!(sorted(found), sorted(all));
    }
}
