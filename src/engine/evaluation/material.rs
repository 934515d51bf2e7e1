//! Values of the pieces in points, as chess players count them.

use shakmaty::{Bitboard, Board, Role};

/// Points of a minor piece.
pub(super) const MINOR: u32 = 3;

/// Returns the points of the pieces on these squares: 1 for a pawn, 3 for a minor piece, 5 for a rook, 9
/// for a queen.
pub(super) fn points(board: &Board, squares: Bitboard) -> u32 {
    let points = |role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => MINOR,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    let of_role = |role| points(role) * (board.by_role(role) & squares).count() as u32;
    Role::ALL.into_iter().map(of_role).sum()
}
