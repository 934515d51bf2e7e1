//! Pawns on their way to promotion, and pawns in front of their king.
//!
//! Everything here is computed as the owner sees the board, with the own first rank at the bottom:
//! Black's bitboards are turned over first, and one rule serves both sides. Files and spans are
//! filled with shifts, as on the Chess Programming Wiki ("Pawn Fills").

use shakmaty::{Bitboard, Board, Color, File, Piece, Role};

use super::tapered::Tapered;

/// What a passed pawn is worth beyond its piece-square value, by rank as its owner counts. On the
/// sixth and seventh ranks nearly every pawn has passed, and the piece-square values know it.
const PASSED: [Tapered; 8] = [
    Tapered::new(0, 0),
    Tapered::new(0, 0),
    Tapered::new(0, 3),
    Tapered::new(0, 12),
    Tapered::new(10, 28),
    Tapered::new(8, 10),
    Tapered::new(0, 0),
    Tapered::new(0, 0),
];

/// A file of the king, or beside the king, without an own pawn before him. Where exactly the
/// pawns of the shield stand is left to the piece-square values.
const BARE_FILE: Tapered = Tapered::midgame(-20);

/// The squares that the pawns of `color` attack.
pub(super) fn attacks(board: &Board, color: Color) -> Bitboard {
    let pawns = pawns_of(board, color);
    let forward = match color {
        Color::White => up(pawns),
        Color::Black => down(pawns),
    };
    beside(forward)
}

/// The passed pawns and the pawn shield of the king of `color`, from its own point of view.
pub(super) fn value(board: &Board, color: Color) -> Tapered {
    let own = seen_by(color, pawns_of(board, color));
    let enemy = seen_by(color, pawns_of(board, !color));
    let king = seen_by(color, board.by_piece(Piece { color, role: Role::King }));
    passed(own, enemy) + shield(own, king)
}

fn passed(own: Bitboard, enemy: Bitboard) -> Tapered {
    let stopped = fill_down(down(enemy | beside(enemy)) | down(own));
    (own & !stopped)
        .into_iter()
        .fold(Tapered::default(), |sum, square| sum + PASSED[usize::from(square.rank())])
}

fn shield(own: Bitboard, king: Bitboard) -> Tapered {
    let bare = (king | beside(king)) & !fill_down(own);
    BARE_FILE * bare.count() as i32
}

fn pawns_of(board: &Board, color: Color) -> Bitboard {
    board.by_piece(Piece { color, role: Role::Pawn })
}

fn seen_by(color: Color, squares: Bitboard) -> Bitboard {
    match color {
        Color::White => squares,
        Color::Black => squares.flip_vertical(),
    }
}

fn up(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

fn down(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

/// The squares to the left and the right.
fn beside(squares: Bitboard) -> Bitboard {
    let right = Bitboard(squares.0 << 1) & !Bitboard::from_file(File::A);
    let left = Bitboard(squares.0 >> 1) & !Bitboard::from_file(File::H);
    right | left
}

/// These squares and all below them.
fn fill_down(squares: Bitboard) -> Bitboard {
    let mut filled = squares.0;
    filled |= filled >> 8;
    filled |= filled >> 16;
    filled |= filled >> 32;
    Bitboard(filled)
}
