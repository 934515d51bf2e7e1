//! A client: one page in a browser, with its own game, analysis and engine.
//!
//! Requests lock the [`State`], change it and return at once. The engine reports from its own thread through
//! a channel, and its reports change the state too. Views for the page are in watch channels: a listener
//! sends the newest value and skips older ones, so that a slow page needs no buffer.

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
use super::explorer::OwnGames;
use super::view::GameView;
use super::work::{BackgroundWork, WorkView};
use outrider_protocol::session::TaskEvent;

pub(crate) use search::AnalysisRefusal;
pub(crate) use state::{AnalysisRequest, State};

/// An analysis stops when no page has listened for this time.
const UNSEEN_ANALYSIS_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of connections that receive the events of a client. A new one ends the oldest.
const MAX_LISTENERS: u64 = 4;

/// One page with its state, its engine and its work.
pub(crate) struct Client {
    /// Random id, known only to this page.
    pub(crate) id: String,
    state: Mutex<State>,
    game: watch::Sender<Option<Arc<GameView>>>,
    analysis: watch::Sender<Arc<Analysis>>,
    budget: Arc<Budget>,
    events: mpsc::UnboundedSender<TaskEvent>,
    /// Reviews and test suites.
    pub(crate) work: Arc<BackgroundWork>,
    /// The player's games, for the opening explorer.
    own_games: Mutex<OwnGames>,
    /// Reference to itself for tasks that must not keep it alive.
    weak: Weak<Client>,
    listeners: AtomicUsize,
    /// Number of listeners so far.
    listened: watch::Sender<u64>,
    /// The page has been closed and no page has listened since.
    has_left: AtomicBool,
}

/// A connection that receives the client's events.
pub(crate) struct Listener {
    pub(crate) client: Arc<Client>,
    pub(crate) game: watch::Receiver<Option<Arc<GameView>>>,
    pub(crate) analysis: watch::Receiver<Arc<Analysis>>,
    pub(crate) work: watch::Receiver<Arc<WorkView>>,
    /// Number of the client's listeners so far.
    pub(crate) listened: watch::Receiver<u64>,
    /// Number of this listener.
    pub(crate) number: u64,
}

impl Client {
    /// Creates a client without a game.
    ///
    /// # Panics
    ///
    /// Panics outside a Tokio runtime.
    pub(crate) fn new(id: String, budget: Arc<Budget>) -> Arc<Client> {
        let (events, mut inbox) = mpsc::unbounded_channel();
        let client = Arc::new_cyclic(|weak| Client {
            id,
            state: Mutex::new(State::new(&budget)),
            game: watch::Sender::new(None),
            analysis: watch::Sender::new(Arc::default()),
            work: Arc::new(BackgroundWork::new(Arc::clone(&budget))),
            own_games: Mutex::default(),
            budget,
            events,
            weak: weak.clone(),
            listeners: AtomicUsize::new(0),
            listened: watch::Sender::new(0),
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

    /// Locks the state for a request and marks the client as used.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.locked();
        state.last_use = Instant::now();
        state
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        // The state stays usable after a panic during a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the index of the player's games.
    pub(crate) fn own_games(&self) -> MutexGuard<'_, OwnGames> {
        self.own_games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a listener.
    pub(crate) fn listen(self: &Arc<Self>) -> Listener {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        self.has_left.store(false, Ordering::Relaxed);
        // The clocks have changed since the last event.
        self.publish_game(&mut self.state());
        self.listened.send_modify(|number| *number += 1);
        let listened = self.listened.subscribe();
        let number = *listened.borrow();
        Listener {
            listened,
            number,
            client: Arc::clone(self),
            game: self.game.subscribe(),
            analysis: self.analysis.subscribe(),
            work: self.work.subscribe(),
        }
    }

    /// Marks the page as closed. Another page may replace this client until a page listens again.
    pub(crate) fn leave(&self) {
        self.has_left.store(true, Ordering::Relaxed);
    }

    /// The page has been closed and no page has listened since.
    pub(crate) fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    /// Returns the time since the last request or listener; `None` while a page listens.
    pub(crate) fn unused(&self) -> Option<Duration> {
        let last_use = self.locked().last_use;
        (self.listeners.load(Ordering::Relaxed) == 0).then(|| last_use.elapsed())
    }

    /// Returns the time without a listener, a request or running work; `None` while a page listens. Work
    /// counts while the page is hidden but not closed.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let last_work = self.locked().last_work;
        self.unused().map(|unused| unused.min(last_work.elapsed()))
    }

    /// Ends games on time, stops unseen analyses and yields threads. Called several times a second.
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
    /// Stops the work, since nothing can receive its result.
    fn drop(&mut self) {
        self.work.stop();
    }
}

impl Listener {
    /// Waits until newer listeners have replaced this one.
    pub(crate) async fn replaced(listened: &mut watch::Receiver<u64>, number: u64) {
        let _ = listened.wait_for(|newest| *newest >= number + MAX_LISTENERS).await;
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.client.listeners.fetch_sub(1, Ordering::Relaxed);
        // Marks the client as used until now.
        drop(self.client.state());
    }
}
