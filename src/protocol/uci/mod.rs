//! The protocol: lines come in, are read as commands and given to the [`Session`]; what it answers
//! and what its tasks tell is printed.
//!
//! One loop owns the session and the output. A thread that reads the input and the thread that
//! searches send it events through one channel, so that it is never held up by either, no two
//! answers get mixed up, and everything is answered in the order in which it came.

#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

pub mod command;
mod describe;
mod error;
mod go;
pub mod input;
pub mod options;
pub mod response;
mod static_evaluation;
mod throttle;
mod words;

use std::fmt;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Instant;

use thiserror::Error;

use crate::engine::bench;
use crate::engine::position::Position;
use crate::engine::search::Report;
use crate::protocol::session::{
    Change, Ending, EngineChange, News, Note, SearchRequest, Session, StartError, TaskResult,
};

use command::{Command, LeftOut};
use describe::{Drawing, GREETING, HELP};
use input::{Input, LONGEST_LINE};
use options::Options;
use response::{Response, RootView};
use static_evaluation::StaticEvaluation;
use throttle::Throttle;

/// How many events may wait for the loop before their senders have to wait too.
const BACKLOG: usize = 64;

/// What the loop waits for.
enum Event {
    Input(Input),
    News(News),
}

/// Why a session ended with an error.
#[derive(Debug, Error)]
pub enum UciError {
    /// It could not begin.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A task panicked.
    #[error("a task panicked: {0}")]
    Panicked(String),
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Speaks UCI until `quit` or the end of the input, or until no one reads the output any more.
/// A search that runs then is stopped and answered, and a bench, which ends by itself, is waited
/// for. If `greet` is set, a person is told first what this is.
///
/// # Errors
///
/// Fails if there is no memory or no thread to begin with, if a task panicked, or if writing
/// fails for another reason than that the reader is gone.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    greet: bool,
) -> Result<(), UciError> {
    let (events, inbox) = mpsc::sync_channel(BACKLOG);
    let news = events.clone();
    let session = Session::new(move |told| {
        // No one listens any more once the loop has ended.
        let _ = news.send(Event::News(told));
    })?;
    let take = move |input| events.send(Event::Input(input)).is_ok();
    input::spawn(input, take).map_err(StartError::Thread)?;
    let mut protocol = Protocol {
        session,
        options: Options::new(),
        throttle: Throttle::default(),
        printer: Printer(output),
    };
    match protocol.serve(&inbox, greet) {
        Err(UciError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// The engine's side of the protocol.
struct Protocol<W> {
    session: Session,
    options: Options,
    throttle: Throttle,
    printer: Printer<W>,
}

impl<W: Write> Protocol<W> {
    fn serve(&mut self, inbox: &mpsc::Receiver<Event>, greet: bool) -> Result<(), UciError> {
        if greet {
            self.printer.text(&GREETING)?;
        }
        for event in inbox {
            let flow = match event {
                Event::Input(input) => self.read(input)?,
                Event::News(news) => {
                    self.report(news)?;
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                break;
            }
        }
        self.leave(inbox)
    }

    /// Answers what was asked for and not answered yet.
    fn leave(&mut self, inbox: &mpsc::Receiver<Event>) -> Result<(), UciError> {
        self.session.wind_up();
        while self.session.is_busy()
            && let Ok(event) = inbox.recv()
        {
            if let Event::News(news) = event {
                self.report(news)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, input: Input) -> Result<ControlFlow<()>, UciError> {
        match input {
            Input::End => return Ok(ControlFlow::Break(())),
            Input::TooLong => {
                self.printer
                    .note(&format_args!("a line of more than {LONGEST_LINE} bytes was skipped"))?;
            }
            Input::Line { text, .. } if text.trim().is_empty() => {}
            Input::Line { text, arrived } => match text.parse() {
                Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
                Ok(command) => self.execute(command, arrived)?,
                Err(error) => self.printer.note(&error)?,
            },
        }
        Ok(ControlFlow::Continue(()))
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> Result<(), UciError> {
        match command {
            Command::Uci => self.printer.say(&Response::Identity(&self.options))?,
            Command::IsReady => self.printer.say(&Response::ReadyOk)?,
            Command::NewGame => self.change(Change::Engine(EngineChange::Forget))?,
            Command::SetOption { name, value } => {
                match self.options.change(self.session.settings(), &name, value.as_deref()) {
                    Ok(change) => self.change(change)?,
                    Err(error) => self.printer.note(&error)?,
                }
            }
            Command::Position(request) => {
                let note = self.session.set_position(request).unwrap_or_else(Some);
                self.printer.notes(note)?;
            }
            Command::Go { mut request, left_out } => {
                request.limits.started = Some(arrived);
                self.go(&request, left_out)?;
            }
            Command::Stop => self.session.stop(),
            Command::PonderHit => self.session.ponder_hit(),
            Command::Show => self.printer.text(&Drawing(self.session.position()))?,
            Command::Eval => {
                let (position, network) = (self.session.position(), self.session.network());
                self.printer.text(&StaticEvaluation { position, network })?;
            }
            Command::Bench(depth) => {
                let refused = self.session.bench(depth.unwrap_or(bench::DEFAULT_DEPTH)).err();
                self.printer.notes(refused)?;
            }
            Command::Perft(depth) => {
                let refused = self.session.perft(depth).err();
                self.printer.notes(refused)?;
            }
            Command::Help => self.printer.text(&HELP)?,
            // Quitting ended the conversation before.
            Command::Debug(_) | Command::Quit => {}
        }
        Ok(())
    }

    fn go(
        &mut self,
        request: &SearchRequest,
        left_out: Option<Box<LeftOut>>,
    ) -> Result<(), UciError> {
        left_out.iter().try_for_each(|left_out| self.printer.note(left_out))?;
        match self.session.search(request) {
            Ok(note) => self.printer.notes(note),
            Err(refusal) => self.printer.note(&refusal),
        }
    }

    fn change(&mut self, change: Change) -> Result<(), UciError> {
        let notes = self.session.change(change);
        self.printer.notes(notes)
    }

    fn report(&mut self, news: News) -> Result<(), UciError> {
        match news {
            News::Search { report: Report::Line(line), .. } if !self.throttle.offer(&line) => {
                Ok(())
            }
            News::Search { root, report } => self.inform(&root, &report),
            News::Perft(branch) => self.printer.text(&branch),
            News::Bench(progress) => self.printer.text(&progress),
            News::Ended(ending) => self.end(ending),
            News::Panicked(message) => {
                self.printer.note(&format_args!("the engine failed and ends: {message}"))?;
                Err(UciError::Panicked(message))
            }
        }
    }

    fn inform(&mut self, root: &Position, report: &Report) -> Result<(), UciError> {
        let show_wdl = self.session.settings().show_wdl;
        self.printer.say(&Response::Info { report, root: RootView::new(root), show_wdl })
    }

    fn end(&mut self, ending: Ending) -> Result<(), UciError> {
        match &ending.result {
            TaskResult::Search { root, outcome } => {
                for line in self.throttle.finish() {
                    self.inform(root, &Report::Line(line))?;
                }
                self.printer.say(&Response::BestMove { outcome, root: RootView::new(root) })?;
            }
            TaskResult::Perft(Some(summary)) => self.printer.text(summary)?,
            TaskResult::Perft(None) => self.printer.note(&"the perft was stopped")?,
            TaskResult::Bench(Ok(summary)) => self.printer.text(summary)?,
            TaskResult::Bench(Err(error)) => self.printer.note(error)?,
        }
        let notes = self.session.take_back(ending);
        self.printer.notes(notes)
    }
}

/// The one place that writes.
struct Printer<W>(W);

impl<W: Write> Printer<W> {
    /// Prints at once and in one piece.
    fn say(&mut self, response: &Response) -> Result<(), UciError> {
        let text = format!("{response}\n");
        self.0.write_all(text.as_bytes())?;
        self.0.flush()?;
        Ok(())
    }

    fn text(&mut self, text: &dyn fmt::Display) -> Result<(), UciError> {
        self.say(&Response::Text(text))
    }

    fn note(&mut self, note: &dyn fmt::Display) -> Result<(), UciError> {
        self.say(&Response::Note(note))
    }

    fn notes(&mut self, notes: impl IntoIterator<Item = Note>) -> Result<(), UciError> {
        notes.into_iter().try_for_each(|note| self.note(&note))
    }
}

#[cfg(test)]
mod tests;
