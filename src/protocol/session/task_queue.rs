//! The engine, the task that it is busy with, and what waits for the end of that.
//!
//! Tasks and changes keep the order in which they were asked for. So a client may stop a search,
//! begin a new game and ask for its first move without waiting for an answer in between.

use std::collections::VecDeque;
use std::sync::Arc;

use super::change::EngineChange;
use super::message::Message;
use super::task::{Task, TaskThread};
use outrider_engine::evaluation::Network;
use outrider_engine::search::{Control, Engine};

/// The most tasks that wait. No client that takes part in a game asks for so many; without a limit one
/// that sends `stop` and `go` in a circle would take all memory.
const MAX_WAITING_TASKS: usize = 64;

/// The engine with its tasks, of which one runs at a time.
pub(super) struct TaskQueue {
    /// Here while nothing runs, with the task while something does.
    pub(super) engine: Option<Engine>,
    /// The engine's network, which can be asked for while the engine is away.
    network: Arc<Network>,
    thread: TaskThread,
    running: Option<RunningTask>,
    waiting: VecDeque<QueueEntry>,
}

/// What is known of the task under way.
struct RunningTask {
    name: &'static str,
    ends_by_itself: bool,
    control: Arc<Control>,
}

/// What waits for the end of the task under way.
enum QueueEntry {
    Change(EngineChange),
    Task(Task, Arc<Control>),
}

impl TaskQueue {
    /// A queue without any task.
    pub(super) fn new(engine: Engine, thread: TaskThread) -> TaskQueue {
        let network = Arc::clone(engine.network());
        TaskQueue { engine: Some(engine), network, thread, running: None, waiting: VecDeque::new() }
    }

    /// The network of the engine, wherever that is.
    pub(super) fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Whether a task is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// How many tasks and changes wait.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Begins a task, or queues it behind those that were stopped.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way, or waits, that was not stopped, or too many wait.
    pub(super) fn begin(&mut self, task: Task) -> Result<(), Message> {
        if let Some(running) = &self.running
            && (self.controls().any(|control| !control.is_stopped())
                || self.controls().count() > MAX_WAITING_TASKS)
        {
            return Err(Message::Busy { refused: task.name(), running: running.name });
        }
        let control = Arc::new(Control::default());
        if self.is_busy() {
            self.waiting.push_back(QueueEntry::Task(task, control));
        } else {
            self.start(task, control);
        }
        Ok(())
    }

    /// Changes the engine, at once or when the task under way has ended.
    pub(super) fn change(&mut self, change: EngineChange) -> Option<Message> {
        let Some(running) = &self.running else {
            return self.apply(&change);
        };
        let message = Message::ChangeDeferred { change: change.name(), running: running.name };
        self.drop_replaced(&change);
        self.waiting.push_back(QueueEntry::Change(change));
        Some(message)
    }

    /// Of changes of the same thing between two tasks only the last one counts: what came before it is
    /// not made.
    fn drop_replaced(&mut self, change: &EngineChange) {
        let is_task = |waiting: &QueueEntry| matches!(waiting, QueueEntry::Task(..));
        let since = self.waiting.iter().rposition(is_task).map_or(0, |task| task + 1);
        let is_replaced = |waiting: &QueueEntry| matches!(waiting, QueueEntry::Change(queued) if change.replaces(queued));
        if let Some(place) = self.waiting.range(since..).position(is_replaced) {
            self.waiting.remove(since + place);
        }
    }

    /// The task under way has returned the engine: goes on with what waited for that.
    pub(super) fn task_finished(&mut self, engine: Engine) -> Vec<Message> {
        self.engine = Some(engine);
        self.running = None;
        let mut messages = Vec::new();
        while !self.is_busy()
            && let Some(waiting) = self.waiting.pop_front()
        {
            match waiting {
                QueueEntry::Change(change) => messages.extend(self.apply(&change)),
                QueueEntry::Task(task, control) => self.start(task, control),
            }
        }
        messages
    }

    /// Stops the task under way and those that wait.
    pub(super) fn stop(&self) {
        self.controls().for_each(|control| control.stop());
    }

    /// Stops each task, under way or waiting, that does not end by itself.
    pub(super) fn stop_endless(&self) {
        let running = self.running.iter().filter(|running| !running.ends_by_itself);
        running.for_each(|running| running.control.stop());
        for waiting in &self.waiting {
            if let QueueEntry::Task(task, control) = waiting
                && !task.ends_by_itself()
            {
                control.stop();
            }
        }
    }

    /// The move pondered on by the last of the tasks was played.
    pub(super) fn ponder_hit(&self) {
        if let Some(control) = self.controls().last() {
            control.ponder_hit();
        }
    }

    /// The controls of the task under way and of those that wait, in their order.
    pub(super) fn controls(&self) -> impl Iterator<Item = &Control> {
        let waiting = self.waiting.iter().filter_map(|waiting| match waiting {
            QueueEntry::Task(_, control) => Some(&**control),
            QueueEntry::Change(_) => None,
        });
        self.running.iter().map(|running| &*running.control).chain(waiting)
    }

    fn start(&mut self, task: Task, control: Arc<Control>) {
        // It is missing only after a panic, which has ended the conversation.
        let Some(engine) = self.engine.take() else {
            return;
        };
        self.running = Some(RunningTask {
            name: task.name(),
            ends_by_itself: task.ends_by_itself(),
            control: Arc::clone(&control),
        });
        self.thread.start(engine, task, control);
    }

    fn apply(&mut self, change: &EngineChange) -> Option<Message> {
        let engine = self.engine.as_mut()?;
        let message = change.apply(engine);
        self.network = Arc::clone(engine.network());
        message
    }
}

impl Drop for TaskQueue {
    /// Nobody waits for the result any more.
    fn drop(&mut self) {
        self.stop();
    }
}
