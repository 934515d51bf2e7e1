//! The memory of a search thread: the histories, the evaluation, the search stack and the table of
//! principal variations. It is kept from one search to the next, so that a search allocates
//! nothing.

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Move};

use super::history::{Histories, PieceTo, PreviousMoves};
use super::static_evaluation::CorrectionHistory;
use crate::evaluation::{Accumulators, Network};
use crate::units::{MAX_PLY, Ply, Score};

/// The data of one search thread.
pub(super) struct ThreadData {
    pub histories: Box<Histories>,
    pub correction_history: Box<CorrectionHistory>,
    /// The evaluation, updated move by move.
    pub evaluation: Accumulators,
    pub stack: SearchStack,
    /// Best lines of the nodes on the current path.
    pub pv_table: PvTable,
}

impl ThreadData {
    /// Memory of one thread, in bytes.
    pub(super) const SIZE: usize = size_of::<ThreadData>()
        + size_of::<Histories>()
        + size_of::<CorrectionHistory>()
        + Accumulators::SIZE
        + SearchStack::SIZE
        + PvTable::SIZE;

    /// Creates the data of a new thread that evaluates with this network.
    pub(super) fn new(network: Arc<Network>) -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            correction_history: CorrectionHistory::new(),
            evaluation: Accumulators::new(network),
            stack: SearchStack::new(),
            pv_table: PvTable::new(),
        }
    }

    /// Clears the data that depend on earlier searches of the game.
    pub(super) fn clear(&mut self) {
        self.histories = Histories::new();
        self.correction_history = CorrectionHistory::new();
    }
}

/// Number of empty entries before the root, so that access to earlier plies needs no test for the
/// root.
const PLIES_BEFORE_ROOT: usize = 6;

/// Data of one ply of the current path.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// Corrected static evaluation; `None` in check.
    pub static_evaluation: Option<Score>,
    /// Move searched from here, as an index of continuation history.
    pub played: PieceTo,
    /// The same move; `None` for a null move and before the root.
    pub mv: Option<Move>,
    /// The move is the first of its node.
    pub is_first_move: bool,
    /// The squares that the opponent attacks; set before the first move is searched.
    pub threatened: Bitboard,
    /// The index of the pawn structure in pawn history; set with the threats.
    pub pawn_structure: u16,
    /// Move left out in a singular search.
    pub excluded: Option<Move>,
    /// Killer moves: quiet moves that refuted siblings of the node at this ply.
    pub killers: [Option<Move>; 2],
    /// Number of nodes at this ply that failed high under the same grandparent.
    pub cutoffs: u8,
    /// Number of extensions by more than one ply on the path so far.
    pub double_extensions: u8,
}

/// The search stack: an entry for each ply. Entries before the root stay empty.
pub(super) struct SearchStack(Box<[StackEntry]>);

impl SearchStack {
    const ENTRIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 2;
    /// Memory on the heap, in bytes.
    pub(super) const SIZE: usize = SearchStack::ENTRIES * size_of::<StackEntry>();

    /// Creates empty entries for every ply.
    pub(super) fn new() -> SearchStack {
        SearchStack(vec![StackEntry::default(); SearchStack::ENTRIES].into())
    }

    /// Clears all entries.
    pub(super) fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    /// Returns the entry of a ply.
    pub(super) fn at(&mut self, ply: Ply) -> &mut StackEntry {
        &mut self.0[ply.index() + PLIES_BEFORE_ROOT]
    }

    /// Returns the moves that led to a ply.
    #[inline]
    pub(super) fn previous_moves(&self, ply: Ply) -> PreviousMoves {
        let before: Option<&[StackEntry; PLIES_BEFORE_ROOT]> = self.0[ply.index()..].first_chunk();
        before.map_or([PieceTo::NONE; 4], |[six, _, four, _, two, one]| {
            [one, two, four, six].map(|entry| entry.played)
        })
    }

    /// Returns the entry `plies` plies before `ply`, at most six.
    pub(super) fn before(&self, ply: Ply, plies: usize) -> &StackEntry {
        &self.0[ply.index() + PLIES_BEFORE_ROOT - plies]
    }
}

/// A line of play: the successive moves from one position.
pub(super) type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// The best lines of the nodes on the current path, one for each ply.
pub(super) struct PvTable(Box<[Variation]>);

impl PvTable {
    const LINES: usize = MAX_PLY + 2;
    /// Memory on the heap, in bytes.
    pub(super) const SIZE: usize = PvTable::LINES * size_of::<Variation>();

    /// Creates empty lines for every ply.
    pub(super) fn new() -> PvTable {
        PvTable(vec![Variation::new(); PvTable::LINES].into())
    }

    /// Returns the line from a ply on.
    pub(super) fn at(&self, ply: Ply) -> &Variation {
        &self.0[ply.index()]
    }

    /// Clears the line of a ply at the start of a node.
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
