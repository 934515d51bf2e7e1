//! The search as a library: an [`Engine`] is given a position and limits, calls back with reports on
//! its way and returns an outcome. Nothing in here prints.
//!
//! The search is a fail-soft NegaScout, `negascout.rs`, whose steps are numbered in the order in
//! which a node takes them. Each rule is a function with its usual name: `pruning.rs` has reverse
//! futility pruning (RFP), razoring, null move pruning (NMP), late move pruning (LMP), futility
//! pruning (FP), pruning by static exchange evaluation (SEE) and mate distance pruning;
//! `enhanced_cutoffs.rs` enhanced transposition cut-offs (ETC); `reductions.rs` internal iterative
//! reduction (IIR) and late move reductions (LMR); `singular_extensions.rs` singular extensions and
//! multi-cut; `negascout.rs` itself sees a draw by repetition a ply before (upcoming repetition).
//! `quiescence.rs` is the quiescence search (QS) at the horizon, with delta pruning;
//! `tablebase_probe.rs` asks endgame tables, where there are some, `picker.rs` orders the moves,
//! `history.rs` has the histories and the correction history that they are ordered and evaluated by,
//! `history_updates.rs` updates them after a node, `table` is the transposition table (TT).
//!
//! Around it, `iterative_deepening.rs` searches depth after depth with aspiration windows, and
//! `clock.rs` has the soft and the hard limit of time. Several threads search the same tree, each a
//! `Worker` with `ThreadData` of its own, and share nothing but the table and the stop flag
//! (`shared.rs`; lazy SMP): what one finds out, the others need not search.
//!
//! # Measured
//!
//! What the parts are worth, in nodes of `outrider bench` (54 positions to depth 12) with the search of
//! commit b652d5b; each is switched off by its neutral value in [`parameters`], in a build with the
//! feature `tune`:
//!
//! | Left out | Nodes | |
//! |---|---|---|
//! | nothing | 1,645,289 | |
//! | late move reductions | 7,258,555 | +341 % |
//! | late move pruning | 2,794,471 | +70 % |
//! | reverse futility pruning | 2,752,669 | +67 % |
//! | hints of the evaluation to history | 2,153,207 | +31 % |
//! | pruning by static exchange evaluation | 2,144,927 | +30 % |
//! | aspiration windows | 2,004,690 | +22 % |
//! | null move pruning | 1,837,576 | +12 % |
//! | futility pruning | 1,704,727 | +4 % |
//! | internal iterative reductions | 1,675,801 | +2 % |
//! | razoring | 1,650,622 | 0 % |
//! | enhanced transposition cut-offs | 1,637,821 | 0 % |
//! | upcoming repetitions | 1,613,225 | −2 % |
//! | delta pruning | 1,608,962 | −2 % |
//! | history of captures | 1,579,057 | −4 % |
//! | direct checks first | 1,556,387 | −5 % |
//! | history apart by what is attacked | 1,507,477 | −8 % |
//! | killers and counter-moves | 1,469,242 | −11 % |
//! | continuation history in ordering | 1,467,503 | −11 % |
//! | history learned from cut-offs | 1,439,333 | −13 % |
//! | correction history | 1,429,037 | −13 % |
//! | singular extensions and multi-cut | 1,123,235 | −32 % |
//!
//! Nodes to a depth are not strength: singular extensions cost nodes and are there to see more. Whether
//! what costs nodes is worth them, only games tell. The speed stands with the
//! [network](crate::engine::evaluation::network).

#![forbid(unsafe_code)]

mod clock;
mod control;
mod engine;
mod enhanced_cutoffs;
mod history;
mod history_updates;
mod iterative_deepening;
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
mod pv_extension;
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
mod strength_limit;
mod table;
mod tablebase_probe;
mod thread_data;
mod window;
mod worker;

pub use control::Control;
pub use engine::Engine;
pub use limits::{ClockTime, Limits};
pub use memory_limit::MemoryError;
pub use report::{Bound, Line, Outcome, Progress, Report, nodes_per_second};
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
