//! How a command fails: what is said of it, and the exit code.

use std::io;
use std::process::ExitCode;

use thiserror::Error;

/// What the user gave the program is not what it takes. The program says so in this one line and
/// exits as it does for wrong usage.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct WrongInput(pub String);

/// Says what went wrong; returns how the program exits: with 2 after wrong input, as after wrong
/// usage, otherwise with 1.
pub fn complain(error: &anyhow::Error) -> ExitCode {
    eprintln!("Error: {}", line(error));
    if error.is::<WrongInput>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// The error with what caused it, once: some tell their cause themselves.
fn line(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |told, cause| match &*told {
        "" => cause,
        _ if told.ends_with(&cause) => told,
        _ => format!("{told}: {cause}"),
    })
}

/// Whether nobody reads the output any more, which is no failure.
pub(super) fn is_closed_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
