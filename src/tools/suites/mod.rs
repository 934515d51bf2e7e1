//! Test suites: files of positions with what is right in them, solved and judged.
//!
//! A `file` holds `exercise`s; `solve` searches them, `judge` says whether and since when an
//! answer is right. What came out is written down as a `record`; a `run` over suites is kept in a
//! journal, and `summary` counts. Of its `results` a `report` makes a page, and a `comparison` sets
//! two side by side.

mod comparison;
mod exercise;
mod file;
mod judge;
mod record;
mod report;
mod results;
mod run;
mod solve;
mod summary;

pub use comparison::{Comparison, mcnemar};
pub use exercise::{Exercise, ExerciseError};
pub use file::{BrokenLine, Entry, Suite};
pub use judge::{Found, Judge, Verdict};
pub use record::Record;
pub use report::report;
pub use results::{BrokenRecord, Count, Results, RunSettings, UnreadableRecord};
pub use run::{Run, RunError};
pub use solve::Answer;
pub use summary::{Summary, Themes};
