//! What a thread keeps from one search to the next, so that no search allocates it anew.

use std::sync::Arc;

use super::history::Histories;
use super::pv_table::PvTable;
use super::search_stack::SearchStack;
use crate::engine::evaluation::{Accumulators, Network};

/// The data of one search thread.
pub struct ThreadData {
    /// What it has learned about moves and evaluations.
    pub histories: Box<Histories>,
    /// The evaluation, which follows the search move by move.
    pub evaluation: Accumulators,
    /// What it remembers of each ply on the current path.
    pub stack: SearchStack,
    /// The best lines of the nodes on the current path.
    pub pv_table: PvTable,
}

impl ThreadData {
    /// The memory that it takes, in bytes.
    pub const SIZE: usize = size_of::<ThreadData>()
        + size_of::<Histories>()
        + Accumulators::SIZE
        + SearchStack::SIZE
        + PvTable::SIZE;

    /// The data of a thread that knows nothing yet and evaluates with this network.
    pub fn new(network: Arc<Network>) -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            evaluation: Accumulators::new(network),
            stack: SearchStack::new(),
            pv_table: PvTable::new(),
        }
    }

    /// Forgets all that was learned.
    pub fn clear(&mut self) {
        self.histories = Histories::new();
    }
}
