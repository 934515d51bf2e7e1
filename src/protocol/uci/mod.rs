//! UCI: parses lines as commands, passes them to the [`Session`], and prints its answers and the
//! events of its tasks.
//!
//! One loop owns the session and the output. The thread that reads the input and the thread that
//! searches send it events through one channel. So the loop never waits for either of them, answers
//! do not get mixed up, and events are answered in the order of their arrival.

#![doc = include_str!("README.md")]
#![forbid(unsafe_code)]

mod blocking;
mod command;
mod describe;
mod error;
mod go;
mod input;
mod options;
mod response;
mod static_evaluation;
mod throttle;
mod words;

use std::fmt;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Instant;

use thiserror::Error;

use crate::session::{
    Change, EngineChange, FinishedTask, Message, Session, StartError, TaskEvent, TaskResult,
};
use outrider_engine::bench;
use outrider_engine::position::Position;
use outrider_engine::search::Report;

use blocking::Blocking;
use command::Command;
use describe::{GREETING, HELP, PositionDrawing};
use input::{Input, MAX_LINE_BYTES};
use options::Options;
use response::{Response, RootView};
use static_evaluation::StaticEvaluation;
use throttle::Throttle;

/// Capacity of the event channel. When it is full, the senders wait.
const BACKLOG: usize = 64;

/// Event of the loop.
enum LoopEvent {
    Input(Input),
    Task(TaskEvent),
}

/// Error that ended a session.
#[derive(Debug, Error)]
pub enum UciError {
    /// The session could not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A task panicked with this message.
    #[error("a task panicked: {0}")]
    Panicked(String),
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Speaks UCI until `quit`, the end of the input, or a broken pipe at the output. At the end, a
/// running search is stopped and answered, and a running bench is finished. With `greet`, the first
/// line is a greeting for people.
///
/// # Errors
///
/// Fails if there is not enough memory or no thread to start with, if a task panics, or if writing
/// fails with another error than a broken pipe.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write,
    greet: bool,
) -> Result<(), UciError> {
    let (events, inbox) = mpsc::sync_channel(BACKLOG);
    let task_events = events.clone();
    let session = Session::new(move |event| {
        // Sending fails only after the loop has ended.
        let _ = task_events.send(LoopEvent::Task(event));
    })?;
    let on_input = move |input| events.send(LoopEvent::Input(input)).is_ok();
    input::spawn(Blocking(input), on_input).map_err(StartError::Thread)?;
    let mut protocol = Protocol {
        session,
        options: Options::new(),
        throttle: Throttle::default(),
        printer: Printer(Blocking(output)),
    };
    match protocol.serve(&inbox, greet) {
        Err(UciError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Parses a line without carrying it out. Returns the message about its errors, if it has any.
pub fn parse_error(line: &str) -> Option<String> {
    match line.parse() {
        Err(error) => Some(command::CommandError::to_string(&error)),
        Ok(Command::SetOption { name, value }) => {
            let values = crate::session::Values::default();
            let change = Options::new().change(&values, &name, value.as_deref());
            change.err().map(|error| error.to_string())
        }
        Ok(Command::Go { left_out, .. }) => left_out.map(|left_out| left_out.to_string()),
        Ok(_) => None,
    }
}

/// Session, output and their state.
struct Protocol<W> {
    session: Session,
    options: Options,
    throttle: Throttle,
    printer: Printer<W>,
}

impl<W: Write> Protocol<W> {
    fn serve(&mut self, inbox: &mpsc::Receiver<LoopEvent>, greet: bool) -> Result<(), UciError> {
        if greet {
            self.printer.text(&GREETING)?;
        }
        for event in inbox {
            match event {
                LoopEvent::Input(input) => {
                    if self.on_input(input)?.is_break() {
                        break;
                    }
                }
                LoopEvent::Task(event) => self.on_task_event(event)?,
            }
        }
        self.shutdown(inbox)
    }

    /// Stops the running tasks and prints their answers.
    fn shutdown(&mut self, inbox: &mpsc::Receiver<LoopEvent>) -> Result<(), UciError> {
        self.session.shutdown();
        while self.session.is_busy()
            && let Ok(event) = inbox.recv()
        {
            if let LoopEvent::Task(event) = event {
                self.on_task_event(event)?;
            }
        }
        Ok(())
    }

    fn on_input(&mut self, input: Input) -> Result<ControlFlow<()>, UciError> {
        match input {
            Input::End => return Ok(ControlFlow::Break(())),
            Input::TooLong { start } => {
                let reason = format!("a line of more than {MAX_LINE_BYTES} bytes is too long");
                self.refuse(&start, &reason)?;
            }
            Input::Line { text, .. } if text.trim().is_empty() => {}
            Input::Line { text, arrived } => match text.parse() {
                Ok(Command::Quit) => return Ok(ControlFlow::Break(())),
                Ok(command) => self.execute(command, arrived)?,
                Err(error) => self.refuse(&text, &error)?,
            },
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Prints why a line cannot be used. A line that was meant to set a position removes the current one,
    /// which would answer in its place.
    fn refuse(&mut self, line: &str, error: &dyn fmt::Display) -> Result<(), UciError> {
        if command::names_position(line) {
            let message = self.session.refuse_position(error.to_string());
            self.printer.message(&message)
        } else {
            self.printer.message(&format_args!("{error}; nothing was done"))
        }
    }

    fn execute(&mut self, command: Command, arrived: Instant) -> Result<(), UciError> {
        match command {
            Command::Uci => self.printer.print(&Response::Identity(&self.options))?,
            Command::IsReady => self.printer.print(&Response::ReadyOk)?,
            Command::NewGame => self.change(EngineChange::Forget.into())?,
            Command::SetOption { name, value } => {
                match self.options.change(&self.session.values(), &name, value.as_deref()) {
                    Ok(change) => self.change(change)?,
                    Err(error) => self.printer.message(&error)?,
                }
            }
            Command::Position(request) => {
                let message = self.session.set_position(request).unwrap_or_else(Some);
                self.printer.messages(message)?;
            }
            Command::Go { mut request, left_out } => {
                self.printer.messages(left_out)?;
                // The clock also runs while the line waits in the channel.
                request.limits.started = Some(arrived);
                let message = self.session.search(&request).unwrap_or_else(Some);
                self.printer.messages(message)?;
            }
            Command::Stop => self.session.stop(),
            Command::PonderHit => self.session.ponder_hit(),
            Command::Show => match self.session.position() {
                Ok(position) => self.printer.text(&PositionDrawing(position))?,
                Err(message) => self.printer.message(&message)?,
            },
            Command::Eval => match self.session.position() {
                Ok(position) => {
                    let network = self.session.network();
                    self.printer.text(&StaticEvaluation { position, network })?;
                }
                Err(message) => self.printer.message(&message)?,
            },
            Command::Bench(depth) => {
                let refused = self.session.bench(depth.unwrap_or(bench::DEFAULT_DEPTH)).err();
                self.printer.messages(refused)?;
            }
            Command::Perft(depth) => {
                let refused = self.session.perft(depth).err();
                self.printer.messages(refused)?;
            }
            Command::Help => self.printer.text(&HELP)?,
            // `quit` has already ended the loop.
            Command::Debug(_) | Command::Quit => {}
        }
        Ok(())
    }

    fn change(&mut self, change: Change) -> Result<(), UciError> {
        let messages = self.session.change(change);
        self.printer.messages(messages)
    }

    fn on_task_event(&mut self, event: TaskEvent) -> Result<(), UciError> {
        match event {
            TaskEvent::Search { root, report } => match report {
                Report::Line(line) if !self.throttle.offer(&line) => Ok(()),
                report => self.print_report(&root, &report),
            },
            TaskEvent::NoPosition(error) => self.printer.message(&Message::NoPosition(error)),
            TaskEvent::Perft(branch) => self.printer.text(&branch),
            TaskEvent::Bench(result) => self.printer.text(&result),
            TaskEvent::Finished(task) => self.on_task_finished(task),
            TaskEvent::Panicked(message) => {
                let end = format_args!("internal error, the engine exits: {message}");
                self.printer.message(&end)?;
                Err(UciError::Panicked(message))
            }
        }
    }

    fn print_report(&mut self, root: &Position, report: &Report) -> Result<(), UciError> {
        let show_wdl = self.session.settings().show_wdl;
        self.printer.print(&Response::Info { report, root: RootView::new(root), show_wdl })
    }

    fn on_task_finished(&mut self, task: FinishedTask) -> Result<(), UciError> {
        match &task.result {
            TaskResult::Search { root, outcome } => {
                for line in self.throttle.finish() {
                    self.print_report(root, &Report::Line(line))?;
                }
                self.printer.print(&Response::BestMove { outcome, root: RootView::new(root) })?;
            }
            TaskResult::NoPosition => self.printer.print(&Response::NoMove)?,
            TaskResult::Perft(Some(summary)) => self.printer.text(summary)?,
            TaskResult::Perft(None) => self.printer.message(&"the perft was stopped")?,
            TaskResult::Bench(Ok(summary)) => self.printer.text(summary)?,
            TaskResult::Bench(Err(error)) => self.printer.message(error)?,
        }
        // The next task starts only now, so that it prints after this answer.
        let messages = self.session.task_finished(task);
        self.printer.messages(messages)
    }
}

/// Writes all output.
struct Printer<W>(W);

impl<W: Write> Printer<W> {
    /// Prints a response in one write and flushes it.
    fn print(&mut self, response: &Response) -> Result<(), UciError> {
        let text = format!("{response}\n");
        self.0.write_all(text.as_bytes())?;
        self.0.flush()?;
        Ok(())
    }

    fn text(&mut self, text: &dyn fmt::Display) -> Result<(), UciError> {
        self.print(&Response::Text(text))
    }

    fn message(&mut self, message: &dyn fmt::Display) -> Result<(), UciError> {
        self.print(&Response::Message(message))
    }

    fn messages<M: fmt::Display>(
        &mut self,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), UciError> {
        messages.into_iter().try_for_each(|message| self.message(&message))
    }
}

#[cfg(test)]
mod tests;
