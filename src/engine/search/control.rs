//! How a running search is stopped from outside, or learns that the move it ponders on was played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Stops one search, or announces that the move it ponders on was played. Make a new one for each
/// search and share it between the thread that searches and the one that reads input.
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

    /// The expected move was played: from now on the limits of time hold, counted from the start
    /// of the search, since the time spent pondering was used for the same search.
    pub fn ponder_hit(&self) {
        self.set(&self.ponder_hit);
    }

    /// Whether the search has to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the move pondered on was played.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }

    /// Sleeps until `done` returns true; it is called again after each stop or ponder hit.
    pub fn wait_until(&self, done: impl Fn(&Control) -> bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !done(self) {
            gate = self.changed.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn set(&self, flag: &AtomicBool) {
        // Without the lock a waiter could miss the change between its test and its sleep.
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        flag.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }
}
