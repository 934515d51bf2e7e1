//! Whether one move is legal, cheaper than by generating the others: the transposition table hands
//! out a move at nearly every node, and the quiescence search plays captures that only follow the
//! pieces' way of moving.
//!
//! Castling and en passant are rare and full of conditions, so they are left to shakmaty.

use shakmaty::attacks;
use shakmaty::{Bitboard, Move, Position as _, Rank, Role, Square};

use super::board::Board;
use super::packed::PackedMove;

impl Board {
    /// The legal move behind `packed`, if there is one in this position.
    ///
    /// Whatever bits a damaged or colliding table entry yields, what comes back may be played.
    pub fn legal_move(&self, packed: PackedMove) -> Option<Move> {
        packed.unpack(self.chess()).filter(|&mv| self.follows_the_rules(mv) && self.is_legal(mv))
    }

    /// Whether a move that the pieces' way of moving allows is legal: it must not leave the own
    /// king in check.
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

    /// Whether pieces move like that here, the king's safety left aside. Castling and en passant
    /// are taken for granted.
    fn follows_the_rules(&self, mv: Move) -> bool {
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

    /// Where a pawn may go, en passant aside.
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
