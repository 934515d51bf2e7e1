//! Opens text that is named on the command line. An input that is not what the command takes is wrong
//! input; an input that the system cannot read is a failure.

use std::path::Path;

use crate::commands::failure::WrongInput;
use outrider_engine::bounded_read::TooLong;
use outrider_tools::input::{self, InputError, InputFault, TextReader};

/// Reads a text, or the standard input if the path is `-`.
///
/// # Errors
///
/// Fails if the input cannot be read, is not text, or is too long.
pub(in crate::commands) fn read_text(path: &Path) -> anyhow::Result<Vec<u8>> {
    input::read(path).map_err(to_command_error)
}

/// Opens a text, or the standard input if the path is `-`, to read it line by line.
///
/// # Errors
///
/// Fails if the input cannot be read or is not text.
pub(in crate::commands) fn open_text(path: &Path) -> anyhow::Result<TextReader> {
    input::open(path).map_err(to_command_error)
}

/// Checks that an input can be read, before outputs are checked.
///
/// # Errors
///
/// Fails if the input cannot be read or is not text.
pub(in crate::commands) fn check_text(path: &Path) -> anyhow::Result<()> {
    input::check(path).map_err(to_command_error)
}

/// Converts an error of the input, so that wrong input gets its own exit code.
fn to_command_error(error: InputError) -> anyhow::Error {
    let cause = error.reason.get_ref();
    if cause.is_some_and(|cause| cause.is::<InputFault>() || cause.is::<TooLong>()) {
        return WrongInput(error.to_string()).into();
    }
    error.into()
}
