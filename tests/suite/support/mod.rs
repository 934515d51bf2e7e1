//! What several groups of tests need.

pub mod engine;
pub mod epd;
pub mod games;
pub mod info;
pub mod referee;
