//! A move in sixteen bits, for tables that hold millions of them.
//!
//! Bits 0 to 5 are the origin, 6 to 11 the destination, 12 to 14 the promotion (0 for none).
//! Castling is king takes own rook. What was captured and whether it was en passant is read off
//! the board that the move is unpacked on. No move stays on its square, so the number is never
//! zero and `Option<PackedMove>` is sixteen bits too.

use std::num::NonZeroU16;

use shakmaty::{Chess, Move, Position as _, Role, Square};

/// A move in sixteen bits; meaningful together with the position that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// Packs a move of standard chess or Chess960.
    ///
    /// # Panics
    ///
    /// Panics on a drop, which chess does not have.
    pub fn new(mv: Move) -> PackedMove {
        let from = mv.from().expect("chess has no drops").to_u32() as u16;
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        let bits = from | (mv.to().to_u32() as u16) << 6 | promotion << 12;
        PackedMove(NonZeroU16::new(bits).expect("a move leaves its square"))
    }

    /// The bits as stored in a table, zero for no move.
    pub fn to_bits(mv: Option<PackedMove>) -> u16 {
        mv.map_or(0, |packed| packed.0.get())
    }

    /// Reads what [`PackedMove::to_bits`] wrote.
    pub fn from_bits(bits: u16) -> Option<PackedMove> {
        NonZeroU16::new(bits).map(PackedMove)
    }

    /// The square that the move leaves.
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0.get() & 63))
    }

    /// The square that the move goes to; the rook's square for castling.
    pub fn to(self) -> Square {
        Square::new(u32::from(self.0.get() >> 6 & 63))
    }

    /// The move with the pieces that this position has on its squares, not checked for legality.
    /// `None` if no piece stands on its origin or there is no such promotion.
    pub fn unpack(self, chess: &Chess) -> Option<Move> {
        let (from, to) = (self.from(), self.to());
        let board = chess.board();
        let role = board.role_at(from)?;
        let promotion = match self.0.get() >> 12 {
            0 => None,
            number => Some(Role::try_from(u32::from(number)).ok()?),
        };
        let capture = board.role_at(to);
        if role == Role::King && capture == Some(Role::Rook) && chess.us().contains(to) {
            return Some(Move::Castle { king: from, rook: to });
        }
        if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            return Some(Move::EnPassant { from, to });
        }
        Some(Move::Normal { role, from, capture, to, promotion })
    }
}
