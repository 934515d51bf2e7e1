//! What the threads of one search share: the table, the limits, the clock, the stop flag and the
//! node counts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::clock::Clock;
use super::control::Control;
use super::limits::Limits;
use super::table::Table;

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub clock: Clock,
    /// Raised to end the search of all threads.
    pub stop_flag: AtomicBool,
    node_counts: Box<[NodeCount]>,
}

/// A thread's node count on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct NodeCount(AtomicU64);

impl<'a> Shared<'a> {
    /// What so many threads share for one search.
    pub fn new(table: &'a Table, limits: &'a Limits, control: &'a Control, threads: usize) -> Self {
        Shared {
            table,
            limits,
            control,
            clock: Clock::new(limits),
            stop_flag: AtomicBool::new(false),
            node_counts: (0..threads).map(|_| NodeCount::default()).collect(),
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.node_counts.len()
    }

    /// Positions entered by all threads, as far as they were published.
    pub fn nodes(&self) -> u64 {
        self.node_counts.iter().map(|count| count.0.load(Relaxed)).sum()
    }

    /// Publishes how many positions a thread has entered.
    pub fn publish_nodes(&self, thread: usize, nodes: u64) {
        self.node_counts[thread].0.store(nodes, Relaxed);
    }

    /// Whether time does not count yet because the opponent is still thinking.
    pub fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }

    /// Waits where the protocol does not want an answer yet.
    pub fn wait_for_permission(&self) {
        self.control.wait_until(|control| {
            control.is_stopped() || !(self.limits.infinite || self.is_pondering())
        });
    }
}

/// Raises the stop flag when dropped, even by a panic, so that no thread searches for ever.
pub struct StopOnDrop<'a>(pub &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
