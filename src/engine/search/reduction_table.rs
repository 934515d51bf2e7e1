//! The base amounts of late move reductions, computed once for each search.

use super::parameters;
use crate::units::Depth;

/// Base reductions by depth and move count, in 1024ths of a ply: the product of logarithms that
/// grew out of Fruit's and Stockfish's experiments.
pub(super) struct ReductionTable([[i32; SIZE]; SIZE]);

/// A ply in the table's unit.
pub(super) const ONE_PLY: i32 = 1024;
/// Depths and move counts from 0; greater ones count as the last.
const SIZE: usize = 64;

impl ReductionTable {
    /// Fills the table from the parameters.
    pub(super) fn new() -> ReductionTable {
        let logarithms: [f64; SIZE] = std::array::from_fn(|n| (n.max(1) as f64).ln());
        let base = parameters::late_move_reduction_base();
        let scale = f64::from(parameters::late_move_reduction_scale());
        ReductionTable(std::array::from_fn(|depth| {
            std::array::from_fn(|move_count| {
                base + (logarithms[depth] * logarithms[move_count] * scale) as i32
            })
        }))
    }

    /// The reduction of the move with this number at this depth, in 1024ths of a ply.
    pub(super) fn get(&self, depth: Depth, move_count: usize) -> i32 {
        self.0[(depth.plies().max(0) as usize).min(SIZE - 1)][move_count.min(SIZE - 1)]
    }
}
