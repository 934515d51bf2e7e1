//! The triangular table of principal variations (PV): for each ply the best line from there on.

use arrayvec::ArrayVec;
use shakmaty::Move;

use crate::engine::units::{MAX_PLY, Ply};

/// A line of play: move after move from one position.
pub type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The best lines of the nodes on the current path.
pub struct PvTable(Box<[Variation]>);

impl PvTable {
    const LINES: usize = MAX_PLY + 2;
    /// Its memory on the heap, in bytes.
    pub const SIZE: usize = PvTable::LINES * size_of::<Variation>();

    /// No lines yet, with room for every ply.
    pub fn new() -> PvTable {
        PvTable(vec![Variation::new(); PvTable::LINES].into())
    }

    /// The line from a ply on.
    pub fn at(&self, ply: Ply) -> &Variation {
        &self.0[ply.index()]
    }

    /// Clears the line of a ply: a node is entered.
    pub fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// Sets the best line at `ply` to `mv` followed by the child's best line.
    pub fn extend(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply.index() + 1);
        let (variation, child) = (&mut upper[ply.index()], &lower[0]);
        variation.clear();
        variation.push(mv);
        let room = variation.remaining_capacity();
        variation.extend(child.iter().copied().take(room));
    }
}
