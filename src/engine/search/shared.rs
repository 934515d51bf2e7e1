//! Data that the threads of one search share: the table, the limits, the clock, the stop flag and
//! the node counts.
//!
//! Lazy SMP: the threads do not divide the work. Each searches the whole tree, and uses the results
//! that the others store in the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use shakmaty::Position as _;

use super::clock::Clock;
use super::control::Control;
use super::limits::Limits;
use super::reductions::ReductionTable;
use super::table::TranspositionTable;
use crate::position::Position;
use crate::tablebases::{RankedMove, Tablebases};

/// Data that the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub clock: Clock,
    /// Set to end the search of all threads.
    pub stop_flag: AtomicBool,
    pub tablebases: Option<&'a Tablebases>,
    /// Greatest number of pieces of a node that is probed in the endgame tables.
    pub probe_max_pieces: usize,
    /// Root moves ranked by the endgame tables; empty if the tables do not know the root.
    pub ranked: Vec<RankedMove>,
    pub reduction_table: ReductionTable,
    counts: Box<[Counts]>,
}

/// Counts of one thread. They have separate cache lines, so that writing them does not slow down
/// other threads; two lines, since processors fetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Counts {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl<'a> Shared<'a> {
    /// Creates the shared data of `threads` threads for one search of the position `root`.
    pub(super) fn new(
        table: &'a TranspositionTable,
        limits: &'a Limits,
        control: &'a Control,
        threads: usize,
        root: &Position,
    ) -> Self {
        Shared {
            table,
            limits,
            control,
            clock: Clock::new(limits, root.chess().fullmoves()),
            stop_flag: AtomicBool::new(false),
            tablebases: None,
            probe_max_pieces: 0,
            ranked: Vec::new(),
            reduction_table: ReductionTable::new(),
            counts: (0..threads).map(|_| Counts::default()).collect(),
        }
    }

    /// Adds endgame tables. If they rank the root moves by distance, nodes below the root are not
    /// probed, so that the search can find the mate.
    pub(super) fn with_tablebases(
        mut self,
        tablebases: Option<&'a Tablebases>,
        root: &Position,
    ) -> Self {
        let rules = &self.limits.tablebases;
        let Some(tablebases) = tablebases else {
            return self;
        };
        let ranking = tablebases.rank(root, &root.board().legal_moves(), rules);
        if !ranking.as_ref().is_some_and(|ranking| ranking.by_distance) {
            self.probe_max_pieces = rules.max_pieces.min(tablebases.max_pieces());
        }
        self.ranked = ranking.map(|ranking| ranking.moves).unwrap_or_default();
        self.tablebases = Some(tablebases);
        self
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> usize {
        self.counts.len()
    }

    /// Returns the number of positions entered by all threads, as far as published.
    pub(super) fn nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    /// Returns the number of positions found in the endgame tables by all threads, as far as
    /// published.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.tablebase_hits.load(Relaxed)).sum()
    }

    /// Publishes the number of positions that a thread has entered and found in the endgame tables.
    pub(super) fn publish_counts(&self, thread: usize, nodes: u64, tablebase_hits: u64) {
        self.counts[thread].nodes.store(nodes, Relaxed);
        self.counts[thread].tablebase_hits.store(tablebase_hits, Relaxed);
    }

    /// Returns true if time limits apply. They do not apply during pondering, unless time is short: then
    /// the search should be finished at the ponder hit.
    pub(super) fn time_limits_apply(&self) -> bool {
        !self.is_pondering() || self.clock.is_short_of_time()
    }

    /// Is true during pondering, before the ponder hit.
    pub(super) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }

    /// Waits until an answer is allowed: in `go infinite` until the stop, and during pondering
    /// until the ponder hit or the stop.
    pub(super) fn wait_for_stop_or_ponder_hit(&self) {
        self.control.wait_until(|control| {
            control.is_stopped() || !(self.limits.infinite || self.is_pondering())
        });
    }
}
