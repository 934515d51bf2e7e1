//! The search stack: what the search stores for each ply on the current path.

use shakmaty::{Bitboard, Move};

use super::history::PieceTo;
use crate::engine::units::{MAX_PLY, Ply, Score};

/// Entries before the root, so that no look a few plies back needs a test for the root.
const PLIES_BEFORE_ROOT: usize = 4;

/// What is stored for one ply of the current path.
#[derive(Clone, Copy, Default)]
pub struct StackEntry {
    /// The static evaluation, corrected; `None` in check.
    pub static_evaluation: Option<Score>,
    /// The move being searched from here, as continuation history sees it.
    pub played: PieceTo,
    /// The same move; `None` for a null move and before the root.
    pub mv: Option<Move>,
    /// The squares that the opponent attacks; set before the first move is searched.
    pub threats: Bitboard,
    /// The move left out of a singular search.
    pub excluded: Option<Move>,
    /// Killer moves: quiet moves that refuted siblings of the node at this ply.
    pub killers: [Option<Move>; 2],
    /// Extensions by two plies on the path so far.
    pub double_extensions: u8,
}

/// An entry for each ply; those before the root stay empty.
pub struct SearchStack(Box<[StackEntry]>);

impl SearchStack {
    const ENTRIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 2;
    /// Its memory on the heap, in bytes.
    pub const SIZE: usize = SearchStack::ENTRIES * size_of::<StackEntry>();

    /// Empty entries for every ply.
    pub fn new() -> SearchStack {
        SearchStack(vec![StackEntry::default(); SearchStack::ENTRIES].into())
    }

    pub fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    /// The entry of a ply.
    pub fn at(&mut self, ply: Ply) -> &mut StackEntry {
        &mut self.0[ply.index() + PLIES_BEFORE_ROOT]
    }

    /// The entry `plies` plies before `ply`, at most four.
    pub fn before(&self, ply: Ply, plies: usize) -> &StackEntry {
        &self.0[ply.index() + PLIES_BEFORE_ROOT - plies]
    }
}
