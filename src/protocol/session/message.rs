//! Remarks and refusals of a session.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use outrider_engine::book::BookError;
use outrider_engine::evaluation::network::file::NetworkFileError;
use outrider_engine::position::notation::MoveError;
use outrider_engine::search::MemoryError;
use outrider_engine::tablebases::TablebaseError;

use super::request::PositionError;

/// A remark or a refusal. Printed, it is one sentence that says what was wrong and what was kept.
#[derive(Debug, Error)]
pub enum Message {
    /// A position cannot be set.
    #[error("{0}; there is no position until one is accepted")]
    PositionRefused(Arc<PositionError>),
    /// A search or another command needs a position, but the last one was refused.
    #[error("there is no position, since the last one was refused: {0}")]
    NoPosition(Arc<PositionError>),
    /// The position was set without some of the castling rights in its FEN.
    #[error("castling rights {given} need king and rook on their home squares; kept: {kept}")]
    CastlingLeftOut {
        /// Castling field of the FEN.
        given: String,
        /// Castling field of the position that was set.
        kept: String,
    },
    /// Chess960 was switched on or off, and the current position cannot be read in the new mode.
    #[error("the current position is unchanged until a new one is set: {0}")]
    PositionNotReread(#[source] PositionError),
    /// Some of the moves to search are not legal.
    #[error("moves to search: {first}; {left_out} left out")]
    SearchMovesLeftOut {
        /// Error of the first one.
        first: MoveError,
        /// Number of moves left out.
        left_out: usize,
    },
    /// None of the moves to search is legal.
    #[error("moves to search: {first}; none is legal, so all legal moves are searched")]
    SearchMovesIgnored {
        /// Error of the first one.
        first: MoveError,
    },
    /// A task would have to wait for one that may never end.
    #[error("new {refused} refused: an earlier {earlier} has no limit; stop it first")]
    Busy {
        /// Name of the new task.
        refused: &'static str,
        /// Name of the earlier task.
        earlier: &'static str,
    },
    /// Too many tasks wait.
    #[error("new {refused} refused: {waiting} tasks wait already")]
    QueueFull {
        /// Name of the new task.
        refused: &'static str,
        /// Number of waiting tasks.
        waiting: usize,
    },
    /// A change of the engine is queued.
    #[error("{change} waits until the {running} ends")]
    ChangeDeferred {
        /// Name of the change.
        change: &'static str,
        /// Name of the running task.
        running: &'static str,
    },
    /// The transposition table cannot have the requested size.
    #[error("{error}; the table of {kept} MB is kept")]
    TableRefused {
        /// Reason of the refusal.
        error: MemoryError,
        /// Size of the current table in megabytes.
        kept: usize,
    },
    /// The requested number of threads cannot be used.
    #[error("{error}; the number of threads stays {kept}")]
    ThreadsRefused {
        /// Reason of the refusal.
        error: MemoryError,
        /// Current number of threads.
        kept: usize,
    },
    /// A network was loaded; the field describes it.
    #[error("evaluating with network {0}")]
    NetworkLoaded(String),
    /// A network file cannot be used.
    #[error("{error}; network {kept:08x} is kept")]
    NetworkRefused {
        /// Reason of the refusal.
        error: NetworkFileError,
        /// Checksum of the current network.
        kept: u32,
    },
    /// An opening book was opened.
    #[error("book {} with {entries} entries", .path.display())]
    BookLoaded {
        /// File of the book.
        path: PathBuf,
        /// Number of entries.
        entries: u64,
    },
    /// A book file cannot be used.
    #[error("{error}; {}", kept_book(.kept.as_deref()))]
    BookRefused {
        /// Reason of the refusal.
        error: BookError,
        /// File of the earlier book, which stays in use.
        kept: Option<PathBuf>,
    },
    /// Reading the book failed during a game.
    #[error("the book cannot be read and is no longer used: {0}")]
    BookFailed(#[source] io::Error),
    /// The move comes from the book.
    #[error("book move with weight {weight} of {sum}")]
    BookMove {
        /// Weight of the move.
        weight: u32,
        /// Sum of the weights of all book moves in the position.
        sum: u32,
    },
    /// Endgame tables were found; the field counts them.
    #[error("found {0}")]
    TablebasesFound(String),
    /// Some folders or files of endgame tables cannot be used.
    #[error("{first}{}; found {found}", and_more(*.more))]
    TablebasesRefused {
        /// First error.
        first: TablebaseError,
        /// Number of other errors.
        more: usize,
        /// Description of the tables that can be used.
        found: String,
    },
}

fn kept_book(path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("the book {} is kept", path.display()),
        None => "no book is in use".to_owned(),
    }
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}
