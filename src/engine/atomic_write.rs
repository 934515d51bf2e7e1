//! Atomic writes: a file is complete or not there. A new one replaces the old only when it is on
//! the disk.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file atomically: what the path had before stays until the new file is complete, which
/// gets its permissions. A symbolic link is followed. A device or a pipe is written to instead of being
/// replaced.
///
/// # Errors
///
/// Fails if the file cannot be written; then the old file is unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        // Not cut: it may be a file that standard output goes to as well.
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
        // Part of a file is of no use. If removing it fails too, the first error says more.
        let _ = fs::remove_file(&new);
    }
    replaced
}

/// Keeps other writers of this kind away from a file, which is not there yet or stays as it is, for as
/// long as this lives.
#[derive(Debug)]
pub struct WriteLock {
    temporary: PathBuf,
    _file: File,
}

impl WriteLock {
    /// Locks a file; a device or a pipe, which many may write to, is not locked.
    ///
    /// # Errors
    ///
    /// Fails if another process is writing the file, or nothing can be written beside it.
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
        // What stays is empty, hidden, and used by the next writer.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Whether what is written to a path goes on to somewhere else: a device, a pipe, or what the
/// system shows of open files.
pub fn is_stream(path: &Path) -> bool {
    let is_special = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    let open_files = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    let is_open_file = open_files.iter().any(|shown| path.starts_with(shown)) && path.exists();
    is_open_file || path.metadata().is_ok_and(is_special)
}

/// The file that symbolic links lead to, which need not be there; without links the path itself.
fn resolve_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // More links than the system follows are a circle.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    path
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

/// Where the new file is written before it replaces the old, which links lead to: in the same
/// folder, hidden, with a name that nobody else uses. A killed run may leave such a file; the next
/// run overwrites it.
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
    fn who_holds_a_lock_on_a_file_is_the_only_one_to_write_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network");
        let lock = WriteLock::acquire(&path).unwrap();
        assert_eq!(WriteLock::acquire(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        assert_eq!(replace(&path, b"text").unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
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
    fn files_whose_names_are_no_text_can_be_written_at_the_same_time() {
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
    fn a_folder_is_not_replaced_and_named_as_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace(folder.path(), b"text").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert!(folder.path().is_dir());
    }
}
