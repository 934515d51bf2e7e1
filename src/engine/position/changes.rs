//! What a move changes on the board, piece by piece. Whatever is kept up to date move by move,
//! keys and evaluations, asks here and need not know how castling and en passant go.

use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

/// One piece that leaves a square or comes to stand on one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceChange {
    /// The piece no longer stands there.
    Removed(Piece, Square),
    /// The piece stands there now.
    Added(Piece, Square),
}

/// Calls `changed` with each change that a legal move of this side makes; a square is left before
/// another piece comes to stand on it.
#[inline]
pub fn each_change(us: Color, mv: Move, mut changed: impl FnMut(PieceChange)) {
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

/// The square of the pawn that an en passant capture removes: on the capturer's rank, on the file
/// it goes to.
pub fn captured_en_passant(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}
