//! What a session answers beside the events of its tasks: what it did not do, and why.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use outrider_engine::book::BookError;
use outrider_engine::evaluation::network::file::NetworkFileError;
use outrider_engine::position::notation::{FenError, MoveError};
use outrider_engine::search::MemoryError;
use outrider_engine::tablebases::TablebaseError;

/// A remark or a refusal; printed, it is one sentence that names what was wrong and what was kept.
#[derive(Debug, Error)]
pub enum Message {
    #[error("{0}; the previous position is kept")]
    FenRefused(#[from] FenError),
    #[error("castling rights {given} need king and rook on their home squares; kept: {kept}")]
    CastlingLeftOut { given: String, kept: String },
    /// Moves are numbered from 1.
    #[error("move {number} of the position: {error}; the previous position is kept")]
    MoveRefused { number: usize, error: MoveError },
    /// Chess960 was switched on or off, and the current position cannot be read that way.
    #[error("the current position is unchanged until a new one is set: {0}")]
    PositionNotReread(#[source] Box<Message>),
    #[error("moves to search: {first}; {left_out} left out")]
    SearchMovesLeftOut { first: MoveError, left_out: usize },
    #[error("moves to search: {first}; none is legal, so all legal moves are searched")]
    SearchMovesIgnored { first: MoveError },
    /// A task would have to wait for one that may run for ever.
    #[error("new {refused} refused: a {running} is running; stop it first")]
    Busy { refused: &'static str, running: &'static str },
    #[error("{change} waits until the {running} ends")]
    ChangeDeferred { change: &'static str, running: &'static str },
    #[error("{error}; the table of {kept} MB is kept")]
    TableRefused { error: MemoryError, kept: usize },
    #[error("{error}; the number of threads stays {kept}")]
    ThreadsRefused { error: MemoryError, kept: usize },
    #[error("evaluating with network {0}")]
    NetworkLoaded(String),
    /// Networks are named by their checksums.
    #[error("{error}; network {kept:08x} is kept")]
    NetworkRefused { error: NetworkFileError, kept: u32 },
    #[error("book {} with {entries} entries", .path.display())]
    BookLoaded { path: PathBuf, entries: u64 },
    #[error("{error}; {}", if *.kept { "the book in use is kept" } else { "no book is in use" })]
    BookRefused { error: BookError, kept: bool },
    #[error("the book cannot be read and is no longer used: {0}")]
    BookFailed(#[source] io::Error),
    /// Weights are relative to one another; the sum is that of all moves of the position.
    #[error("book move with weight {weight} of {sum}")]
    BookMove { weight: u32, sum: u32 },
    #[error("found {0}")]
    TablebasesFound(String),
    /// A folder or a file of endgame tables cannot be used, and `more` besides.
    #[error("{first}{}; found {found}", and_more(*.more))]
    TablebasesRefused { first: TablebaseError, more: usize, found: String },
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {others} more)") }
}
