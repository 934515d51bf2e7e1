//! Engine and searcher: who owns the threads' memory and the table, and how a search is begun and
//! ended.

use std::sync::mpsc::{self, Sender};
use std::thread;

use shakmaty::Move;

use super::control::Control;
use super::limits::Limits;
use super::report::{Bound, Outcome, Report};
use super::room::{MemoryError, available_megabytes, fits};
use super::table::Table;
use super::worker::{EndOfSearch, Mind, RootMove, Shared, Worker};
use crate::position::{PackedMove, Position};
use crate::units::{Ply, Score};

/// Stack of a search thread: room for the greatest ply in an unoptimised build.
pub(super) const STACK_SIZE: usize = 32 << 20;

/// The engine: search threads with what they have learned, and the table that they share.
pub struct Engine {
    table: Table,
    minds: Vec<Mind>,
}

impl Engine {
    /// An engine with so many threads, at least one, and megabytes of transposition table.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit into the memory that is free.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, MemoryError> {
        let mut engine = Engine { table: Table::new(megabytes)?, minds: Vec::new() };
        engine.set_threads(threads)?;
        Ok(engine)
    }

    /// So many engines of one kind.
    ///
    /// # Errors
    ///
    /// Fails if they do not fit into the memory that is free, all together.
    pub fn several(
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

    /// Searches a position and returns when a limit is reached or `control` says stop. The reports
    /// are made on the calling thread.
    ///
    /// # Panics
    ///
    /// Panics if the system grants no thread to search with.
    pub fn go(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        self.table.grow_older();
        let shared = Shared::new(&self.table, limits, control, self.minds.len());
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            let (main, helpers) = self.minds.split_first_mut().expect("an engine has a thread");
            let shared = &shared;
            let main = thread::Builder::new()
                .name("search".into())
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, move || search_main(shared, main, position, Some(sender)))
                .expect("the system grants a search thread");
            for (number, mind) in helpers.iter_mut().enumerate() {
                let helper = thread::Builder::new().stack_size(STACK_SIZE);
                // Fewer helpers than asked for are no reason to fail.
                let _ = helper.spawn_scoped(scope, move || {
                    Worker::new(shared, mind, number + 1, position, None).deepen();
                });
            }
            for news in receiver {
                report(news);
            }
            main.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Another game begins: all that was learned from earlier ones is forgotten.
    pub fn new_game(&mut self) {
        self.clear_table();
        for mind in &mut self.minds {
            mind.clear();
        }
    }

    /// Empties the transposition table.
    pub fn clear_table(&mut self) {
        self.table.clear(self.minds.len());
    }

    /// Changes the number of search threads, at least one. What the remaining ones have learned
    /// stays.
    ///
    /// # Errors
    ///
    /// Fails if what more threads have to remember does not fit into the memory that is free; then
    /// their number stays as it is.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        self.set_threads_within(threads, available_megabytes(0))
    }

    fn set_threads_within(&mut self, threads: usize, free: usize) -> Result<(), MemoryError> {
        let more = threads.saturating_sub(self.minds.len().max(1));
        let asked = (more * Mind::SIZE) >> 20;
        if !fits(asked, free) {
            return Err(MemoryError::Threads { threads, asked, available: free });
        }
        self.minds.resize_with(threads.max(1), Mind::new);
        Ok(())
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// Fails if it does not fit into the memory that is free, to which that of the old one counts;
    /// then the old one stays as it is.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), MemoryError> {
        self.table.resize(megabytes)
    }

    /// The transposition table, for those who want to look into it.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

/// One search thread with a table of its own that works on the thread that calls it: no thread is
/// started and no report made, as fits those who search millions of positions.
///
/// The thread needs [`Searcher::STACK_SIZE`] bytes of stack.
pub struct Searcher {
    table: Table,
    mind: Mind,
}

impl Searcher {
    /// The stack that a search may take, in bytes.
    pub const STACK_SIZE: usize = STACK_SIZE;

    /// A searcher with so many megabytes of transposition table.
    ///
    /// # Errors
    ///
    /// Fails if the table does not fit into the memory that is free.
    pub fn new(megabytes: usize) -> Result<Searcher, MemoryError> {
        Ok(Searcher { table: Table::new(megabytes)?, mind: Mind::new() })
    }

    /// Searches a position until a limit is reached or `control` says stop.
    pub fn search(&mut self, position: &Position, limits: &Limits, control: &Control) -> Outcome {
        self.table.grow_older();
        let shared = Shared::new(&self.table, limits, control, 1);
        search_main(&shared, &mut self.mind, position, None)
    }

    /// Another game begins: all that was learned from earlier ones is forgotten.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.mind.clear();
    }
}

fn search_main(
    shared: &Shared<'_>,
    mind: &mut Mind,
    position: &Position,
    reports: Option<Sender<Report>>,
) -> Outcome {
    let end = EndOfSearch(&shared.over);
    let mut worker = Worker::new(shared, mind, 0, position, reports);
    worker.deepen();
    worker.wait_for_permission();
    drop(end);
    let best = worker.root_moves.first();
    Outcome {
        best: best.map(|root_move| root_move.mv),
        ponder: best.and_then(|root_move| expected_reply(shared, position, root_move)),
        score: best.map_or_else(|| no_move_score(position), settled_score),
        depth: worker.completed_depth,
        nodes: shared.nodes(),
        elapsed: shared.clock.elapsed(),
    }
}

/// The score of the last search of this move that was finished. A bound, from a search that was
/// stopped after its window had failed, counts only if there is nothing else.
fn settled_score(root_move: &RootMove) -> Score {
    let exact = (root_move.bound == Bound::Exact).then_some(root_move.score);
    let scores = exact.into_iter().chain([root_move.previous, root_move.score]);
    scores.into_iter().find(|&score| score > -Score::INFINITE).unwrap_or(Score::DRAW)
}

fn no_move_score(position: &Position) -> Score {
    if position.board().in_check() { Score::mated_in(Ply::ROOT) } else { Score::DRAW }
}

/// The reply to expect, if the game goes on: the line's second move, or what the table knows.
fn expected_reply(shared: &Shared<'_>, position: &Position, best: &RootMove) -> Option<Move> {
    let mut after = position.clone();
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
    use super::*;

    #[test]
    fn threads_that_the_memory_has_no_room_for_are_refused_and_the_number_stays() {
        let mut engine = Engine::new(2, 1).unwrap();
        let refusal = engine.set_threads_within(500, 100).unwrap_err();
        assert!(refusal.to_string().contains("500 threads do not fit"), "{refusal}");
        assert_eq!(engine.minds.len(), 2);
        engine.set_threads_within(3, 100).unwrap();
        assert_eq!(engine.minds.len(), 3);
        engine.set_threads_within(1, 0).unwrap();
        assert_eq!(engine.minds.len(), 1);
    }
}
