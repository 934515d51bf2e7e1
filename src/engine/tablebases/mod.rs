//! Endgame tables (tablebases): the result of every position with few pieces.
//!
//! Syzygy tables (Ronald de Man 2013) are of two kinds. WDL tables have the result of a position with
//! best play: win, draw or loss under the fifty-move rule. DTZ tables have the distance to the next
//! capture or pawn move on the way to that result (distance to zeroing: such a move sets the counter of
//! the fifty-move rule to zero). A win that the fifty-move rule prevents is called cursed. The crate
//! `shakmaty-syzygy` reads the files. This module finds them and handles damaged files; `ranking.rs`
//! ranks the moves of a position.

#![forbid(unsafe_code)]

mod files;
mod ranking;

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::OnceCell;
use shakmaty::{Chess, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, SyzygyError, Tablebase, Wdl};
use thiserror::Error;

use files::TableFiles;
pub use ranking::{RankedMove, Ranking};

/// Settings for the use of the tables in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseRules {
    /// Most pieces of a position that is probed.
    pub max_pieces: usize,
    /// Least remaining depth, in plies, at which positions with exactly `max_pieces` pieces are probed.
    pub min_depth: i32,
    /// If true, a win that the fifty-move rule prevents counts as a draw.
    pub fifty_move_rule: bool,
}

impl TablebaseRules {
    /// Most pieces of any Syzygy table.
    pub const MAX_PIECES: usize = 7;
}

impl Default for TablebaseRules {
    fn default() -> TablebaseRules {
        let max_pieces = TablebaseRules::MAX_PIECES;
        TablebaseRules { max_pieces, min_depth: 1, fifty_move_rule: true }
    }
}

/// A folder or file of tables that cannot be used, and the reason. It prints as one line with the path.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {reason}", path.display())]
pub struct TablebaseError {
    path: PathBuf,
    reason: String,
}

/// The tables in a list of folders. A file is read when it is first needed.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: Vec<PathBuf>,
    failure: OnceCell<TablebaseError>,
}

impl Tablebases {
    /// Opens the tables in these folders, a list with the path separator of the system. Also returns an
    /// error for each folder or file that cannot be used.
    pub fn open(folders: &OsStr) -> (Tablebases, Vec<TablebaseError>) {
        let tables = Tablebase::with_filesystem(Arc::new(TableFiles::default()));
        let mut found = Tablebases { tables, files: Vec::new(), failure: OnceCell::new() };
        let mut errors = Vec::new();
        for folder in env::split_paths(folders).filter(|path| !path.as_os_str().is_empty()) {
            found.add_folder(&folder, &mut errors);
        }
        (found, errors)
    }

    fn add_folder(&mut self, folder: &Path, errors: &mut Vec<TablebaseError>) {
        let paths = match files::tables_in(folder) {
            Ok(paths) if paths.is_empty() => {
                return errors.push(error_at(folder, &"holds no Syzygy tables"));
            }
            Ok(paths) => paths,
            Err(error) => {
                let reason = format!("cannot be read: {error}");
                return errors.push(error_at(folder, &reason));
            }
        };
        for path in paths {
            match files::check(&path).and_then(|()| self.tables.add_file(&path)) {
                Ok(()) => self.files.push(path),
                Err(error) => errors.push(error_at(&path, &error)),
            }
        }
    }

    /// Returns true if there are no WDL tables. Without them nothing can be probed.
    pub fn is_empty(&self) -> bool {
        self.count(files::WDL_EXTENSION) == 0
    }

    /// Returns the most pieces of any table, 0 if there are no tables.
    pub fn max_pieces(&self) -> usize {
        if self.is_empty() { 0 } else { self.tables.max_pieces() }
    }

    /// Returns the result with best play for the side to move (WDL), as if the fifty-move counter were
    /// zero. `None` if it is not in the tables.
    pub fn result(&self, chess: &Chess) -> Option<Wdl> {
        self.probe(chess, Tablebase::probe_wdl_after_zeroing)
    }

    /// Returns the distance to the next capture or pawn move with best play (DTZ), in plies: positive if
    /// the side to move wins, negative if it loses, 0 for a draw. Beyond ±100 the fifty-move rule makes
    /// the game a draw first. `None` if it is not in the tables.
    pub fn distance(&self, chess: &Chess) -> Option<MaybeRounded<Dtz>> {
        self.probe(chess, Tablebase::probe_dtz)
    }

    /// Returns the error if reading a file has failed. All later probes return `None`.
    pub fn failure(&self) -> Option<&TablebaseError> {
        self.failure.get()
    }

    /// Counts the files with this extension.
    fn count(&self, extension: &str) -> usize {
        let has_extension =
            |path: &&PathBuf| path.extension().is_some_and(|found| found == extension);
        self.files.iter().filter(has_extension).count()
    }

    fn probe<T>(
        &self,
        chess: &Chess,
        probe: impl Fn(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let fits = chess.board().occupied().count() <= self.tables.max_pieces();
        if !fits || chess.castles().any() || self.failure.get().is_some() {
            return None;
        }
        match probe(&self.tables, chess) {
            Ok(value) => Some(value),
            // A missing table is not an error: few people have all tables.
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let name = files::name(metric, &material);
                let path = self.files.iter().find(|path| path.ends_with(&name));
                let path = path.map_or(Path::new(&name), PathBuf::as_path);
                let _ = self.failure.set(error_at(path, &files::reason(&error)));
                None
            }
            Err(_) => None,
        }
    }
}

/// Writes a summary for people.
impl fmt::Display for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wdl, dtz) = (self.count(files::WDL_EXTENSION), self.count(files::DTZ_EXTENSION));
        write!(f, "{wdl} WDL tables and {dtz} DTZ tables")?;
        write!(f, ", up to {} pieces", self.tables.max_pieces())
    }
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebases {self}")
    }
}

fn error_at(path: &Path, reason: &dyn fmt::Display) -> TablebaseError {
    TablebaseError { path: path.to_owned(), reason: reason.to_string() }
}
