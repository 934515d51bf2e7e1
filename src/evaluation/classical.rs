//! The hand-written evaluation: material and piece squares carried along move by move, and a few
//! terms counted anew for each value.
//!
//! All of it is tapered between middlegame and endgame by the material on the board. What is
//! carried along is the sum over the pieces from White's side; mobility, king safety, passed pawns
//! and the bishop pair depend on the pieces' surroundings and are counted when a value is asked
//! for.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Chess, Color, Move, Piece, Position as _, Square};

use super::Evaluator;
use super::activity::Activity;
use super::network::Network;
use super::tapered::Tapered;
use super::{pawns, piece_square};
use crate::position::{Board, Change, each_change};
use crate::units::{MAX_PLY, Score};

/// Two bishops together: half a pawn in Larry Kaufman's "The Evaluation of Material Imbalances"
/// (1999), more when the board empties.
const BISHOP_PAIR: Tapered = Tapered::new(28, 70);

/// The right to move, in centipawns.
const TEMPO: i32 = 12;

/// Room for the greatest depth of a search and what it looks ahead beyond.
const CAPACITY: usize = MAX_PLY + 16;

/// The hand-written evaluation.
///
/// Holds as many pushes as a search can nest and panics beyond.
#[derive(Default)]
pub struct Classical {
    stack: ArrayVec<Accumulator, CAPACITY>,
}

impl Evaluator for Classical {
    const SIZE: usize = size_of::<Classical>();

    fn new(_: Arc<Network>) -> Classical {
        Classical::default()
    }

    fn refresh(&mut self, board: &Board) {
        self.stack.clear();
        self.stack.push(Accumulator::of(board.chess()));
    }

    fn push(&mut self, before: &Board, mv: Move) {
        let mut accumulator = self.top();
        accumulator.advance(before.chess().turn(), mv);
        self.stack.push(accumulator);
    }

    fn push_null(&mut self) {
        self.stack.push(self.top());
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn value(&mut self, board: &Board) -> Score {
        let Accumulator { sum, phase } = self.top();
        let chess = board.chess();
        let white = (sum + surroundings(chess.board())).blend(phase);
        let own = match chess.turn() {
            Color::White => white,
            Color::Black => -white,
        };
        (Score::new(own) + TEMPO).clamp_static()
    }

    fn value_from_scratch(&self, board: &Board) -> Score {
        let mut evaluation = Classical::default();
        evaluation.refresh(board);
        evaluation.value(board)
    }
}

impl Classical {
    fn top(&self) -> Accumulator {
        self.stack.last().copied().unwrap_or_default()
    }
}

/// The terms that are not carried along, from White's side.
fn surroundings(board: &shakmaty::Board) -> Tapered {
    side(board, Color::White) - side(board, Color::Black)
}

/// The same for one side's pieces, from their own side.
#[inline(always)]
fn side(board: &shakmaty::Board, color: Color) -> Tapered {
    let bishops = board.bishops() & board.by_color(color);
    let pair = BISHOP_PAIR * i32::from(bishops.more_than_one());
    let guarded = pawns::attacks(board, !color);
    Activity::of(board, color, guarded).value() + pawns::value(board, color) + pair
}

/// What is carried along: the piece-square sum from White's side and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Accumulator {
    sum: Tapered,
    phase: i32,
}

impl Accumulator {
    fn of(chess: &Chess) -> Accumulator {
        let mut accumulator = Accumulator::default();
        for (square, piece) in chess.board() {
            accumulator.add(piece, square);
        }
        accumulator
    }

    fn advance(&mut self, us: Color, mv: Move) {
        each_change(us, mv, |change| match change {
            Change::Removed(piece, square) => self.remove(piece, square),
            Change::Added(piece, square) => self.add(piece, square),
        });
    }

    fn add(&mut self, piece: Piece, square: Square) {
        self.sum += piece_square::value(piece, square);
        self.phase += piece_square::phase(piece.role);
    }

    fn remove(&mut self, piece: Piece, square: Square) {
        self.sum -= piece_square::value(piece, square);
        self.phase -= piece_square::phase(piece.role);
    }
}

#[cfg(test)]
mod tests;
