//! One thread's search: what it works with, and the steps that every node takes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::clock::Clock;
use super::control::Control;
use super::history::{Context, Histories, PieceTo};
use super::limits::Limits;
use super::parameters;
use super::picker::MovePicker;
use super::report::{Bound, Report};
use super::selectivity::Reductions;
use super::table::Table;
use super::variations::{Variation, Variations};
use crate::evaluation::{Evaluation, Evaluator};
use crate::position::Position;
use crate::units::{Depth, MAX_PLY, Ply, Score};

/// Nodes between two looks at the clock: about half a millisecond.
const POLL_INTERVAL: u64 = 1_024;
/// Nodes within which the first iteration is not stopped. It takes far fewer, but for positions
/// full of queens.
const FIRST_ITERATION: u64 = 50_000;
/// Plies before the root that the frames reach back.
const FRAMES_BEFORE_ROOT: usize = 4;

/// The search was stopped: whoever receives this returns it at once and records nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// The result of searching a node, unless the search was stopped on the way.
pub type Searched = Result<Score, Stopped>;

/// What the threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub clock: Clock,
    /// Set by the main thread when the search is over.
    pub over: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub counters: Box<[Counter]>,
}

/// Ends the search for all threads when dropped, even by a panic, so that nobody waits for ever.
pub struct EndOfSearch<'a>(pub &'a AtomicBool);

impl Drop for EndOfSearch<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// A thread's node count on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub struct Counter(AtomicU64);

impl<'a> Shared<'a> {
    pub fn new(table: &'a Table, limits: &'a Limits, control: &'a Control, threads: usize) -> Self {
        Shared {
            table,
            limits,
            control,
            clock: Clock::new(limits),
            over: AtomicBool::new(false),
            counters: (0..threads).map(|_| Counter::default()).collect(),
        }
    }

    /// Positions entered by all threads, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Relaxed)).sum()
    }

    /// Whether time does not count yet because the opponent is still thinking.
    pub fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }
}

/// What a ply of the current path remembers.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The static evaluation; `None` in check.
    pub evaluation: Option<Score>,
    /// The move being searched from here, as continuation history sees it.
    pub played: PieceTo,
    /// The move left out of a search for a singular move.
    pub excluded: Option<Move>,
    /// Quiet moves that refuted siblings of the node at this ply.
    pub killers: [Option<Move>; 2],
    /// Extensions by more than a ply on the path.
    pub double_extensions: u8,
}

/// What a thread keeps from one search to the next.
pub struct Mind {
    pub histories: Box<Histories>,
    evaluation: Evaluation,
    frames: Box<[Frame]>,
    variations: Variations,
}

impl Mind {
    const FRAMES: usize = FRAMES_BEFORE_ROOT + MAX_PLY + 2;
    /// The memory that it takes, in bytes.
    pub const SIZE: usize = size_of::<Mind>()
        + size_of::<Histories>()
        + Mind::FRAMES * size_of::<Frame>()
        + Variations::SIZE;

    pub fn new() -> Mind {
        Mind {
            histories: Histories::new(),
            evaluation: Evaluation::default(),
            frames: vec![Frame::default(); Mind::FRAMES].into(),
            variations: Variations::new(),
        }
    }

    /// The best line found after the root move that was searched last.
    pub fn variation_after_root(&self) -> &Variation {
        self.variations.at(Ply::new(1))
    }

    /// Forgets all that was learned.
    pub fn clear(&mut self) {
        self.histories = Histories::new();
    }
}

/// A move of the root with what is known about it.
#[derive(Clone)]
pub struct RootMove {
    pub mv: Move,
    /// The score of this iteration; minus infinity if the move was not better than others.
    pub score: Score,
    /// What the score means: inexact if the aspiration window was left.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous: Score,
    /// The greatest distance from the root reached when it was found best, in plies.
    pub seldepth: usize,
    /// Nodes spent below it in this search.
    pub nodes: u64,
    /// The best line that begins with it; in a box, since root moves are sorted often.
    pub variation: Box<Variation>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            previous: -Score::INFINITE,
            seldepth: 0,
            nodes: 0,
            variation: Box::new(Variation::from_iter([mv])),
        }
    }
}

/// One thread at work on one search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub mind: &'a mut Mind,
    /// 0 for the main thread.
    pub id: usize,
    /// Where the main thread sends its reports.
    pub reports: Option<Sender<Report>>,
    pub position: Position,
    pub reductions: Reductions,
    pub root_moves: Vec<RootMove>,
    /// The best move of the lines reported last.
    pub reported: Option<Move>,
    /// Root moves before this one belong to better lines and are not searched.
    pub first_root_move: usize,
    pub root_depth: Depth,
    pub completed_depth: Depth,
    pub seldepth: usize,
    pub nodes: u64,
    /// Null moves are not tried above this ply while one is being verified.
    pub no_null_before: Ply,
    /// The soft limit of time has passed: a search that is pondering ends with the ponder hit.
    pub overdue: bool,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared<'a>,
        mind: &'a mut Mind,
        id: usize,
        position: &Position,
        reports: Option<Sender<Report>>,
    ) -> Worker<'a> {
        let mut position = position.clone();
        position.reserve_for_search();
        mind.evaluation.refresh(position.board());
        mind.frames.fill(Frame::default());
        let mut picker = MovePicker::new(None, ArrayVec::new(), Context::default());
        let picked = std::iter::from_fn(|| picker.next(position.board(), &mind.histories));
        let wanted = &shared.limits.search_moves;
        let chosen = picked.filter(|pick| wanted.is_empty() || wanted.contains(&pick.mv));
        Worker {
            root_moves: chosen.map(|pick| RootMove::new(pick.mv)).collect(),
            reported: None,
            shared,
            mind,
            id,
            reports,
            position,
            reductions: Reductions::new(),
            first_root_move: 0,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
            seldepth: 0,
            nodes: 0,
            no_null_before: Ply::ROOT,
            overdue: false,
            next_poll: 0,
        }
    }

    pub fn is_main(&self) -> bool {
        self.id == 0
    }

    pub fn frame(&mut self, ply: Ply) -> &mut Frame {
        &mut self.mind.frames[ply.index() + FRAMES_BEFORE_ROOT]
    }

    /// The frame so many plies before `ply`; before the root the frames are empty.
    pub fn frame_before(&self, ply: Ply, distance: usize) -> &Frame {
        &self.mind.frames[ply.index() + FRAMES_BEFORE_ROOT - distance]
    }

    pub fn context(&self, ply: Ply) -> Context {
        [1, 2, 4].map(|distance| self.frame_before(ply, distance).played)
    }

    pub fn variations(&mut self) -> &mut Variations {
        &mut self.mind.variations
    }

    /// Enters the position after a legal move.
    pub fn push(&mut self, ply: Ply, mv: Move) {
        // The table's line is on its way while the move is played.
        let keys = self.position.board().keys_after(mv);
        self.shared.table.prefetch(keys.full);
        self.frame(ply).played = PieceTo::new(self.position.turn(), mv);
        self.mind.evaluation.push(self.position.board(), mv);
        self.position.push_with_keys(mv, keys);
        self.nodes += 1;
    }

    /// Passes, if the rules allow it.
    pub fn push_null(&mut self, ply: Ply) -> bool {
        if !self.position.push_null() {
            return false;
        }
        self.shared.table.prefetch(self.position.board().key());
        self.mind.evaluation.push_null();
        self.frame(ply).played = PieceTo::default();
        true
    }

    /// Takes back the last move or null move.
    pub fn pop(&mut self) {
        self.position.pop();
        self.mind.evaluation.pop();
    }

    /// The evaluation of the current position as it comes, before any correction.
    pub fn raw_evaluation(&mut self) -> Score {
        self.mind.evaluation.value(self.position.board())
    }

    /// The evaluation as the search uses it: corrected by what searches of such positions found,
    /// faded towards a draw as the fifty-move count rises, and out of the mate bands.
    pub fn corrected(&self, raw: Score) -> Score {
        let board = self.position.board();
        let corrected = raw.centipawns() + self.mind.histories.correction(board);
        let halfmoves = board.halfmoves().min(100) as i32;
        let left = 10_000 - parameters::fifty_move_fade() * halfmoves;
        Score::new(corrected * left / 10_000).clamp_static()
    }

    /// Looks now and then whether the search is over; every node asks this first.
    pub fn poll(&mut self) -> Result<(), Stopped> {
        if self.nodes < self.next_poll {
            return Ok(());
        }
        let shared = self.shared;
        shared.counters[self.id].0.store(self.nodes, Relaxed);
        let may_stop = self.completed_depth > Depth::ZERO || self.nodes > FIRST_ITERATION;
        if self.is_main() && may_stop && self.must_stop() {
            shared.over.store(true, Relaxed);
        }
        if shared.over.load(Relaxed) {
            return Err(Stopped);
        }
        self.next_poll = self.nodes + self.nodes_to_next_poll();
        Ok(())
    }

    /// Looks again at the next node, whenever the last look was.
    pub fn poll_soon(&mut self) {
        self.next_poll = self.nodes;
    }

    /// Publishes the node count, so that reports are exact.
    pub fn publish_nodes(&self) {
        self.shared.counters[self.id].0.store(self.nodes, Relaxed);
    }

    fn must_stop(&self) -> bool {
        let shared = self.shared;
        shared.control.is_stopped()
            || shared.limits.nodes.is_some_and(|limit| shared.nodes() >= limit)
            || ((shared.clock.must_stop() || self.overdue) && !shared.is_pondering())
    }

    /// With a node limit the main thread looks again just when the limit may be reached.
    fn nodes_to_next_poll(&self) -> u64 {
        let shared = self.shared;
        let left = shared.limits.nodes.map_or(u64::MAX, |limit| {
            limit.saturating_sub(shared.nodes()) / shared.counters.len() as u64
        });
        left.clamp(1, POLL_INTERVAL)
    }
}
