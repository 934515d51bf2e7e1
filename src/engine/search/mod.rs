//! The search as a library. An [`Engine`] searches a position within [`Limits`], reports through a
//! callback and returns an [`Outcome`]. Nothing in this module prints.
//!
//! # One node
//!
//! The search is a fail-soft NegaScout. `negascout.rs` searches one node, and its steps are
//! numbered in the order in which they run. Each rule is a function with its usual name:
//!
//! - `pruning.rs`: mate distance pruning, reverse futility pruning (RFP), razoring, null move
//!   pruning (NMP), enhanced transposition cut-offs (ETC), late move pruning (LMP), history
//!   pruning, futility pruning (FP) and pruning by static exchange evaluation (SEE).
//! - `reductions.rs`: internal iterative reduction (IIR) and late move reductions (LMR).
//! - `extensions.rs`: singular extensions, multi-cut and check extensions.
//! - `negascout.rs`: upcoming repetition, which sees a draw by repetition one ply early.
//! - `quiescence.rs`: the quiescence search (qsearch, QS) at the horizon, with delta pruning.
//! - `tablebase_probe.rs`: probes of the endgame tables.
//!
//! The rules share the types in `node.rs`. `picker.rs` orders the moves by the histories in
//! `history.rs`, which also updates the histories after a node. `static_evaluation.rs` evaluates a
//! node and corrects the evaluation by correction history. `table` is the transposition table (TT).
//!
//! # The whole search
//!
//! `iterative_deepening.rs` searches one depth after another with aspiration windows. `clock.rs`
//! sets the soft and the hard limit of time. `mates.rs` proves mates. `report.rs` reports the lines
//! found, and `strength_limit.rs` makes the engine play weaker.
//!
//! Several threads search the same tree (lazy SMP). Each has a `Worker` (`worker.rs`) and its own
//! `ThreadData`. They share the items in `shared.rs`, above all the transposition table, so that
//! one thread can use the results of the others. At the end they vote on the move (`voting.rs`).
//!
//! `benches/record/search.md` records the gain of each rule in nodes and in games, and the rules
//! that were tried and rejected. In a build with the feature `tune`, the neutral value of its
//! [parameter](parameters) switches a rule off.

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
pub use strength_limit::{FULL_SKILL, Level, StrengthLimit};

// Public only for the benches.
#[doc(hidden)]
pub use history::{Histories, HistoryContext};
#[doc(hidden)]
pub use picker::MovePicker;
#[doc(hidden)]
pub use table::{TableEntry, TranspositionTable};

#[cfg(test)]
mod tests;
