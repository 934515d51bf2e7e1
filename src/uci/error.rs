//! What can be wrong with a line of input. Each error is a sentence about the line.

use thiserror::Error;

use crate::position::notation::shorten;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// It begins with no command.
    #[error("unknown command \"{}\"; nothing was done, \"help\" lists the commands", shorten(.0))]
    Unknown(String),
    /// A number is missing.
    #[error("{parameter} needs a number; nothing was done")]
    NumberMissing {
        /// Of which parameter.
        parameter: &'static str,
    },
    /// Something stands where a number should.
    #[error("{parameter} needs a number, not \"{}\"; nothing was done", shorten(.found))]
    NotANumber {
        /// Of which parameter.
        parameter: &'static str,
        /// What stands there.
        found: String,
    },
    /// A number is less than zero and must not be.
    #[error("{parameter} must not be negative as {number} is; nothing was done")]
    Negative {
        /// Of which parameter.
        parameter: &'static str,
        /// The number.
        number: i64,
    },
    /// A number is not one of those that make sense.
    #[error("{parameter} must be from {least} to {greatest}, not {number}; nothing was done")]
    OutOfRange {
        /// Of which parameter.
        parameter: &'static str,
        /// The least number that makes sense.
        least: u32,
        /// The greatest number that makes sense.
        greatest: u32,
        /// The number.
        number: i64,
    },
    /// A position is not described.
    #[error("position needs \"startpos\" or \"fen\" and a FEN; the previous position is kept")]
    PositionMissing,
    /// Something else than moves follows the position.
    #[error("position: \"moves\" was expected, not \"{}\"; the previous position is kept",
        shorten(.0))]
    MovesExpected(String),
    /// An option is not named.
    #[error("setoption needs \"name\" and the name of an option; nothing was set")]
    OptionMissing,
    /// Debugging is neither switched on nor off.
    #[error("debug needs \"on\" or \"off\"; nothing was done")]
    SwitchMissing,
}
