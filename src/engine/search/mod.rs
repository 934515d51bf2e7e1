//! The search as a library: an [`Engine`] is given a position and limits, calls back with reports
//! on its way and returns an outcome. Nothing in here prints.
//!
//! The search is a fail-soft NegaScout, `negascout.rs`, whose steps are numbered in the order in
//! which a node takes them. Each rule is a function with its usual name: `pruning.rs` has reverse
//! futility pruning (RFP), razoring, null move pruning (NMP), late move pruning (LMP), history
//! pruning, futility pruning (FP), pruning by static exchange evaluation (SEE) and mate distance
//! pruning; `enhanced_cutoffs.rs` enhanced transposition cut-offs (ETC); `reductions.rs` internal
//! iterative reduction (IIR) and late move reductions (LMR); `extensions.rs` singular extensions,
//! multi-cut and check extensions; `negascout.rs` itself sees a draw by repetition a ply before
//! (upcoming repetition). `quiescence.rs` is the quiescence search (qsearch, QS) at the horizon, with
//! delta pruning. `tablebase_probe.rs` looks positions up in endgame tables. `picker.rs` orders the
//! moves, by the histories in `history.rs`; `static_evaluation.rs` has the evaluation of a node,
//! corrected by `correction_history.rs`; `history_updates.rs` updates both after a node. `table` is
//! the transposition table (TT).
//!
//! Around it, `iterative_deepening.rs` searches depth after depth with aspiration windows, and
//! `clock.rs` has the soft and the hard limit of time. Several threads search the same tree, each a
//! `Worker` with `ThreadData` of its own, and share what `shared.rs` has, the table above all (lazy
//! SMP): what one thread finds, the others need not search. In the end they vote on the move
//! (`voting.rs`).
//!
//! What each rule is worth, in nodes and in games, and what was tried and refused, is recorded in
//! `benches/record/search.md`; in a build with the feature `tune` each rule is switched off by the
//! neutral value of its [parameter](parameters).

#![forbid(unsafe_code)]

mod clock;
mod control;
mod engine;
mod extensions;
mod history;
mod iterative_deepening;
mod limits;
mod mates;
mod negascout;
mod node;
pub mod parameters;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root_move;
mod shared;
mod static_evaluation;
mod strength_limit;
mod table;
mod tablebase_probe;
mod thread_data;
mod voting;
mod worker;

pub use crate::memory_limit::MemoryError;
pub use control::Control;
pub use engine::{Engine, ThreadError};
pub use limits::{ClockTime, Limits, NodeTime};
pub use report::{Bound, Line, Outcome, Progress, Report, nodes_per_second};
pub(crate) use strength_limit::random_number;
pub use strength_limit::{FULL_SKILL, StrengthLimit};

// What only benches need.
#[doc(hidden)]
pub use history::{Histories, HistoryContext};
#[doc(hidden)]
pub use picker::MovePicker;
#[doc(hidden)]
pub use table::{TableEntry, TranspositionTable};

#[cfg(test)]
mod tests;
