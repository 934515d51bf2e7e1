//! Test suites: files of positions with what is right in them, solved and judged.
//!
//! A `file` holds `exercise`s; `solve` searches them, `judge` says whether and since when an answer
//! is right, `summary` counts. A `run` over suites is kept in a journal, a `stream` comes from a pipe.
//! What comes out is a `solved` suite, of which `report` makes a page. Files hold the same as text: an
//! answer as a `record`, all of a run as `results`, two of which a `comparison` sets side by side, and
//! `comparison_page` shows.

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

pub use comparison::Comparison;
pub use comparison_page::comparison_page;
pub use file::{BrokenLine, Suite, SuiteEntry};
pub use record::AnswerRecord;
pub use report::report;
pub use results::{Results, UnreadableRecord};
pub use run::SuiteRun;
pub use solve::RunControl;
pub use solve::{Answer, RunSettings, engines};
pub use solved::SolvedSuite;
pub use stream::{StreamedLine, solve_stream};
