//! Test suites: files of positions with what is right in them, solved and judged.
//!
//! A `file` holds `exercise`s; `solve` searches them, `judge` says whether and since when an answer
//! is right, `summary` counts. A `run` over suites is kept in a journal. What comes out is a `solved`
//! suite, of which `report` makes a page. Files hold the same as text: an answer as a `record`, all of
//! a run as `results`, two of which a `comparison` sets side by side.

mod comparison;
mod exercise;
mod file;
mod judge;
mod record;
mod report;
mod results;
mod run;
mod solve;
mod solved;
mod summary;

pub use comparison::Comparison;
pub use file::{BrokenLine, Suite, SuiteEntry};
pub use record::AnswerRecord;
pub use report::report;
pub use results::{Results, UnreadableRecord};
pub use run::SuiteRun;
pub use solve::{Answer, RunSettings};
pub use solved::SolvedSuite;
