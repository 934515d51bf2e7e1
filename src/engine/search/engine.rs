//! The engine: owns the transposition table and the data of the threads, and runs searches.

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
use crate::memory_limit::{MemoryError, available_megabytes, check_tables, fits};
use crate::position::{PackedMove, Position};
use crate::stop_on_drop::StopOnDrop;
use crate::tablebases::Tablebases;
use crate::units::Ply;

/// The engine: search threads with their histories, and the transposition table that they share.
pub struct Engine {
    pub(super) table: TranspositionTable,
    threads: Vec<ThreadData>,
    network: Arc<Network>,
    tablebases: Option<Arc<Tablebases>>,
}

/// The operating system could not start a thread.
#[derive(Debug, Error)]
#[error("cannot start a thread: {0}")]
pub struct ThreadError(#[from] io::Error);

impl From<ThreadError> for io::Error {
    fn from(error: ThreadError) -> io::Error {
        io::Error::new(error.0.kind(), error)
    }
}

impl Engine {
    /// Stack size of a search thread in bytes: enough for the greatest ply in an unoptimised build.
    pub const STACK_SIZE: usize = 32 << 20;

    /// Creates an engine with `threads` threads, at least one, a transposition table of `megabytes`
    /// megabytes, and the built-in network.
    ///
    /// # Errors
    ///
    /// Fails if the table or the threads do not fit into the free memory.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, MemoryError> {
        let table = TranspositionTable::new(megabytes)?;
        let mut engine =
            Engine { table, threads: Vec::new(), network: Network::built_in(), tablebases: None };
        engine.set_threads(threads)?;
        Ok(engine)
    }

    /// Creates `count` engines of the same size.
    ///
    /// # Errors
    ///
    /// Fails if all of them together do not fit into the free memory.
    pub fn new_many(
        count: usize,
        threads: usize,
        megabytes: usize,
    ) -> Result<Vec<Engine>, MemoryError> {
        check_tables(count.saturating_mul(megabytes))?;
        (0..count).map(|_| Engine::new(threads, megabytes)).collect()
    }

    /// Searches a position on the engine's own threads. Returns when a limit is reached or
    /// `control` stops the search. `on_report` is called on the calling thread.
    ///
    /// # Errors
    ///
    /// Fails if the operating system cannot start the main search thread.
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
            let search = Engine::thread("search").spawn_scoped(scope, search)?;
            for report in receiver {
                on_report(report);
            }
            Ok(search.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Returns a builder of a thread with the stack that a search needs.
    pub fn thread(name: &str) -> thread::Builder {
        thread::Builder::new().name(name.to_owned()).stack_size(Engine::STACK_SIZE)
    }

    /// Runs `work` on a new thread with the stack that a search needs, and returns its result.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start the thread.
    ///
    /// # Panics
    ///
    /// Panics if `work` does.
    pub fn run_on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let work = Engine::thread("search").spawn_scoped(scope, work)?;
            Ok(work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Like [`Engine::go`], but the calling thread is the main search thread, so that no other
    /// thread has to be woken at the start and the end. It needs [`Engine::STACK_SIZE`] bytes of
    /// stack. Reports nothing if `on_report` is `None`.
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
                let helper = Engine::thread("helper");
                let search = move || {
                    let mut worker = Worker::new(shared, thread_data, number + 1, position, None);
                    worker.iterative_deepening();
                    worker.vote()
                };
                // A helper that cannot be started only makes the search slower.
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

    /// Starts a new game: clears the table and all histories.
    pub fn new_game(&mut self) {
        self.table.clear(self.threads.len());
        for thread_data in &mut self.threads {
            thread_data.clear();
        }
    }

    /// Changes the number of search threads, at least one. The remaining threads keep their
    /// histories.
    ///
    /// # Errors
    ///
    /// Fails if the data of the additional threads do not fit into the free memory. The number of
    /// threads is then unchanged.
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

    /// Replaces the transposition table with an empty one of `megabytes` megabytes.
    ///
    /// # Errors
    ///
    /// Fails if the new table does not fit into the free memory, the old table's included. The old
    /// table is then kept.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        self.table.resize(megabytes)
    }

    /// Returns the number of search threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Returns the size of the transposition table in megabytes.
    pub fn table_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Returns the network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Sets the endgame tables to probe, or none. Clears the transposition table, since its scores
    /// may come from the previous endgame tables.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
        self.table.clear(self.threads.len());
    }

    /// Sets the network. Clears the table and the histories, since they come from the previous
    /// network.
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
    let stop_helpers = StopOnDrop(|| shared.stop_flag.store(true, Relaxed));
    let mut worker = Worker::new(shared, thread_data, 0, position, on_report);
    worker.iterative_deepening();
    shared.wait_for_stop_or_ponder_hit();
    drop(stop_helpers);
    let join = |helper: ScopedJoinHandle<'_, _>| {
        helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    };
    worker.adopt_best_vote(helpers.into_iter().filter_map(join).collect());
    worker.report_failed_tablebases();
    worker.report_mate_search();
    worker.report_answer();
    let score = match worker.root_moves.first().map(RootMove::finished_score) {
        Some(Some(score)) => score,
        // Stopped before the first score: the static evaluation is reported.
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

/// Returns the expected reply if the game goes on: the second move of the line, or else the
/// transposition table's move.
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
    fn a_search_of_a_few_milliseconds_uses_no_helpers() {
        let mut engine = Engine::new(3, 1).unwrap();
        // For each thread: true if it has evaluated the root.
        let mut took_part = |milliseconds| {
            engine.threads.iter_mut().for_each(|thread_data| thread_data.stack.clear());
            let limits = Limits::move_time(Duration::from_millis(milliseconds));
            engine.go(&Position::default(), &limits, &Control::default(), &mut |_| {}).unwrap();
            let root = |thread_data: &mut ThreadData| {
                thread_data.stack.at(Ply::ROOT).static_evaluation.is_some()
            };
            engine.threads.iter_mut().map(root).collect::<Vec<_>>()
        };
        // A helper may get no processor until the search is over, but not every time.
        assert!((0..100).any(|_| took_part(50) == [true; 3]));
        assert_eq!(took_part(10), [true, false, false]);
    }

    #[test]
    fn threads_that_do_not_fit_into_memory_are_refused_and_their_number_is_unchanged() {
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
