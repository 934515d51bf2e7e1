//! What a move changes on the board, piece by piece. Keys and evaluations are updated by it, so
//! that they need not know how castling and en passant move pieces.

use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

/// One piece that leaves or enters a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PieceChange {
    Removed(Piece, Square),
    Added(Piece, Square),
}

/// Calls `changed` with each change that a legal move of this side makes; a piece leaves a square
/// before another enters it.
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

/// The square of the pawn that an en passant capture removes: on the capturer's rank, on the file
/// it goes to.
pub(super) fn captured_en_passant(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}
