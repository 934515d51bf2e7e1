//! How a command fails: the message and the exit code.

use std::io::{self, Write as _};
use std::process::ExitCode;

use thiserror::Error;

/// The user's input is not what the program takes. The program prints this line and exits as after
/// wrong usage.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct WrongInput(pub String);

/// Prints the error as one line. Returns the exit code: 2 after wrong input, otherwise 1. A closed
/// output is no failure: the reader, such as `head`, has seen enough.
pub(super) fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_output(error) {
        return ExitCode::SUCCESS;
    }
    // Where nothing can be written, the exit code still says it.
    let _ = writeln!(io::stderr(), "Error: {}", line(error));
    if error.is::<WrongInput>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// The error and its causes. Some errors name their cause themselves; it is not repeated.
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
