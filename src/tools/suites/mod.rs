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

pub(crate) use comparison::Comparison;
pub(crate) use comparison_page::comparison_page;
pub(crate) use file::{BrokenLine, Suite, SuiteEntry};
pub(crate) use record::AnswerRecord;
pub(crate) use report::report;
pub(crate) use results::{Results, UnreadableRecord};
pub(crate) use run::SuiteRun;
#[cfg(feature = "serve")]
pub(crate) use solve::RunControl;
pub(crate) use solve::{Answer, RunSettings, engines};
pub(crate) use solved::SolvedSuite;
pub(crate) use stream::{StreamedLine, solve_stream};
