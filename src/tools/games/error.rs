//! What can go wrong with a file of games.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::journal::JournalError;
use outrider_engine::search::ThreadError;

/// Why a file is not analysed to its end.
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
    #[error("{path}: there is no game in it", path = path.display())]
    NoGame {
        /// Input file.
        path: PathBuf,
    },
    /// Nobody of this name plays.
    #[error("{path}: no game of {player} is in it", path = path.display())]
    NoPlayer {
        /// Input file.
        path: PathBuf,
        /// Requested player.
        player: String,
    },
    /// A page would take the place of a file that this program did not write.
    #[error(
        "{path}: a page would be written over it, which was not made by this program: move it away, \
         or name another folder with --pages",
        path = path.display()
    )]
    NoPage {
        /// Existing file.
        path: PathBuf,
    },
    /// An output that is no page has the name of one, or of their folder.
    #[error(
        "{path}: it is named for something else, but a page or the folder of pages will have this \
         name",
        path = path.display()
    )]
    NamedTwice {
        /// Path that two outputs share.
        path: PathBuf,
    },
    /// There is no journal to work with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A search thread cannot be started.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// What happened could not be reported: `on_event` failed.
    #[error(transparent)]
    Output(io::Error),
}
