//! The `outrider` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use outrider::commands::{self, Cli};

fn main() -> ExitCode {
    match Cli::from_arguments().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => commands::complain(&error),
    }
}
