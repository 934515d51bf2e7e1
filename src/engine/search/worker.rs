//! The worker: one thread of one search. This file has its state, makes and unmakes moves, and
//! decides when to stop. The files of the rules add their methods to it.

use std::sync::atomic::Ordering::Relaxed;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::history::{HistoryContext, PieceTo, PreviousMoves, pawn_history_index};
use super::mates::MateProof;
use super::picker::MovePicker;
use super::report::{Report, Reporting};
use super::root_move::{RootMove, sort_best_first};
use super::shared::Shared;
use super::strength_limit::StrengthLimit;
use super::table::TableEntry;
use super::thread_data::{PvTable, StackEntry, ThreadData};
use crate::position::{Attacks, Board, PackedMove, Position};
use crate::units::{Depth, Ply, Score};

/// Number of nodes between two checks of the clock: about a fifth of a millisecond, or a whole
/// millisecond on a slow or busy machine.
const POLL_INTERVAL: u64 = 256;
/// Number of nodes within which the first iteration is not stopped, since it finds the move to
/// play. It takes far fewer, except in positions full of queens.
const FIRST_ITERATION_NODES: u64 = 50_000;
/// The same number if helpers have used up the limit of nodes. A single thread meets the limit
/// exactly.
const NODES_BESIDE_HELPERS: u64 = 500;

/// The search was stopped. A function that receives this error returns it at once and stores
/// nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Score of a searched node, unless the search was stopped.
pub(super) type Searched = Result<Score, Stopped>;

/// One thread of one search.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub thread_data: &'a mut ThreadData,
    /// 0 for the main thread.
    pub id: usize,
    pub position: Position,
    pub root_moves: Vec<RootMove>,
    /// Index of the current line in a multi-PV search, from 0. Root moves before it belong to
    /// better lines and are not searched.
    pub pv_index: usize,
    pub root_depth: Depth,
    pub completed_depth: Depth,
    pub seldepth: usize,
    pub nodes: u64,
    /// Number of positions found in the endgame tables.
    pub tablebase_hits: u64,
    /// Limit of the playing strength, if there is one.
    pub strength_limit: Option<StrengthLimit>,
    /// Least ply for null moves, while a null move cut-off is being verified.
    pub null_move_min_ply: Ply,
    pub reporting: Reporting<'a>,
    pub mate_proof: MateProof,
    pub polling: Polling,
}

/// State of a thread's checks of the limits.
#[derive(Default)]
pub(super) struct Polling {
    /// Node count of the thread at its next check.
    next: u64,
    /// Node count at which the confirmation or proof of a mate is given up; `None` if none is
    /// running.
    pub give_up_at: Option<u64>,
    /// The soft limit of time has passed. A pondering search then ends with the ponder hit.
    pub past_soft_limit: bool,
}

impl<'a> Worker<'a> {
    /// Creates a worker at the root of a search. The main thread has the `id` 0 and may have a
    /// callback.
    pub(super) fn new(
        shared: &'a Shared<'a>,
        thread_data: &'a mut ThreadData,
        id: usize,
        position: &Position,
        on_report: Option<&'a mut dyn FnMut(Report)>,
    ) -> Worker<'a> {
        let position = position.for_search();
        thread_data.evaluation.refresh(position.board());
        thread_data.stack.clear();
        // The first order of the root moves uses the threats of lesser pieces, but no other fact about
        // the node.
        let threats = position.board().threats();
        let mut picker = MovePicker::new(None, ArrayVec::new(), HistoryContext::default(), threats);
        let picked = std::iter::from_fn(|| picker.next(position.board(), &thread_data.histories));
        let wanted = &shared.limits.search_moves;
        let chosen = picked.filter(|pick| wanted.is_empty() || wanted.contains(&pick.mv));
        let mut root_moves: Vec<_> = chosen.map(|pick| RootMove::new(pick.mv)).collect();
        for root_move in &mut root_moves {
            root_move.ranked =
                shared.ranked.iter().find(|ranked| ranked.mv == root_move.mv).copied();
        }
        sort_best_first(&mut root_moves);
        if let Some(strength_limit) = shared.limits.strength_limit {
            remove_overlooked_moves(&strength_limit, position.board(), &mut root_moves);
        }
        Worker {
            root_moves,
            shared,
            thread_data,
            id,
            position,
            pv_index: 0,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
            seldepth: 0,
            nodes: 0,
            tablebase_hits: if id == 0 { shared.ranked.len() as u64 } else { 0 },
            strength_limit: shared.limits.strength_limit,
            null_move_min_ply: Ply::ROOT,
            reporting: Reporting::new(shared.limits, on_report),
            mate_proof: MateProof::default(),
            polling: Polling::default(),
        }
    }

    /// Is true for the main thread, which makes the reports and decides if a further iteration
    /// begins.
    pub(super) fn is_main_thread(&self) -> bool {
        self.id == 0
    }

    /// Returns the entry of the search stack for a ply.
    pub(super) fn stack(&mut self, ply: Ply) -> &mut StackEntry {
        self.thread_data.stack.at(ply)
    }

    /// Returns the entry of the search stack `plies` plies before `ply`. Entries before the root
    /// are empty.
    pub(super) fn stack_before(&self, ply: Ply, plies: usize) -> &StackEntry {
        self.thread_data.stack.before(ply, plies)
    }

    /// Stores the facts that the histories of the moves at `ply` depend on, and returns the attacks of
    /// the opponent. `attacks` are those of both sides, White's first, if they are known.
    pub(super) fn prepare_ordering(&mut self, ply: Ply, attacks: Option<&[Attacks; 2]>) -> Attacks {
        let board = self.position.board();
        let known = attacks.map(|[white, black]| *self.position.turn().fold_wb(black, white));
        let threats = known.unwrap_or_else(|| board.threats());
        let pawn_structure = pawn_history_index(board);
        let entry = self.stack(ply);
        (entry.threatened, entry.pawn_structure) = (threats.all, pawn_structure);
        threats
    }

    /// Returns the context of the histories of quiet moves at `ply`.
    pub(super) fn context(&self, ply: Ply) -> HistoryContext {
        HistoryContext {
            previous_moves: self.previous_moves(ply),
            pawn_structure: self.stack_before(ply, 0).pawn_structure,
            threatened: self.stack_before(ply, 0).threatened,
        }
    }

    /// Returns the moves that led to `ply`.
    pub(super) fn previous_moves(&self, ply: Ply) -> PreviousMoves {
        self.thread_data.stack.previous_moves(ply)
    }

    /// Returns the best lines of the nodes on the current path.
    pub(super) fn pv_table(&mut self) -> &mut PvTable {
        &mut self.thread_data.pv_table
    }

    /// Returns the move of a table's entry if it is legal here. An entry of another position may
    /// have the same check bits.
    pub(super) fn legal_tt_move(&self, tt_entry: Option<TableEntry>) -> Option<Move> {
        let packed = tt_entry?.mv?;
        self.position.board().legal_move(packed)
    }

    /// Makes a legal move on the board, the search stack and the evaluation.
    pub(super) fn make(&mut self, ply: Ply, mv: Move) {
        debug_assert_eq!(self.position.board().legal_move(PackedMove::new(mv)), Some(mv));
        // The memory of the table is loaded while the move is made. The accumulators take most of
        // that time.
        let keys = self.position.board().keys_after(mv);
        self.shared.table.prefetch(keys.full);
        let side = self.position.turn();
        let entry = self.stack(ply);
        (entry.played, entry.mv) = (PieceTo::new(side, mv), Some(mv));
        self.thread_data.correction_history.prefetch(!side, &keys, self.previous_moves(ply.next()));
        self.position.push_with_keys(mv, keys);
        self.thread_data.evaluation.push(mv, self.position.board());
        self.nodes += 1;
    }

    /// Makes a null move. Returns false, and changes nothing, if the rules do not allow it.
    pub(super) fn make_null(&mut self, ply: Ply) -> bool {
        if !self.position.push_null() {
            return false;
        }
        self.shared.table.prefetch(self.position.board().key());
        self.thread_data.evaluation.push_null();
        let entry = self.stack(ply);
        (entry.played, entry.mv) = (PieceTo::NONE, None);
        true
    }

    /// Unmakes the last move or null move.
    pub(super) fn unmake(&mut self) {
        self.position.pop();
        self.thread_data.evaluation.pop();
    }

    /// Returns true if the strength is limited and the player overlooks this move, `ply` plies from the
    /// root.
    pub(super) fn overlooks(&self, mv: Move, ply: Ply) -> bool {
        self.strength_limit.is_some_and(|limit| limit.overlooks(self.position.board(), mv, ply))
    }

    /// Checks the limits; every node calls this first. After at most [`POLL_INTERVAL`] nodes it
    /// reports progress, tests the limits and sets the stop flag of all threads. Fails if the
    /// search must stop. The main thread finishes its first iteration, so that the move to play was
    /// searched, unless that takes too long or, without helpers, no nodes are left.
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        let shared = self.shared;
        let stop_raised = shared.stop_flag.load(Relaxed);
        if self.nodes < self.polling.next && !stop_raised {
            return Ok(());
        }
        self.publish_nodes();
        self.report_progress();
        let may_stop = !self.is_main_thread()
            || self.completed_depth > Depth::ZERO
            || self.nodes > FIRST_ITERATION_NODES
            || (shared.threads() == 1 || self.nodes >= NODES_BESIDE_HELPERS)
                && self.is_out_of_nodes();
        if may_stop && (stop_raised || self.must_stop()) {
            shared.stop_flag.store(true, Relaxed);
            return Err(Stopped);
        }
        if self.polling.give_up_at.is_some_and(|end| self.nodes >= end) {
            return Err(Stopped);
        }
        self.polling.next = self.nodes + self.nodes_to_next_poll();
        Ok(())
    }

    /// Returns true if the search of all threads must stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.shared.stop_flag.load(Relaxed)
    }

    /// Makes the next node check the limits.
    pub(super) fn poll_at_next_node(&mut self) {
        self.polling.next = self.nodes;
    }

    /// Publishes the counts of this thread, so that reports are exact.
    pub(super) fn publish_nodes(&self) {
        self.shared.publish_counts(self.id, self.nodes, self.tablebase_hits);
    }

    /// Returns the nodes to compare with the clock, which may count nodes instead of time. The main
    /// thread counts those of all threads. The others count only their own: if every thread read the
    /// counters of all threads, the cost would grow with the square of their number.
    fn counted_nodes(&self) -> u64 {
        if self.is_main_thread() { self.shared.nodes() } else { self.nodes }
    }

    /// Returns true if a limit is reached. Each thread checks the clock, since on a busy machine any
    /// thread may have to wait for a processor.
    fn must_stop(&self) -> bool {
        let shared = self.shared;
        let out_of_time =
            shared.clock.is_past_hard_limit(self.counted_nodes()) || self.polling.past_soft_limit;
        shared.control.is_stopped()
            || (out_of_time && shared.time_limits_apply())
            || self.is_out_of_nodes()
    }

    /// Returns true if all threads together have reached the limit of nodes. With such a limit every
    /// thread reads all counters, since on a busy machine the main thread may come too late.
    fn is_out_of_nodes(&self) -> bool {
        self.shared.limits.nodes.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    /// Returns the number of nodes to the next check. The nodes left are divided among the threads,
    /// so that a single thread meets the limit of nodes exactly, and several threads hardly exceed
    /// it.
    fn nodes_to_next_poll(&self) -> u64 {
        let shared = self.shared;
        let left = shared.limits.nodes.map_or(u64::MAX, |limit| {
            limit.saturating_sub(shared.nodes()) / shared.threads() as u64
        });
        let given_up =
            self.polling.give_up_at.map_or(u64::MAX, |end| end.saturating_sub(self.nodes));
        left.min(given_up).clamp(1, POLL_INTERVAL)
    }
}

/// Removes the moves that a player of limited strength overlooks. If none is left, keeps the first.
fn remove_overlooked_moves(
    strength_limit: &StrengthLimit,
    board: &Board,
    root_moves: &mut Vec<RootMove>,
) {
    let first = root_moves.first().cloned();
    root_moves.retain(|root_move| !strength_limit.overlooks(board, root_move.mv, Ply::ROOT));
    if root_moves.is_empty() {
        root_moves.extend(first);
    }
}
