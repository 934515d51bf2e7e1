//! The static evaluation, as a state that follows the search move by move.
//!
//! It is an efficiently updatable neural network (NNUE). Each search thread owns [`Accumulators`],
//! which are updated by every move and asked for values in between; the [`Network`], its weights, is
//! shared by all threads. Only a [bare king](bare_king) against mating material and [king and pawn
//! against king](king_and_pawn) are valued by rule, and an advantage with which one hardly
//! wins counts less (`drawish_material`).

#![forbid(unsafe_code)]

pub mod bare_king;
mod drawish_material;
pub mod king_and_pawn;
mod material;
pub mod network;
pub mod wdl;

pub(crate) use drawish_material::scale_drawish;
pub use network::{Accumulators, Network};

use shakmaty::{Chess, Position as _};

use crate::units::Score;

/// The value for the side to move where a rule knows it better than the network, which is then not
/// asked.
#[inline]
pub fn value_by_rule(chess: &Chess) -> Option<Score> {
    bare_king::value(chess).or_else(|| king_and_pawn::value(chess))
}

/// The static evaluation for the side to move, computed from scratch: what the search begins from,
/// before its corrections.
pub fn static_value(chess: &Chess, network: &Network) -> Score {
    let (board, turn) = (chess.board(), chess.turn());
    value_by_rule(chess).unwrap_or_else(|| scale_drawish(board, turn, network.value(board, turn)))
}
