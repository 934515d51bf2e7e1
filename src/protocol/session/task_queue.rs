//! The engine, its running task, and the queue of tasks and changes.
//!
//! Tasks and changes are carried out in the order of the requests. So a client may stop a search,
//! begin a new game and ask for its first move without waiting for answers in between, and a script
//! may send all its positions and searches at once.

use std::collections::VecDeque;
use std::sync::Arc;

use super::change::EngineChange;
use super::message::Message;
use super::task::{Task, TaskEnd, TaskThread};
use super::values::EngineValues;
use outrider_engine::evaluation::Network;
use outrider_engine::search::{Control, Engine};

/// Maximum number of waiting tasks, enough for a script of positions. Without a limit, a client that
/// repeats `go` would use up all memory.
const MAX_WAITING_TASKS: usize = 1_000;

/// The engine with its tasks; one runs at a time.
pub(super) struct TaskQueue {
    /// The engine; `None` while a task uses it.
    pub(super) engine: Option<Engine>,
    /// Network of the engine, available also while a task uses the engine.
    network: Arc<Network>,
    /// Values of the engine, available also while a task uses it.
    values: EngineValues,
    thread: TaskThread,
    running: Option<RunningTask>,
    waiting: VecDeque<QueueEntry>,
}

/// The running task.
struct RunningTask {
    name: &'static str,
    end: TaskEnd,
    control: Arc<Control>,
}

/// A change or a task that waits until the running task ends.
enum QueueEntry {
    Change(EngineChange),
    Task(Task, Arc<Control>),
}

impl TaskQueue {
    /// Creates an empty queue.
    pub(super) fn new(engine: Engine, thread: TaskThread) -> TaskQueue {
        TaskQueue {
            network: Arc::clone(engine.network()),
            values: EngineValues::of(&engine),
            engine: Some(engine),
            thread,
            running: None,
            waiting: VecDeque::new(),
        }
    }

    /// Values of the engine after the waiting changes.
    pub(super) fn values(&self) -> EngineValues {
        let mut values = self.values.clone();
        for waiting in &self.waiting {
            if let QueueEntry::Change(change) = waiting {
                values.set(change);
            }
        }
        values
    }

    /// Network of the engine.
    pub(super) fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// A task is running.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Number of waiting tasks and changes.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Starts a task, or queues it if all earlier tasks have a limit or were stopped.
    ///
    /// # Errors
    ///
    /// Fails if an earlier task has no limit and was not stopped, or if too many tasks wait.
    pub(super) fn begin(&mut self, mut task: Task) -> Result<(), Message> {
        let refused = task.name();
        if let Some((earlier, ..)) = self.tasks().find(|(_, end, control)| end.is_open(control)) {
            return Err(Message::Busy { refused, earlier });
        }
        let waiting = self.tasks().skip(1).count();
        if waiting >= MAX_WAITING_TASKS {
            return Err(Message::QueueFull { refused, waiting });
        }
        // Only a stopped task answers at once. The others must not use the time of the new one.
        if self.controls().any(|control| !control.is_stopped()) {
            task.count_time_from_start();
        }
        let control = Arc::new(Control::default());
        if self.is_busy() {
            self.waiting.push_back(QueueEntry::Task(task, control));
        } else {
            self.start(task, control);
        }
        Ok(())
    }

    /// Changes the engine, at once or when the running task has ended.
    pub(super) fn change(&mut self, change: EngineChange) -> Option<Message> {
        let Some(running) = &self.running else {
            return self.apply(&change);
        };
        let message = Message::ChangeDeferred { change: change.name(), running: running.name };
        self.drop_replaced(&change);
        self.waiting.push_back(QueueEntry::Change(change));
        Some(message)
    }

    /// Removes the queued change that `change` replaces, if no task is queued after it.
    fn drop_replaced(&mut self, change: &EngineChange) {
        let is_task = |waiting: &QueueEntry| matches!(waiting, QueueEntry::Task(..));
        let since = self.waiting.iter().rposition(is_task).map_or(0, |task| task + 1);
        let is_replaced = |waiting: &QueueEntry| match waiting {
            QueueEntry::Change(queued) => change.replaces(queued),
            QueueEntry::Task(..) => false,
        };
        if let Some(index) = self.waiting.range(since..).position(is_replaced) {
            self.waiting.remove(since + index);
        }
    }

    /// Takes back the engine from the finished task, makes the waiting changes and starts the next
    /// task.
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

    /// Stops the running task and all waiting tasks.
    pub(super) fn stop(&self) {
        self.controls().for_each(|control| control.stop());
    }

    /// Stops each running or waiting task that does not end soon.
    pub(super) fn stop_long_tasks(&self) {
        for (_, end, control) in self.tasks() {
            if end != TaskEnd::Soon {
                control.stop();
            }
        }
    }

    /// Reports a ponder hit to the last task.
    pub(super) fn ponder_hit(&self) {
        if let Some(control) = self.controls().last() {
            control.ponder_hit();
        }
    }

    /// Controls of the running task and of the waiting tasks, in order.
    pub(super) fn controls(&self) -> impl Iterator<Item = &Control> {
        self.tasks().map(|(_, _, control)| control)
    }

    /// Names, ends and controls of the running task and of the waiting tasks, in order.
    fn tasks(&self) -> impl Iterator<Item = (&'static str, TaskEnd, &Control)> {
        let running = self.running.iter();
        let running = running.map(|running| (running.name, running.end, &*running.control));
        running.chain(self.waiting.iter().filter_map(|waiting| match waiting {
            QueueEntry::Task(task, control) => Some((task.name(), task.end(), &**control)),
            QueueEntry::Change(_) => None,
        }))
    }

    fn start(&mut self, task: Task, control: Arc<Control>) {
        // The engine is missing only after a panic, which has ended the session.
        let Some(engine) = self.engine.take() else {
            return;
        };
        self.running =
            Some(RunningTask { name: task.name(), end: task.end(), control: Arc::clone(&control) });
        self.thread.start(engine, task, control);
    }

    fn apply(&mut self, change: &EngineChange) -> Option<Message> {
        let engine = self.engine.as_mut()?;
        let applied = change.apply(engine);
        self.network = Arc::clone(engine.network());
        if applied.is_ok() {
            self.values.set(change);
        }
        applied.unwrap_or_else(Some)
    }
}

impl Drop for TaskQueue {
    /// Stops all tasks, since their results are no longer needed.
    fn drop(&mut self) {
        self.stop();
    }
}
