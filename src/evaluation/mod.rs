//! The static evaluation, as a state that follows the search move by move.
//!
//! Each search thread owns one [`Evaluator`]. What it accumulates (piece-square sums today, the
//! first layer of a network tomorrow) lives in it and not in the copied board, so that one
//! evaluation can take another's place without the search noticing. The choice is made here, by
//! the alias [`Evaluation`], and calls are dispatched statically.

#![forbid(unsafe_code)]

mod activity;
pub mod chances;
mod classical;
pub mod network;
mod pawns;
mod piece_square;
mod tapered;

use std::sync::Arc;

use shakmaty::Move;

use network::Network;

use crate::position::Board;
use crate::units::Score;

/// The evaluation that the engine plays with.
pub type Evaluation = classical::Classical;

/// An evaluation that is told of every move and asked for values in between.
///
/// After [`refresh`](Evaluator::refresh), pushes and pops are nested like the search's own; a
/// value asked for must not depend on the way by which a board was reached.
pub trait Evaluator {
    /// The memory that one takes beside the network, in bytes.
    const SIZE: usize;

    /// One that evaluates with this network, if with any; to be refreshed before use.
    fn new(network: Arc<Network>) -> Self;

    /// Forgets everything and starts from this board.
    fn refresh(&mut self, board: &Board);

    /// The legal move `mv` is about to be played on `before`.
    fn push(&mut self, before: &Board, mv: Move);

    /// A null move is played.
    fn push_null(&mut self);

    /// The last move or null move is taken back.
    fn pop(&mut self);

    /// The value of `board`, which is the one reached by the pushes since the last refresh, in
    /// centipawns for the side to move, within ±[`Score::MAX_STATIC`].
    fn value(&mut self, board: &Board) -> Score;

    /// The same value with nothing carried along, of any board.
    fn value_from_scratch(&self, board: &Board) -> Score;
}
