//! Long work of a client: reviewing a game, solving a test suite, judging a move. Each client does one piece
//! of work at a time, on its own thread and with its own engine. Between positions it yields its search
//! thread to waiting clients.

mod review;
mod suite;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde::Serialize;
use serde_json::Value as Json;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot, watch};

use super::budget::{Budget, ThreadPermit};
use outrider_engine::search::{Control, Engine, ThreadError};
use outrider_engine::stop_on_drop::StopOnDrop;

pub(crate) use review::{JudgeRequest, Judgement, ReviewRequest};
pub(crate) use suite::SuiteRequest;

/// Kind of work. The page shows each kind separately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WorkKind {
    Review,
    Suite,
}

/// Stage of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WorkStage {
    #[default]
    None,
    Waiting,
    Running,
    Done,
    Stopped,
    Failed,
}

/// Work in the form that the page receives.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct WorkView {
    /// Number of the work, increased with each start.
    #[serde(skip)]
    number: u64,
    /// `None` before the first work.
    pub kind: Option<WorkKind>,
    pub stage: WorkStage,
    pub done: usize,
    pub total: usize,
    /// Faults with better moves that were searched for, and all of them, at the end of a review.
    pub puzzles: [usize; 2],
    /// Number of games in the PGN of a review.
    pub games: usize,
    /// Index of the reviewed game.
    pub game: usize,
    /// Reason of the failure.
    pub error: Option<String>,
    /// Results, one row per position. Events carry only the new ones.
    #[serde(skip)]
    pub rows: Vec<Json>,
}

/// Rows that a listener has already received.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SentRows {
    number: u64,
    count: usize,
}

/// Work with the rows that are new to a listener.
#[derive(Debug, Serialize)]
pub(crate) struct WorkEvent<'a> {
    #[serde(flatten)]
    view: &'a WorkView,
    /// Index of the first new row.
    rows_from: usize,
    rows: &'a [Json],
}

impl WorkView {
    /// Returns the event for a listener with the new rows, and marks them as sent.
    pub(crate) fn event(&self, sent: &mut SentRows) -> WorkEvent<'_> {
        let rows_from = if sent.number == self.number { sent.count } else { 0 };
        *sent = SentRows { number: self.number, count: self.rows.len() };
        WorkEvent { view: self, rows_from, rows: &self.rows[rows_from..] }
    }
}

/// Files made by work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// A review in the form that the page receives.
    pub view: Option<Arc<Json>>,
    pub page: Option<Arc<str>>,
    pub pgn: Option<Arc<str>>,
}

/// Reason why work does not start or does not finish.
#[derive(Debug, Error)]
pub(crate) enum WorkError {
    #[error("other work is already running; stop it first")]
    Busy,
    #[error("stopped")]
    Stopped,
    #[error("{0}")]
    Failed(String),
}

impl WorkError {
    fn failed(reason: impl ToString) -> WorkError {
        WorkError::Failed(reason.to_string())
    }
}

impl From<io::Error> for WorkError {
    fn from(error: io::Error) -> WorkError {
        match error.kind() {
            io::ErrorKind::Interrupted => WorkError::Stopped,
            _ => WorkError::failed(error),
        }
    }
}

impl From<ThreadError> for WorkError {
    fn from(error: ThreadError) -> WorkError {
        WorkError::failed(error)
    }
}

impl From<WorkError> for io::Error {
    fn from(error: WorkError) -> io::Error {
        match error {
            WorkError::Stopped => io::ErrorKind::Interrupted.into(),
            other => io::Error::other(other),
        }
    }
}

/// Request for work.
pub(crate) enum WorkRequest {
    Review(Box<ReviewRequest>),
    Suite(SuiteRequest),
}

impl WorkRequest {
    fn kind(&self) -> WorkKind {
        match self {
            WorkRequest::Review(_) => WorkKind::Review,
            WorkRequest::Suite(_) => WorkKind::Suite,
        }
    }
}

/// The work of a client.
pub(crate) struct BackgroundWork {
    view: watch::Sender<Arc<WorkView>>,
    /// Files of the last work of each kind.
    files: Mutex<HashMap<WorkKind, Files>>,
    /// Stops the running work; `None` if there is none.
    current: Mutex<Option<Arc<Control>>>,
    /// Wakes stopped work that waits for threads.
    stopped: Notify,
    budget: Arc<Budget>,
}

impl BackgroundWork {
    pub(crate) fn new(budget: Arc<Budget>) -> BackgroundWork {
        BackgroundWork {
            view: watch::Sender::new(Arc::default()),
            files: Mutex::default(),
            current: Mutex::default(),
            stopped: Notify::new(),
            budget,
        }
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Arc<WorkView>> {
        self.view.subscribe()
    }

    /// Returns the files of the last work of a kind.
    pub(crate) fn files(&self, kind: WorkKind) -> Files {
        locked(&self.files).get(&kind).cloned().unwrap_or_default()
    }

    /// Starts work on a new thread.
    ///
    /// # Errors
    ///
    /// Fails if other work is running or no thread can be started.
    ///
    /// # Panics
    ///
    /// Panics outside a Tokio runtime.
    pub(crate) fn begin(self: &Arc<Self>, task: WorkRequest) -> Result<(), WorkError> {
        let slot = self.claim_slot()?;
        locked(&self.files).remove(&task.kind());
        spawn(move || slot.run(&task))
    }

    /// Judges an answer to a mistake as soon as a search thread is free.
    ///
    /// # Errors
    ///
    /// Fails if other work is running, or the position or the move is invalid.
    pub(crate) async fn judge(
        self: &Arc<Self>,
        request: JudgeRequest,
    ) -> Result<Judgement, WorkError> {
        let mut slot = self.claim_slot()?;
        // Stops the search if the request is dropped.
        let stop = Arc::clone(&slot.stop);
        let _stop = StopOnDrop(|| stop.stop());
        slot.wait_for_threads().await?;
        let (answer, judged) = oneshot::channel();
        spawn(move || {
            let judged = review::judge(&slot, &request);
            // Frees the slot before the answer is sent.
            drop(slot);
            drop(answer.send(judged));
        })?;
        judged.await.map_err(WorkError::failed)?
    }

    /// Work is running or waits for threads.
    pub(crate) fn is_busy(&self) -> bool {
        locked(&self.current).is_some()
    }

    /// Stops the running work.
    pub(crate) fn stop(&self) {
        if let Some(control) = &*locked(&self.current) {
            control.stop();
            self.stopped.notify_one();
        }
    }

    /// Claims the slot for work.
    ///
    /// # Errors
    ///
    /// Fails if other work is running.
    fn claim_slot(self: &Arc<Self>) -> Result<WorkSlot, WorkError> {
        let mut current = locked(&self.current);
        if current.is_some() {
            return Err(WorkError::Busy);
        }
        let stop = Arc::clone(current.insert(Arc::default()));
        Ok(WorkSlot { work: Arc::clone(self), stop, handle: Handle::current(), threads: None })
    }
}

/// Starts a thread with a stack large enough for an engine.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), WorkError> {
    Engine::thread("work").spawn(work).map(drop).map_err(WorkError::failed)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The slot of the running work. Dropping it allows other work.
struct WorkSlot {
    work: Arc<BackgroundWork>,
    stop: Arc<Control>,
    handle: Handle,
    threads: Option<ThreadPermit>,
}

impl Drop for WorkSlot {
    fn drop(&mut self) {
        *locked(&self.work.current) = None;
        if thread::panicking() {
            self.work.show(|view| {
                view.stage = WorkStage::Failed;
                view.error = Some("the engine failed".to_owned());
            });
        }
    }
}

impl WorkSlot {
    fn run(mut self, task: &WorkRequest) {
        let result = match task {
            WorkRequest::Review(request) => review::run(&mut self, request),
            WorkRequest::Suite(request) => suite::run(&mut self, request),
        };
        let work = Arc::clone(&self.work);
        // Frees the slot before the page receives the end.
        drop(self);
        work.show(|view| match result {
            Ok(()) => view.stage = WorkStage::Done,
            Err(WorkError::Stopped) => view.stage = WorkStage::Stopped,
            Err(error) => {
                view.stage = WorkStage::Failed;
                view.error = Some(error.to_string());
            }
        });
    }

    /// Shows new work that waits for threads.
    fn begin(&self, kind: WorkKind, total: usize) {
        let number = self.work.view.borrow().number + 1;
        let stage = WorkStage::Waiting;
        let view = WorkView { number, kind: Some(kind), total, stage, ..WorkView::default() };
        self.work.view.send_replace(Arc::new(view));
    }

    /// Yields the threads if other clients wait, then waits for threads if it has none. Called before each
    /// position.
    ///
    /// # Errors
    ///
    /// Fails if the work is stopped.
    fn take_turn(&mut self) -> Result<(), WorkError> {
        let budget = &self.work.budget;
        if self.threads.is_some() && budget.has_waiters() {
            self.threads = None;
            self.work.show(|view| view.stage = WorkStage::Waiting);
        }
        if self.threads.is_none() {
            let handle = self.handle.clone();
            handle.block_on(self.wait_for_threads())?;
            self.work.show(|view| view.stage = WorkStage::Running);
        }
        if self.stop.is_stopped() { Err(WorkError::Stopped) } else { Ok(()) }
    }

    /// Waits until a thread is free or the work is stopped.
    async fn wait_for_threads(&mut self) -> Result<(), WorkError> {
        let stopped = async {
            // A notification may be left from an earlier stop.
            while !self.stop.is_stopped() {
                self.work.stopped.notified().await;
            }
        };
        tokio::select! {
            threads = self.work.budget.acquire_threads(1) => self.threads = threads,
            () = stopped => return Err(WorkError::Stopped),
        }
        Ok(())
    }

    /// Stores the files of the work.
    fn keep(&self, kind: WorkKind, files: Files) {
        locked(&self.work.files).insert(kind, files);
    }

    /// Returns the maximum size of the transposition table in megabytes.
    fn megabytes(&self) -> usize {
        self.work.budget.megabytes_per_engine()
    }

    fn engine(&self, megabytes: usize) -> Result<Engine, WorkError> {
        self.work.budget.engine(megabytes).map_err(WorkError::failed)
    }
}

impl BackgroundWork {
    /// Changes the view and notifies the listeners.
    fn show(&self, change: impl FnOnce(&mut WorkView)) {
        self.view.send_modify(|view| change(Arc::make_mut(view)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_receives_each_row_once_and_all_rows_of_new_work() {
        let view = |number, rows: usize| {
            let rows = (0..rows).map(Json::from).collect();
            WorkView { number, rows, ..WorkView::default() }
        };
        let mut sent = SentRows::default();
        for (number, rows, from, new) in
            [(1, 2, 0, vec![0, 1]), (1, 2, 2, vec![]), (1, 3, 2, vec![2]), (2, 1, 0, vec![0])]
        {
            let view = view(number, rows);
            let event = serde_json::to_value(view.event(&mut sent)).unwrap();
            let expected = (&Json::from(from), &Json::from(new));
            assert_eq!((&event["rows_from"], &event["rows"]), expected);
            assert_eq!(event["stage"], "none");
        }
    }
}
