//! Test suites: files of positions with what is right in them, solved and judged.
//!
//! A `file` holds `exercise`s; `solve` searches them, `judge` says whether and since when an
//! answer is right, and `summary` counts.

mod exercise;
mod file;
mod judge;
mod solve;
mod summary;

pub use exercise::{Exercise, ExerciseError};
pub use file::{BrokenLine, Entry, Suite};
pub use judge::{Found, Judge, Verdict};
pub use solve::{Answer, Conditions, engines, solve};
pub use summary::{Summary, Themes};
