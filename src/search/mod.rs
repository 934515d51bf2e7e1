//! The search as a library: an [`Engine`] is given a position and limits, tells reports on its way
//! and returns an outcome. Nothing in here prints.
//!
//! The search is a fail-soft NegaScout, `negascout.rs`, whose steps are numbered in the order in
//! which a node takes them. Each rule is a function with its usual name: `pruning.rs` has reverse
//! futility pruning (RFP), razoring, null move pruning (NMP), late move pruning (LMP), futility
//! pruning (FP), pruning by static exchange evaluation (SEE) and mate distance pruning;
//! `enhanced_cutoffs.rs` enhanced transposition cut-offs (ETC); `reductions.rs` internal iterative
//! reduction (IIR) and late move reductions (LMR); `singular_extensions.rs` singular extensions and
//! multi-cut. `quiescence.rs` is what follows at the horizon, `picker.rs` orders the moves,
//! `history.rs` has the histories and the correction history that they are ordered and evaluated
//! by, `learning.rs` what a finished node adds to them, `table` the transposition table (TT).
//!
//! Around it, `iterative_deepening.rs` searches depth after depth with aspiration windows, and
//! `clock.rs` has the soft and the hard limit of time. Several threads search the same tree, each a
//! `Worker` with `ThreadData` of its own, and share nothing but the table and the stop flag
//! (`shared.rs`; lazy SMP): what one finds out, the others need not search.

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
