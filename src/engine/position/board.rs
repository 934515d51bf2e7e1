//! One position of the search: shakmaty's `Chess` with its keys and the checking pieces.
//!
//! A board is a plain value. The search copies it to play a move (copy-make), which is cheaper on
//! modern machines than undoing a move.

use shakmaty::attacks;
use shakmaty::{Bitboard, ByRole, Chess, File, Move, MoveList, Position as _, Role};

use super::attacks::Attacks;
use super::keys::{Key, Keys};

/// A chess position as the search sees it.
#[derive(Clone, Debug)]
pub struct Board {
    chess: Chess,
    keys: Keys,
    checkers: Bitboard,
    en_passant: Option<File>,
    reversible: u16,
    halfmoves: u16,
}

impl Board {
    /// Creates a board and computes its keys from scratch.
    pub fn new(chess: Chess) -> Board {
        Board {
            keys: Keys::from_scratch(&chess),
            checkers: chess.checkers(),
            en_passant: chess.legal_ep_square().map(|square| square.file()),
            reversible: halfmoves(&chess),
            halfmoves: halfmoves(&chess),
            chess,
        }
    }

    /// Returns the position as shakmaty's type.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Returns the keys of the position.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns the key of the whole position.
    pub fn key(&self) -> Key {
        self.keys.full
    }

    /// Returns the pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns true if the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the plies since the last capture or pawn move. A null move does not count.
    pub fn halfmoves(&self) -> u32 {
        u32::from(self.halfmoves)
    }

    /// Returns the plies since the last irreversible move: a capture, a pawn move or a null move. No
    /// position before it can occur again.
    pub fn reversible_plies(&self) -> usize {
        usize::from(self.reversible)
    }

    /// Generates all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        self.chess.legal_moves()
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// May panic or produce a wrong position if the move is not legal here.
    pub fn play(&mut self, mv: Move) {
        self.play_with_keys(mv, self.keys_after(mv));
    }

    /// Returns the board after a legal move.
    ///
    /// # Panics
    ///
    /// May panic or return a wrong board if the move is not legal here.
    pub fn after_move(&self, mv: Move) -> Board {
        let mut after = self.clone();
        after.play(mv);
        after
    }

    /// Plays a legal move; `keys` is the result of [`Board::keys_after`] for it.
    pub(crate) fn play_with_keys(&mut self, mv: Move, keys: Keys) {
        self.keys = keys;
        self.chess.play_unchecked(mv);
        self.checkers = self.chess.checkers();
        self.en_passant = self.chess.legal_ep_square().map(|square| square.file());
        if let Some(file) = self.en_passant {
            self.keys.toggle_en_passant(file);
        }
        let zeroing = mv.is_zeroing();
        self.reversible = if zeroing { 0 } else { self.reversible.saturating_add(1) };
        self.halfmoves = if zeroing { 0 } else { self.halfmoves.saturating_add(1) };
        debug_assert_eq!(self.keys, Keys::from_scratch(&self.chess), "after {mv}");
    }

    /// Returns the keys after the legal move `mv`, without the en passant file that it may add.
    pub(crate) fn keys_after(&self, mv: Move) -> Keys {
        let mut keys = self.keys;
        keys.advance(&self.chess, mv);
        if let Some(file) = self.en_passant {
            keys.toggle_en_passant(file);
        }
        keys
    }

    /// Returns the key after the legal move `mv`. The board does not change.
    pub fn key_after(&self, mv: Move) -> Key {
        // The en passant file is in the key only if the capture is legal, and that is known only
        // after the move.
        if self.may_allow_en_passant(mv) {
            return self.after_move(mv).key();
        }
        self.keys_after(mv).full
    }

    /// Returns true if the legal move `mv` gives check. The board does not change.
    pub fn gives_check(&self, mv: Move) -> bool {
        let Move::Normal { role, from, to, promotion, .. } = mv else {
            return self.after_move(mv).in_check();
        };
        let (board, us) = (self.chess.board(), self.chess.turn());
        let Some(king) = board.king_of(!us) else {
            return false;
        };
        let occupied = board.occupied().without(from).with(to);
        let piece = promotion.unwrap_or(role).of(us);
        if attacks::attacks(to, piece, occupied).contains(king) {
            return true;
        }
        // A discovered check needs our slider on the line through the king and the origin.
        let sliders = (board.sliders() & board.by_color(us)).without(from);
        attacks::ray(king, from).any()
            && (attacks::ray(king, from) & sliders).any()
            && (board.attacks_to(king, us, occupied) & sliders).any()
    }

    /// Returns true if the king of the side to move, which must not be in check, has no square to move
    /// to.
    pub fn king_is_boxed_in(&self) -> bool {
        let (board, us) = (self.chess.board(), self.chess.turn());
        let Some(king) = board.king_of(us) else {
            return false;
        };
        let mut squares = (attacks::king_attacks(king) & !board.by_color(us)).into_iter();
        // The king is not in check, so no slider attacks a square through it.
        squares.all(|square| board.attacks_to(square, !us, board.occupied()).any())
    }

    /// Returns the squares that the opponent of the side to move attacks.
    pub fn threats(&self) -> Attacks {
        Attacks::new(self.chess.board(), !self.chess.turn())
    }

    /// Returns true if one reversible move (no capture, pawn move or castling) leads from here to
    /// `other`, in which the opponent is to move.
    pub(crate) fn reaches_by_reversible_move(&self, other: &Board) -> bool {
        let us = self.chess.turn();
        let (here, there) = (&self.keys, &other.keys);
        // Most pairs of boards differ in something that one such move of ours cannot change.
        if here.pawn != there.pawn
            || here.non_pawn.get(!us) != there.non_pawn.get(!us)
            || self.en_passant.is_some()
            || other.en_passant.is_some()
        {
            return false;
        }
        let (here, there) = (self.chess.board(), other.chess.board());
        let (from, to) = (
            (here.by_color(us) & !there.by_color(us)).single_square(),
            (there.by_color(us) & !here.by_color(us)).single_square(),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return false;
        };
        here.piece_at(from).is_some_and(|piece| {
            // The keys differ if other pieces of ours have exchanged their squares, or in castling rights.
            let (role, capture, promotion) = (piece.role, None, None);
            there.piece_at(to) == Some(piece)
                && attacks::attacks(from, piece, here.occupied()).contains(to)
                && self.keys_after(Move::Normal { role, from, capture, to, promotion }).full
                    == other.key()
        })
    }

    /// Returns, for each role, the squares from which a piece of the side to move would give direct check.
    pub(crate) fn checking_squares(&self) -> ByRole<Bitboard> {
        let board = self.chess.board();
        let Some(king) = board.king_of(!self.chess.turn()) else {
            return ByRole::default();
        };
        let bishop = attacks::bishop_attacks(king, board.occupied());
        let rook = attacks::rook_attacks(king, board.occupied());
        ByRole {
            pawn: attacks::pawn_attacks(!self.chess.turn(), king),
            knight: attacks::knight_attacks(king),
            bishop,
            rook,
            queen: bishop | rook,
            king: Bitboard::EMPTY,
        }
    }

    /// Returns the board after a null move. `None` in check, where a null move would leave the king
    /// to be captured.
    pub fn after_null_move(&self) -> Option<Board> {
        if self.in_check() {
            return None;
        }
        let king = self.chess.board().king_of(self.chess.turn())?;
        let mut chess = self.chess.clone();
        // shakmaty's `swap_turn` validates the whole position, which is slow. A knight that is
        // promoted to a king on the king's square changes nothing but the side to move.
        chess.play_unchecked(Move::Normal {
            role: Role::Knight,
            from: king,
            capture: None,
            to: king,
            promotion: Some(Role::King),
        });
        let mut keys = self.keys;
        keys.toggle_turn();
        if let Some(file) = self.en_passant {
            keys.toggle_en_passant(file);
        }
        debug_assert_eq!(keys, Keys::from_scratch(&chess), "after a null move");
        debug_assert!(chess.checkers().is_empty() && chess.board() == self.chess.board());
        Some(Board {
            chess,
            keys,
            checkers: Bitboard::EMPTY,
            en_passant: None,
            reversible: 0,
            halfmoves: self.halfmoves,
        })
    }

    /// Returns true if neither side can mate by any series of moves.
    pub fn is_insufficient_material(&self) -> bool {
        let board = self.chess.board();
        let mating = board.pawns() | board.rooks_and_queens();
        mating.is_empty() && self.chess.is_insufficient_material()
    }

    /// Returns true if the side to move has a piece other than king and pawns. Without such a piece
    /// zugzwang is common, and a null move proves nothing.
    pub fn has_non_pawn_material(&self) -> bool {
        let board = self.chess.board();
        (self.chess.us() & !(board.pawns() | board.kings())).any()
    }

    /// Returns true if the move is a double step next to an enemy pawn.
    fn may_allow_en_passant(&self, mv: Move) -> bool {
        let Move::Normal { role: Role::Pawn, from, to, .. } = mv else {
            return false;
        };
        if from.rank().distance(to.rank()) != 2 {
            return false;
        }
        let neighbours = attacks::king_attacks(to) & to.rank();
        (neighbours & self.chess.their(Role::Pawn)).any()
    }
}

fn halfmoves(chess: &Chess) -> u16 {
    u16::try_from(chess.halfmoves()).unwrap_or(u16::MAX)
}
