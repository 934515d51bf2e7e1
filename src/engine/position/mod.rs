//! Positions for the search. shakmaty has the rules of chess; this module adds what a search needs.
//!
//! A [`Board`] is one position as a value. A [`Position`] is a board together with the boards that
//! led to it, in the game and in the search. The search pushes and pops moves, and finds repetitions
//! among the earlier boards. The state of the evaluation is kept elsewhere, in
//! [`Accumulators`](crate::evaluation::Accumulators).

#![forbid(unsafe_code)]

mod attacks;
mod board;
mod captures;
mod changes;
pub mod chess960;
pub mod epd;
mod exchange;
mod keys;
mod legality;
pub mod notation;
mod packed;
pub mod san;

use shakmaty::{Chess, Color, Move, Position as _};

pub use attacks::Attacks;
pub(crate) use attacks::attacked_by;
pub use board::Board;
pub(crate) use changes::{PieceChange, each_change};
pub use exchange::{is_tactical, tactical_gain};
pub use exchange::{see_ge, see_value};
pub use keys::{Key, Keys};
pub use packed::PackedMove;

use crate::units::{MAX_PLY, Ply};

/// Most pieces that one side may have, including king and pawns. With more pieces a position could have
/// more legal moves than a move list holds.
pub const MAX_PIECES_OF_A_SIDE: usize = 16;

/// A board and all boards that led to it.
#[derive(Clone, Debug)]
pub struct Position {
    /// In the order of play; the last board is the current one.
    boards: Vec<Board>,
}

impl Position {
    /// Creates a position without earlier moves.
    pub fn new(chess: Chess) -> Position {
        Position { boards: vec![Board::new(chess)] }
    }

    /// Returns the current board.
    pub fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// Returns the board as shakmaty's type.
    pub fn chess(&self) -> &Chess {
        self.board().chess()
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.chess().turn()
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move) {
        self.push_with_keys(mv, self.board().keys_after(mv));
    }

    /// Plays a legal move; `keys` is the result of [`Board::keys_after`] for it.
    pub(crate) fn push_with_keys(&mut self, mv: Move, keys: Keys) {
        self.boards.push(self.board().clone());
        let last = self.boards.len() - 1;
        self.boards[last].play_with_keys(mv, keys);
    }

    /// Plays a null move: the side to move passes. Returns `false` and changes nothing if
    /// [`Board::after_null_move`] refuses it.
    pub fn push_null(&mut self) -> bool {
        let after = self.board().after_null_move();
        let is_legal = after.is_some();
        self.boards.extend(after);
        is_legal
    }

    /// Undoes the last move or null move.
    ///
    /// # Panics
    ///
    /// Panics if nothing was pushed.
    pub fn pop(&mut self) {
        assert!(self.boards.len() > 1, "no move was pushed");
        self.boards.truncate(self.boards.len() - 1);
    }

    /// Returns a copy for a search. It keeps only the boards that can be repeated, and has memory for
    /// [`MAX_PLY`] pushes, so that the search never allocates.
    pub fn for_search(&self) -> Position {
        let recent = self.since_irreversible();
        let mut boards = Vec::with_capacity(recent.len() + MAX_PLY + 2);
        boards.extend_from_slice(recent);
        Position { boards }
    }

    /// Returns the boards since the last irreversible move. Only these can be repeated.
    fn since_irreversible(&self) -> &[Board] {
        let last = self.boards.len() - 1;
        &self.boards[last - self.board().reversible_plies().min(last)..]
    }

    /// Returns true if the game is drawn by repetition, by the fifty-move rule or by insufficient
    /// material, at a node `ply` plies from the root. Stalemate is not tested.
    pub fn is_drawn(&self, ply: Ply) -> bool {
        self.is_drawn_by_fifty_moves()
            || self.board().is_insufficient_material()
            || self.is_repetition(ply)
    }

    /// Returns true if a hundred plies have passed without a capture or a pawn move, and the position is
    /// not mate, which takes precedence.
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        let board = self.board();
        board.halfmoves() >= 100 && (!board.in_check() || !board.legal_moves().is_empty())
    }

    /// Returns true if the position with this key, which one more move would reach, has occurred since
    /// the last irreversible move.
    pub fn has_occurred(&self, key: Key) -> bool {
        let reach = self.board().reversible_plies();
        let past = self.boards.iter().rev().skip(1).take(reach);
        // The position with this key can have occurred 4, 6, … plies before it, which is 3, 5, … boards
        // before the last one.
        past.skip(2).step_by(2).any(|board| board.key() == key)
    }

    /// Returns true if some move leads to a repetition in the sense of [`Position::is_repetition`], at a
    /// node `ply` plies from the root.
    pub fn can_repeat(&self, ply: Ply) -> bool {
        let last = self.boards.len() - 1;
        let reach = self.board().reversible_plies().min(last);
        (3..=reach).step_by(2).any(|distance| {
            let index = last - distance;
            let earlier = &self.boards[index];
            let had_occurred_before = || {
                let reach = earlier.reversible_plies().min(index);
                self.boards[index - reach..index].iter().any(|board| board.key() == earlier.key())
            };
            self.board().reaches_by_reversible_move(earlier)
                && (distance < ply.index() || had_occurred_before())
        })
    }

    /// Returns true if any position has occurred twice since the last irreversible move.
    pub(crate) fn has_repetition(&self) -> bool {
        let recent = self.since_irreversible();
        let has_occurred = |(index, board): (usize, &Board)| {
            recent[..index].iter().any(|earlier| earlier.key() == board.key())
        };
        recent.iter().enumerate().any(has_occurred)
    }

    /// Returns true if this position counts as a draw by repetition, at a node `ply` plies from the root:
    /// it has occurred twice before, or once after the root of the search, since a position that was
    /// repeated once can be repeated again.
    pub fn is_repetition(&self, ply: Ply) -> bool {
        let key = self.board().key();
        let last = self.boards.len() - 1;
        let reach = self.board().reversible_plies().min(last);
        let mut occurrences = 0;
        // Each side needs two moves to return, so the nearest repetition is four plies back.
        for distance in (4..=reach).step_by(2) {
            if self.boards[last - distance].key() == key {
                occurrences += 1;
                if distance < ply.index() || occurrences == 2 {
                    return true;
                }
            }
        }
        false
    }
}

impl Default for Position {
    /// Returns the initial position of standard chess.
    fn default() -> Position {
        Position::new(Chess::default())
    }
}
