//! Squares that the pieces of a side attack, by the worth of the pieces.

use shakmaty::attacks;
use shakmaty::{Bitboard, Board, Color, File, Square};

/// Attacked squares of one side.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Attacks {
    /// By pawns.
    pub pawns: Bitboard,
    /// By knights and bishops.
    pub minors: Bitboard,
    /// By rooks.
    pub rooks: Bitboard,
    /// By any piece, queens and king included.
    pub all: Bitboard,
}

impl Attacks {
    /// Returns the attacks of a side. Own pieces count as attacked: they are protected.
    pub fn new(board: &Board, side: Color) -> Attacks {
        let (ours, occupied) = (board.by_color(side), board.occupied());
        let pawns = pawn_attacks(ours & board.pawns(), side);
        let minors = attacked_by(ours & board.knights(), attacks::knight_attacks)
            | attacked_by(ours & board.bishops(), |from| attacks::bishop_attacks(from, occupied));
        let rooks = attacked_by(ours & board.rooks(), |from| attacks::rook_attacks(from, occupied));
        let queens =
            attacked_by(ours & board.queens(), |from| attacks::queen_attacks(from, occupied));
        let king = attacked_by(ours & board.kings(), attacks::king_attacks);
        Attacks { pawns, minors, rooks, all: pawns | minors | rooks | queens | king }
    }

    /// Returns the attacks of both sides, White's first.
    pub fn of_both(board: &Board) -> [Attacks; 2] {
        Color::ALL.map(|side| Attacks::new(board, side))
    }
}

/// Returns the squares that any of these pieces attacks.
pub(crate) fn attacked_by(pieces: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    pieces.into_iter().fold(Bitboard::EMPTY, |attacked, from| attacked | attacks(from))
}

/// Returns the squares that these pawns of a side attack.
fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let forward = side.fold_wb(8, -8);
    pawns.shift(forward - 1) & !Bitboard::from(File::H)
        | pawns.shift(forward + 1) & !Bitboard::from(File::A)
}
