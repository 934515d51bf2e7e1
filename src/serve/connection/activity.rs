//! The waits of a connection.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

/// A wait for the other side of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// No request is in flight.
    Request,
    /// The body of a request has not arrived.
    Body,
    /// The other side does not read the answer.
    Write,
}

/// The waits of a connection for its other side, with their starts.
#[derive(Debug)]
pub(super) struct Activity(Mutex<[Option<Instant>; 3]>);

impl Activity {
    /// Creates the activity of a new connection, which waits for its first request.
    pub(super) fn new() -> Activity {
        Activity(Mutex::new([Some(Instant::now()), None, None]))
    }

    /// Begins a wait, unless it has begun already.
    pub(super) fn begin(&self, wait: Wait) {
        self.locked()[wait as usize].get_or_insert_with(Instant::now);
    }

    pub(super) fn end(&self, wait: Wait) {
        self.locked()[wait as usize] = None;
    }

    /// Returns the start of the longest wait; `None` if the server is at work.
    pub(super) fn waits_since(&self) -> Option<Instant> {
        self.locked().iter().flatten().min().copied()
    }

    /// Ends the wait for a request. It begins again when the result is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> InFlight {
        self.end(Wait::Request);
        InFlight(Arc::clone(self))
    }

    fn locked(&self) -> MutexGuard<'_, [Option<Instant>; 3]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in flight, until the end of the body of its answer.
#[derive(Debug)]
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.end(Wait::Body);
        self.0.begin(Wait::Request);
    }
}
