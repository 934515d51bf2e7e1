//! What several groups of tests need. Each test binary uses its part of it.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

pub mod engine;
pub mod epd;
pub mod games;
#[cfg(feature = "serve")]
pub mod http;
pub mod info;
#[cfg(feature = "laboratory")]
pub mod laboratory;
pub mod referee;
pub mod session;

/// The folder of endgame tables of three pieces.
pub fn syzygy_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/files/syzygy")
}
