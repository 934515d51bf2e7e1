//! A static value for the chess trees of the laboratory: only material and piece-square tables.
//!
//! It is Tomasz Michniewski's "Simplified Evaluation Function" from the Chess Programming Wiki. The
//! engine's own evaluation changes with every network; measurements on these trees must not.

use shakmaty::{Board, Chess, Color, Position as _, Role};

use crate::Value;

/// Returns the value of a position for the side to move, in centipawns.
pub(super) fn static_value(chess: &Chess) -> Value {
    for_side(chess.board(), chess.turn())
}

fn for_side(board: &Board, side: Color) -> Value {
    let kings_hide = !is_endgame(board);
    let of_color = |color| -> Value {
        let pieces = board.by_color(color);
        pieces
            .into_iter()
            .filter_map(|square| Some((square, board.role_at(square)?)))
            .map(|(square, role)| {
                // The tables are printed from White's view, the eighth rank on top.
                let printed = square.to_usize() ^ color.fold_wb(56, 0);
                MATERIAL[index(role)] + table(role, kings_hide)[printed]
            })
            .sum()
    };
    of_color(side) - of_color(!side)
}

/// Returns true if each side has no queen, or a queen, no rooks and at most one minor piece.
fn is_endgame(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let pieces = board.by_color(color);
        let minors = (pieces & (board.knights() | board.bishops())).count();
        let is_bare_queen = (pieces & board.rooks()).is_empty() && minors <= 1;
        (pieces & board.queens()).is_empty() || is_bare_queen
    })
}

fn index(role: Role) -> usize {
    role as usize - 1
}

fn table(role: Role, kings_hide: bool) -> &'static [Value; 64] {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King if kings_hide => &KING_MIDDLEGAME,
        Role::King => &KING_ENDGAME,
    }
}

/// Pawn, knight, bishop, rook, queen. The king has no value, because it is never missing.
const MATERIAL: [Value; 6] = [100, 320, 330, 500, 900, 0];

#[rustfmt::skip]
const PAWN: [Value; 64] = [
     0,   0,   0,   0,   0,   0,   0,   0,
    50,  50,  50,  50,  50,  50,  50,  50,
    10,  10,  20,  30,  30,  20,  10,  10,
     5,   5,  10,  25,  25,  10,   5,   5,
     0,   0,   0,  20,  20,   0,   0,   0,
     5,  -5, -10,   0,   0, -10,  -5,   5,
     5,  10,  10, -20, -20,  10,  10,   5,
     0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHT: [Value; 64] = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
];

#[rustfmt::skip]
const BISHOP: [Value; 64] = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -10, -10, -10, -10, -10, -20,
];

#[rustfmt::skip]
const ROOK: [Value; 64] = [
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10,  10,  10,  10,  10,   5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      0,   0,   0,   5,   5,   0,   0,   0,
];

#[rustfmt::skip]
const QUEEN: [Value; 64] = [
    -20, -10, -10,  -5,  -5, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
     -5,   0,   5,   5,   5,   5,   0,  -5,
      0,   0,   5,   5,   5,   5,   0,  -5,
    -10,   5,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,   0,   0,   0,   0, -10,
    -20, -10, -10,  -5,  -5, -10, -10, -20,
];

#[rustfmt::skip]
const KING_MIDDLEGAME: [Value; 64] = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

#[rustfmt::skip]
const KING_ENDGAME: [Value; 64] = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;

    fn for_white(fen: &str) -> Value {
        for_side(parse_fen_any(fen).expect("a good FEN").board(), Color::White)
    }

    #[test]
    fn the_same_pieces_have_the_same_value_for_both_sides() {
        assert_eq!(for_white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
        let chess =
            parse_fen_any("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -")
                .expect("a good FEN");
        let flipped = chess.board().clone().into_mirrored();
        let value = for_side(chess.board(), Color::White);
        assert_eq!(for_side(&flipped, Color::Black), value);
        assert_eq!(for_side(&flipped, Color::White), -value);
        assert_ne!(value, 0);
    }

    #[test]
    fn material_and_squares_count() {
        let kings = for_white("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(kings, 0);
        assert_eq!(for_white("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), 100 - 20);
        assert_eq!(for_white("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1"), 100 + 50);
        assert_eq!(for_white("4k3/8/8/8/8/8/p7/4K3 w - - 0 1"), -100 - 50);
        assert_eq!(for_white("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), 500);
    }

    #[test]
    fn kings_leave_their_corner_when_the_queens_are_gone_or_alone() {
        let e1_to_g1 = |rest: &str| {
            let fen = |king: &str| format!("{rest}/{king} w - - 0 1");
            for_white(&fen("6K1")) - for_white(&fen("4K3"))
        };
        assert_eq!(e1_to_g1("r3k3/8/8/8/8/8/8"), 0);
        assert_eq!(e1_to_g1("q3k3/8/8/8/8/8/8"), 0);
        assert_eq!(e1_to_g1("qn2k3/8/8/8/8/8/8"), 0);
        assert_eq!(e1_to_g1("qr2k3/8/8/8/8/8/8"), 30);
        assert_eq!(e1_to_g1("qnn1k3/8/8/8/8/8/8"), 30);
    }
}
