//! Failures of commands: error messages and exit codes.

use std::io::{self, Write as _};
use std::process::ExitCode;

use thiserror::Error;

/// Error in the user's input. The program prints it and exits with the code for wrong usage.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct WrongInput(pub String);

/// Prints the error as one line. Returns the exit code: 2 for wrong input, otherwise 1. A closed output
/// is a success, since its reader, such as `head`, needs no more.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_output(error) {
        return ExitCode::SUCCESS;
    }
    // If nothing can be written, the exit code still reports the failure.
    let _ = writeln!(io::stderr(), "Error: {}", line(error));
    if error.is::<WrongInput>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Formats the error and its causes. A cause that the error already ends with is not repeated.
fn line(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |line, cause| match &*line {
        "" => cause,
        _ if line.ends_with(&cause) => line,
        _ => format!("{line}: {cause}"),
    })
}

fn is_closed_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
