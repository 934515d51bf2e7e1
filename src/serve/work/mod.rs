//! Work that takes longer: a game is reviewed, a suite solved. Each client does one thing of that kind at
//! a time, with an engine of its own and on a thread of its own; between positions it makes room for
//! those who wait for threads.

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

/// What the page asks for and shows apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WorkKind {
    Review,
    Suite,
}

/// How far work is.
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

/// Work as the page shows it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct WorkView {
    /// Rises with each work that begins.
    #[serde(skip)]
    number: u64,
    /// None before the first work.
    pub kind: Option<WorkKind>,
    pub stage: WorkStage,
    pub done: usize,
    pub total: usize,
    /// How many games the text has of which one is reviewed.
    pub games: usize,
    /// Why it failed.
    pub error: Option<String>,
    /// What was found, a row a position. A listener is sent those that are new.
    #[serde(skip)]
    pub rows: Vec<Json>,
    /// What it came to.
    pub result: Option<Json>,
}

/// How much of which work a listener was sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SentRows {
    number: u64,
    count: usize,
}

/// Work with the rows that a listener was not sent before.
#[derive(Debug, Serialize)]
pub(crate) struct WorkEvent<'a> {
    #[serde(flatten)]
    view: &'a WorkView,
    /// How many rows come before these.
    rows_from: usize,
    rows: &'a [Json],
}

impl WorkView {
    /// What a listener is sent who was sent so much.
    pub(crate) fn event(&self, sent: &mut SentRows) -> WorkEvent<'_> {
        let rows_from = if sent.number == self.number { sent.count } else { 0 };
        *sent = SentRows { number: self.number, count: self.rows.len() };
        WorkEvent { view: self, rows_from, rows: &self.rows[rows_from..] }
    }
}

/// The files that work of a kind has made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    pub page: Option<Arc<str>>,
    pub pgn: Option<Arc<str>>,
}

/// Why work is not begun, or ends early.
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

/// What a client can be asked to do.
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
    /// By the kind of work, since the page shows the last result of each.
    files: Mutex<HashMap<WorkKind, Files>>,
    /// Stops what is under way.
    current: Mutex<Option<Arc<Control>>>,
    /// Wakes work that waits for threads once it is stopped.
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

    /// What the last work of a kind has made.
    pub(crate) fn files(&self, kind: WorkKind) -> Files {
        locked(&self.files).get(&kind).cloned().unwrap_or_default()
    }

    /// Begins some work. To be called where tasks can be spawned.
    ///
    /// # Errors
    ///
    /// Refused while other work is under way, or if no thread can be started.
    pub(crate) fn begin(self: &Arc<Self>, task: WorkRequest) -> Result<(), WorkError> {
        let slot = self.claim_slot()?;
        locked(&self.files).remove(&task.kind());
        spawn(move || slot.run(&task))
    }

    /// Judges an answer to a mistake, as soon as a thread is free.
    ///
    /// # Errors
    ///
    /// Refused while other work is under way, or if the position or the move is wrong.
    pub(crate) async fn judge(
        self: &Arc<Self>,
        request: JudgeRequest,
    ) -> Result<Judgement, WorkError> {
        let mut slot = self.claim_slot()?;
        // A request that is dropped wants no answer any more.
        let stop = Arc::clone(&slot.stop);
        let _stop = StopOnDrop(|| stop.stop());
        slot.wait_for_threads().await?;
        let (answer, judged) = oneshot::channel();
        spawn(move || {
            let judged = review::judge(&slot, &request);
            // The place is free before the page hears so.
            drop(slot);
            drop(answer.send(judged));
        })?;
        judged.await.map_err(WorkError::failed)?
    }

    /// Whether some work is under way.
    pub(crate) fn is_busy(&self) -> bool {
        locked(&self.current).is_some()
    }

    /// Ends what is under way.
    pub(crate) fn stop(&self) {
        if let Some(control) = &*locked(&self.current) {
            control.stop();
            self.stopped.notify_one();
        }
    }

    /// The place for work, if it is free.
    fn claim_slot(self: &Arc<Self>) -> Result<WorkSlot, WorkError> {
        let mut current = locked(&self.current);
        if current.is_some() {
            return Err(WorkError::Busy);
        }
        let stop = Arc::clone(current.insert(Arc::default()));
        Ok(WorkSlot { work: Arc::clone(self), stop, handle: Handle::current(), threads: None })
    }
}

/// Starts a thread that an engine can search on.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), WorkError> {
    let thread = thread::Builder::new().name("work".to_owned()).stack_size(Engine::STACK_SIZE);
    thread.spawn(work).map(drop).map_err(WorkError::failed)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where work is done. The place is free again when it is dropped.
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
        // The place is free before the page hears so.
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

    fn begin(&self, kind: WorkKind, total: usize) {
        let number = self.work.view.borrow().number + 1;
        let stage = WorkStage::Waiting;
        let view = WorkView { number, kind: Some(kind), total, stage, ..WorkView::default() };
        self.work.view.send_replace(Arc::new(view));
    }

    /// Waits for threads, if it has none or others wait for them. To be called before each position.
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
            // An earlier stop may have left its notice.
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

    fn keep(&self, kind: WorkKind, files: Files) {
        locked(&self.work.files).insert(kind, files);
    }

    /// The most memory for a table.
    fn megabytes(&self) -> usize {
        self.work.budget.megabytes_per_engine()
    }

    fn engine(&self, megabytes: usize) -> Result<Engine, WorkError> {
        self.work.budget.engine(megabytes).map_err(WorkError::failed)
    }
}

impl BackgroundWork {
    /// Shows the page something else.
    fn show(&self, change: impl FnOnce(&mut WorkView)) {
        self.view.send_modify(|view| change(Arc::make_mut(view)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_is_sent_each_row_once_and_all_of_another_work() {
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
