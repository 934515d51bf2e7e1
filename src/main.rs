//! The program `outrider`: passes the commit of the build to the command line of the library.
//!
//! The commit is used in this file alone, so that a new commit compiles only this file again.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // The commit from the Makefile, else the one from build.rs.
    let from_make = option_env!("OUTRIDER_COMMIT").filter(|commit| !commit.is_empty());
    outrider::run(from_make.unwrap_or(env!("OUTRIDER_CHECKOUT")))
}
