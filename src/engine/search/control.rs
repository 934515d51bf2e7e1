//! Control of a running search from outside: stop and ponder hit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Stops one search, or tells it that the expected move was played (ponder hit). Create one for
/// each search and share it between the search thread and the thread that reads input.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Ends the search as soon as it has a move.
    pub fn stop(&self) {
        self.set(&self.stop);
    }

    /// Announces that the expected move was played. From now on the time limits apply. They count
    /// from the start of the search, since the time spent pondering served the same search.
    pub fn ponder_hit(&self) {
        self.set(&self.ponder_hit);
    }

    /// Returns true if the search must stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns true if the expected move was played.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until `done` returns true. `done` is called at the start and after each stop or
    /// ponder hit.
    pub fn wait_until(&self, done: impl Fn(&Control) -> bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !done(self) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, flag: &AtomicBool) {
        // Without the lock, a waiter could miss a change that comes between its test and its sleep.
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        flag.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}
