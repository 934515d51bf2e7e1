//! The `outrider` program: the library's command line with the commit that it was built from.
//!
//! The commit stands here and not in the library, so that only this file is compiled again when it
//! is another one.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // As the Makefile or whoever builds the program has it, or else as build.rs found it.
    let given = option_env!("OUTRIDER_COMMIT").filter(|commit| !commit.is_empty());
    outrider::run(given.unwrap_or(env!("OUTRIDER_CHECKOUT")))
}
