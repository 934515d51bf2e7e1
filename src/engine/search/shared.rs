//! What the threads of one search share: the table, the limits, the clock, the stop flag and the
//! node counts.
//!
//! Lazy SMP: the threads do not divide the work. Each searches the whole tree, and what one stores
//! in the table the others need not search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use shakmaty::Position as _;

use super::clock::Clock;
use super::control::Control;
use super::limits::Limits;
use super::reductions::ReductionTable;
use super::table::TranspositionTable;
use crate::position::Position;
use crate::tablebases::{RankedMove, Tablebases};

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub clock: Clock,
    /// Raised to end the search of all threads.
    pub stop_flag: AtomicBool,
    pub tablebases: Option<&'a Tablebases>,
    /// Nodes with more pieces are not looked up in the endgame tables.
    pub probe_max_pieces: usize,
    /// The moves of the root as the endgame tables rank them; empty if they do not know it.
    pub ranked: Vec<RankedMove>,
    pub reduction_table: ReductionTable,
    counts: Box<[Counts]>,
}

/// The counts of a thread. They have cache lines of their own, so that writing them does not slow
/// down other threads; two lines, since processors fetch lines in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Counts {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

impl<'a> Shared<'a> {
    /// What `threads` threads share for one search of this position.
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

    /// The same with endgame tables. If they rank the root's moves by distance, nodes below the
    /// root are not looked up, and the search is free to find the mate.
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

    pub(super) fn threads(&self) -> usize {
        self.counts.len()
    }

    /// Positions entered by all threads, as far as they have published their counts.
    pub(super) fn nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    /// Positions found in the endgame tables by all threads, as far as they have published it.
    pub(super) fn tablebase_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.tablebase_hits.load(Relaxed)).sum()
    }

    /// Publishes how many positions a thread has entered, and found in the endgame tables.
    pub(super) fn publish_counts(&self, thread: usize, nodes: u64, tablebase_hits: u64) {
        self.counts[thread].nodes.store(nodes, Relaxed);
        self.counts[thread].tablebase_hits.store(tablebase_hits, Relaxed);
    }

    /// Whether limits of time hold: not yet while the opponent thinks, unless the search is brief
    /// and had better be over when the answer is wanted.
    pub(super) fn time_limits_apply(&self) -> bool {
        !self.is_pondering() || self.clock.is_short_of_time()
    }

    /// Whether the opponent is still thinking, as far as the protocol has said.
    pub(super) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }

    /// Waits while the protocol does not allow an answer: in `go infinite` and while pondering.
    pub(super) fn wait_for_stop_or_ponder_hit(&self) {
        self.control.wait_until(|control| {
            control.is_stopped() || !(self.limits.infinite || self.is_pondering())
        });
    }
}
