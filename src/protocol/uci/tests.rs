use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use proptest::prelude::*;

use super::*;

/// A chess program that talks to the engine.
struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    engine: JoinHandle<Result<(), UciError>>,
}

impl Client {
    fn new() -> Client {
        let (engine_input, input) = io::pipe().unwrap();
        let (output, engine_output) = io::pipe().unwrap();
        let engine = thread::spawn(move || run(engine_input, engine_output, false));
        Client { input, output: BufReader::new(output), engine }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads lines up to and including the first one that starts with `last`.
    fn read_until(&mut self, last: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "ended after {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(last) {
                return lines;
            }
        }
    }

    /// Sends `line` and returns the immediate answers.
    fn answers(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.read_until("readyok");
        lines.pop();
        lines
    }

    fn quit(mut self) -> Result<(), UciError> {
        self.send("quit");
        self.engine.join().unwrap()
    }
}

#[test]
fn the_engine_announces_its_name_and_its_options() {
    let mut client = Client::new();
    client.send("uci");
    let lines = client.read_until("uciok");
    assert!(lines[0].starts_with("id name Outrider "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    client.quit().unwrap();
}

#[test]
fn a_search_reports_lines_and_ends_with_its_best_move() {
    let mut client = Client::new();
    client.send("position startpos moves e2e4");
    client.send("go depth 2");
    let lines = client.read_until("bestmove ");
    let (best, infos) = lines.split_last().unwrap();
    let last = infos.iter().rfind(|line| line.contains(" pv ")).unwrap();
    let mut pv = last.split(" pv ").nth(1).unwrap().split(' ');
    assert_eq!(best.split(' ').nth(1), pv.next(), "{lines:?}");
    client.quit().unwrap();
}

#[test]
fn the_time_of_a_search_starts_at_the_arrival_of_its_line() {
    let (events, inbox) = mpsc::sync_channel(BACKLOG);
    let on_event = move |event| drop(events.send(LoopEvent::Task(event)));
    let mut output = Vec::new();
    let mut protocol = Protocol {
        session: Session::new(on_event).unwrap(),
        options: Options::new(),
        throttle: Throttle::default(),
        printer: Printer(&mut output),
    };
    let arrived = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let line = Input::Line { text: "go depth 1".to_owned(), arrived };
    assert!(protocol.on_input(line).unwrap().is_continue());
    protocol.shutdown(&inbox).unwrap();
    drop(protocol);
    let output = String::from_utf8(output).unwrap();
    let time = output.split_whitespace().skip_while(|&word| word != "time").nth(1);
    assert!(time.unwrap().parse::<u32>().unwrap() >= 1000, "{output}");
}

#[test]
fn readyok_comes_at_once_while_a_search_runs() {
    let mut client = Client::new();
    client.send("go infinite");
    client.send("isready");
    let lines = client.read_until("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    client.send("stop");
    client.read_until("bestmove ");
    client.quit().unwrap();
}

#[test]
fn each_invalid_line_is_answered_by_one_message() {
    let mut client = Client::new();
    for (line, wrong) in [
        ("sing", "sing"),
        ("position fen k w - -", "k w - -"),
        ("position startpos moves e2e4 e2e4", "move 2"),
        ("setoption name Threads value -1", "Threads"),
        ("setoption name Book value x", "Book"),
        ("bench deep", "bench"),
        ("perft", "perft"),
        ("b\0\u{1b}[31m", "b"),
    ] {
        let answers = client.answers(line);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        assert!(answers[0].starts_with("info string "), "{line}: {answers:?}");
        assert!(answers[0].contains(wrong), "{line}: {answers:?}");
    }
    client.quit().unwrap();
}

#[test]
fn lines_that_need_no_answer_get_none() {
    let mut client = Client::new();
    for line in ["", "  ", "stop", "ponderhit", "debug on", "ucinewgame", "position startpos"] {
        assert_eq!(client.answers(line), Vec::<String>::new(), "{line:?}");
    }
    client.quit().unwrap();
}

#[test]
fn d_eval_and_help_answer_with_text_for_people() {
    let mut client = Client::new();
    assert!(client.answers("d").iter().any(|line| line == "Legal moves: 20"));
    assert!(client.answers("eval").iter().any(|line| line.contains("White")));
    assert!(client.answers("help").iter().any(|line| line.starts_with("isready ")));
    client.quit().unwrap();
}

/// Positions that cannot be set, in every way in which a line can be wrong.
const REFUSED_POSITIONS: [&str; 10] = [
    "position fen 3r4/8/8/8/8/8/PPPPPPPP/PPPPPPPPPK5k w - - 0 1",
    "position fen QQQQQQQQ/QQQQQQQQ/8/8/8/8/PPPPPPPP/K6k w - - 0 1",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves b2b3 d7d6 d7d6",
    "position startpos moves e2e4 rook",
    "position startpos e2e4",
    "position fen",
    "position",
    "Position startpos moves e2e4",
    "\u{feff}position startpos moves e2e4",
];

const MATE_IN_ONE: &str = "position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";

#[test]
fn after_a_refused_position_no_answer_is_about_an_earlier_one() {
    let mut client = Client::new();
    let too_long = format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(60_000));
    for refused in REFUSED_POSITIONS.iter().copied().chain([&*too_long]) {
        assert_eq!(client.answers(MATE_IN_ONE), Vec::<String>::new());
        let answers = client.answers(refused);
        let name = &refused[..refused.len().min(80)];
        assert!(
            answers.len() == 1 && answers[0].starts_with("info string "),
            "{name}: {answers:?}"
        );
        assert!(answers[0].ends_with("there is no position until one is accepted"), "{answers:?}");
        assert!(!answers[0].contains("nothing was done"), "{answers:?}");
        for go in ["go depth 3", "go mate 2", "go wtime 1000", "go nodes 100"] {
            client.send(go);
            let lines = client.read_until("bestmove");
            assert_eq!((lines.len(), &*lines[1]), (2, "bestmove (none)"), "{name}: {lines:?}");
            assert!(lines[0].starts_with("info string there is no position"), "{name}: {lines:?}");
        }
        for command in ["d", "eval", "perft 2", "go perft 2"] {
            let answers = client.answers(command);
            assert!(answers.len() == 1, "{name}, {command}: {answers:?}");
            assert!(answers[0].starts_with("info string there is no position"), "{answers:?}");
        }
        assert_eq!(client.answers("ucinewgame"), Vec::<String>::new());
        client.send("go nodes 100");
        assert_eq!(client.read_until("bestmove").last().unwrap(), "bestmove (none)");
    }
    client.send(MATE_IN_ONE);
    client.send("go depth 5");
    assert!(client.read_until("bestmove").iter().any(|line| line.contains("score mate 1")));
    client.quit().unwrap();
}

#[test]
fn after_a_refused_position_an_endless_search_waits_to_be_ended() {
    for (go, end) in
        [("go infinite", "stop"), ("go ponder wtime 1000", "ponderhit"), ("go ponder", "stop")]
    {
        let mut client = Client::new();
        client.answers("position fen xyz");
        client.send(go);
        let lines = client.read_until("info string there is no position");
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(client.answers("debug on"), Vec::<String>::new(), "no answer before {end}");
        client.send(end);
        assert_eq!(client.read_until("bestmove"), ["bestmove (none)"]);
        client.quit().unwrap();
    }
}

#[test]
fn a_refused_line_of_another_kind_keeps_the_position() {
    let mut client = Client::new();
    client.answers(MATE_IN_ONE);
    for line in ["rubbish", "debug position", "setoption position", "perft position"] {
        let answers = client.answers(line);
        assert!(answers.len() == 1 && !answers[0].contains("no position"), "{answers:?}");
    }
    client.send("go depth 5");
    assert!(client.read_until("bestmove").iter().any(|line| line.contains("score mate 1")));
    client.quit().unwrap();
}

#[test]
fn perft_lists_counts_by_root_move_and_ends_with_the_total() {
    let mut client = Client::new();
    client.send("go perft 2");
    let lines = client.read_until("Nodes per second");
    assert_eq!(lines.iter().filter(|line| line.ends_with(": 20")).count(), 20, "{lines:?}");
    assert!(lines.contains(&"Nodes searched: 400".to_owned()), "{lines:?}");
    client.quit().unwrap();
}

#[test]
fn only_a_terminal_gets_a_greeting() {
    let first_line = |greet| {
        let mut output = Vec::new();
        run(&b"isready\nquit\n"[..], &mut output, greet).unwrap();
        String::from_utf8(output).unwrap().lines().next().unwrap().to_owned()
    };
    assert!(first_line(true).contains("help"));
    assert_eq!(first_line(false), "readyok");
}

#[test]
fn the_end_of_the_input_ends_the_session_even_during_a_search() {
    let mut client = Client::new();
    client.send("go infinite");
    drop(client.input);
    assert!(client.engine.join().unwrap().is_ok());
}

#[test]
fn a_closed_output_ends_the_session_without_an_error() {
    let mut client = Client::new();
    drop(client.output);
    writeln!(client.input, "isready").unwrap();
    assert!(client.engine.join().unwrap().is_ok());
}

/// Words that often form valid lines. None of them starts a long task.
const WORDS: [&str; 24] = [
    "uci",
    "debug",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "help",
    "name",
    "value",
    "Hash",
    "MultiPV",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "-1",
    "8/8/8/8/8/8/8/8",
    "w",
    "KQkq",
    "\u{fffd}",
];

fn noise() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec());
    let piece = prop_oneof![
        4 => word,
        2 => Just(b"\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    let pieces = prop::collection::vec(piece, 0..60);
    pieces.prop_map(|pieces| pieces.join(&b' '))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_engine_answers_after_any_input(mut input in noise()) {
        input.extend(b"\nisready\n");
        let mut output = Vec::new();
        prop_assert!(run(io::Cursor::new(input.clone()), &mut output, false).is_ok());
        prop_assert!(String::from_utf8(output).unwrap().ends_with("readyok\n"));
    }
}
