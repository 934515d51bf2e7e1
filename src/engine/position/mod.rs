//! Positions for the search. shakmaty knows the rules of chess; here is what a search needs
//! besides.
//!
//! A [`Board`] is one position as a value. A [`Position`] is a board together with the boards that
//! led to it, in the game and in the search: the search pushes a move and pops it again, and finds
//! repetitions among the boards below. What an evaluation accumulates is not kept here.

#![forbid(unsafe_code)]

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

pub use board::Board;
pub(crate) use board::attacked_by;
pub(crate) use changes::{PieceChange, each_change};
pub use exchange::{is_tactical, tactical_gain};
pub use exchange::{see_ge, see_value};
pub use keys::{Key, Keys};
pub use packed::PackedMove;

use crate::units::{MAX_PLY, Ply};

/// The pieces that one side can have, its king and pawns included. With more, a position could have
/// more moves than a move list holds.
pub const MAX_PIECES_OF_A_SIDE: usize = 16;

/// A board and all boards that led to it.
#[derive(Clone, Debug)]
pub struct Position {
    /// In the order of play; the last is the current one.
    boards: Vec<Board>,
}

impl Position {
    /// A position without earlier moves.
    pub fn new(chess: Chess) -> Position {
        Position { boards: vec![Board::new(chess)] }
    }

    /// The current board.
    pub fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// The rules' view of the board.
    pub fn chess(&self) -> &Chess {
        self.board().chess()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.chess().turn()
    }

    /// Plays a legal move.
    pub fn push(&mut self, mv: Move) {
        self.push_with_keys(mv, self.board().keys_after(mv));
    }

    /// Plays a legal move whose keys are known from [`Board::keys_after`].
    pub(crate) fn push_with_keys(&mut self, mv: Move, keys: Keys) {
        self.boards.push(self.board().clone());
        let last = self.boards.len() - 1;
        self.boards[last].play_with_keys(mv, keys);
    }

    /// Makes a null move: the side to move passes. Returns `false`, and changes nothing, if the
    /// rules refuse it.
    pub fn push_null(&mut self) -> bool {
        let passed = self.board().after_null_move();
        let refused = passed.is_none();
        self.boards.extend(passed);
        !refused
    }

    /// Undoes the last move or null move.
    ///
    /// # Panics
    ///
    /// Panics if nothing was pushed.
    pub fn pop(&mut self) {
        assert!(self.boards.len() > 1, "a move was pushed");
        self.boards.truncate(self.boards.len() - 1);
    }

    /// The position for a search: with the boards that can be repeated, and memory for a whole search,
    /// so that pushing its moves never allocates.
    pub fn for_search(&self) -> Position {
        let recent = self.since_irreversible();
        let mut boards = Vec::with_capacity(recent.len() + MAX_PLY + 2);
        boards.extend_from_slice(recent);
        Position { boards }
    }

    /// The boards since the last irreversible move, which alone can be repeated.
    fn since_irreversible(&self) -> &[Board] {
        let last = self.boards.len() - 1;
        &self.boards[last - self.board().reversible_plies().min(last)..]
    }

    /// Whether the game is drawn by rule at a node `ply` plies from the root: by repetition, by
    /// fifty moves, or by insufficient material. Stalemate is not tested.
    pub fn is_drawn(&self, ply: Ply) -> bool {
        self.is_drawn_by_fifty_moves()
            || self.board().is_insufficient_material()
            || self.is_repetition(ply)
    }

    /// Whether a hundred plies have passed without a capture or a pawn move. Mate takes
    /// precedence over this draw.
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        let board = self.board();
        board.halfmoves() >= 100 && (!board.in_check() || !board.legal_moves().is_empty())
    }

    /// Whether the position with this key, reached by one more move, has stood on the board since
    /// the last irreversible move.
    pub fn has_occurred(&self, key: Key) -> bool {
        let reach = self.board().reversible_plies();
        let past = self.boards.iter().rev().skip(1).take(reach);
        past.skip(2).step_by(2).any(|board| board.key() == key)
    }

    /// Whether some move leads, at a node `ply` plies from the root, to a repetition in the sense
    /// of [`Position::is_repetition`].
    pub fn can_repeat(&self, ply: Ply) -> bool {
        let last = self.boards.len() - 1;
        let reach = self.board().reversible_plies().min(last);
        (3..=reach).step_by(2).any(|distance| {
            let index = last - distance;
            let earlier = &self.boards[index];
            let had_occurred_before = || {
                let reach = earlier.reversible_plies().min(index);
                self.boards[index - reach..index].iter().any(|it| it.key() == earlier.key())
            };
            self.board().reaches_by_reversible_move(earlier)
                && (distance < ply.index() || had_occurred_before())
        })
    }

    /// Whether any position has occurred twice since the last irreversible move.
    pub fn has_repetition(&self) -> bool {
        let recent = self.since_irreversible();
        let has_occurred = |(index, board): (usize, &Board)| {
            recent[..index].iter().any(|earlier| earlier.key() == board.key())
        };
        recent.iter().enumerate().any(has_occurred)
    }

    /// Whether this position counts as a draw by repetition: it has occurred twice anywhere in the
    /// game, or once after the root of the search, since what was repeated once can be repeated
    /// again.
    pub fn is_repetition(&self, ply: Ply) -> bool {
        let key = self.board().key();
        let last = self.boards.len() - 1;
        let reach = self.board().reversible_plies().min(last);
        let mut occurrences = 0;
        // Either side needs two moves to come back, so the first repetition is four plies away.
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
    /// The initial position of standard chess.
    fn default() -> Position {
        Position::new(Chess::default())
    }
}
