//! The search as a library.

mod control;
mod limits;
mod report;

pub use control::Control;
pub use limits::{ClockTime, Limits};
pub use report::{Bound, Line, Outcome, Report};

use crate::position::Position;
use crate::units::{Depth, Score};

/// Why a table was refused.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Stub.
    #[error("{asked} MB of {available} MB")]
    TooLarge {
        /// Asked for.
        asked: usize,
        /// Available.
        available: usize,
    },
}

/// The engine (stub: plays the first legal move).
pub struct Engine;

impl Engine {
    /// An engine with so many threads and megabytes of table.
    pub fn new(_threads: usize, _megabytes: usize) -> Result<Engine, TableError> {
        Ok(Engine)
    }
    /// Searches; blocks until done.
    pub fn go(
        &mut self,
        position: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let best = position.board().legal_moves().first().copied();
        if let Some(mv) = best {
            report(Report::Line(Line {
                depth: Depth::ONE,
                seldepth: 1,
                rank: 1,
                score: Score::DRAW,
                bound: Bound::Exact,
                nodes: 1,
                hashfull: 0,
                elapsed: limits.started.elapsed(),
                moves: vec![mv],
            }));
        }
        if limits.infinite || limits.ponder {
            control.wait_until(|c| c.is_stopped() || (limits.ponder && c.is_ponder_hit()));
        }
        Outcome {
            best,
            ponder: None,
            score: Score::DRAW,
            depth: Depth::ONE,
            nodes: 1,
            elapsed: limits.started.elapsed(),
        }
    }
    /// Forgets everything learned in earlier games.
    pub fn new_game(&mut self) {}
    /// Empties the table.
    pub fn clear_table(&mut self) {}
    /// Changes the number of threads.
    pub fn set_threads(&mut self, _threads: usize) {}
    /// Replaces the table by one of another size; on an error the old one stays.
    pub fn resize_table(&mut self, _megabytes: usize) -> Result<(), TableError> {
        Ok(())
    }
}
