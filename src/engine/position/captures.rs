//! Generates captures and queen promotions, cheaper than by generating all legal moves.
//!
//! Most positions in the quiescence search have few captures worth searching, and often the first one
//! causes a cut-off. So the moves are pseudo-legal; [`Board::is_legal`] tests each move only before it
//! is played.

use shakmaty::attacks;
use shakmaty::{Bitboard, Move, Position as _, Rank, Role, Square};

use super::board::Board;

impl Board {
    /// Calls `on_move` with each pseudo-legal capture of a piece on `targets`, with all promotions to a
    /// queen, and if `en_passant` is set with all en passant captures.
    pub fn each_tactical(
        &self,
        targets: Bitboard,
        en_passant: bool,
        mut on_move: impl FnMut(Move),
    ) {
        let chess = self.chess();
        let (us, board) = (chess.turn(), chess.board());
        let occupied = board.occupied();
        let targets = targets & chess.them();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in chess.our(role) {
                for to in attacks::attacks(from, role.of(us), occupied) & targets {
                    on_move(self.capture(role, from, to));
                }
            }
        }

        let (pawns, seventh) = (chess.our(Role::Pawn), us.fold_wb(Rank::Seventh, Rank::Second));
        for from in pawns & !Bitboard::from_rank(seventh) {
            for to in attacks::pawn_attacks(us, from) & targets {
                on_move(self.capture(Role::Pawn, from, to));
            }
        }
        for from in pawns & Bitboard::from_rank(seventh) {
            let ahead = from.offset(us.fold_wb(8, -8)).map_or(Bitboard::EMPTY, Bitboard::from);
            let reached = (attacks::pawn_attacks(us, from) & chess.them()) | (ahead & !occupied);
            for to in reached {
                on_move(Move::Normal {
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
                on_move(Move::EnPassant { from, to });
            }
        }
    }

    fn capture(&self, role: Role, from: Square, to: Square) -> Move {
        let capture = self.chess().board().role_at(to);
        Move::Normal { role, from, capture, to, promotion: None }
    }
}
