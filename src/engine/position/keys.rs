//! Zobrist keys, updated incrementally by each move.
//!
//! A key is the exclusive or of one random number for each feature of a position (Zobrist 1970).
//! The random numbers are shakmaty's, so the full key equals `Chess::zobrist_hash` with legal en
//! passant; tests check this at every node of a perft. Four partial keys cover the pawns, the minor
//! pieces with the kings, and each side's pieces other than pawns. They index the correction history
//! of the search.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position as _,
    Role, Square,
};

use super::changes::{PieceChange, each_change};

/// A Zobrist key. Equal positions have equal keys; different positions almost never do.
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
    /// Key of the whole position: pieces, side to move, castling rights, and the en passant file if an
    /// en passant capture is legal.
    pub full: Key,
    /// Key of the pawns of both sides.
    pub pawn: Key,
    /// Key of the knights, bishops and kings of both sides.
    pub minor: Key,
    /// Keys of each side's pieces other than pawns.
    pub non_pawn: ByColor<Key>,
}

impl Keys {
    /// Computes the keys of a position from scratch.
    pub fn from_scratch(chess: &Chess) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in chess.board() {
            keys.toggle_piece(square, piece);
        }
        keys.full = Key(chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        keys
    }

    /// Updates the keys for the legal move `mv` before it is played on `chess`. The en passant file is
    /// left out: the legality of an en passant capture is known only after the move is played.
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

    /// Adds or removes the en passant file in the full key.
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.full.toggle(Zobrist64::zobrist_for_en_passant_file(file));
    }

    /// Changes the side to move, for a null move.
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
