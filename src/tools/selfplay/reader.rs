//! Reads files of games as a stream.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::mem;
use std::path::Path;

use thiserror::Error;

use super::frame::{self, FrameRead, Kind, MAX_FRAME, OVERHEAD, PROLOGUE};
use super::game::Game;
use super::header::Header;

/// Content of a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// Describes how the games after it were made.
    Header(Header),
    /// A game.
    Game(Game),
}

/// Reason why a file cannot be read to its end.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is not a file of games.
    #[error("is not a file of games")]
    OtherFile,
    /// The version of the format is not supported.
    #[error("has version {0} of the format, but this program reads versions 1 to {newest}",
        newest = PROLOGUE[PROLOGUE.len() - 1])]
    OtherVersion(u8),
    /// The file is damaged.
    #[error("is damaged at byte {offset}: {reason}")]
    Damaged {
        /// Number of valid bytes before the damage.
        offset: u64,
        /// Description of the damage.
        reason: &'static str,
    },
}

/// An iterator over the records of a file. It ends after the first error, unless damage is
/// [skipped](Reader::skip_damage).
pub struct Reader<R> {
    input: R,
    /// Bytes already read from `input`, to be read again before it.
    pushed_back: Cursor<Vec<u8>>,
    /// Bytes from `offset` on in which damage was found.
    damaged: Vec<u8>,
    offset: u64,
    is_over: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, is not a file of games, or has an unsupported version.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Reader::new(BufReader::with_capacity(1 << 18, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Begins to read from any input, which should be buffered.
    ///
    /// # Errors
    ///
    /// Fails as [`Reader::open`] does. An input that ends within its first eight bytes is damaged.
    pub fn new(mut input: R) -> Result<Reader<R>, ReadError> {
        let mut prologue = [0; PROLOGUE.len()];
        let length = frame::fill(&mut input, &mut prologue)?;
        let [name @ .., version] = PROLOGUE;
        let compared = length.min(name.len());
        if prologue[..compared] != name[..compared] {
            return Err(ReadError::OtherFile);
        }
        if length < prologue.len() {
            return Err(ReadError::Damaged {
                offset: 0,
                reason: "the file ends before its version",
            });
        }
        let found = prologue[name.len()];
        if !(1..=version).contains(&found) {
            return Err(ReadError::OtherVersion(found));
        }
        let (pushed_back, damaged) = (Cursor::default(), Vec::new());
        Ok(Reader { input, pushed_back, damaged, offset: PROLOGUE.len() as u64, is_over: false })
    }

    /// Skips the damage at which the records ended, up to the next valid frame or the end of the
    /// input. Returns the number of bytes skipped. Damage longer than the longest frame is skipped only
    /// if `any_length` is set; otherwise this returns `None` and the iterator stays at its end.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn skip_damage(&mut self, any_length: bool) -> io::Result<Option<u64>> {
        let mut bytes = mem::take(&mut self.damaged);
        // Search from the second byte on: the record at the first one could not be read.
        let (mut first, mut skipped) = (1, 0);
        loop {
            let room = (2 * MAX_FRAME).saturating_sub(bytes.len()) as u64;
            let read = self
                .pushed_back
                .by_ref()
                .chain(&mut self.input)
                .take(room)
                .read_to_end(&mut bytes)?;
            let is_at_end = (read as u64) < room;
            let found = frame::find(&bytes, first..=MAX_FRAME);
            let is_passed = found.is_some() || is_at_end && bytes.len() <= MAX_FRAME;
            if !is_passed && !any_length {
                return Ok(None);
            }
            let passed = found.unwrap_or(bytes.len().min(MAX_FRAME));
            skipped += passed as u64;
            bytes.drain(..passed);
            if is_passed {
                self.pushed_back = Cursor::new(bytes);
                self.offset += skipped;
                self.is_over = false;
                return Ok(Some(skipped));
            }
            first = 0;
        }
    }

    /// Number of bytes from the beginning that were valid or skipped.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the games without the headers.
    pub fn games(self) -> impl Iterator<Item = Result<Game, ReadError>> {
        self.filter_map(|record| match record {
            Ok(Record::Header(_)) => None,
            Ok(Record::Game(game)) => Some(Ok(game)),
            Err(error) => Some(Err(error)),
        })
    }

    fn read(&mut self) -> Result<Option<Record>, ReadError> {
        let offset = self.offset;
        let damaged = |reason| ReadError::Damaged { offset, reason };
        let (kind, body) = match frame::read(&mut self.pushed_back.by_ref().chain(&mut self.input))?
        {
            FrameRead::Frame(kind, body) => (kind, body),
            FrameRead::End => return Ok(None),
            FrameRead::Damage(reason, bytes) => {
                self.damaged = bytes;
                return Err(damaged(reason));
            }
        };
        let record = match kind {
            Kind::Header => Header::from_body(&body).map(Record::Header),
            Kind::Game => Game::from_body(&body).map(Record::Game),
        };
        let Some(record) = record else {
            // Keeps the frame for `skip_damage`. Cannot fail: the body came from a frame.
            let _ = frame::append(&mut self.damaged, kind, &body);
            return Err(damaged("the content of a frame is invalid"));
        };
        self.offset += (body.len() + OVERHEAD) as u64;
        Ok(Some(record))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = self.read().transpose();
        self.is_over = !matches!(record, Some(Ok(_)));
        record
    }
}
