//! What can be wrong with a line of input. Each error is a sentence about the line.

use thiserror::Error;

pub use super::words::NumberError;
use crate::engine::text::shorten;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// It begins with no command.
    #[error("unknown command \"{}\"; nothing was done, \"help\" lists the commands", shorten(.0))]
    Unknown(String),
    /// A number is wrong.
    #[error("{0}; nothing was done")]
    Number(#[from] NumberError),
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
