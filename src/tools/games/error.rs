//! Errors of the analysis of a file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::journal::JournalError;
use outrider_engine::search::ThreadError;

/// Error that ends the analysis of a file.
#[derive(Debug, Error)]
pub enum FileError {
    /// A file cannot be read or written.
    #[error("{path}: {reason}", path = path.display())]
    Io {
        /// File that cannot be read or written.
        path: PathBuf,
        /// Error of the operating system.
        reason: io::Error,
    },
    /// The file contains no game.
    #[error("{path}: contains no game", path = path.display())]
    NoGame {
        /// Input file.
        path: PathBuf,
    },
    /// The requested player occurs in no game.
    #[error(
        "{path}: contains no game of {player}; the nearest names in it: {names}",
        path = path.display(), names = nearest.join("; ")
    )]
    NoPlayer {
        /// Input file.
        path: PathBuf,
        /// Requested player.
        player: String,
        /// Names in the file, the most similar first.
        nearest: Vec<String>,
    },
    /// A page would overwrite a file that this program did not write.
    #[error(
        "{path}: a page would overwrite this file, which was not made by this program: move it away, \
         or choose another folder with --pages",
        path = path.display()
    )]
    ForeignFile {
        /// Existing file.
        path: PathBuf,
    },
    /// Another output has the name of a page or of the folder of pages.
    #[error(
        "{path}: a page or the folder of pages will have this name: choose another name for the \
         other output",
        path = path.display()
    )]
    NameConflict {
        /// Path that two outputs share.
        path: PathBuf,
    },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A search thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// A result could not be reported: `on_event` failed.
    #[error(transparent)]
    Output(io::Error),
}
