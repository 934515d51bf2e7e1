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
//! `tablebase_probe.rs` asks endgame tables, where there are some, `picker.rs` orders the moves,
//! `history.rs` has the histories and the correction history that they are ordered and evaluated by,
//! `learning.rs` what a finished node adds to them, `table` the transposition table (TT).
//!
//! Around it, `iterative_deepening.rs` searches depth after depth with aspiration windows, and
//! `clock.rs` has the soft and the hard limit of time. Several threads search the same tree, each a
//! `Worker` with `ThreadData` of its own, and share nothing but the table and the stop flag
//! (`shared.rs`; lazy SMP): what one finds out, the others need not search.
//!
//! # Measured
//!
//! What the parts are worth, in nodes of `outrider bench` (54 positions to depth 12) at commit 0cecb08;
//! each is switched off by its neutral value in [`parameters`], in a build with the feature `tune`:
//!
//! | Left out | Nodes | |
//! |---|---|---|
//! | nothing | 2,062,496 | |
//! | late move reductions | 8,759,831 | +325 % |
//! | late move pruning | 4,607,732 | +123 % |
//! | reverse futility pruning | 4,049,811 | +96 % |
//! | history | 3,027,966 | +47 % |
//! | pruning by static exchange evaluation | 2,939,583 | +43 % |
//! | null move pruning | 2,897,456 | +40 % |
//! | aspiration windows | 2,705,791 | +31 % |
//! | internal iterative reductions | 2,525,144 | +22 % |
//! | enhanced transposition cut-offs | 2,476,515 | +20 % |
//! | history of captures | 2,340,345 | +13 % |
//! | correction history | 2,264,051 | +10 % |
//! | razoring | 2,262,637 | +10 % |
//! | futility pruning | 2,234,159 | +8 % |
//! | killers and counter-moves | 2,129,487 | +3 % |
//! | delta pruning | 2,116,935 | +3 % |
//! | singular extensions and multi-cut | 1,609,985 | −22 % |
//!
//! Nodes to a depth are not strength: singular extensions cost nodes and are there to see more. The
//! speed stands with the [network](crate::evaluation::network).

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
pub use history::{Context, Histories};
#[doc(hidden)]
pub use picker::MovePicker;
#[doc(hidden)]
pub use table::{Entry, Table};

#[cfg(test)]
mod tests;
