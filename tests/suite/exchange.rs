//! Compares static exchange evaluation with an exchange played out by brute force.
//!
//! The brute force uses no thresholds and no bitboard tricks: it removes one capturer after another
//! from a board and asks the rules again which pieces attack the square. If two equal pieces can
//! capture, the choice can open different lines, so it tries all and returns the lowest and the
//! highest result.

use outrider_engine::position::notation::{parse_fen_any, parse_move};
use outrider_engine::position::{see_ge, see_value};
use proptest::prelude::*;
use shakmaty::{Board, Chess, Color, Move, Piece, Position as _, Role, Square};

use crate::support::games::positions;

/// Gain of the side to capture: the lowest and the highest, depending on the choice between equal
/// pieces.
type Range = (i32, i32);

fn played_out(chess: &Chess, mv: Move) -> Range {
    let (Some(from), false) = (mv.from(), mv.is_castle()) else {
        return (0, 0);
    };
    let us = chess.turn();
    let mut board = chess.board().clone();
    board.discard_piece_at(from);
    if mv.is_en_passant() {
        board.discard_piece_at(Square::from_coords(mv.to().file(), from.rank()));
    }
    let standing = mv.promotion().unwrap_or(mv.role());
    board.set_piece_at(mv.to(), standing.of(us));
    let promoted = mv.promotion().map_or(0, |role| see_value(role) - see_value(Role::Pawn));
    let gain = mv.capture().map_or(0, see_value) + promoted;
    let (low, high) = recapture(&board, mv.to(), !us);
    (gain - high, gain - low)
}

/// Returns the best result of `side` against the piece on `to`, with or without capturing it.
fn recapture(board: &Board, to: Square, side: Color) -> Range {
    let victim = board.role_at(to).expect("a piece stands on the square of the exchange");
    let attackers = board.attacks_to(to, side, board.occupied());
    let Some(role) = Role::ALL.into_iter().find(|&role| (attackers & board.by_role(role)).any())
    else {
        return (0, 0);
    };
    let choices = (attackers & board.by_role(role)).into_iter().map(|from| {
        let mut after = board.clone();
        after.discard_piece_at(from);
        after.set_piece_at(to, Piece { color: side, role });
        let defended = after.attacks_to(to, !side, after.occupied()).any();
        if role == Role::King && defended {
            return (0, 0);
        }
        let (low, high) = recapture(&after, to, !side);
        let value = see_value(victim);
        ((value - high).max(0), (value - low).max(0))
    });
    choices.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).expect("there is an attacker")
}

/// Thresholds around all sums of piece values, where the answer can change.
fn thresholds() -> impl Iterator<Item = i32> {
    (-1500..=1500).step_by(10).flat_map(|centre| [centre - 1, centre, centre + 1])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn static_exchange_evaluation_agrees_with_playing_the_exchange_out(chess in positions(100)) {
        for mv in chess.legal_moves() {
            let (low, high) = played_out(&chess, mv);
            let mut won = true;
            for threshold in thresholds() {
                let wins = see_ge(&chess, mv, threshold);
                let context = || format!("{mv:?} for {threshold} of {low} to {high}, {chess:?}");
                prop_assert!(won || !wins, "wins more but not less: {}", context());
                prop_assert!(wins || threshold > low, "{}", context());
                prop_assert!(!wins || threshold <= high, "{}", context());
                won = wins;
            }
        }
    }
}

/// Checks that a move wins exactly `value`, in a position where the choice between equal pieces
/// does not matter.
fn assert_exchange(fen: &str, text: &str, value: i32) {
    let chess = parse_fen_any(fen).unwrap_or_else(|error| panic!("{error}"));
    let mv = parse_move(&chess, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(played_out(&chess, mv), (value, value), "{fen} {text}");
    assert!(see_ge(&chess, mv, value), "{fen} {text} loses");
    assert!(!see_ge(&chess, mv, value + 1), "{fen} {text} wins too much");
}

#[test]
fn known_exchanges_have_their_known_values() {
    let [pawn, knight, rook, queen] =
        [Role::Pawn, Role::Knight, Role::Rook, Role::Queen].map(see_value);
    assert_exchange("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn);
    let x_rays = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
    assert_exchange(x_rays, "d3e5", pawn - knight);
    assert_exchange("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0);
    assert_exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn);
    assert_exchange("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", queen - pawn);
    assert_exchange("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8n", rook + knight - pawn);
    assert_exchange("4k3/8/8/8/3p4/8/8/4KQ2 w - - 0 1", "f1d3", 0);
    assert_exchange("4k3/8/8/8/4p3/8/8/4KQ2 w - - 0 1", "f1d3", -queen);
}

#[test]
fn a_king_recaptures_only_undefended_pieces() {
    let rook = see_value(Role::Rook);
    let pawn = see_value(Role::Pawn);
    assert_exchange("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook);
    assert_exchange("8/8/4k3/3p4/8/5B2/8/3RK3 w - - 0 1", "d1d5", pawn);
}
