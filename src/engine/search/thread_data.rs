//! The memory of a search thread. It is kept from one search to the next, so that a search
//! allocates nothing: the histories, the evaluation, the search stack and the table of principal
//! variations.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::history::{Histories, PieceTo};
use super::static_evaluation::CorrectionHistory;
use crate::evaluation::{Accumulators, Network};
use crate::position::Attacks;
use crate::units::{MAX_PLY, Ply, Score};

/// The data of one search thread.
pub(super) struct ThreadData {
    pub histories: Box<Histories>,
    pub correction_history: Box<CorrectionHistory>,
    /// The evaluation, which is updated move by move.
    pub evaluation: Accumulators,
    pub stack: SearchStack,
    /// The best lines of the nodes on the current path.
    pub pv_table: PvTable,
}

impl ThreadData {
    /// Its memory, in bytes.
    pub(super) const SIZE: usize = size_of::<ThreadData>()
        + size_of::<Histories>()
        + size_of::<CorrectionHistory>()
        + Accumulators::SIZE
        + SearchStack::SIZE
        + PvTable::SIZE;

    /// The data of a new thread that evaluates with this network.
    pub(super) fn new(network: Arc<Network>) -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            correction_history: CorrectionHistory::new(),
            evaluation: Accumulators::new(network),
            stack: SearchStack::new(),
            pv_table: PvTable::new(),
        }
    }

    /// Clears what depends on earlier searches of the game.
    pub(super) fn clear(&mut self) {
        self.histories = Histories::new();
        self.correction_history = CorrectionHistory::new();
    }
}

/// Entries before the root, so that no look a few plies back needs a test for the root.
const PLIES_BEFORE_ROOT: usize = 6;

/// What is stored for one ply of the current path.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The static evaluation, corrected; `None` in check.
    pub static_evaluation: Option<Score>,
    /// The move being searched from here, as continuation history sees it.
    pub played: PieceTo,
    /// The same move; `None` for a null move and before the root.
    pub mv: Option<Move>,
    /// Whether it is the first of its node.
    pub is_first_move: bool,
    /// The squares that the opponent attacks; set before the first move is searched.
    pub threats: Attacks,
    /// The index of the pawn structure in pawn history; set with the threats.
    pub pawn_structure: u16,
    /// The move left out of a singular search.
    pub excluded: Option<Move>,
    /// Killer moves: quiet moves that refuted siblings of the node at this ply.
    pub killers: [Option<Move>; 2],
    /// How many nodes at this ply failed high under the same grandparent.
    pub cutoffs: u8,
    /// Extensions by more than one ply on the path so far.
    pub double_extensions: u8,
}

/// An entry for each ply; those before the root stay empty.
pub(super) struct SearchStack(Box<[StackEntry]>);

impl SearchStack {
    const ENTRIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 2;
    /// Its memory on the heap, in bytes.
    pub(super) const SIZE: usize = SearchStack::ENTRIES * size_of::<StackEntry>();

    /// Empty entries for every ply.
    pub(super) fn new() -> SearchStack {
        SearchStack(vec![StackEntry::default(); SearchStack::ENTRIES].into())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    /// The entry of a ply.
    pub(super) fn at(&mut self, ply: Ply) -> &mut StackEntry {
        &mut self.0[ply.index() + PLIES_BEFORE_ROOT]
    }

    /// The entry `plies` plies before `ply`, at most six.
    pub(super) fn before(&self, ply: Ply, plies: usize) -> &StackEntry {
        &self.0[ply.index() + PLIES_BEFORE_ROOT - plies]
    }
}

/// A line of play: move after move from one position.
pub(super) type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The best lines of the nodes on the current path.
pub(super) struct PvTable(Box<[Variation]>);

impl PvTable {
    const LINES: usize = MAX_PLY + 2;
    /// Its memory on the heap, in bytes.
    pub(super) const SIZE: usize = PvTable::LINES * size_of::<Variation>();

    /// No lines yet, with room for every ply.
    pub(super) fn new() -> PvTable {
        PvTable(vec![Variation::new(); PvTable::LINES].into())
    }

    /// The line from a ply on.
    pub(super) fn at(&self, ply: Ply) -> &Variation {
        &self.0[ply.index()]
    }

    /// Clears the line of a ply: a node is entered.
    pub(super) fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// Sets the best line at `ply` to `mv` followed by the child's best line.
    pub(super) fn extend(&mut self, ply: Ply, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply.index() + 1);
        let (variation, child) = (&mut upper[ply.index()], &lower[0]);
        variation.clear();
        variation.push(mv);
        let room = variation.remaining_capacity();
        variation.extend(child.iter().copied().take(room));
    }
}
