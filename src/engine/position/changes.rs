//! The changes of a move on the board, piece by piece. Keys and evaluation are updated with them and need
//! no code of their own for castling and en passant.

use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

/// A piece that leaves or enters a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceChange {
    Removed(Piece, Square),
    Added(Piece, Square),
}

/// Calls `changed` with each change that a legal move of `us` makes. A piece leaves a square before
/// another piece enters it.
#[inline]
pub(crate) fn each_change(us: Color, mv: Move, mut changed: impl FnMut(PieceChange)) {
    match mv {
        Move::Normal { role, from, capture, to, promotion } => {
            if let Some(captured) = capture {
                changed(PieceChange::Removed(captured.of(!us), to));
            }
            changed(PieceChange::Removed(role.of(us), from));
            changed(PieceChange::Added(promotion.unwrap_or(role).of(us), to));
        }
        Move::EnPassant { from, to } => {
            changed(PieceChange::Removed(Role::Pawn.of(us), from));
            changed(PieceChange::Removed(Role::Pawn.of(!us), captured_en_passant(from, to)));
            changed(PieceChange::Added(Role::Pawn.of(us), to));
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            changed(PieceChange::Removed(Role::King.of(us), king));
            changed(PieceChange::Removed(Role::Rook.of(us), rook));
            changed(PieceChange::Added(Role::King.of(us), side.king_to(us)));
            changed(PieceChange::Added(Role::Rook.of(us), side.rook_to(us)));
        }
        Move::Put { .. } => unreachable!("chess has no drops"),
    }
}

/// Returns the square of the pawn that an en passant capture removes: on the rank of the origin and
/// the file of the destination.
pub(super) fn captured_en_passant(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}
