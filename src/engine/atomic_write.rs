//! Atomic writes: a file is complete or not there. A new one replaces the old only when it is on
//! the disk.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file atomically: what the path had before stays until the new file is complete. A
/// device or a pipe is written to instead of being replaced.
///
/// # Errors
///
/// Fails if the file cannot be written; then the old file is unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes);
    }
    let new = temporary_path(path);
    let mut file = open_exclusive(&new)?;
    let written = file.set_len(0).and_then(|()| file.write_all(bytes));
    let replaced = written.and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
    if replaced.is_err() {
        // Part of a file is of no use. If removing it fails too, the first error says more.
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Opens a file for writing and locks it against a second writer of this kind until it is closed.
fn open_exclusive(path: &Path) -> io::Result<File> {
    let busy = || io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => busy(),
        TryLockError::Error(error) => error,
    })?;
    // Another process may have completed and renamed it between our opening and locking it.
    if path.exists() { Ok(file) } else { Err(busy()) }
}

/// Where the new file is written before it replaces the old: in the same folder, hidden, with a
/// name that nobody else uses. A killed run may leave such a file; the next run overwrites it.
pub(crate) fn temporary_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".outrider");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_another_and_nothing_else_stays_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.pgn");
        for text in ["first", "second"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_of_somebody_else_beside_it_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("network"), folder.path().join("network.new"));
        fs::write(&other, "somebody else's").unwrap();
        replace(&path, b"text").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        assert_eq!(fs::read_to_string(&other).unwrap(), "somebody else's");
    }

    #[test]
    fn of_two_that_write_a_file_at_the_same_time_the_second_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let temporary = temporary_path(&path);
        let other = open_exclusive(&temporary).unwrap();
        (&other).write_all(b"half of").unwrap();
        assert_eq!(replace(&path, b"all").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(fs::read(&temporary).unwrap(), b"half of", "what the first writes stays");
        drop(other);
        replace(&path, b"all").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all");
        assert!(!temporary.exists());
    }

    #[test]
    fn a_folder_is_not_replaced_and_named_as_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace(folder.path(), b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(folder.path().is_dir());
    }
}
