//! Tests if one move is legal, cheaper than by generating all moves. The search needs this for moves
//! from the transposition table and for the pseudo-legal captures of the quiescence search.
//!
//! Castling and en passant are rare and have many conditions, so shakmaty tests them.

use shakmaty::attacks;
use shakmaty::{Bitboard, Move, Position as _, Rank, Role, Square};

use super::board::Board;
use super::packed::PackedMove;

impl Board {
    /// Returns the move that `packed` encodes, if it is legal in this position.
    ///
    /// The bits may come from a damaged table entry or from another position.
    pub fn legal_move(&self, packed: PackedMove) -> Option<Move> {
        packed.unpack(self.chess()).filter(|&mv| self.is_pseudo_legal(mv) && self.is_legal(mv))
    }

    /// Returns true if a pseudo-legal move is legal, that is, does not leave its own king in check.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (chess, board) = (self.chess(), self.chess().board());
        let Move::Normal { role, from, to, .. } = mv else {
            return chess.is_legal(mv);
        };
        let king = if role == Role::King { Some(to) } else { board.king_of(chess.turn()) };
        let occupied = board.occupied().without(from).with(to);
        let attackers = |king| board.attacks_to(king, !chess.turn(), occupied).without(to);
        king.is_some_and(|king| attackers(king).is_empty())
    }

    /// Returns true if the move is pseudo-legal. Castling and en passant are not tested here, since
    /// [`Board::is_legal`] tests them completely.
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let Move::Normal { role, from, to, promotion, .. } = mv else {
            return true;
        };
        let chess = self.chess();
        if !chess.us().contains(from) || chess.us().contains(to) {
            return false;
        }
        if role == Role::Pawn {
            return self.pawn_targets(from).contains(to) && is_valid_promotion(to, promotion);
        }
        let reached = attacks::attacks(from, role.of(chess.turn()), chess.board().occupied());
        promotion.is_none() && reached.contains(to)
    }

    /// Returns the squares that a pawn can move to, without en passant.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let (turn, occupied) = (self.chess().turn(), self.chess().board().occupied());
        let ahead = |from: Square| {
            from.offset(turn.fold_wb(8, -8)).filter(|&square| !occupied.contains(square))
        };
        let step = ahead(from);
        let at_home = from.rank() == turn.fold_wb(Rank::Second, Rank::Seventh);
        let double = step.filter(|_| at_home).and_then(ahead);
        let captures = attacks::pawn_attacks(turn, from) & self.chess().them();
        captures | Bitboard::from_iter(step) | Bitboard::from_iter(double)
    }
}

fn is_valid_promotion(to: Square, promotion: Option<Role>) -> bool {
    let last = matches!(to.rank(), Rank::First | Rank::Eighth);
    match promotion {
        None => !last,
        Some(role) => last && !matches!(role, Role::Pawn | Role::King),
    }
}
