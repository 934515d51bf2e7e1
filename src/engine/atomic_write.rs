//! Atomic writes: a reader finds the complete old file or the complete new one. The new file replaces
//! the old one only after it has reached the disk.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file atomically. An old file stays until the new one is complete, and passes on its
/// permissions. Symbolic links are followed. A device or a pipe is written to, not replaced.
///
/// # Errors
///
/// Fails if the file cannot be written; the old file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        // Append, do not truncate: standard output may go to the same file.
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let path = &resolve_links(path);
    let old = path.metadata().ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let new = temporary_path(path);
    let mut file = open_exclusive(&new)?;
    let written = file.set_len(0).and_then(|()| file.write_all(bytes)).and_then(|()| match old {
        Some(old) => file.set_permissions(old.permissions()),
        None => Ok(()),
    });
    let replaced = written.and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
    if replaced.is_err() {
        // A partial file is useless. If it cannot be removed, the first error is the one to report.
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Keeps other writers that use this module away from a file until it is dropped. The file itself need
/// not exist and is not changed.
#[derive(Debug)]
pub struct WriteLock {
    temporary: PathBuf,
    _file: File,
}

impl WriteLock {
    /// Locks a file. Returns `None` for a device or a pipe, since several processes may write to it.
    ///
    /// # Errors
    ///
    /// Fails if another process is writing the file, or its folder is not writable.
    pub fn acquire(path: &Path) -> io::Result<Option<WriteLock>> {
        if is_stream(path) {
            return Ok(None);
        }
        let temporary = temporary_path(path);
        Ok(Some(WriteLock { _file: open_exclusive(&temporary)?, temporary }))
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        // If this fails, an empty hidden file remains, and the next writer uses it.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Returns true if a path is a stream: a device, a pipe, or an open file as the system shows it, such as
/// `/dev/stdout`.
pub fn is_stream(path: &Path) -> bool {
    let is_special = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    let open_files = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    let is_open_file = open_files.iter().any(|shown| path.starts_with(shown)) && path.exists();
    is_open_file || path.metadata().is_ok_and(is_special)
}

/// Follows symbolic links to their target, which need not exist.
fn resolve_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // Linux follows 40 links; a longer chain is a cycle.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    path
}

/// Opens a file for writing and locks it until it is closed.
fn open_exclusive(path: &Path) -> io::Result<File> {
    let busy = || io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => busy(),
        TryLockError::Error(error) => error,
    })?;
    // Another process may have renamed the file after this one opened it and before it had the lock.
    if path.exists() { Ok(file) } else { Err(busy()) }
}

/// Returns the path at which the new file is written before it replaces the file at `path`: hidden, in
/// the same folder, with the ending `.outrider`. A killed run may leave such a file; the next run
/// overwrites it. Symbolic links are followed.
pub fn temporary_path(path: &Path) -> PathBuf {
    let path = resolve_links(path);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".outrider");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_replaces_another_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.pgn");
        for text in ["first", "second"] {
            replace(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn other_files_in_the_folder_are_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("network"), folder.path().join("network.new"));
        fs::write(&other, "somebody else's").unwrap();
        replace(&path, b"text").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        assert_eq!(fs::read_to_string(&other).unwrap(), "somebody else's");
    }

    #[test]
    fn a_second_writer_of_the_same_file_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let temporary = temporary_path(&path);
        let other = open_exclusive(&temporary).unwrap();
        (&other).write_all(b"half of").unwrap();
        assert_eq!(replace(&path, b"all").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(fs::read(&temporary).unwrap(), b"half of", "the first writer's bytes stay");
        // A process that another test is starting may still hold a copy of the file, so closing it
        // does not always end the lock.
        other.unlock().unwrap();
        replace(&path, b"all").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all");
        assert!(!temporary.exists());
    }

    #[test]
    fn a_locked_file_cannot_be_locked_or_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network");
        let lock = WriteLock::acquire(&path).unwrap();
        assert_eq!(WriteLock::acquire(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(replace(&path, b"text").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no temporary file remains");
        replace(&path, b"text").unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn a_link_is_followed_and_the_file_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, loose] = ["file", "link", "loose"].map(|name| folder.path().join(name));
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("below/../file", &link).unwrap();
        symlink("below/new", &loose).unwrap();
        for (link, file) in [(&link, &file), (&loose, &folder.path().join("below/new"))] {
            replace(link, b"text").unwrap();
            assert!(link.is_symlink());
            assert_eq!(fs::read(file).unwrap(), b"text");
        }
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn files_whose_names_are_not_utf8_can_be_written_at_the_same_time() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let folder = tempfile::tempdir().unwrap();
        let [one, other] =
            [b"\xfe", b"\xff"].map(|name| folder.path().join(OsStr::from_bytes(name)));
        let _held = open_exclusive(&temporary_path(&one)).unwrap();
        replace(&other, b"text").unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"text");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success() && is_stream(&pipe));
        std::thread::scope(|scope| {
            let read = scope.spawn(|| fs::read(&pipe).unwrap());
            replace(&pipe, b"text").unwrap();
            assert_eq!(read.join().unwrap(), b"text");
        });
        assert!(is_stream(&pipe));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_is_not_replaced_and_the_error_says_that_it_is_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace(folder.path(), b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(folder.path().is_dir());
    }
}
