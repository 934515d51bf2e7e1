//! Long tasks and the thread that runs them, so that the session can always answer.
//!
//! The engine moves to that thread with its task and returns with the last event. It is in one place
//! at a time and needs no lock.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::node_clock::NodeClock;
use super::request::PositionError;
use outrider_engine::evaluation::Network;
use outrider_engine::position::{Board, Position};
use outrider_engine::search::{Control, Engine, Limits, Outcome, Report};
use outrider_engine::units::Depth;
use outrider_engine::{bench, perft};

/// Event of a running task.
#[derive(Debug)]
pub enum TaskEvent {
    /// A search reports.
    Search {
        /// Root position of the search, which decides how moves and scores are written. The
        /// session's position may have changed since.
        root: Arc<Position>,
        /// The report.
        report: Report,
    },
    /// A search was requested, but the last position was refused for this reason.
    NoPosition(Arc<PositionError>),
    /// One root move of a perft was counted.
    Perft(perft::Branch),
    /// One position of a bench was searched.
    Bench(bench::PositionResult),
    /// The task has ended; pass it to [`Session::task_finished`](super::Session::task_finished).
    Finished(FinishedTask),
    /// The task panicked with this message, and the engine is lost.
    Panicked(String),
}

/// Result of a task, with the engine that it used.
pub struct FinishedTask {
    /// The result.
    pub result: TaskResult,
    pub(super) engine: Engine,
}

impl std::fmt::Debug for FinishedTask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FinishedTask").field("result", &self.result).finish_non_exhaustive()
    }
}

/// Result of a task.
#[derive(Debug)]
pub enum TaskResult {
    /// Result of a search.
    Search {
        /// Root position of the search.
        root: Arc<Position>,
        /// Best move and score.
        outcome: Outcome,
    },
    /// A search without a position, since the last one was refused.
    NoPosition,
    /// Result of a perft; `None` if it was stopped.
    Perft(Option<perft::PerftSummary>),
    /// Result of a bench.
    Bench(Result<bench::BenchSummary, bench::BenchError>),
}

/// Interval between checks for a stop during a pause.
const PAUSE_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Way in which a task ends without a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TaskEnd {
    /// It runs until it is stopped.
    Never,
    /// At a limit that counts after the ponder hit.
    LimitAfterPonderHit,
    /// At a limit.
    Limit,
    /// Always soon. Its result is wanted also at the end of the session.
    Soon,
}

impl TaskEnd {
    /// Returns true if the task of this control goes on until it is stopped, or until a ponder hit.
    pub(super) fn is_open(self, control: &Control) -> bool {
        let is_open = match self {
            TaskEnd::Never => true,
            TaskEnd::LimitAfterPonderHit => !control.is_ponder_hit(),
            TaskEnd::Limit | TaskEnd::Soon => false,
        };
        is_open && !control.is_stopped()
    }

    fn of_search(has_limit: bool, ponder: bool) -> TaskEnd {
        match (has_limit, ponder) {
            (false, _) => TaskEnd::Never,
            (true, true) => TaskEnd::LimitAfterPonderHit,
            (true, false) => TaskEnd::Limit,
        }
    }
}

/// A task for the engine.
pub(super) enum Task {
    Search {
        position: Arc<Position>,
        limits: Box<Limits>,
        node_clock: NodeClock,
        /// Minimum time until the answer.
        pause: Duration,
    },
    /// A search without a position. It answers when a search may answer.
    NoPosition {
        error: Arc<PositionError>,
        infinite: bool,
        ponder: bool,
    },
    Perft {
        board: Box<Board>,
        depth: u32,
    },
    Bench {
        depth: Depth,
        network: Arc<Network>,
    },
}

impl Task {
    /// Name of the task for messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Task::Search { .. } | Task::NoPosition { .. } => "search",
            Task::Perft { .. } => "perft",
            Task::Bench { .. } => "bench",
        }
    }

    /// Way in which the task ends without a stop.
    pub(super) fn end(&self) -> TaskEnd {
        match self {
            Task::Search { limits, .. } => {
                TaskEnd::of_search(limits.has_limit() && !limits.infinite, limits.ponder)
            }
            Task::NoPosition { infinite, ponder, .. } => TaskEnd::of_search(!infinite, *ponder),
            Task::Perft { .. } => TaskEnd::Limit,
            Task::Bench { .. } => TaskEnd::Soon,
        }
    }

    /// Counts the time of a search from its start instead of from its request.
    pub(super) fn count_time_from_start(&mut self) {
        if let Task::Search { limits, .. } = self {
            limits.started = None;
        }
    }

    fn run(
        &mut self,
        engine: &mut Engine,
        control: &Control,
        on_event: &dyn Fn(TaskEvent),
    ) -> TaskResult {
        match self {
            Task::Search { position, limits, node_clock, pause } => {
                let started = limits.started.unwrap_or_else(Instant::now);
                let root = || Arc::clone(position);
                let on_report: &mut dyn FnMut(Report) =
                    &mut |report| on_event(TaskEvent::Search { root: root(), report });
                let outcome = node_clock.run(limits, control, |limits| {
                    engine.go_on_this_thread(position, limits, control, Some(on_report))
                });
                while started.elapsed() < *pause && !control.is_stopped() {
                    thread::sleep(PAUSE_POLL_INTERVAL);
                }
                TaskResult::Search { root: root(), outcome }
            }
            Task::NoPosition { error, infinite, ponder } => {
                on_event(TaskEvent::NoPosition(Arc::clone(error)));
                control.wait_until(|control| {
                    let is_pondering = *ponder && !control.is_ponder_hit();
                    control.is_stopped() || !(*infinite || is_pondering)
                });
                TaskResult::NoPosition
            }
            Task::Perft { board, depth } => {
                let on_branch = &mut |branch| on_event(TaskEvent::Perft(branch));
                TaskResult::Perft(perft::run(board, *depth, control, on_branch))
            }
            Task::Bench { depth, network } => {
                let on_result = &mut |result| on_event(TaskEvent::Bench(result));
                TaskResult::Bench(bench::run(*depth, Arc::clone(network), control, on_result))
            }
        }
    }
}

/// Thread that runs tasks one after another.
pub(super) struct TaskThread {
    tasks: Sender<(Engine, Task, Arc<Control>)>,
}

impl TaskThread {
    /// Starts the thread; `on_event` is called on it.
    pub(super) fn spawn(on_event: impl Fn(TaskEvent) + Send + 'static) -> io::Result<TaskThread> {
        let (tasks, inbox) = mpsc::channel::<(Engine, Task, Arc<Control>)>();
        // Searches run on this thread itself, so it needs their stack.
        Engine::thread("task").spawn(move || {
            for (mut engine, mut task, control) in inbox {
                let run = AssertUnwindSafe(|| task.run(&mut engine, &control, &on_event));
                match catch_unwind(run) {
                    Ok(result) => on_event(TaskEvent::Finished(FinishedTask { result, engine })),
                    Err(panic) => return on_event(TaskEvent::Panicked(panic_message(&*panic))),
                }
            }
        })?;
        Ok(TaskThread { tasks })
    }

    /// Starts a task. Does nothing if the thread has ended, which follows only a reported panic.
    pub(super) fn start(&self, engine: Engine, task: Task, control: Arc<Control>) {
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
    fn a_panic_message_is_found_in_each_kind_of_panic() {
        let message = |panic: Box<dyn Any + Send>| panic_message(&*panic);
        assert_eq!(message(Box::new("short")), "short");
        assert_eq!(message(Box::new("made of 2 parts".to_owned())), "made of 2 parts");
        assert_eq!(message(Box::new(17)), "no message");
    }

    #[test]
    fn a_panic_during_a_task_is_reported() {
        let (sender, events) = mpsc::channel();
        let thread = TaskThread::spawn(move |event| match event {
            TaskEvent::Perft(_) => panic!("planted"),
            other => drop(sender.send(other)),
        });
        let task = Task::Perft { board: Box::new(Board::new(Chess::default())), depth: 1 };
        thread.unwrap().start(Engine::new(1, 1).unwrap(), task, Arc::default());
        match events.recv() {
            Ok(TaskEvent::Panicked(message)) => assert_eq!(message, "planted"),
            other => panic!("{other:?}"),
        }
    }
}
