//! A UCI conversation: each byte selects a command, and a referee checks the answers.
//!
//! Every `isready` is answered; every `go` is answered once or refused in one line; each move and
//! each line of play is legal in the position where its search began; and the conversation ends
//! without an error. After each `go` comes an `isready`, so that a refusal can be assigned to this
//! `go`.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use shakmaty::{Chess, Position as _};

use outrider_engine::position::notation::{format_move, parse_fen, parse_move};
use outrider_protocol::uci;

const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 99 90",
    "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
];

const SEARCHES: [&str; 16] = [
    "go depth 3",
    "go depth 7",
    "go nodes 1",
    "go nodes 2000",
    "go movetime 3",
    "go infinite",
    "go wtime 40 btime 40",
    "go wtime 30 btime 30 winc 2 binc 2 movestogo 3",
    "go ponder wtime 40 btime 40",
    "go ponder depth 2",
    "go mate 2",
    "go",
    "go depth 4 searchmoves e2e4 a1b1 e1e2",
    "go infinite nodes 50",
    "go wtime -5 btime 0",
    "go depth 2 nodes x movetime 1",
];

/// Commands without an answer, or with answers that are not checked.
const OTHERS: [&str; 32] = [
    "stop",
    "ponderhit",
    "ucinewgame",
    "uci",
    "d",
    "eval",
    "help",
    "debug on",
    "setoption name Hash value 1",
    "setoption name Hash value 4",
    "setoption name Threads value 1",
    "setoption name Threads value 3",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 4",
    "setoption name Clear Hash",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "setoption name UCI_Elo value 900",
    "setoption name Skill Level value 4",
    "setoption name UCI_AnalyseMode value true",
    "setoption name Move Overhead value 0",
    "setoption name EvalFile value nowhere",
    "setoption name BookFile value nowhere",
    "setoption name OwnBook value true",
    "setoption name SyzygyPath value nowhere",
    "setoption name SyzygyPath value <empty>",
    "position fen 8/8/8/8 w - -",
    "go perft 3",
    "perft 2",
];

/// Runs the conversation.
pub fn session(data: &[u8]) {
    let script = Script::new(data);
    let input = DelayedInput { pieces: script.pieces, place: 0 };
    let mut output = Vec::new();
    let ended = uci::run(input, &mut output, false);
    let output = String::from_utf8(output).expect("text");
    assert!(ended.is_ok(), "{ended:?} after {output}");
    Referee::new(script.ready).check(&output);
}

/// Lines of the conversation and the expected answers.
struct Script {
    pieces: Vec<(Duration, Vec<u8>)>,
    /// For each `isready`: the position of the `go` before it, if there is one.
    ready: VecDeque<Option<Chess>>,
    chess: Chess,
}

impl Script {
    fn new(data: &[u8]) -> Script {
        let (pieces, ready, chess) = (Vec::new(), VecDeque::new(), Chess::default());
        let mut script = Script { pieces, ready, chess };
        let mut bytes = data.iter().copied();
        while let Some(byte) = bytes.next() {
            let low = usize::from(byte % 32);
            match byte / 32 {
                0 | 1 => script.go(SEARCHES[low % SEARCHES.len()]),
                2 | 3 => script.send(OTHERS[low]),
                4 => script.position(low, &mut bytes),
                5 => script.ready(None),
                6 => script.wait(low),
                _ => script.noise(low, &mut bytes),
            }
        }
        script.ready(None);
        script
    }

    fn send(&mut self, line: &str) {
        self.pieces.push((Duration::ZERO, format!("{line}\n").into_bytes()));
    }

    fn ready(&mut self, searched: Option<Chess>) {
        self.send("isready");
        self.ready.push_back(searched);
    }

    fn go(&mut self, line: &str) {
        self.send(line);
        self.ready(Some(self.chess.clone()));
    }

    fn wait(&mut self, length: usize) {
        self.pieces.push((Duration::from_micros(100 * length as u64), Vec::new()));
    }

    /// Sends a position and some moves in it, each chosen by a byte.
    fn position(&mut self, which: usize, bytes: &mut impl Iterator<Item = u8>) {
        let fen = POSITIONS[which % POSITIONS.len()];
        let mode = shakmaty::CastlingMode::Standard;
        self.chess = parse_fen(fen, mode).expect("a position");
        let mut line = format!("position fen {fen} moves");
        for _ in 0..which / POSITIONS.len() * 2 {
            let moves = self.chess.legal_moves();
            let (Some(byte), false) = (bytes.next(), moves.is_empty()) else {
                break;
            };
            let mv = moves[usize::from(byte) % moves.len()];
            line += &format!(" {}", format_move(mv, mode));
            self.chess.play_unchecked(mv);
        }
        self.send(&line);
    }

    /// Sends meaningless bytes: a line that begins like no command.
    fn noise(&mut self, length: usize, bytes: &mut impl Iterator<Item = u8>) {
        let noise = bytes.take(length).filter(|byte| *byte != b'\n');
        let line = b"?".iter().copied().chain(noise).chain(*b"\n").collect();
        self.pieces.push((Duration::ZERO, line));
    }
}

/// An input that delivers its pieces with delays.
struct DelayedInput {
    pieces: Vec<(Duration, Vec<u8>)>,
    place: usize,
}

impl Read for DelayedInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some((wait, bytes)) = self.pieces.get_mut(self.place) {
            thread::sleep(std::mem::take(wait));
            if bytes.is_empty() {
                self.place += 1;
                continue;
            }
            let length = bytes.len().min(buffer.len());
            buffer[..length].copy_from_slice(&bytes[..length]);
            bytes.drain(..length);
            return Ok(length);
        }
        Ok(0)
    }
}

struct Referee {
    ready: VecDeque<Option<Chess>>,
    /// Positions of searches without an answer so far.
    open: VecDeque<Chess>,
}

impl Referee {
    fn new(ready: VecDeque<Option<Chess>>) -> Referee {
        Referee { ready, open: VecDeque::new() }
    }

    fn check(&mut self, output: &str) {
        for line in output.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["readyok"] => {
                    let searched = self.ready.pop_front().expect("an isready for every readyok");
                    self.open.extend(searched);
                }
                ["info", "string", "new", "search", "refused:", ..] => {
                    *self.ready.front_mut().expect("a go") = None;
                }
                ["bestmove", best, ref rest @ ..] => self.check_move(best, rest, output),
                ["info", ref rest @ ..] if rest.first() != Some(&"string") => {
                    let line = rest.iter().skip_while(|&&word| word != "pv").skip(1);
                    let mut chess = self.searched().clone();
                    for word in line {
                        let mv = parse_move(&chess, word);
                        chess
                            .play_unchecked(mv.unwrap_or_else(|error| panic!("{error}: {output}")));
                    }
                }
                _ => {}
            }
        }
        assert!(self.ready.is_empty(), "an isready was not answered: {output}");
        assert!(self.open.is_empty(), "a go was not answered: {output}");
    }

    /// Returns the position of the search that sent the line, which may come before the `readyok`
    /// after its `go`.
    fn searched(&self) -> &Chess {
        let newest = || self.ready.front().and_then(Option::as_ref);
        self.open.front().or_else(newest).expect("a search")
    }

    fn check_move(&mut self, best: &str, rest: &[&str], output: &str) {
        let mut chess = self.searched().clone();
        if self.open.pop_front().is_none() {
            *self.ready.front_mut().expect("a go") = None;
        }
        if best == "(none)" {
            assert!(chess.legal_moves().is_empty(), "{output}");
            return;
        }
        let replies = rest.iter().filter(|&&word| word != "ponder");
        for word in std::iter::once(&best).chain(replies) {
            let mv = parse_move(&chess, word);
            chess.play_unchecked(mv.unwrap_or_else(|error| panic!("{error}: {output}")));
        }
    }
}
