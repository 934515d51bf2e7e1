//! Resources that all clients share: search threads, memory of transposition tables, endgame tables.
//!
//! Each client has a fixed share of the memory and acquires threads while it searches. If too few are free,
//! it waits in a queue. An analysis has no end of its own, so it gives up its threads while others wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use outrider_engine::book::Book;
use outrider_engine::search::{Engine, MemoryError};
use outrider_engine::tablebases::Tablebases;

/// Settings of a [`Server`](super::Server).
pub struct ServerOptions {
    /// Maximum number of clients, that is of open pages.
    pub max_clients: usize,
    /// Threads, memory and endgame tables of all clients.
    pub budget: Budget,
    /// Book with the moves that the opening explorer shows besides the named openings.
    pub book: Option<Book>,
}

/// Search threads, table memory and endgame tables of the server.
pub struct Budget {
    free_threads: Arc<Semaphore>,
    threads: usize,
    waiting: AtomicUsize,
    megabytes_per_engine: usize,
    tablebases: Option<Arc<Tablebases>>,
}

/// Permission to search with a number of threads, given back on drop.
pub(crate) struct ThreadPermit(
    #[expect(dead_code, reason = "released on drop")] OwnedSemaphorePermit,
);

impl Budget {
    /// Creates a budget of `threads` search threads for all clients together and a transposition table of
    /// at most `megabytes_per_engine` megabytes for each engine. Both are at least 1.
    pub fn new(
        threads: usize,
        megabytes_per_engine: usize,
        tablebases: Option<Arc<Tablebases>>,
    ) -> Budget {
        Budget {
            free_threads: Arc::new(Semaphore::new(threads)),
            threads,
            waiting: AtomicUsize::new(0),
            megabytes_per_engine,
            tablebases,
        }
    }

    /// Returns the number of search threads of all clients together.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the maximum size of an engine's transposition table in megabytes.
    pub(crate) fn megabytes_per_engine(&self) -> usize {
        self.megabytes_per_engine
    }

    /// Waits until `count` threads are free, at most all there are. Waiters are served in order of arrival.
    pub(crate) async fn acquire_threads(&self, count: usize) -> Option<ThreadPermit> {
        let _waiting = WaiterCount::begin(&self.waiting);
        let count = count.clamp(1, self.threads) as u32;
        let permit = Arc::clone(&self.free_threads).acquire_many_owned(count).await;
        // Fails only if the semaphore is closed.
        permit.ok().map(ThreadPermit)
    }

    /// Returns true if a client waits for threads.
    pub(crate) fn has_waiters(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Returns the error that ended the use of the endgame tables, if there was one.
    pub(crate) fn tablebase_error(&self) -> Option<String> {
        let failure = self.tablebases.as_ref().and_then(|tables| tables.failure());
        failure.map(ToString::to_string)
    }

    /// Creates an engine with one thread.
    ///
    /// # Errors
    ///
    /// Fails if the transposition table does not fit into the free memory.
    pub(crate) fn engine(&self, megabytes: usize) -> Result<Engine, MemoryError> {
        let mut engine = Engine::new(1, megabytes.clamp(1, self.megabytes_per_engine))?;
        if self.tablebases.is_some() {
            engine.set_tablebases(self.tablebases.clone());
        }
        Ok(engine)
    }
}

/// Counts one waiter until it is dropped.
struct WaiterCount<'a>(&'a AtomicUsize);

impl WaiterCount<'_> {
    fn begin(count: &AtomicUsize) -> WaiterCount<'_> {
        count.fetch_add(1, Ordering::Relaxed);
        WaiterCount(count)
    }
}

impl Drop for WaiterCount<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
