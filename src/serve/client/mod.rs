//! A client: one page in a browser, with a game, an analysis and an engine of its own.
//!
//! Requests lock its [`State`], change it and return at once. What the engine finds comes back on the
//! engine's own thread, goes through a channel, and changes the state, too. What the page is to show
//! stands in watched values: a listener sends the newest one and skips those in between, so that a slow
//! page costs no memory.

mod play;
mod search;
mod state;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};

use super::analysis::Analysis;
use super::budget::Budget;
use super::view::GameView;
use super::work::{BackgroundWork, WorkView};
use outrider_protocol::session::TaskEvent;

pub(crate) use search::AnalysisRefusal;
pub(crate) use state::{AnalysisRequest, State};

/// An analysis that nobody looks at ends after this time.
const UNSEEN_ANALYSIS_TIMEOUT: Duration = Duration::from_secs(10);

/// One page and what belongs to it.
pub(crate) struct Client {
    /// It cannot be guessed, so only this page knows it.
    pub(crate) id: String,
    state: Mutex<State>,
    game: watch::Sender<Option<Arc<GameView>>>,
    analysis: watch::Sender<Arc<Analysis>>,
    budget: Arc<Budget>,
    events: mpsc::UnboundedSender<TaskEvent>,
    /// Reviews and suites.
    pub(crate) work: Arc<BackgroundWork>,
    /// Itself, for tasks that must not keep it alive.
    weak: Weak<Client>,
    listeners: AtomicUsize,
    /// Whether its page has said that it is closed, and did not come back since.
    has_left: AtomicBool,
}

/// Somebody who is sent what is to be shown.
pub(crate) struct Listener {
    pub(crate) client: Arc<Client>,
    pub(crate) game: watch::Receiver<Option<Arc<GameView>>>,
    pub(crate) analysis: watch::Receiver<Arc<Analysis>>,
    pub(crate) work: watch::Receiver<Arc<WorkView>>,
}

impl Client {
    /// A client without a game. To be called where tasks can be spawned.
    pub(crate) fn new(id: String, budget: Arc<Budget>) -> Arc<Client> {
        let (events, mut inbox) = mpsc::unbounded_channel();
        let client = Arc::new_cyclic(|weak| Client {
            id,
            state: Mutex::new(State::new(&budget)),
            game: watch::Sender::new(None),
            analysis: watch::Sender::new(Arc::default()),
            work: Arc::new(BackgroundWork::new(Arc::clone(&budget))),
            budget,
            events,
            weak: weak.clone(),
            listeners: AtomicUsize::new(0),
            has_left: AtomicBool::new(false),
        });
        let weak = Arc::downgrade(&client);
        tokio::spawn(async move {
            while let Some(event) = inbox.recv().await {
                let Some(client) = weak.upgrade() else {
                    return;
                };
                client.on_event(event);
            }
        });
        client
    }

    /// The state, for a request; the client is in use now.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.locked();
        state.last_use = Instant::now();
        state
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        // A panic in the midst of a change leaves nothing that the next change cannot cope with.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody listens from now on.
    pub(crate) fn listen(self: &Arc<Self>) -> Listener {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        self.has_left.store(false, Ordering::Relaxed);
        // The clocks have gone on since the last message to the page.
        self.publish_game(&mut self.state());
        Listener {
            client: Arc::clone(self),
            game: self.game.subscribe(),
            analysis: self.analysis.subscribe(),
            work: self.work.subscribe(),
        }
    }

    /// The page is closed, or loaded again: it gives its place to others until somebody listens.
    pub(crate) fn leave(&self) {
        self.has_left.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    /// How long nobody has listened or asked for anything; `None` while somebody listens.
    pub(crate) fn unused(&self) -> Option<Duration> {
        let last_use = self.locked().last_use;
        (self.listeners.load(Ordering::Relaxed) == 0).then(|| last_use.elapsed())
    }

    /// The same, where a page that is out of sight, but not closed, waits for its work.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let last_work = self.locked().last_work;
        self.unused().map(|unused| unused.min(last_work.elapsed()))
    }

    /// To be called several times a second: clocks run out, and nobody may be looking any more.
    pub(crate) fn tick(&self) {
        let unused = self.unused();
        let mut state = self.locked();
        if self.work.is_busy() && !self.has_left() {
            state.last_work = Instant::now();
        }
        self.check_clock(&mut state);
        if unused.is_some_and(|unused| unused > UNSEEN_ANALYSIS_TIMEOUT) {
            self.stop_analysis(&mut state);
        }
        self.yield_threads(&mut state);
    }
}

impl Drop for Client {
    /// Nobody waits for the result any more.
    fn drop(&mut self) {
        self.work.stop();
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.client.listeners.fetch_sub(1, Ordering::Relaxed);
        drop(self.client.state());
    }
}
