//! The search as a library: an [`Engine`] is given a position and limits, tells reports on its way
//! and returns an outcome. Nothing in here prints.
//!
//! The trunk, in `negascout.rs`, is a fail-soft NegaScout; around it stand iterative deepening
//! with aspiration windows, the shared transposition table, enhanced transposition cut-offs,
//! quiescence, a staged move picker fed by histories, and the selectivity that today's engines
//! live by. Several threads search the same tree and share nothing but the table (lazy SMP): what
//! one finds out, the others need not search.
//!
//! # Measured
//!
//! What the parts are worth, in nodes for the 54 positions of the bench to depth 12 (64 MB, nothing
//! carried from one position to the next; switched off by the neutral values of [`parameters`] in a
//! build with the feature `tune`):
//!
//! | Left out | Nodes | |
//! |---|---|---|
//! | nothing | 2,318,503 | |
//! | late move reductions | 9,291,330 | +301 % |
//! | null move | 3,368,926 | +45 % |
//! | history | 3,105,816 | +34 % |
//! | aspiration windows | 3,008,451 | +30 % |
//! | enhanced transposition cut-offs | 2,487,170 | +7 % |
//! | killers and counter-moves | 2,423,339 | +5 % |
//!
//! Enhanced cut-offs pay in time too: 1.34 s with them, 1.43 s without (median of five runs in
//! turn). On four cores of an Intel Xeon (Sapphire Rapids, 2.0 GHz, virtual) the bench has 1.46 to
//! 1.68 million nodes a second (bench 2406254, five runs in turn with Ethereal 12.00's bench, which
//! has 1.25 to 1.35 million). 2 and 4 threads have 1.96 and 3.95 times the nodes a second of one
//! (median of three searches of 4 s).

#![forbid(unsafe_code)]

mod clock;
mod control;
mod engine;
mod enhanced_cutoffs;
mod history;
mod iterative_deepening;
mod learning;
mod limits;
mod memory_limit;
mod move_loop;
mod negascout;
mod node;
pub mod parameters;
mod picker;
mod pruning;
mod pv_table;
mod quiescence;
mod reduction_table;
mod reductions;
mod report;
mod root_move;
mod search_stack;
mod shared;
mod singular_extensions;
mod table;
mod thread_data;
mod window;
mod worker;

pub use control::Control;
pub use engine::Engine;
pub use history::{Histories, PieceTo};
pub use limits::{ClockTime, Limits};
pub use memory_limit::MemoryError;
pub use picker::{MovePicker, Pick, Stage};
pub use report::{Bound, Line, Outcome, Report};
pub use table::{Entry, Table};

#[cfg(test)]
mod tests;
