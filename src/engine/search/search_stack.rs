//! The search stack: what the search remembers of each ply on the current path.

use shakmaty::{Bitboard, Move};

use super::history::PieceTo;
use crate::engine::units::{MAX_PLY, Ply, Score};

/// Entries before the root, so that a look a few plies back needs no test.
const PLIES_BEFORE_ROOT: usize = 4;

/// What one ply of the current path remembers.
#[derive(Clone, Copy, Default)]
pub struct StackEntry {
    /// The static evaluation, corrected; `None` in check.
    pub static_evaluation: Option<Score>,
    /// The move being searched from here, as continuation history sees it.
    pub played: PieceTo,
    /// The same move; `None` if it is a null move, and before the root.
    pub mv: Option<Move>,
    /// The squares that the other side attacks; known once moves are tried.
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
    /// The memory that it takes beyond its own, in bytes.
    pub const SIZE: usize = SearchStack::ENTRIES * size_of::<StackEntry>();

    /// Empty entries for every ply.
    pub fn new() -> SearchStack {
        SearchStack(vec![StackEntry::default(); SearchStack::ENTRIES].into())
    }

    /// Empties all entries.
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
