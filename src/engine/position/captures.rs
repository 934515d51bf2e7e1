//! The captures and queen promotions of a position, cheaper than by generating all legal moves.
//!
//! Most positions of the quiescence search have few captures worth a look, and of these the first
//! often settles the matter. So the moves here only follow the pieces' way of moving; whether one
//! leaves the own king in check is asked when it is about to be played, by
//! [`Board::is_legal`].

use shakmaty::attacks;
use shakmaty::{Bitboard, Move, Position as _, Rank, Role, Square};

use super::board::Board;

impl Board {
    /// Calls `found` with each capture of a piece that stands on `targets`, all en passant captures
    /// if `en_passant` says so, and all promotions to a queen. The king may be left in check.
    pub fn each_tactical(&self, targets: Bitboard, en_passant: bool, mut found: impl FnMut(Move)) {
        let chess = self.chess();
        let (us, board) = (chess.turn(), chess.board());
        let occupied = board.occupied();
        let targets = targets & chess.them();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in chess.our(role) {
                for to in attacks::attacks(from, role.of(us), occupied) & targets {
                    found(self.capture(role, from, to));
                }
            }
        }

        let (pawns, seventh) = (chess.our(Role::Pawn), us.fold_wb(Rank::Seventh, Rank::Second));
        for from in pawns & !Bitboard::from_rank(seventh) {
            for to in attacks::pawn_attacks(us, from) & targets {
                found(self.capture(Role::Pawn, from, to));
            }
        }
        for from in pawns & Bitboard::from_rank(seventh) {
            let ahead = from.offset(us.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from);
            let reached = (attacks::pawn_attacks(us, from) & chess.them()) | (ahead & !occupied);
            for to in reached {
                found(Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture: board.role_at(to),
                    to,
                    promotion: Some(Role::Queen),
                });
            }
        }
        if en_passant && let Some(to) = chess.legal_ep_square() {
            for from in attacks::pawn_attacks(!us, to) & pawns {
                found(Move::EnPassant { from, to });
            }
        }
    }

    fn capture(&self, role: Role, from: Square, to: Square) -> Move {
        let capture = self.chess().board().role_at(to);
        Move::Normal { role, from, capture, to, promotion: None }
    }
}
