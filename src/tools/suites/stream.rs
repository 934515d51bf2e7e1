//! Solves positions from a pipe as they arrive. Only positions in work are in memory.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

use super::file::{BrokenLine, SuiteEntry, lines_within, read_line};
use super::solve::{Answer, RunControl, answer};
use crate::input::decode_line;
use crate::limit::PositionLimit;
use crate::workers::{self, Queue};
use outrider_engine::search::{Control, Engine};

/// Result of a line of the input.
pub enum StreamedLine {
    /// A position with its answer.
    Solved(Box<SuiteEntry>, Answer),
    /// A line that cannot be read.
    Broken(BrokenLine),
    /// A read error, which ends the input.
    Unreadable(io::Error),
}

/// Solves the positions of an input as their lines arrive, each with an empty transposition table. Calls
/// `report` with the results in the order of the lines if `in_order`, else when they are ready.
///
/// # Errors
///
/// Returns the error of `report`. Fails if a thread cannot be started.
pub fn solve_stream(
    input: impl BufRead + Send,
    engines: Vec<Engine>,
    limit: PositionLimit,
    in_order: bool,
    report: &mut dyn FnMut(StreamedLine) -> io::Result<()>,
) -> io::Result<()> {
    let stop = Control::default();
    let control = RunControl { stop: &stop, before_each: &|| Ok(()) };
    let work = |engine: &mut Engine, (number, line): (usize, ReadLine)| {
        let line = match line {
            Ok(Ok(entry)) => {
                let answer = answer(engine, &entry.exercise, limit, control.stop);
                StreamedLine::Solved(Box::new(entry), answer)
            }
            Ok(Err(broken)) => StreamedLine::Broken(broken),
            Err(error) => StreamedLine::Unreadable(error),
        };
        (!control.stop.is_stopped()).then_some((number, line))
    };
    let lines = StreamedLines::new(input);
    let mut queue = Queue::new(0, in_order);
    workers::run(engines, (0..).zip(lines), control.stop, work, |(number, line)| {
        queue.push(number, line);
        while let Some(line) = queue.pop() {
            report(line)?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// A line that is neither empty nor a comment, or a read error.
type ReadLine = io::Result<Result<SuiteEntry, BrokenLine>>;

/// An iterator over the lines of an input, read on demand.
struct StreamedLines<R> {
    input: R,
    /// Number of the last line read, from 1.
    number: usize,
    is_at_end: bool,
    /// Lines that were read and not yet returned.
    read: VecDeque<ReadLine>,
}

impl<R> StreamedLines<R> {
    fn new(input: R) -> StreamedLines<R> {
        StreamedLines { input, number: 0, is_at_end: false, read: VecDeque::new() }
    }
}

impl<R: BufRead> Iterator for StreamedLines<R> {
    type Item = ReadLine;

    fn next(&mut self) -> Option<ReadLine> {
        while self.read.is_empty() && !self.is_at_end {
            let mut bytes = Vec::new();
            let read = self.input.read_until(b'\n', &mut bytes);
            self.is_at_end = !read.as_ref().is_ok_and(|&length| length > 0);
            if let Err(error) = read {
                return Some(Err(error));
            }
            for text in lines_within(decode_line(&bytes).trim_end_matches(['\n', '\r'])) {
                self.number += 1;
                self.read.extend(read_line(self.number, text).map(Ok));
            }
        }
        self.read.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::path::Path;

    use super::super::file::Suite;
    use super::*;
    use crate::input::decode_text;

    const SUITE: &[u8] = b"\xef\xbb\xbf6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;\r\n# said\n\n\
        rubbish\n7k/R7/8/8/8/8/8/1R4K1 w - - bm Rb8; id \"\xe9\";\r# Mac\r\
        7k/R7/8/8/8/8/8/1R4K1 w - - bm Rb8;\x1a";

    /// Returns an input that ends with a read error.
    fn broken_off(text: &'static [u8]) -> impl BufRead {
        struct Failing;
        impl io::Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::TimedOut.into())
            }
        }
        io::BufReader::new(text.chain(Failing))
    }

    fn reported(input: impl BufRead + Send, in_order: bool) -> Vec<String> {
        let engines = Engine::new_many(2, 1, 1).unwrap();
        let mut lines = Vec::new();
        let limit = PositionLimit::Depth(3);
        let ended = solve_stream(input, engines, limit, in_order, &mut |line| {
            lines.push(match line {
                StreamedLine::Solved(entry, answer) => {
                    format!("{} {}", entry.name(), answer.verdict.solved == Some(true))
                }
                StreamedLine::Broken(broken) => format!("broken {}", broken.line),
                StreamedLine::Unreadable(error) => format!("unreadable {}", error.kind()),
            });
            Ok(())
        });
        ended.unwrap();
        lines
    }

    #[test]
    fn streamed_lines_equal_those_of_the_whole_file() {
        let suite = Suite::parse(Path::new("-"), &decode_text(SUITE.to_vec()));
        let entries = suite.entries.iter().map(|entry| (entry.line, format!("{entry:?}")));
        let broken = suite.broken.iter().map(|broken| (broken.line, format!("{broken:?}")));
        let mut expected: Vec<_> = entries.chain(broken).collect();
        expected.sort();
        assert_eq!(expected.len(), 4);
        let lines = StreamedLines::new(SUITE);
        let read = lines.map(|line| match line.unwrap() {
            Ok(entry) => (entry.line, format!("{entry:?}")),
            Err(broken) => (broken.line, format!("{broken:?}")),
        });
        assert_eq!(read.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_are_reported_in_order_or_when_they_are_ready() {
        let expected = ["line 1 true", "broken 4", "\u{e9} true", "line 7 true"];
        assert_eq!(reported(SUITE, true), expected);
        let mut unordered = reported(SUITE, false);
        unordered.sort_by_key(|line| expected.iter().position(|known| known == line));
        assert_eq!(unordered, expected);
    }

    #[test]
    fn an_input_with_a_read_error_is_solved_up_to_the_error() {
        let input = broken_off(b"6k1/5ppp/8/8/8/8/8/R3R1K1 w - - bm Ra8;\n");
        assert_eq!(reported(input, true), ["line 1 true", "unreadable timed out"]);
    }

    #[test]
    fn an_error_in_taking_an_answer_ends_the_work() {
        let engines = Engine::new_many(2, 1, 1).unwrap();
        let ended = solve_stream(SUITE, engines, PositionLimit::Depth(3), true, &mut |_| {
            Err(io::ErrorKind::BrokenPipe.into())
        });
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
