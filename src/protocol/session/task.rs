//! The thread on which a session's long tasks run, so that the session always listens.
//!
//! The engine goes there with its task and comes back with the last news of it, so it is in one
//! place at a time and needs no lock.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

use crate::engine::evaluation::Network;
use crate::engine::position::{Board, Position};
use crate::engine::search::{Control, Engine, Limits, Outcome, Report};
use crate::engine::units::Depth;

use crate::engine::{bench, perft};

/// Stack of the thread in bytes: searches run on it.
const STACK: usize = Engine::STACK_SIZE;

/// What a session tells while a task runs.
#[derive(Debug)]
pub enum News {
    /// From a search on its way.
    Search {
        /// The position that it began from, which says how moves and scores are written.
        root: Arc<Position>,
        /// What is new.
        report: Report,
    },
    /// One root move of a perft was counted.
    Perft(perft::Branch),
    /// One position of a bench was searched.
    Bench(bench::PositionResult),
    /// The task has ended.
    Ended(Ending),
    /// The task panicked with this message; the engine is lost.
    Panicked(String),
}

/// How a task ended, with the engine that it used.
pub struct Ending {
    /// The result of the task.
    pub result: TaskResult,
    pub(super) engine: Engine,
}

impl std::fmt::Debug for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ending").field("result", &self.result).finish_non_exhaustive()
    }
}

/// The result of a task.
#[derive(Debug)]
pub enum TaskResult {
    /// Of a search.
    Search {
        /// The position that it began from.
        root: Arc<Position>,
        /// Its outcome.
        outcome: Outcome,
    },
    /// Of a perft; `None` if it was stopped.
    Perft(Option<perft::PerftSummary>),
    /// Of a bench.
    Bench(Result<bench::BenchSummary, bench::BenchError>),
}

/// Something that takes time.
pub(super) enum Task {
    Search { position: Arc<Position>, limits: Box<Limits> },
    Perft { board: Box<Board>, depth: u32 },
    Bench { depth: Depth, network: Arc<Network> },
}

impl Task {
    /// The name of the task in a message.
    pub fn name(&self) -> &'static str {
        match self {
            Task::Search { .. } => "the search",
            Task::Perft { .. } => "the perft",
            Task::Bench { .. } => "the bench",
        }
    }

    /// Whether the task ends before long without being stopped.
    pub fn ends_by_itself(&self) -> bool {
        matches!(self, Task::Bench { .. })
    }

    fn run(&self, engine: &mut Engine, control: &Control, tell: &dyn Fn(News)) -> TaskResult {
        match self {
            Task::Search { position, limits } => {
                let root = || Arc::clone(position);
                let report: &mut dyn FnMut(Report) =
                    &mut |report| tell(News::Search { root: root(), report });
                let outcome = engine.go_on_this_thread(position, limits, control, Some(report));
                TaskResult::Search { root: root(), outcome }
            }
            Task::Perft { board, depth } => {
                let summary =
                    perft::run(board, *depth, control, &mut |branch| tell(News::Perft(branch)));
                TaskResult::Perft(summary)
            }
            Task::Bench { depth, network } => {
                let tell = &mut |progress| tell(News::Bench(progress));
                let summary = bench::run(*depth, Arc::clone(network), control, tell);
                TaskResult::Bench(summary)
            }
        }
    }
}

/// The thread that runs tasks one after another.
pub(super) struct TaskThread {
    tasks: Sender<(Engine, Task, Arc<Control>)>,
}

impl TaskThread {
    /// Starts the thread; `tell` is called on it.
    pub fn spawn(tell: impl Fn(News) + Send + 'static) -> io::Result<TaskThread> {
        let (tasks, inbox) = mpsc::channel::<(Engine, Task, Arc<Control>)>();
        thread::Builder::new().name("task".to_owned()).stack_size(STACK).spawn(move || {
            for (mut engine, task, control) in inbox {
                let run = AssertUnwindSafe(|| task.run(&mut engine, &control, &tell));
                match catch_unwind(run) {
                    Ok(result) => tell(News::Ended(Ending { result, engine })),
                    Err(panic) => return tell(News::Panicked(panic_message(&*panic))),
                }
            }
        })?;
        Ok(TaskThread { tasks })
    }

    /// Begins a task. If the thread is gone, its panic was told before and nothing more happens.
    pub fn start(&self, engine: Engine, task: Task, control: Arc<Control>) {
        let _ = self.tasks.send((engine, task, control));
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn a_panic_is_told_with_its_message() {
        let message = |panic: Box<dyn Any + Send>| panic_message(&*panic);
        assert_eq!(message(Box::new("short")), "short");
        assert_eq!(message(Box::new("made of 2 parts".to_owned())), "made of 2 parts");
        assert_eq!(message(Box::new(17)), "no message");
    }

    #[test]
    fn a_panic_during_a_task_is_told_and_nothing_waits_for_the_task() {
        let (sender, news) = mpsc::channel();
        let thread = TaskThread::spawn(move |told| match told {
            News::Perft(_) => panic!("planted"),
            other => drop(sender.send(other)),
        });
        let task = Task::Perft { board: Box::new(Board::new(Chess::default())), depth: 1 };
        thread.unwrap().start(Engine::new(1, 1).unwrap(), task, Arc::default());
        match news.recv() {
            Ok(News::Panicked(message)) => assert_eq!(message, "planted"),
            other => panic!("{other:?}"),
        }
    }
}
