//! What the engine does for a person's own material: test suites are solved and judged.

#![forbid(unsafe_code)]

pub mod suite;
