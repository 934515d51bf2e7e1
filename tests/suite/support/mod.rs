//! What several groups of tests need. Each test binary uses its part of it.

#![allow(dead_code)]

pub mod engine;
pub mod epd;
pub mod games;
pub mod info;
#[cfg(feature = "tools")]
pub mod laboratory;
pub mod referee;
pub mod session;
