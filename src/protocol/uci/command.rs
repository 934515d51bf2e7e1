//! Parses a line of input as a [`Command`]: those of UCI (Huber and Meyer-Kahlen 2000), and a few for
//! people.

use std::str::FromStr;

pub(super) use super::error::CommandError;
pub(super) use super::go::LeftOut;
use super::go::{self, Go};
use super::words;
use crate::session::{PositionRequest, SearchRequest, Start};
use outrider_engine::perft;
use outrider_engine::units::{Depth, MAX_PLY};

/// A command of UCI, or one of Outrider's own for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Uci,
    /// Debug mode on or off, which has no effect.
    Debug(bool),
    IsReady,
    NewGame,
    /// Sets an option. Names and values may contain spaces; buttons have no value.
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position(PositionRequest),
    Go {
        request: Box<SearchRequest>,
        /// Parts of the line that could not be used.
        left_out: Option<Box<LeftOut>>,
    },
    Stop,
    PonderHit,
    Quit,
    Show,
    Eval,
    /// Searches the bench positions, by default to [`bench::DEFAULT_DEPTH`](outrider_engine::bench).
    Bench(Option<Depth>),
    /// Counts the legal move sequences of this length in plies.
    Perft(u32),
    Help,
}

/// Returns true if a line that cannot be parsed was meant to set a position: its first word, or the
/// second one after an unknown word, is `position` in any case, perhaps with other characters around it.
pub(super) fn names_position(line: &str) -> bool {
    let is_position = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphabetic()).eq_ignore_ascii_case("position")
    };
    let is_known = |word: &str| COMMANDS.iter().any(|(command, _)| *command == word);
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    is_position(first) || (!is_known(first) && words.next().is_some_and(is_position))
}

/// Parses the rest of a line after the name of a command.
type ParseArguments = fn(&str) -> Result<Command, CommandError>;

/// All commands by name.
pub(super) const COMMANDS: [(&str, ParseArguments); 15] = [
    ("uci", |_| Ok(Command::Uci)),
    ("debug", debug),
    ("isready", |_| Ok(Command::IsReady)),
    ("setoption", set_option),
    ("ucinewgame", |_| Ok(Command::NewGame)),
    ("position", position),
    ("go", search),
    ("stop", |_| Ok(Command::Stop)),
    ("ponderhit", |_| Ok(Command::PonderHit)),
    ("quit", |_| Ok(Command::Quit)),
    ("d", |_| Ok(Command::Show)),
    ("eval", |_| Ok(Command::Eval)),
    ("perft", count_moves),
    ("bench", bench),
    ("help", |_| Ok(Command::Help)),
];

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        let (first, rest) = words::split_first(line);
        let command = COMMANDS.iter().find(|(word, _)| *word == first);
        let (_, parse) = command.ok_or_else(|| CommandError::Unknown(first.to_owned()))?;
        parse(rest)
    }
}

fn debug(rest: &str) -> Result<Command, CommandError> {
    match words::split(rest)[..] {
        ["on", ..] => Ok(Command::Debug(true)),
        ["off", ..] => Ok(Command::Debug(false)),
        _ => Err(CommandError::SwitchMissing),
    }
}

/// Parses a name and a value. The value may be a path, so several blanks in it stay as they are.
fn set_option(rest: &str) -> Result<Command, CommandError> {
    let ("name", mut rest) = words::split_first(rest) else {
        return Err(CommandError::OptionMissing);
    };
    let (mut name, mut value) = (Vec::new(), None);
    while !rest.is_empty() {
        let (word, after) = words::split_first(rest);
        if word == "value" {
            value = Some(after.to_owned());
            break;
        }
        name.push(word);
        rest = after;
    }
    if name.is_empty() {
        return Err(CommandError::OptionMissing);
    }
    Ok(Command::SetOption { name: name.join(" "), value })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let words = words::split(rest);
    let (start, moves) = words::split_at_word(&words, "moves");
    let start = match start {
        ["startpos"] => Start::Initial,
        ["startpos", unexpected, ..] => {
            return Err(CommandError::MovesExpected((*unexpected).to_owned()));
        }
        ["fen", fen @ ..] if !fen.is_empty() => Start::Fen(fen.join(" ")),
        _ => return Err(CommandError::PositionMissing),
    };
    let moves = moves.unwrap_or_default().iter().map(|&mv| mv.to_owned()).collect();
    Ok(Command::Position(PositionRequest { start, moves }))
}

fn search(rest: &str) -> Result<Command, CommandError> {
    Ok(match go::parse(&words::split(rest)) {
        Go::Search(request, left_out) => Command::Go { request, left_out },
        Go::Perft(depth) => Command::Perft(depth),
    })
}

fn count_moves(rest: &str) -> Result<Command, CommandError> {
    Ok(Command::Perft(words::parse_in_range("perft", &words::split(rest), perft::DEPTHS)?))
}

fn bench(rest: &str) -> Result<Command, CommandError> {
    let words = words::split(rest);
    let depth = |words| words::parse_in_range("bench", words, 1..=MAX_PLY as u32);
    let depth = (!words.is_empty()).then(|| depth(&words)).transpose()?;
    Ok(Command::Bench(depth.map(|plies| Depth::new(plies as i32))))
}

#[cfg(test)]
mod tests;
