//! What all clients share: search threads, memory for tables, endgame tables.
//!
//! Each client has its fixed share of the memory, and takes threads while it searches. If none is free it
//! waits in a queue; an analysis, which has no end of its own, makes room for those that wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use outrider_engine::search::{Engine, MemoryError};
use outrider_engine::tablebases::Tablebases;

/// Settings of a [`Server`](super::Server).
pub struct ServerOptions {
    /// Maximum number of clients, that is of open pages.
    pub max_clients: usize,
    /// Threads, memory and endgame tables of all clients.
    pub budget: Budget,
}

/// Search threads, table memory and endgame tables of the server.
pub struct Budget {
    free_threads: Arc<Semaphore>,
    threads: usize,
    waiting: AtomicUsize,
    megabytes_per_engine: usize,
    tablebases: Option<Arc<Tablebases>>,
}

/// Threads that a client may search with until it drops them.
pub(crate) struct ThreadPermit(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

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

    /// The threads of all clients together.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The most megabytes of a client's table.
    pub(crate) fn megabytes_per_engine(&self) -> usize {
        self.megabytes_per_engine
    }

    /// Waits until so many threads are free. The first to come is served first.
    pub(crate) async fn acquire_threads(&self, count: usize) -> Option<ThreadPermit> {
        let _waiting = WaiterCount::begin(&self.waiting);
        let count = count.clamp(1, self.threads) as u32;
        let permit = Arc::clone(&self.free_threads).acquire_many_owned(count).await;
        // It fails only once nobody is given any more.
        permit.ok().map(ThreadPermit)
    }

    /// Whether somebody waits for threads.
    pub(crate) fn has_waiters(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// An engine for a client, with one thread.
    ///
    /// # Errors
    ///
    /// Fails if the table does not fit into the memory that is free.
    pub(crate) fn engine(&self, megabytes: usize) -> Result<Engine, MemoryError> {
        let mut engine = Engine::new(1, megabytes.clamp(1, self.megabytes_per_engine))?;
        if self.tablebases.is_some() {
            engine.set_tablebases(self.tablebases.clone());
        }
        Ok(engine)
    }
}

/// Counts one that waits, as long as it does.
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
