//! The engine: it owns the data of the threads and the table, and begins and ends a search.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::thread::{self, ScopedJoinHandle};

use shakmaty::Move;
use thiserror::Error;

use super::control::Control;
use super::limits::Limits;
use super::report::{Outcome, Report, no_move_score};
use super::root_move::RootMove;
use super::shared::Shared;
use super::table::TranspositionTable;
use super::thread_data::ThreadData;
use super::voting::Vote;
use super::worker::Worker;
use crate::evaluation::{Accumulators, Network};
use crate::memory_limit::{MemoryError, available_megabytes, fits};
use crate::position::{PackedMove, Position};
use crate::stop_on_drop::StopOnDrop;
use crate::tablebases::Tablebases;
use crate::units::Ply;

/// The engine: search threads with what they have learned, and the table that they share.
pub struct Engine {
    pub(super) table: TranspositionTable,
    threads: Vec<ThreadData>,
    network: Arc<Network>,
    tablebases: Option<Arc<Tablebases>>,
}

/// The system grants no thread.
#[derive(Debug, Error)]
#[error("cannot start a thread: {0}")]
pub struct ThreadError(#[from] io::Error);

impl From<ThreadError> for io::Error {
    fn from(error: ThreadError) -> io::Error {
        io::Error::new(error.0.kind(), error)
    }
}

impl Engine {
    /// The stack that a search needs, in bytes: enough for the greatest ply in an unoptimised
    /// build.
    pub const STACK_SIZE: usize = 32 << 20;

    /// An engine with `threads` threads, at least one, and `megabytes` of transposition table, that
    /// evaluates with the network built in.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit into the memory that is free.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, MemoryError> {
        let table = TranspositionTable::new(megabytes)?;
        let mut engine =
            Engine { table, threads: Vec::new(), network: Network::built_in(), tablebases: None };
        engine.set_threads(threads)?;
        Ok(engine)
    }

    /// `count` engines of one kind, if they fit into the memory that is free all together.
    pub fn new_many(
        count: usize,
        threads: usize,
        megabytes: usize,
    ) -> Result<Vec<Engine>, MemoryError> {
        let (asked, available) = (count.saturating_mul(megabytes), available_megabytes(0));
        if !fits(asked, available) {
            return Err(MemoryError::Table { asked, available });
        }
        (0..count).map(|_| Engine::new(threads, megabytes)).collect()
    }

    /// Searches a position on the engine's own threads and returns when a limit is reached or
    /// `control` says stop. `on_report` is called on the calling thread.
    ///
    /// # Errors
    ///
    /// Fails if the system grants no thread to search with.
    pub fn go(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        on_report: &mut dyn FnMut(Report),
    ) -> Result<Outcome, ThreadError> {
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let search = move || {
                let send: &mut dyn FnMut(Report) = &mut |report| drop(sender.send(report));
                self.go_on_this_thread(position, limits, control, Some(send))
            };
            let search = thread::Builder::new()
                .name("search".into())
                .stack_size(Engine::STACK_SIZE)
                .spawn_scoped(scope, search)?;
            for report in receiver {
                on_report(report);
            }
            Ok(search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Like [`Engine::go`], but the calling thread is the main one of the search, so that no other
    /// has to be woken before it begins and ends. It needs [`Engine::STACK_SIZE`] bytes of stack.
    /// Without `on_report` nothing is reported.
    pub fn go_on_this_thread(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        on_report: Option<&mut dyn FnMut(Report)>,
    ) -> Outcome {
        self.table.new_search();
        let shared = &Shared::new(&self.table, limits, control, self.threads.len(), position)
            .with_tablebases(self.tablebases.as_deref(), position);
        let (main, helpers) = self.threads.split_first_mut().expect("an engine has a thread");
        let helpers = if shared.clock.is_short_of_time() { &mut [] } else { helpers };
        // Reborrow: the callback must not outlive the search.
        let on_report = on_report.map(|on_report| -> &mut dyn FnMut(Report) { on_report });
        let outcome = thread::scope(|scope| {
            let start = |(number, thread_data)| {
                let helper = thread::Builder::new().stack_size(Engine::STACK_SIZE);
                let search = move || {
                    let mut worker = Worker::new(shared, thread_data, number + 1, position, None);
                    worker.iterative_deepening();
                    worker.vote()
                };
                // A helper that the system does not grant only makes the search slower.
                helper.spawn_scoped(scope, search).ok()
            };
            let helpers: Vec<_> = helpers.iter_mut().enumerate().filter_map(start).collect();
            run_main_thread(shared, main, position, helpers, on_report)
        });
        if self.tablebases.as_ref().is_some_and(|tables| tables.failure().is_some()) {
            self.tablebases = None;
        }
        outcome
    }

    /// Another game begins: the table and all histories are cleared.
    pub fn new_game(&mut self) {
        self.table.clear(self.threads.len());
        for thread_data in &mut self.threads {
            thread_data.clear();
        }
    }

    /// Changes the number of search threads, at least one. Those that remain keep their histories.
    ///
    /// # Errors
    ///
    /// Fails if the data of more threads do not fit into the memory that is free; then their number
    /// stays as it is.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        self.set_threads_within(threads, available_megabytes(0))
    }

    fn set_threads_within(&mut self, threads: usize, free: usize) -> Result<(), MemoryError> {
        let more = threads.saturating_sub(self.threads.len().max(1));
        let asked = (more * ThreadData::SIZE) >> 20;
        if !fits(asked, free) {
            return Err(MemoryError::Threads { threads, asked, available: free });
        }
        let network = &self.network;
        self.threads.resize_with(threads.max(1), || ThreadData::new(Arc::clone(network)));
        Ok(())
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// Fails if it does not fit into the memory that is free once the old one is released; then the
    /// old one stays.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        self.table.resize(megabytes)
    }

    /// The number of its threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The size of its table in megabytes.
    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// The network that it evaluates with.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Probes these endgame tables from now on, or none. The transposition table is cleared, since
    /// its scores may come from the tables before.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
        self.table.clear(self.threads.len());
    }

    /// Evaluates with another network from now on. Table and histories are cleared, since they come
    /// from the network before.
    pub fn set_network(&mut self, network: Arc<Network>) {
        for thread_data in &mut self.threads {
            thread_data.evaluation = Accumulators::new(Arc::clone(&network));
        }
        self.network = network;
        self.new_game();
    }
}

fn run_main_thread<'a>(
    shared: &'a Shared<'a>,
    thread_data: &'a mut ThreadData,
    position: &Position,
    helpers: Vec<ScopedJoinHandle<'_, Option<Vote>>>,
    on_report: Option<&'a mut dyn FnMut(Report)>,
) -> Outcome {
    let end = StopOnDrop(|| shared.stop_flag.store(true, Relaxed));
    let mut worker = Worker::new(shared, thread_data, 0, position, on_report);
    worker.iterative_deepening();
    shared.wait_for_stop_or_ponder_hit();
    drop(end);
    let join = |helper: ScopedJoinHandle<'_, _>| {
        helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    };
    worker.adopt_best_vote(helpers.into_iter().filter_map(join).collect());
    worker.report_failed_tablebases();
    worker.report_mate_search();
    worker.report_answer();
    let score = match worker.root_moves.first().map(RootMove::finished_score) {
        Some(Some(score)) => score,
        // The search was stopped before that: it is reported with the static evaluation.
        Some(None) => worker.leaf_evaluation(Ply::ROOT),
        None => no_move_score(position),
    };
    let best = worker.root_moves.first();
    Outcome {
        best: best.map(|root_move| root_move.mv),
        ponder: best.and_then(|root_move| expected_reply(shared, position, root_move)),
        score,
        depth: worker.completed_depth,
        nodes: shared.nodes(),
        elapsed: shared.clock.elapsed(),
    }
}

/// The expected reply, if the game goes on: the second move of the line, or the table's.
fn expected_reply(shared: &Shared<'_>, position: &Position, best: &RootMove) -> Option<Move> {
    let mut after = position.for_search();
    after.push(best.mv);
    if after.is_drawn(Ply::ROOT) {
        return None;
    }
    let child = after.board();
    let from_line = best.variation.get(1).map(|&mv| PackedMove::new(mv));
    let packed = from_line.or_else(|| {
        shared.table.probe(child.key(), Ply::new(1), child.halfmoves()).and_then(|entry| entry.mv)
    })?;
    child.legal_move(packed)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_search_of_a_few_milliseconds_waits_for_no_helper() {
        let mut engine = Engine::new(3, 1).unwrap();
        // Whether each thread has evaluated the root.
        let mut took_part = |milliseconds| {
            engine.threads.iter_mut().for_each(|thread_data| thread_data.stack.clear());
            let limits = Limits::move_time(Duration::from_millis(milliseconds));
            engine.go(&Position::default(), &limits, &Control::default(), &mut |_| {}).unwrap();
            let root = |thread_data: &mut ThreadData| {
                thread_data.stack.at(Ply::ROOT).static_evaluation.is_some()
            };
            engine.threads.iter_mut().map(root).collect::<Vec<_>>()
        };
        // Helpers may have to wait for a processor until the search is over, but not every time.
        assert!((0..100).any(|_| took_part(50) == [true; 3]));
        assert_eq!(took_part(10), [true, false, false]);
    }

    #[test]
    fn threads_that_the_memory_has_no_room_for_are_refused_and_the_number_stays() {
        let mut engine = Engine::new(2, 1).unwrap();
        let refusal = engine.set_threads_within(500, 100).unwrap_err();
        assert!(refusal.to_string().contains("500 threads do not fit"), "{refusal}");
        assert_eq!(engine.threads.len(), 2);
        engine.set_threads_within(3, 100).unwrap();
        assert_eq!(engine.threads.len(), 3);
        engine.set_threads_within(1, 0).unwrap();
        assert_eq!(engine.threads.len(), 1);
    }
}
