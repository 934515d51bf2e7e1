//! The files of endgame tables: finding, checking and reading them.
//!
//! A look-up reads a few bytes at several places. A system call for each takes several times as
//! long as reading from memory, so a small file is read whole when it is first needed, and only
//! large ones piece by piece. Mapping the files into memory would be as fast, but then a file that
//! shrinks or a disk that fails would kill the process and lose the game.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{Material, Metric, ProbeError};

/// The extension of tables of results.
pub(super) const WDL_EXTENSION: &str = "rtbw";
/// The extension of tables of distances.
pub(super) const DTZ_EXTENSION: &str = "rtbz";

/// Files up to this size, in bytes, are read whole: all those of up to four pieces, 4 MB together,
/// and the smaller ones of five.
const SMALL: u64 = 1 << 20;

/// The files in a folder that are tables by their names, in the order of their names.
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

/// Fails if a file does not begin with the magic number of tables with its extension.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let expected = match path.extension() {
        Some(extension) if extension == WDL_EXTENSION => [0x71, 0xe8, 0x23, 0x5d],
        _ => [0xd7, 0x66, 0x0c, 0xa5],
    };
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    if start == expected { Ok(()) } else { Err(io::Error::other("is not a Syzygy table")) }
}

/// The name of a table's file.
pub(super) fn name(metric: Metric, material: &Material) -> String {
    let extension = match metric {
        Metric::Wdl => WDL_EXTENSION,
        Metric::Dtz => DTZ_EXTENSION,
    };
    format!("{material}.{extension}")
}

/// Why a file could not be probed, in a few words.
pub(super) fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Read { error } => error.to_string(),
        _ => "is damaged".to_owned(),
    }
}

/// Files that are read whole if they are small.
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
        if self.regular_file_size(path)? > SMALL {
            return self.0.open(path);
        }
        Ok(Box::new(InMemory(fs::read(path)?)))
    }
}

/// A file that was read whole.
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
