//! One line of input as a typed [`Command`], and back.
//!
//! Reading never fails without saying why: each error is a sentence about the line. The protocol
//! is that of Huber and Meyer-Kahlen (2000), with a few commands for people beside it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::go;
use crate::position::notation::shorten;
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
            ["go", rest @ ..] => go::parse(rest)?,
            ["stop", ..] => Command::Stop,
            ["ponderhit", ..] => Command::PonderHit,
            ["quit", ..] => Command::Quit,
            ["d", ..] => Command::Show,
            ["eval", ..] => Command::Eval,
            ["bench"] => Command::Bench(None),
            ["bench", rest @ ..] => Command::Bench(Some(bench_depth(rest)?)),
            ["perft", rest @ ..] => Command::Perft(perft_depth(rest)?),
            ["help", ..] => Command::Help,
            [first, ..] => return Err(CommandError::Unknown((*first).to_owned())),
            [] => return Err(CommandError::Unknown(String::new())),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position(request) => print_position(request, f),
            Command::Go { request, ignored } => go::print(request, ignored, f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Show => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench(None) => f.write_str("bench"),
            Command::Bench(Some(depth)) => write!(f, "bench {}", depth.plies()),
            Command::Perft(depth) => write!(f, "perft {depth}"),
            Command::Help => f.write_str("help"),
        }
    }
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let ["name", rest @ ..] = words else {
        return Err(CommandError::OptionMissing);
    };
    let (name, value) = split_at_word(rest, "value");
    if name.is_empty() {
        return Err(CommandError::OptionMissing);
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(|words| words.join(" ")) })
}

fn position(words: &[&str]) -> Result<PositionRequest, CommandError> {
    let (start, moves) = split_at_word(words, "moves");
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

fn print_position(request: &PositionRequest, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &request.start {
        Start::Initial => f.write_str("position startpos")?,
        Start::Fen(fen) => write!(f, "position fen {fen}")?,
    }
    if !request.moves.is_empty() {
        f.write_str(" moves")?;
    }
    request.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

fn bench_depth(words: &[&str]) -> Result<Depth, CommandError> {
    Ok(Depth::new(within("bench", words, 1, MAX_PLY as u32)? as i32))
}

/// The depth at the head of `words`, for the command and for the parameter of `go`.
pub(super) fn perft_depth(words: &[&str]) -> Result<u32, CommandError> {
    within("perft", words, *perft::DEPTHS.start(), *perft::DEPTHS.end())
}

fn within(
    parameter: &'static str,
    words: &[&str],
    least: u32,
    greatest: u32,
) -> Result<u32, CommandError> {
    let (number, _) = integer(parameter, words)?;
    let in_range = u32::try_from(number).ok().filter(|n| (least..=greatest).contains(n));
    in_range.ok_or(CommandError::OutOfRange { parameter, least, greatest, number })
}

/// The whole number at the head of `words`, and what follows it. One that is too large for an
/// `i64` is taken for the largest, and likewise below zero.
pub(super) fn integer<'a>(
    parameter: &'static str,
    words: &'a [&'a str],
) -> Result<(i64, &'a [&'a str]), CommandError> {
    let [word, rest @ ..] = words else {
        return Err(CommandError::NumberMissing { parameter });
    };
    let (digits, limit) = match word.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (word.strip_prefix('+').unwrap_or(word), i64::MAX),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber { parameter, found: (*word).to_owned() });
    }
    // Nothing but digits is left, so only the size can be wrong.
    Ok((word.parse().unwrap_or(limit), rest))
}

/// What stands before the first `separator` and, if there is one, what follows it.
fn split_at_word<'a, 'b>(
    words: &'a [&'b str],
    separator: &str,
) -> (&'a [&'b str], Option<&'a [&'b str]>) {
    match words.iter().position(|&word| word == separator) {
        Some(index) => (&words[..index], Some(&words[index + 1..])),
        None => (words, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    fn error(line: &str) -> String {
        line.parse::<Command>().unwrap_err().to_string()
    }

    #[test]
    fn perft_is_a_command_and_a_parameter_of_go() {
        assert_eq!("perft 5".parse(), Ok(Command::Perft(5)));
        assert_eq!("go perft 5".parse(), Ok(Command::Perft(5)));
    }

    #[test]
    fn a_missing_or_malformed_number_is_named() {
        for (line, parameter) in [
            ("go depth", "depth"),
            ("go wtime 100 btime", "btime"),
            ("go nodes many", "nodes"),
            ("go movestogo -3", "movestogo"),
            ("go movetime 1e3", "movetime"),
            ("go winc -", "winc"),
            ("go mate depth 3", "mate"),
            ("perft", "perft"),
            ("perft 4000000000", "perft"),
            ("bench 0", "bench"),
        ] {
            assert!(error(line).contains(parameter), "{line}: {}", error(line));
        }
    }

    #[test]
    fn an_unknown_command_is_named_and_shortened() {
        assert!(error("joho debug on").contains("\"joho\""));
        assert!(error(&"x".repeat(1 << 20)).len() < 300);
    }

    #[test]
    fn a_position_has_a_start_and_moves() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(
            format!("position fen {fen} moves e1e2 e8e7").parse(),
            Ok(Command::Position(PositionRequest {
                start: Start::Fen(fen.to_owned()),
                moves: vec!["e1e2".to_owned(), "e8e7".to_owned()],
            }))
        );
        let initial = Ok(Command::Position(PositionRequest::default()));
        assert_eq!("position startpos".parse(), initial);
        assert_eq!("position startpos moves".parse(), initial);
    }

    #[test]
    fn a_position_that_is_not_described_is_refused() {
        for line in ["position", "position fen", "position fen moves e2e4", "position moves e2e4"] {
            assert_eq!(line.parse::<Command>(), Err(CommandError::PositionMissing), "{line}");
        }
        assert!(error("position startpos e2e4").contains("e2e4"));
    }

    #[test]
    fn names_and_values_of_options_may_have_spaces() {
        let option = |name: &str, value: Option<&str>| {
            Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
        };
        assert_eq!("setoption name Clear Hash".parse(), option("Clear Hash", None));
        assert_eq!("setoption name A b value c  D".parse(), option("A b", Some("c D")));
        assert_eq!("setoption name A value".parse(), option("A", Some("")));
        for line in ["setoption", "setoption Hash 3", "setoption name", "setoption name value 3"] {
            assert_eq!(line.parse::<Command>(), Err(CommandError::OptionMissing), "{line}");
        }
    }

    fn words(excluded: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
        let word = "[!-~]{1,8}|[^\\s]{1,3}";
        let word = word.prop_filter("a keyword", move |word| !excluded.contains(&word.as_str()));
        prop::collection::vec(word, 0..5)
    }

    fn search_requests() -> impl Strategy<Value = SearchRequest> {
        let time =
            || prop::option::of((0..=go::LONGEST_TIME as u64).prop_map(Duration::from_millis));
        let depth = (1..=MAX_PLY as i32).prop_map(Depth::new);
        (
            (prop::option::of(depth), prop::option::of(0..i64::MAX as u64)),
            (any::<Option<u32>>(), any::<Option<u32>>(), any::<bool>(), any::<bool>()),
            (time(), time(), time(), time(), time()),
            words(&go::PARAMETERS),
        )
            .prop_map(
                |((depth, nodes), (mate, moves_to_go, infinite, ponder), times, moves)| {
                    SearchRequest {
                        depth,
                        nodes,
                        mate,
                        move_time: times.0,
                        white_time: times.1,
                        black_time: times.2,
                        white_increment: times.3,
                        black_increment: times.4,
                        moves_to_go,
                        infinite,
                        ponder,
                        search_moves: moves,
                    }
                },
            )
    }

    fn position_requests() -> impl Strategy<Value = PositionRequest> {
        let fen = words(&["moves"]).prop_filter("empty", |fen| !fen.is_empty());
        let start =
            prop_oneof![Just(Start::Initial), fen.prop_map(|fen| Start::Fen(fen.join(" "))),];
        (start, words(&[])).prop_map(|(start, moves)| PositionRequest { start, moves })
    }

    fn commands() -> impl Strategy<Value = Command> {
        let name = words(&["value"]).prop_filter("empty", |name| !name.is_empty());
        let value = prop::option::of(words(&[]).prop_map(|words| words.join(" ")));
        prop_oneof![
            Just(Command::Uci),
            any::<bool>().prop_map(Command::Debug),
            Just(Command::IsReady),
            Just(Command::NewGame),
            (name, value)
                .prop_map(|(name, value)| Command::SetOption { name: name.join(" "), value }),
            position_requests().prop_map(Command::Position),
            (search_requests(), words(&go::PARAMETERS))
                .prop_map(|(request, ignored)| Command::Go { request, ignored }),
            Just(Command::Stop),
            Just(Command::PonderHit),
            Just(Command::Quit),
            Just(Command::Show),
            Just(Command::Eval),
            prop::option::of((1..=MAX_PLY as i32).prop_map(Depth::new)).prop_map(Command::Bench),
            perft::DEPTHS.prop_map(Command::Perft),
            Just(Command::Help),
        ]
    }

    /// Lines that look like commands, most of them wrong.
    fn almost_commands() -> impl Strategy<Value = String> {
        let words = prop_oneof![
            prop::sample::select(&go::PARAMETERS[..]).prop_map(str::to_owned),
            prop::sample::select(vec![
                "go",
                "position",
                "startpos",
                "fen",
                "moves",
                "setoption",
                "name",
                "value",
                "perft",
                "bench",
                "debug",
                "on",
                "e2e4",
                "0000",
                "-",
                "+",
                "w",
                "KQkq",
            ])
            .prop_map(str::to_owned),
            any::<i128>().prop_map(|number| number.to_string()),
            any::<i8>().prop_map(|number| number.to_string()),
        ];
        prop::collection::vec(words, 0..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn a_command_that_is_printed_and_read_is_the_same(command in commands()) {
            prop_assert_eq!(command.to_string().parse(), Ok(command));
        }

        #[test]
        fn what_is_read_from_a_line_prints_to_a_line_that_reads_the_same(
            line in almost_commands()
        ) {
            if let Ok(command) = line.parse::<Command>() {
                prop_assert_eq!(command.to_string().parse(), Ok(command));
            }
        }

        #[test]
        fn noise_is_refused_in_a_few_words(bytes in any::<Vec<u8>>()) {
            if let Err(error) = String::from_utf8_lossy(&bytes).parse::<Command>() {
                prop_assert!(error.to_string().chars().count() < 250);
            }
        }
    }
}
