//! What a session has to say beside its answers: what it did not do, and why.

use std::path::PathBuf;

use thiserror::Error;

use crate::engine::book::BookError;
use crate::engine::evaluation::network::file::NetworkFileError;
use crate::engine::position::notation::{FenError, MoveError};
use crate::engine::search::MemoryError;
use crate::engine::tablebases::TablebaseError;

/// A remark or a refusal for the user of the session; printed, it is one sentence that says
/// what was wrong and what was kept.
#[derive(Debug, Error)]
pub enum Note {
    /// The start of a game is no position.
    #[error("{0}; the previous position is kept")]
    FenRefused(#[from] FenError),
    /// Castling rights that the position of a FEN cannot have.
    #[error("castling rights {given} need king and rook in their places; of them {kept} stays")]
    CastlingLeftOut {
        /// Those of the FEN.
        given: String,
        /// Those that the position has.
        kept: String,
    },
    /// A move of the game is not legal.
    #[error("move {number} of the position: {error}; the previous position is kept")]
    MoveRefused {
        /// Its number among the moves sent, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// The current position cannot be read by the rules just chosen.
    #[error("the current position stays as it was until another is set: {0}")]
    PositionNotReread(#[source] Box<Note>),
    /// Some of the moves to search are not legal.
    #[error("searchmoves: {first}; {left_out} left out")]
    SearchMovesLeftOut {
        /// What is wrong with the first of them.
        first: MoveError,
        /// How many there are.
        left_out: usize,
    },
    /// None of the moves to search is legal.
    #[error("searchmoves: {first}; none of the moves is legal, so all legal moves are searched")]
    SearchMovesIgnored {
        /// What is wrong with the first of them.
        first: MoveError,
    },
    /// Something is under way that the new task would have to wait for.
    #[error("{refused} refused: {running} goes on; send \"stop\" first")]
    Busy {
        /// The task that was refused.
        refused: &'static str,
        /// The task that is under way.
        running: &'static str,
    },
    /// A change has to wait.
    #[error("{change} waits for the end of {running}")]
    Deferred {
        /// The change.
        change: &'static str,
        /// The task that is under way.
        running: &'static str,
    },
    /// A table of the size asked for could not be made.
    #[error("{error}; the table of {kept} MB is kept")]
    TableRefused {
        /// Why not.
        error: MemoryError,
        /// The size of the table that stays, in megabytes.
        kept: usize,
    },
    /// Another network is in use.
    #[error("evaluating with network {0}")]
    NetworkLoaded(String),
    /// A file is no network to evaluate with.
    #[error("{error}; network {kept:08x} is kept")]
    NetworkRefused {
        /// Why not.
        error: NetworkFileError,
        /// The checksum of the network that stays.
        kept: u32,
    },
    /// A book is in use.
    #[error("book {} with {entries} entries", .path.display())]
    BookLoaded {
        /// Its file.
        path: PathBuf,
        /// Their number.
        entries: usize,
    },
    /// A file is no book.
    #[error("{error}; {}", if *.kept { "the book in use is kept" } else { "no book is in use" })]
    BookRefused {
        /// Why not.
        error: BookError,
        /// Whether there is another one, which stays.
        kept: bool,
    },
    /// The move to play is from the book.
    #[error("a move of the book, weight {weight} of {of}")]
    FromBook {
        /// The weight of the move.
        weight: u32,
        /// The weight of all moves for the position.
        of: u32,
    },
    /// Endgame tables were found.
    #[error("found {0}")]
    TablebasesFound(String),
    /// A folder or a file of endgame tables cannot be used.
    #[error("{first}{}; found {found}", and_more(*.more))]
    TablebasesRefused {
        /// What is wrong with the first of them.
        first: TablebaseError,
        /// How many others there are.
        more: usize,
        /// What can be used.
        found: String,
    },
    /// The threads could not be made.
    #[error("{error}; the number of threads stays {kept}")]
    ThreadsRefused {
        /// Why not.
        error: MemoryError,
        /// The number of threads that stay.
        kept: usize,
    },
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more faults)") }
}
