//! The search as a library: an [`Engine`] is given a position and limits, tells reports on its way
//! and returns an outcome. Nothing in here prints.
//!
//! The search is a fail-soft NegaScout, `negascout.rs`, whose steps are numbered in the order in
//! which a node takes them. Each rule is a function with its usual name: `pruning.rs` has reverse
//! futility pruning (RFP), razoring, null move pruning (NMP), late move pruning (LMP), futility
//! pruning (FP), pruning by static exchange evaluation (SEE) and mate distance pruning;
//! `enhanced_cutoffs.rs` enhanced transposition cut-offs (ETC); `reductions.rs` internal iterative
//! reduction (IIR) and late move reductions (LMR); `singular_extensions.rs` singular extensions and
//! multi-cut. `quiescence.rs` is the quiescence search (QS) at the horizon, with delta pruning;
//! `tablebase_probe.rs` asks endgame tables, where there are some, `picker.rs` orders the moves, `history.rs` has the histories and the correction history that
//! they are ordered and evaluated by, `learning.rs` what a finished node adds to them, `table` the
//! transposition table (TT).
//!
//! Around it, `iterative_deepening.rs` searches depth after depth with aspiration windows, and
//! `clock.rs` has the soft and the hard limit of time. Several threads search the same tree, each a
//! `Worker` with `ThreadData` of its own, and share nothing but the table and the stop flag
//! (`shared.rs`; lazy SMP): what one finds out, the others need not search.
//!
//! # Measured
//!
//! At commit 9fd6d35, with the hand-written evaluation that came before the network:
//!
//! What the parts are worth, in nodes for the 54 positions of the bench to depth 12 (64 MB, nothing
//! carried from one position to the next; switched off by the neutral values of [`parameters`] in a
//! build with the feature `tune`):
//!
//! | Left out | Nodes | |
//! |---|---|---|
//! | nothing | 2,318,503 | |
//! | late move reductions | 9,291,330 | +301 % |
//! | null move pruning | 3,368,926 | +45 % |
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
mod handicap;
mod history;
mod iterative_deepening;
mod learning;
mod limits;
mod mate_confirmation;
mod mate_proof;
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
mod reporting;
mod root_move;
mod search_stack;
mod shared;
mod singular_extensions;
mod table;
mod tablebase_probe;
mod thread_data;
mod told_line;
mod window;
mod worker;

pub use control::Control;
pub use engine::Engine;
pub use handicap::{FULL_SKILL, Handicap};
pub use limits::{ClockTime, Limits};
pub use memory_limit::MemoryError;
pub use report::{Bound, Line, Outcome, Progress, Report};

// What only benches need.
#[doc(hidden)]
pub use history::{Histories, PieceTo};
#[doc(hidden)]
pub use picker::MovePicker;
#[doc(hidden)]
pub use table::{Entry, Table};

#[cfg(test)]
mod tests;
