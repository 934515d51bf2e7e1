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
    Tapered::new(0, 8),
    Tapered::new(3, 18),
    Tapered::new(8, 38),
    Tapered::new(8, 12),
    Tapered::new(0, 5),
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

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    fn set(squares: &[Square]) -> Bitboard {
        squares.iter().copied().collect()
    }

    #[test]
    fn a_pawn_has_passed_when_no_enemy_pawn_can_stop_it() {
        let own = set(&[Square::D5]);
        let free = passed(own, set(&[]));
        assert_ne!(free, Tapered::default());
        for behind_or_far in [Square::B6, Square::F7, Square::C5, Square::E4, Square::D4] {
            assert_eq!(passed(own, set(&[behind_or_far])), free, "{behind_or_far}");
        }
        for stopper in [Square::D6, Square::D7, Square::C6, Square::E7] {
            assert_eq!(passed(own, set(&[stopper])), Tapered::default(), "{stopper}");
        }
    }

    #[test]
    fn files_at_the_edges_are_no_neighbours() {
        let free = passed(set(&[Square::A5]), set(&[]));
        assert_eq!(passed(set(&[Square::A5]), set(&[Square::H7, Square::H6])), free);
        assert_eq!(passed(set(&[Square::H5]), set(&[Square::A7, Square::A6])), free);
    }

    #[test]
    fn of_doubled_pawns_only_the_front_one_has_passed() {
        let front = passed(set(&[Square::D5]), set(&[]));
        assert_eq!(passed(set(&[Square::D4, Square::D5]), set(&[])), front);
    }

    #[test]
    fn a_king_minds_the_files_without_a_pawn_before_him() {
        let king = set(&[Square::G1]);
        let none = shield(set(&[Square::F2, Square::G3, Square::H2]), king);
        let one = shield(set(&[Square::F2, Square::H2]), king);
        let all = shield(set(&[Square::A2, Square::B2]), king);
        assert_eq!(none, Tapered::default());
        assert_eq!((one, all), (BARE_FILE, BARE_FILE * 3));
        assert!(BARE_FILE.blend(Tapered::FULL_PHASE) < 0);
    }

    #[test]
    fn pawns_attack_forward_and_stay_on_the_board() {
        let board = "8/8/p7/8/8/7P/8/8".parse().unwrap();
        assert_eq!(attacks(&board, Color::White), set(&[Square::G4]));
        assert_eq!(attacks(&board, Color::Black), set(&[Square::B5]));
    }
}
