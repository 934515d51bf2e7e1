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
