//! Test suites: files of positions with expected moves, which are solved and judged, and plain lists of
//! positions, which are evaluated.
//!
//! - `file` reads a suite of `exercise`s.
//! - `solve` searches them, `judge` decides if and since when an answer is correct, and `summary` counts.
//! - `run` solves suites and keeps a journal; `stream` solves positions from a pipe.
//! - `solved` is a suite with its answers, and `report` makes a page of it.
//! - `record` is an answer as stored in files, and `results` a whole run.
//! - `table` is a whole run as CSV.
//! - `comparison` compares the results of two runs, and `comparison_page` shows them.

mod comparison;
mod comparison_page;
mod exercise;
mod file;
mod judge;
mod record;
mod report;
mod results;
mod run;
mod solve;
mod solved;
mod stream;
mod summary;
mod table;

pub use comparison::Comparison;
pub use comparison_page::comparison_page;
pub use file::{BrokenLine, SkippedParts, Suite, SuiteEntry};
pub use record::AnswerRecord;
pub use report::report;
pub use results::{Results, UnreadableRecord};
pub use run::SuiteRun;
pub use solve::RunControl;
pub use solve::{Answer, RunSettings, engines};
pub use solved::SolvedSuite;
pub use stream::{StreamedLine, solve_stream};
pub use table::table;
