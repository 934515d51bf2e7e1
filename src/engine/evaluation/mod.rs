//! The static evaluation: an efficiently updatable neural network (NNUE).
//!
//! Each search thread owns [`Accumulators`], which every move updates. All threads share the
//! [`Network`], which has the weights. Two endings are evaluated by rule instead: a [bare
//! king](bare_king) against mating material, and [king and pawn against king](king_and_pawn). An
//! advantage in drawish material is scaled down (`drawish_material`).

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

/// Returns the value for the side to move if a rule applies; the network is then not used.
#[inline]
pub fn value_by_rule(chess: &Chess) -> Option<Score> {
    // Both rules are for at most one pawn. Nearly all positions have more.
    if chess.board().pawns().more_than_one() {
        return None;
    }
    bare_king::value(chess).or_else(|| king_and_pawn::value(chess))
}

/// Returns the static evaluation for the side to move, computed from scratch, before the corrections of
/// the search.
pub fn static_value(chess: &Chess, network: &Network) -> Score {
    let (board, turn) = (chess.board(), chess.turn());
    value_by_rule(chess).unwrap_or_else(|| scale_drawish(board, turn, network.value(board, turn)))
}
