//! The search as a library: an [`Engine`] is given a position and limits, tells reports on its way
//! and returns an outcome. Nothing in here prints.
//!
//! The trunk is [`negascout`](self), a fail-soft NegaScout; around it stand iterative deepening
//! with aspiration windows, the shared transposition table, enhanced transposition cut-offs,
//! quiescence, a staged move picker fed by histories, and the selectivity that today's engines
//! live by. Several threads search the same tree and share nothing but the table (lazy SMP): what
//! one finds out, the others need not search.

#![forbid(unsafe_code)]

mod clock;
mod control;
mod deepening;
mod enhanced_cutoff;
mod history;
mod limits;
mod lines;
mod negascout;
mod node;
pub mod parameters;
mod picker;
mod quiescence;
mod report;
mod selectivity;
mod table;
mod worker;

use std::sync::mpsc::{self, Sender};
use std::thread;

use shakmaty::Move;

pub use control::Control;
pub use history::{Histories, PieceTo};
pub use limits::{ClockTime, Limits};
pub use picker::{MovePicker, Pick, Stage};
pub use report::{Bound, Line, Outcome, Report};
pub use table::{Entry, Table, TableError};

use crate::position::{PackedMove, Position};
use crate::units::{Ply, Score};
use worker::{EndOfSearch, Mind, RootMove, Shared, Worker};

/// Stack of a search thread: room for the greatest ply in an unoptimised build.
const STACK_SIZE: usize = 32 << 20;

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
    /// Fails if the table does not fit into the memory that is free.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, TableError> {
        let mut engine = Engine { table: Table::new(megabytes)?, minds: Vec::new() };
        engine.set_threads(threads);
        Ok(engine)
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
                .spawn_scoped(scope, move || search_main(shared, main, position, sender))
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
    pub fn set_threads(&mut self, threads: usize) {
        self.minds.resize_with(threads.max(1), Mind::new);
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// Fails if it does not fit into the memory that is free, to which that of the old one counts;
    /// then the old one stays as it is.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.table.resize(megabytes)
    }

    /// The transposition table, for those who want to look into it.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

fn search_main(
    shared: &Shared<'_>,
    mind: &mut Mind,
    position: &Position,
    reports: Sender<Report>,
) -> Outcome {
    let end = EndOfSearch(&shared.over);
    let mut worker = Worker::new(shared, mind, 0, position, Some(reports));
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

/// The score of the last search of this move that was finished.
fn settled_score(root_move: &RootMove) -> Score {
    let searched = |&score: &Score| score > -Score::INFINITE;
    [root_move.score, root_move.previous].into_iter().find(searched).unwrap_or(Score::DRAW)
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
    let from_line = best.line.get(1).map(|&mv| PackedMove::new(mv));
    let packed = from_line.or_else(|| {
        shared.table.probe(child.key(), Ply::new(1), child.halfmoves()).and_then(|entry| entry.mv)
    })?;
    child.legal_move(packed)
}

#[cfg(test)]
mod tests;
