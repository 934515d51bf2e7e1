//! Analysis of games from a pipe. Only the games in work are kept in memory.
//!
//! A game is complete when the next one begins or the input ends.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::mem;
use std::ops::ControlFlow;

use super::file::GamesRun;
use super::player::SimilarNames;
use super::skipped::{SkipReason, no_player, report_unanalysed};
use super::{AnalysisEvent, AnalysisTask, DoneGame, FileError, ReportedSides};
use crate::input::{InputFault, MAX_TEXT, decode_text};
use crate::pgn::{self, AnnotatedGame, GameError};
use crate::workers::{self, Queue};
use outrider_engine::search::Engine;

/// Analyses the games of an input like [`analyse_games`](super::analyse_games), but writes no files.
///
/// # Errors
///
/// Fails if the input cannot be read, contains no game, or contains no game of the requested player. The
/// last two are known only at the end of the input.
pub fn analyse_stream(
    task: &AnalysisTask,
    input: impl BufRead + Send,
    engines: Vec<Engine>,
    on_search: &(dyn Fn() + Sync),
    on_event: &mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
) -> Result<(), FileError> {
    let run = GamesRun::without_files(task, on_search);
    let queue = Queue::new(1, !task.unordered);
    let missing = task.player.as_deref().map(SimilarNames::new);
    let mut reporter = StreamReporter { task, queue, missing, on_event };
    let work = |engine: &mut Engine, source: io::Result<StreamedGame>| {
        let source = match source {
            Ok(source) => source,
            Err(reason) => {
                return Some(Err(FileError::Io { path: task.input.clone(), reason }));
            }
        };
        match source.game {
            Ok(game) if SkipReason::of(task, &game).is_none() => {
                let done = run.game(engine, source.number, Cow::Owned(game)).transpose()?;
                Some(done.map(|done| ReadyGame::Done(Box::new(done))))
            }
            _ => Some(Ok(ReadyGame::Unanalysed(Box::new(source)))),
        }
    };
    let games = StreamedGames::new(input);
    workers::run(engines, games, &run.control, work, |done| reporter.take(done?))?;
    reporter.check()
}

/// A game of the input.
struct StreamedGame {
    /// Number of the game in the input, from 1.
    number: usize,
    text: String,
    game: Result<AnnotatedGame, GameError>,
}

/// A game ready to be reported.
enum ReadyGame {
    Done(Box<DoneGame<'static>>),
    Unanalysed(Box<StreamedGame>),
}

impl ReadyGame {
    fn number(&self) -> usize {
        match self {
            ReadyGame::Done(done) => done.number,
            ReadyGame::Unanalysed(source) => source.number,
        }
    }
}

/// Iterator over the games of an input, which is read on demand.
struct StreamedGames<R> {
    input: R,
    /// Text that was read after the last complete game.
    rest: Vec<u8>,
    /// Number of lines in `rest`.
    lines: usize,
    /// Number of lines before `rest`.
    lines_before: usize,
    /// Length of `rest` at the last line that looked like the start of a game but was not.
    refused_at: usize,
    /// Complete games that were not yet returned.
    whole: VecDeque<StreamedGame>,
    found: usize,
    is_at_end: bool,
}

impl<R: BufRead> StreamedGames<R> {
    fn new(input: R) -> StreamedGames<R> {
        StreamedGames {
            input,
            rest: Vec::new(),
            lines: 0,
            lines_before: 0,
            refused_at: 0,
            whole: VecDeque::new(),
            found: 0,
            is_at_end: false,
        }
    }

    /// Reads up to the start of the next game or to the end of the input.
    fn read_next(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            self.is_at_end = self.input.read_until(b'\n', &mut line)? == 0;
            if self.is_at_end || self.ends_before(&line) {
                break;
            }
            if self.rest.len() as u64 > MAX_TEXT {
                return Err(InputFault::LongGame.into());
            }
            self.rest.append(&mut line);
            self.lines += 1;
        }
        let text = decode_text(mem::replace(&mut self.rest, line));
        for source in pgn::games_from(&text, self.lines_before + 1) {
            self.found += 1;
            self.whole.push_back(StreamedGame {
                number: self.found,
                text: source.text.to_owned(),
                game: pgn::read(&source),
            });
        }
        self.lines_before += mem::replace(&mut self.lines, usize::from(!self.is_at_end));
        self.refused_at = 0;
        Ok(())
    }

    /// Returns true if the line begins a new game after `rest`. To decide this, `rest` is scanned again.
    /// After a refusal that is not repeated before `rest` has doubled, so that an unclosed comment does
    /// not cost quadratic time.
    fn ends_before(&mut self, line: &[u8]) -> bool {
        if !line.starts_with(b"[Event ") || self.rest.len() < 2 * self.refused_at {
            return false;
        }
        let text = decode_text([&self.rest, line].concat());
        let games = pgn::games(&text);
        let begins =
            games.len() > 1 && games.last().is_some_and(|game| game.line == self.lines + 1);
        if !begins {
            self.refused_at = self.rest.len();
        }
        begins
    }
}

impl<R: BufRead> Iterator for StreamedGames<R> {
    type Item = io::Result<StreamedGame>;

    fn next(&mut self) -> Option<io::Result<StreamedGame>> {
        loop {
            if let Some(game) = self.whole.pop_front() {
                return Some(Ok(game));
            }
            if self.is_at_end {
                return None;
            }
            if let Err(error) = self.read_next() {
                self.is_at_end = true;
                return Some(Err(error));
            }
        }
    }
}

/// Reports the games in the order of the input or as soon as they are done.
struct StreamReporter<'a, 'b> {
    task: &'a AnalysisTask,
    queue: Queue<ReadyGame>,
    /// Names like that of the requested player, until a game of the player is found.
    missing: Option<SimilarNames>,
    on_event: &'b mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
}

impl StreamReporter<'_, '_> {
    fn take(&mut self, done: ReadyGame) -> Result<ControlFlow<()>, FileError> {
        let player = self.task.player.as_deref();
        let game = match &done {
            ReadyGame::Done(done) => Some(&*done.game),
            ReadyGame::Unanalysed(source) => source.game.as_ref().ok(),
        };
        if let (Some(similar), Some(game)) = (&mut self.missing, game) {
            if ReportedSides::of(player, game) == ReportedSides::Neither {
                similar.add_game(game);
            } else {
                self.missing = None;
            }
        }
        self.queue.push(done.number(), done);
        while let Some(done) = self.queue.pop() {
            match done {
                ReadyGame::Done(done) => {
                    (self.on_event)(AnalysisEvent::Done(&done)).map_err(FileError::Output)?;
                }
                ReadyGame::Unanalysed(source) => {
                    let StreamedGame { number, text, game } = &*source;
                    report_unanalysed(self.task, *number, text, game, &mut *self.on_event)?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Fails if no game, or none of the requested player, was reported.
    fn check(self) -> Result<(), FileError> {
        let path = self.task.input.clone();
        match (&self.task.player, self.missing) {
            _ if self.queue.is_untouched() => Err(FileError::NoGame { path }),
            (Some(player), Some(similar)) => Err(no_player(self.task, player, similar)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn streamed(text: &[u8]) -> Vec<StreamedGame> {
        StreamedGames::new(text).map(|game| game.expect("it can be read")).collect()
    }

    #[test]
    fn a_game_is_returned_as_soon_as_the_next_one_begins() {
        /// An input that panics if it is read beyond its end.
        struct Silent(&'static [u8]);
        impl io::Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                unreachable!("it is read by lines")
            }
        }
        impl BufRead for Silent {
            fn fill_buf(&mut self) -> io::Result<&[u8]> {
                assert!(!self.0.is_empty(), "the game is complete without more input");
                Ok(self.0)
            }
            fn consume(&mut self, amount: usize) {
                self.0 = &self.0[amount..];
            }
        }
        let input = b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d5 *\n\n[Event \"C\"]\n";
        let mut games = StreamedGames::new(Silent(input));
        let first = games.next().unwrap().unwrap();
        assert_eq!((first.number, first.game.unwrap().moves.len()), (1, 1));
        let second = games.next().unwrap().unwrap();
        assert_eq!((second.number, second.game.unwrap_err().line()), (2, 7));
    }

    proptest! {
        #[test]
        fn streamed_games_equal_those_of_the_whole_text(
            parts in prop::collection::vec(prop_oneof![
                Just("[Event \"A\"]\n"), Just("[White \"B\"]\n"), Just("\n"), Just("\r\n"),
                Just("1. e4 "), Just("e5 *\n"), Just("{ said "), Just("} "), Just("( "), Just(") "),
                Just("; to the end\n"), Just("% for programs\n"), Just("1. Ke5 1-0 "), Just("\u{feff}"),
                Just("é "), Just("~ "),
            ], 0..40),
        ) {
            // Each tilde becomes a letter in Latin-1.
            let latin1 = |byte: u8| if byte == b'~' { b'\xe9' } else { byte };
            let bytes: Vec<u8> = parts.concat().bytes().map(latin1).collect();
            let text = decode_text(bytes.clone());
            let known = |game: Result<AnnotatedGame, GameError>| {
                game.map(|game| pgn::write(&game)).map_err(|error| error.line())
            };
            let whole = pgn::games(&text);
            let whole: Vec<_> =
                whole.iter().map(|game| (game.text.to_owned(), known(pgn::read(game)))).collect();
            let streamed: Vec<_> =
                streamed(&bytes).into_iter().map(|game| (game.text, known(game.game))).collect();
            prop_assert_eq!(streamed, whole);
        }
    }
}
