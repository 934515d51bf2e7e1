//! Finds, checks and reads the files of endgame tables.
//!
//! A probe reads a few bytes at several offsets. A system call for each takes several times as long as
//! reading from memory, so a small file is read whole when it is first needed, and only large files are
//! read piece by piece. Memory mapping would be as fast, but a file that shrinks or a failing disk would
//! then kill the process and lose the game.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{Material, Metric, ProbeError};

/// File extension of tables of results (WDL).
pub(super) const WDL_EXTENSION: &str = "rtbw";
/// File extension of tables of distances (DTZ).
pub(super) const DTZ_EXTENSION: &str = "rtbz";

/// Greatest size, in bytes, of a file that is read whole. All tables of up to four pieces, 4 MB together,
/// are that small, and so are some of five pieces.
const MAX_WHOLE_SIZE: u64 = 1 << 20;

/// Lists the files in a folder with the extension of a table, ordered by name.
pub(super) fn tables_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_table =
            path.extension().is_some_and(|found| found == WDL_EXTENSION || found == DTZ_EXTENSION);
        if is_table {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Fails if a file does not begin with the magic number for its extension.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let expected = match path.extension() {
        Some(extension) if extension == WDL_EXTENSION => [0x71, 0xe8, 0x23, 0x5d],
        _ => [0xd7, 0x66, 0x0c, 0xa5],
    };
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    if start == expected { Ok(()) } else { Err(io::Error::other("is not a Syzygy table")) }
}

/// Returns the file name of a table.
pub(super) fn name(metric: Metric, material: &Material) -> String {
    let extension = match metric {
        Metric::Wdl => WDL_EXTENSION,
        Metric::Dtz => DTZ_EXTENSION,
    };
    format!("{material}.{extension}")
}

/// Describes the error of a probe in a few words.
pub(super) fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Read { error } => error.to_string(),
        _ => "is damaged".to_owned(),
    }
}

/// A file system that reads small files whole.
#[derive(Default, Debug)]
pub(super) struct TableFiles(OsFilesystem);

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.0.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        if self.regular_file_size(path)? > MAX_WHOLE_SIZE {
            return self.0.open(path);
        }
        Ok(Box::new(InMemory(fs::read(path)?)))
    }
}

/// A file in memory.
struct InMemory(Vec<u8>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..));
        let rest = rest.unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
