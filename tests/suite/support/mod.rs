//! What several groups of tests need.

pub mod epd;
pub mod games;
