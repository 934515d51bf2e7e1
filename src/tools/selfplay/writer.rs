//! Writes files of games: append-only, one write per game, one writer per file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Write as _};
use std::path::Path;

use thiserror::Error;

use super::frame::{self, Kind, PROLOGUE};
use super::header::Header;
use super::reader::{ReadError, Reader, Record};

/// Longest damaged tail, in bytes, that counts as left by a killed run and is cut off; about the longest
/// game. A longer tail may hold valid games after a damaged place, and is kept.
const MAX_TAIL_BYTES: u64 = 1 << 16;
/// The same limit if no header is valid; a little more than the longest header.
const MAX_HEADER_BYTES: u64 = 1 << 10;

/// Reason why a file is not written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file cannot be written.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// Another process has opened the file for writing.
    #[error("is being written by another run")]
    Locked,
    /// The existing file cannot be resumed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The existing games were made with other settings.
    #[error("holds games with other settings: {found}; this run has {wanted}")]
    OtherHeader {
        /// Header in the file.
        found: Box<Header>,
        /// Header of this run.
        wanted: Box<Header>,
    },
    /// A game is longer than the format allows.
    #[error("cannot hold a game of {0} moves")]
    TooLong(usize),
}

/// Content of a file when it was resumed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Resumed {
    /// Numbers of its games.
    pub numbers: Vec<u32>,
    /// Number of positions in its games.
    pub positions: u64,
    /// Bytes of a damaged tail that were cut off.
    pub cut_off: u64,
}

/// A file that games are appended to.
#[derive(Debug)]
pub struct Writer {
    file: File,
    buffer: Vec<u8>,
}

impl Writer {
    /// Creates a file without a header, or empties an existing one.
    ///
    /// # Errors
    ///
    /// Fails if it is being written by another process or cannot be written.
    pub fn create(path: &Path) -> Result<Writer, WriteError> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let mut writer = Writer::lock(file)?;
        writer.file.set_len(0)?;
        writer.file.write_all(&PROLOGUE)?;
        Ok(writer)
    }

    /// Creates a file, or resumes one whose headers equal `header`. Cuts off a damaged tail, as left by
    /// a killed run or a full disk.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written, is being written by another process, is not a file
    /// of games, has another header, or is damaged further from its end than the length of the longest
    /// game.
    pub fn resume(path: &Path, header: &Header) -> Result<(Writer, Resumed), WriteError> {
        let mut options = OpenOptions::new();
        let mut writer = Writer::lock(options.read(true).append(true).create(true).open(path)?)?;
        let length = writer.file.metadata()?.len();
        let mut resumed = Resumed::default();
        let (valid, headers) = writer.read_existing(header, length, &mut resumed)?;
        resumed.cut_off = length - valid;
        writer.file.set_len(valid)?;
        if headers == 0 {
            if valid == 0 {
                writer.buffer.extend(PROLOGUE);
            }
            writer.append(&Record::Header(header.clone()))?;
        }
        Ok((writer, resumed))
    }

    /// Appends a record in one write.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written or the game is longer than the format allows.
    pub fn append(&mut self, record: &Record) -> Result<(), WriteError> {
        let (kind, body) = match record {
            Record::Header(header) => (Kind::Header, header.to_body()),
            Record::Game(game) => (Kind::Game, game.to_body()),
        };
        if !frame::append(&mut self.buffer, kind, &body) {
            return Err(WriteError::TooLong(moves_of(record)));
        }
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be synchronised with the disk.
    pub fn finish(self) -> Result<(), WriteError> {
        Ok(self.file.sync_all()?)
    }

    fn lock(file: File) -> Result<Writer, WriteError> {
        match file.try_lock() {
            Ok(()) => Ok(Writer { file, buffer: Vec::new() }),
            Err(TryLockError::WouldBlock) => Err(WriteError::Locked),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Reads the existing records into `resumed`. Returns the length of the valid part in bytes and the
    /// number of headers in it.
    fn read_existing(
        &self,
        wanted: &Header,
        length: u64,
        resumed: &mut Resumed,
    ) -> Result<(u64, usize), WriteError> {
        let mut reader = match Reader::new(BufReader::new(&self.file)) {
            Err(ReadError::Damaged { .. }) => return Ok((0, 0)),
            reader => reader?,
        };
        let mut headers = 0;
        for record in reader.by_ref() {
            let longest = if headers > 0 { MAX_TAIL_BYTES } else { MAX_HEADER_BYTES };
            match record {
                Ok(Record::Header(header)) if header == *wanted => headers += 1,
                Ok(Record::Header(header)) => {
                    let (found, wanted) = (Box::new(header), Box::new(wanted.clone()));
                    return Err(WriteError::OtherHeader { found, wanted });
                }
                Ok(Record::Game(game)) => {
                    resumed.numbers.push(game.number);
                    resumed.positions += game.position_count();
                }
                Err(ReadError::Damaged { offset, .. }) if length - offset <= longest => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok((reader.offset(), headers))
    }
}

/// Unlocks the file explicitly: closing it does not unlock it while a child process that is being
/// started still shares the file handle.
impl Drop for Writer {
    fn drop(&mut self) {
        // Ignores an error: closing the file is the fallback.
        let _ = self.file.unlock();
    }
}

fn moves_of(record: &Record) -> usize {
    match record {
        Record::Header(_) => 0,
        Record::Game(game) => game.moves.len(),
    }
}
