//! The memory of a search thread, which it keeps from one search to the next: the search allocates
//! nothing.

use std::sync::Arc;

use super::history::Histories;
use super::pv_table::PvTable;
use super::search_stack::SearchStack;
use crate::engine::evaluation::{Accumulators, Network};

/// The data of one search thread.
pub struct ThreadData {
    pub histories: Box<Histories>,
    /// The evaluation, which is updated move by move.
    pub evaluation: Accumulators,
    pub stack: SearchStack,
    /// The best lines of the nodes on the current path.
    pub pv_table: PvTable,
}

impl ThreadData {
    /// Its memory, in bytes.
    pub const SIZE: usize = size_of::<ThreadData>()
        + size_of::<Histories>()
        + Accumulators::SIZE
        + SearchStack::SIZE
        + PvTable::SIZE;

    /// The data of a new thread that evaluates with this network.
    pub fn new(network: Arc<Network>) -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            evaluation: Accumulators::new(network),
            stack: SearchStack::new(),
            pv_table: PvTable::new(),
        }
    }

    /// Clears what depends on earlier searches of the game.
    pub fn clear(&mut self) {
        self.histories = Histories::new();
    }
}
