//! Helpers for several groups of tests. Each test binary uses a part of them.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

pub mod engine;
pub mod epd;
pub mod games;
pub mod http;
pub mod info;
pub mod laboratory;
pub mod referee;
pub mod session;

/// Returns the folder of endgame tables with three pieces.
pub fn syzygy_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/files/syzygy")
}

/// A running program. It is killed when it is dropped, for example after a failed assertion.
pub struct Running(pub Child);

impl Running {
    /// Waits until a condition is true.
    pub fn until(&mut self, what: &str, is_so: impl Fn() -> bool) {
        let end = Instant::now() + Duration::from_secs(120);
        while !is_so() {
            assert_eq!(self.0.try_wait().expect("it runs"), None, "it ended before {what}");
            assert!(Instant::now() < end, "never: {what}");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
