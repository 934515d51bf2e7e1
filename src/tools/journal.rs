//! Journal of unfinished work: a file with the results so far, from which a killed run is resumed.
//!
//! The first line is JSON that identifies the work; each further line contains one result. A line is
//! appended in one write as soon as its result is known. An incomplete last line, left by a killed run,
//! is cut off.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use outrider_engine::atomic_write;

/// Error of a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {reason}", path = path.display())]
    Io { path: PathBuf, reason: io::Error },
    /// Another process is writing the file.
    #[error("{path}: another run is writing this file", path = path.display())]
    Locked { path: PathBuf },
    /// The file contains results of other work.
    #[error(
        "{path}: contains unfinished work with other settings or files: repeat that command to \
         finish it, or delete the file",
        path = path.display()
    )]
    OtherWork { path: PathBuf },
    /// The file is not a journal.
    #[error(
        "{path}: unfinished work would be saved here, but the file contains something else: move it \
         away, or choose another output",
        path = path.display()
    )]
    OtherFile { path: PathBuf },
    /// A line cannot be parsed.
    #[error("{path}:{line}: {reason}", path = path.display())]
    Damaged { path: PathBuf, line: usize, reason: serde_json::Error },
}

impl From<JournalError> for io::Error {
    fn from(error: JournalError) -> io::Error {
        io::Error::other(error)
    }
}

/// A file to which results are appended.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Returns the path of the journal for an output file: in the same folder, with `.unfinished` added to
    /// the name. Output to a device or a pipe cannot be resumed and has no journal.
    pub fn path_for(output: &Path) -> Option<PathBuf> {
        (!atomic_write::is_stream(output)).then(|| output.with_added_extension("unfinished"))
    }

    /// Creates a journal or resumes an existing one, and returns the results in it. Changes the file only
    /// after it has been recognised as the journal of this work.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is being written by another process, contains other
    /// work or is not a journal, or if a complete line is damaged.
    pub(crate) fn resume<W, R>(path: PathBuf, work: &W) -> Result<(Journal, Vec<R>), JournalError>
    where
        W: Serialize + DeserializeOwned + PartialEq,
        R: DeserializeOwned,
    {
        let failed = |reason| JournalError::Io { path: path.clone(), reason };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked { path }),
            Err(TryLockError::Error(reason)) => return Err(failed(reason)),
        }
        // Another run may have finished and removed the file after we opened it and before we locked it.
        if !path.exists() {
            return Err(JournalError::Locked { path });
        }
        if !file.metadata().map_err(failed)?.is_file() {
            // A device may have no end.
            return Err(JournalError::OtherFile { path });
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].split_inclusive(|&byte| byte == b'\n'));
        let head = lines.next();
        match head.map(|(_, line)| serde_json::from_slice::<W>(line)) {
            // A killed run may have left an incomplete first line.
            None if line_of(work).map_err(failed)?.starts_with(&text) => {}
            Some(Ok(found)) if found == *work => {}
            Some(Ok(_)) => return Err(JournalError::OtherWork { path }),
            None | Some(Err(_)) => return Err(JournalError::OtherFile { path }),
        }
        let read = |(line, text): (usize, &[u8])| {
            serde_json::from_slice(text).map_err(|reason| JournalError::Damaged {
                path: path.clone(),
                line,
                reason,
            })
        };
        let results = lines.map(read).collect::<Result<_, _>>()?;
        file.set_len(whole as u64).map_err(failed)?;
        let mut journal = Journal { path: path.clone(), file };
        if head.is_none() {
            journal.append(work)?;
        }
        Ok((journal, results))
    }

    /// Appends a result.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(crate) fn append<R: Serialize>(&mut self, result: &R) -> Result<(), JournalError> {
        let written = line_of(result).and_then(|line| self.file.write_all(&line));
        written.map_err(|reason| JournalError::Io { path: self.path.clone(), reason })
    }

    /// Removes the journal after the work is finished.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be removed.
    pub(crate) fn remove(self) -> Result<(), JournalError> {
        fs::remove_file(&self.path).map_err(|reason| JournalError::Io { path: self.path, reason })
    }
}

fn line_of(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn resume(directory: &TempDir, work: &str) -> Result<(Journal, Vec<u32>), JournalError> {
        Journal::resume(directory.path().join("a.unfinished"), &work.to_owned())
    }

    fn text(directory: &TempDir) -> String {
        fs::read_to_string(directory.path().join("a.unfinished")).unwrap()
    }

    #[test]
    fn a_resumed_journal_returns_the_results_so_far() {
        let directory = TempDir::new().unwrap();
        let (mut journal, results) = resume(&directory, "work").unwrap();
        assert!(results.is_empty());
        journal.append(&7_u32).unwrap();
        journal.append(&9_u32).unwrap();
        drop(journal);
        let (mut journal, results) = resume(&directory, "work").unwrap();
        assert_eq!(results, [7, 9]);
        journal.append(&11_u32).unwrap();
        assert_eq!(text(&directory), "\"work\"\n7\n9\n11\n");
    }

    #[test]
    fn an_incomplete_last_line_of_any_length_is_cut_off() {
        let whole = "\"work\"\n7\n19\n";
        for length in 0..whole.len() {
            let directory = TempDir::new().unwrap();
            fs::write(directory.path().join("a.unfinished"), &whole[..length]).unwrap();
            let (mut journal, results) = resume(&directory, "work").unwrap();
            for &result in &[7_u32, 19][results.len()..] {
                journal.append(&result).unwrap();
            }
            assert_eq!(text(&directory), whole, "{length}");
        }
    }

    #[test]
    fn a_journal_of_other_work_is_refused_and_unchanged() {
        let directory = TempDir::new().unwrap();
        resume(&directory, "work").unwrap().0.append(&7_u32).unwrap();
        let error = resume(&directory, "more work").unwrap_err();
        assert!(matches!(error, JournalError::OtherWork { .. }), "{error}");
        assert_eq!(text(&directory), "\"work\"\n7\n");
    }

    #[test]
    fn a_file_that_is_not_a_journal_is_refused_and_unchanged() {
        for content in ["my notes, no newline", "my notes\nof today", "\"wo", "\"work\"", "7\n8"] {
            let directory = TempDir::new().unwrap();
            fs::write(directory.path().join("a.unfinished"), content).unwrap();
            let resumed = resume(&directory, "work");
            if "\"work\"\n".starts_with(content) {
                assert!(resumed.is_ok(), "an incomplete first line of this work");
            } else {
                let error = resumed.unwrap_err();
                assert!(matches!(error, JournalError::OtherFile { .. }), "{error}");
                assert_eq!(text(&directory), content);
            }
        }
    }

    #[test]
    fn two_runs_cannot_write_the_same_journal() {
        let directory = TempDir::new().unwrap();
        let _first = resume(&directory, "work").unwrap();
        assert!(matches!(resume(&directory, "work"), Err(JournalError::Locked { .. })));
    }

    #[test]
    fn a_damaged_line_is_reported_with_its_number() {
        let directory = TempDir::new().unwrap();
        let damaged = "\"work\"\n7\nseven\n9\n1";
        fs::write(directory.path().join("a.unfinished"), damaged).unwrap();
        let error = resume(&directory, "work").unwrap_err().to_string();
        assert!(error.contains("a.unfinished:3: "), "{error}");
        assert_eq!(text(&directory), damaged);
    }

    #[test]
    fn the_journal_of_finished_work_is_removed() {
        let directory = TempDir::new().unwrap();
        resume(&directory, "work").unwrap().0.remove().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_error_of_a_failed_removal_names_the_journal() {
        let directory = TempDir::new().unwrap();
        let (journal, _) = resume(&directory, "work").unwrap();
        fs::remove_file(directory.path().join("a.unfinished")).unwrap();
        let error = journal.remove().unwrap_err().to_string();
        assert!(error.contains("a.unfinished: "), "{error}");
    }
}
