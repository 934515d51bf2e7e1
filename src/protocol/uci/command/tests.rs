//! Tests of parsing commands. They print commands and compare the result of parsing them again.

use std::fmt;

use super::*;
use outrider_engine::search::Limits;
use proptest::prelude::*;
use shakmaty::ByColor;
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
fn the_error_of_a_missing_or_invalid_number_names_the_parameter() {
    for (line, parameter) in
        [("perft", "perft"), ("perft 4000000000", "perft"), ("bench 0", "bench")]
    {
        assert!(error(line).contains(parameter), "{line}: {}", error(line));
    }
}

#[test]
fn the_error_of_an_unknown_command_names_it_in_short() {
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
fn a_position_without_a_start_is_refused() {
    for line in ["position", "position fen", "position fen moves e2e4", "position moves e2e4"] {
        assert_eq!(line.parse::<Command>(), Err(CommandError::PositionMissing), "{line}");
    }
    assert!(error("position startpos e2e4").contains("e2e4"));
}

#[test]
fn names_and_values_of_options_may_contain_spaces() {
    let option = |name: &str, value: Option<&str>| {
        Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    };
    assert_eq!("setoption name Clear Hash".parse(), option("Clear Hash", None));
    assert_eq!(" setoption  name A  b value  c  D ".parse(), option("A b", Some("c  D")));
    assert_eq!("setoption name A value".parse(), option("A", Some("")));
    for line in ["setoption", "setoption Hash 3", "setoption name", "setoption name value 3"] {
        assert_eq!(line.parse::<Command>(), Err(CommandError::OptionMissing), "{line}");
    }
}

/// Prints a command as a line that parses as the same command.
struct Printed<'a>(&'a Command);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
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
            Command::Go { request, .. } => print_go(request, f),
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

fn print_go(request: &SearchRequest, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let SearchRequest { limits, clocks, search_moves, .. } = request;
    f.write_str("go")?;
    let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let numbers = [
        ("wtime", milliseconds(clocks.remaining.white)),
        ("btime", milliseconds(clocks.remaining.black)),
        ("winc", milliseconds(clocks.increment.white)),
        ("binc", milliseconds(clocks.increment.black)),
        ("movestogo", clocks.moves_to_go.map(u64::from)),
        ("depth", limits.depth.map(|depth| depth.plies() as u64)),
        ("nodes", limits.nodes),
        ("mate", limits.mate.map(u64::from)),
        ("movetime", milliseconds(limits.move_time)),
    ];
    for (name, number) in numbers {
        if let Some(number) = number {
            write!(f, " {name} {number}")?;
        }
    }
    if limits.infinite {
        f.write_str(" infinite")?;
    }
    if limits.ponder {
        f.write_str(" ponder")?;
    }
    if !search_moves.is_empty() {
        f.write_str(" searchmoves")?;
    }
    search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

fn words(excluded: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let word = "[!-~]{1,8}|[^\\s]{1,3}";
    let word = word.prop_filter("a keyword", move |word| !excluded.contains(&word.as_str()));
    prop::collection::vec(word, 0..5)
}

fn limits() -> impl Strategy<Value = Limits> {
    let depth = prop::option::of((1..=MAX_PLY as i32).prop_map(Depth::new));
    let nodes = prop::option::of(0..i64::MAX as u64);
    (depth, nodes, any::<Option<u32>>(), time(), any::<bool>(), any::<bool>()).prop_map(
        |(depth, nodes, mate, move_time, infinite, ponder)| Limits {
            depth,
            nodes,
            mate,
            move_time,
            infinite,
            ponder,
            ..Limits::default()
        },
    )
}

fn time() -> impl Strategy<Value = Option<Duration>> {
    prop::option::of((0..=go::MAX_MILLISECONDS as u64).prop_map(Duration::from_millis))
}

fn times() -> impl Strategy<Value = ByColor<Option<Duration>>> {
    (time(), time()).prop_map(|(white, black)| ByColor { white, black })
}

fn search_requests() -> impl Strategy<Value = SearchRequest> {
    (limits(), times(), times(), any::<Option<u32>>(), words(&go::PARAMETERS)).prop_map(
        |(limits, remaining, increment, moves_to_go, search_moves)| {
            let mut request = SearchRequest { limits, search_moves, ..SearchRequest::default() };
            request.clocks.remaining = remaining;
            request.clocks.increment = increment;
            request.clocks.moves_to_go = moves_to_go;
            request
        },
    )
}

fn position_requests() -> impl Strategy<Value = PositionRequest> {
    let fen = words(&["moves"]).prop_filter("empty", |fen| !fen.is_empty());
    let start = prop_oneof![Just(Start::Initial), fen.prop_map(|fen| Start::Fen(fen.join(" "))),];
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
        (name, value).prop_map(|(name, value)| Command::SetOption { name: name.join(" "), value }),
        position_requests().prop_map(Command::Position),
        search_requests()
            .prop_map(|request| Command::Go { request: Box::new(request), left_out: None }),
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

/// Generates lines that look like commands; most are invalid.
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
    fn a_printed_command_parses_as_the_same_command(command in commands()) {
        prop_assert_eq!(Printed(&command).to_string().parse(), Ok(command));
    }

    #[test]
    fn a_parsed_line_prints_as_a_line_that_parses_as_the_same_command(
        line in almost_commands()
    ) {
        if let Ok(mut command) = line.parse::<Command>() {
            let printed = Printed(&command).to_string();
            if let Command::Go { left_out, .. } = &mut command {
                *left_out = None;
            }
            prop_assert_eq!(printed.parse(), Ok(command));
        }
    }

    #[test]
    fn the_error_of_random_bytes_is_short(bytes in any::<Vec<u8>>()) {
        if let Err(error) = String::from_utf8_lossy(&bytes).parse::<Command>() {
            prop_assert!(error.to_string().chars().count() < 250);
        }
    }
}
