//! The search as a library: an [`Engine`] is given a position and limits, tells reports on its way
//! and returns an outcome. Nothing in here prints.
//!
//! The trunk, in `negascout.rs`, is a fail-soft NegaScout; around it stand iterative deepening
//! with aspiration windows, the shared transposition table, enhanced transposition cut-offs,
//! quiescence, a staged move picker fed by histories, and the selectivity that today's engines
//! live by. Several threads search the same tree and share nothing but the table (lazy SMP): what
//! one finds out, the others need not search.

#![forbid(unsafe_code)]

mod clock;
mod control;
mod deepening;
mod engine;
mod enhanced_cutoff;
mod history;
mod limits;
mod negascout;
mod node;
pub mod parameters;
mod picker;
mod quiescence;
mod report;
mod room;
mod selectivity;
mod table;
mod variations;
mod worker;

pub use control::Control;
pub use engine::{Engine, Searcher};
pub use history::{Histories, PieceTo};
pub use limits::{ClockTime, Limits};
pub use picker::{MovePicker, Pick, Stage};
pub use report::{Bound, Line, Outcome, Report};
pub use room::MemoryError;
pub use table::{Entry, Table};

#[cfg(test)]
mod tests;
