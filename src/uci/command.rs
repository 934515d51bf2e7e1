//! One line of input as a typed [`Command`].
//!
//! The protocol is that of Huber and Meyer-Kahlen (2000), with a few commands for people beside
//! it.

use std::str::FromStr;

pub use super::error::CommandError;
use super::go::{self, Go};
use super::words;
use crate::session::{PositionRequest, SearchRequest, Start, perft};
use crate::units::{Depth, MAX_PLY};

/// A command of the protocol, or one of ours for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Tell who you are and what can be set.
    Uci,
    /// Tell more, or less; accepted without effect.
    Debug(bool),
    /// Answer at once.
    IsReady,
    /// The next position is from another game.
    NewGame,
    /// Set an option.
    SetOption {
        /// Its name, which may have spaces.
        name: String,
        /// What to set it to, which buttons lack.
        value: Option<String>,
    },
    /// Set up a position.
    Position(PositionRequest),
    /// Search.
    Go {
        /// What to search for.
        request: SearchRequest,
        /// Words of the line that mean nothing to us.
        ignored: Vec<String>,
    },
    /// End the search.
    Stop,
    /// The move pondered on was played.
    PonderHit,
    /// End the program.
    Quit,
    /// Show the position.
    Show,
    /// Show the static evaluation.
    Eval,
    /// Search the bench positions, to a depth of our choice if none is given.
    Bench(Option<Depth>),
    /// Count legal move sequences of so many plies.
    Perft(u32),
    /// List the commands.
    Help,
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Ok(match words.as_slice() {
            ["uci", ..] => Command::Uci,
            ["debug", "on", ..] => Command::Debug(true),
            ["debug", "off", ..] => Command::Debug(false),
            ["debug", ..] => return Err(CommandError::SwitchMissing),
            ["isready", ..] => Command::IsReady,
            ["ucinewgame", ..] => Command::NewGame,
            ["setoption", rest @ ..] => set_option(rest)?,
            ["position", rest @ ..] => Command::Position(position(rest)?),
            ["go", rest @ ..] => match go::parse(rest)? {
                Go::Search { request, ignored } => Command::Go { request, ignored },
                Go::Perft(depth) => Command::Perft(depth),
            },
            ["stop", ..] => Command::Stop,
            ["ponderhit", ..] => Command::PonderHit,
            ["quit", ..] => Command::Quit,
            ["d", ..] => Command::Show,
            ["eval", ..] => Command::Eval,
            ["bench"] => Command::Bench(None),
            ["bench", rest @ ..] => Command::Bench(Some(bench_depth(rest)?)),
            ["perft", rest @ ..] => Command::Perft(words::within("perft", rest, perft::DEPTHS)?),
            ["help", ..] => Command::Help,
            [first, ..] => return Err(CommandError::Unknown((*first).to_owned())),
            [] => return Err(CommandError::Unknown(String::new())),
        })
    }
}

fn set_option(rest: &[&str]) -> Result<Command, CommandError> {
    let ["name", rest @ ..] = rest else {
        return Err(CommandError::OptionMissing);
    };
    let (name, value) = words::split_at(rest, "value");
    if name.is_empty() {
        return Err(CommandError::OptionMissing);
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(|words| words.join(" ")) })
}

fn position(rest: &[&str]) -> Result<PositionRequest, CommandError> {
    let (start, moves) = words::split_at(rest, "moves");
    let start = match start {
        ["startpos"] => Start::Initial,
        ["startpos", unexpected, ..] => {
            return Err(CommandError::MovesExpected((*unexpected).to_owned()));
        }
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return Err(CommandError::PositionMissing),
    };
    let moves = moves.unwrap_or_default().iter().map(|&mv| mv.to_owned()).collect();
    Ok(PositionRequest { start, moves })
}

fn bench_depth(rest: &[&str]) -> Result<Depth, CommandError> {
    Ok(Depth::new(words::within("bench", rest, 1..=MAX_PLY as u32)? as i32))
}

#[cfg(test)]
mod tests;
