//! Errors in a line of input. Each one prints as a sentence about the line.

use thiserror::Error;

pub(super) use super::words::NumberError;
use outrider_engine::text::shorten;

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum CommandError {
    #[error("unknown command \"{}\" (\"help\" lists the commands)", shorten(.0))]
    Unknown(String),
    #[error(transparent)]
    Number(#[from] NumberError),
    #[error("position needs \"startpos\" or \"fen\" and a FEN")]
    PositionMissing,
    #[error("position needs \"moves\" before \"{}\"", shorten(.0))]
    MovesExpected(String),
    #[error("setoption needs \"name\" and the name of an option")]
    OptionMissing,
    #[error("debug needs \"on\" or \"off\"")]
    SwitchMissing,
}
