//! A move in sixteen bits, for tables that hold millions of moves.
//!
//! Bits 0 to 5 are the origin, 6 to 11 the destination, 12 to 14 the promotion (0 for none).
//! Castling is king takes own rook. Captures and en passant are recognised from the board on which
//! the move is unpacked. Origin and destination differ, so the bits are never zero and
//! `Option<PackedMove>` takes sixteen bits too.

use std::num::NonZeroU16;

use shakmaty::{Chess, Move, Position as _, Role, Square};

/// A move in sixteen bits. It has a meaning only together with its position.
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

    /// Returns the bits for a table, zero for no move.
    pub fn to_bits(mv: Option<PackedMove>) -> u16 {
        mv.map_or(0, |packed| packed.0.get())
    }

    /// Reads the bits from [`PackedMove::to_bits`].
    pub fn from_bits(bits: u16) -> Option<PackedMove> {
        NonZeroU16::new(bits).map(PackedMove)
    }

    /// Returns the origin.
    pub fn from(self) -> Square {
        Square::new(u32::from(self.0.get() & 63))
    }

    /// Returns the destination; for castling, the square of the rook.
    pub fn to(self) -> Square {
        Square::new(u32::from(self.0.get() >> 6 & 63))
    }

    /// Returns the move in this position, not checked for legality. `None` if the origin is empty or
    /// the promotion is not a role.
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
