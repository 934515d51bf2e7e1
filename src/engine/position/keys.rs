//! Zobrist keys, kept up to date move by move.
//!
//! A key is the exclusive or of a random number for each feature of a position (Zobrist 1970).
//! The random numbers are shakmaty's, so the full key equals `Chess::zobrist_hash` with legal en
//! passant, which tests check at every node of a perft. Four partial keys cover the pawns, the
//! minor pieces with the kings, and each side's pieces other than pawns: they index the search's
//! correction history.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position as _,
    Role, Square,
};

use super::changes::{PieceChange, each_change};

/// A Zobrist key: equal positions have equal keys, different ones almost never.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Key(pub u64);

impl Key {
    fn toggle(&mut self, feature: Zobrist64) {
        self.0 ^= feature.0;
    }
}

/// The keys of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The whole position: pieces, side to move, castling rights, and the en passant file if a
    /// legal en passant capture exists.
    pub full: Key,
    /// Pawns of both sides.
    pub pawn: Key,
    /// Knights, bishops and kings of both sides.
    pub minor: Key,
    /// Everything but pawns, by side.
    pub non_pawn: ByColor<Key>,
}

impl Keys {
    /// Computes the keys of a position without those of an earlier one.
    pub fn from_scratch(chess: &Chess) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in chess.board() {
            keys.toggle_piece(square, piece);
        }
        keys.full = Key(chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        keys
    }

    /// Updates the keys for the legal move `mv` about to be played on `chess`, all but the en
    /// passant file: whether the new position has a legal en passant capture is known only once
    /// the move is played.
    pub(crate) fn advance(&mut self, chess: &Chess, mv: Move) {
        let us = chess.turn();
        self.full.toggle(Zobrist64::zobrist_for_white_turn());
        each_change(us, mv, |change| match change {
            PieceChange::Removed(piece, square) | PieceChange::Added(piece, square) => {
                self.toggle_piece(square, piece);
            }
        });
        self.lose_castling_rights(chess, mv);
    }

    /// Switches the en passant file in the full key on or off.
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.full.toggle(Zobrist64::zobrist_for_en_passant_file(file));
    }

    /// Switches the side to move, as a null move does.
    pub(crate) fn toggle_turn(&mut self) {
        self.full.toggle(Zobrist64::zobrist_for_white_turn());
    }

    fn toggle_piece(&mut self, square: Square, piece: Piece) {
        let feature = Zobrist64::zobrist_for_piece(square, piece);
        self.full.toggle(feature);
        match piece.role {
            Role::Pawn => self.pawn.toggle(feature),
            role => {
                self.non_pawn.get_mut(piece.color).toggle(feature);
                if matches!(role, Role::Knight | Role::Bishop | Role::King) {
                    self.minor.toggle(feature);
                }
            }
        }
    }

    fn lose_castling_rights(&mut self, chess: &Chess, mv: Move) {
        let castles = chess.castles();
        if castles.is_empty() {
            return;
        }
        let us = chess.turn();
        let mut lost = Bitboard::from_square(mv.to());
        if mv.role() == Role::King {
            lost |= us.backrank();
        } else if let Some(from) = mv.from() {
            lost.add(from);
        }
        lost &= castles.castling_rights();
        if lost.is_empty() {
            return;
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if castles.rook(color, side).is_some_and(|rook| lost.contains(rook)) {
                    self.full.toggle(Zobrist64::zobrist_for_castling_right(color, side));
                }
            }
        }
    }
}
