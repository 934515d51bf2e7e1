//! Reading files of games as a stream.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::mem;
use std::path::Path;

use thiserror::Error;

use super::frame::{self, FrameRead, Kind, MAX_FRAME, OVERHEAD, PROLOGUE};
use super::game::Game;
use super::header::Header;

/// What a file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Record {
    /// How the games after it were made.
    Header(Header),
    Game(Game),
}

/// Why reading ended before the end.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("is not a file of games")]
    OtherFile,
    /// The file is of another version of the format.
    #[error("is of version {0} of the format, this program reads versions 1 to {newest}",
        newest = PROLOGUE[PROLOGUE.len() - 1])]
    OtherVersion(u8),
    /// Here the file is damaged.
    #[error("is damaged at byte {offset}: {reason}")]
    Damaged {
        /// Where the valid part ends.
        offset: u64,
        reason: &'static str,
    },
}

/// An iterator over the records of a file. The first error is the last item, unless damage is
/// [passed over](Reader::skip_damage).
pub struct Reader<R> {
    input: R,
    /// Bytes that were read already, and come before the rest of the input.
    pushed_back: Cursor<Vec<u8>>,
    /// The bytes from the offset on in which damage was found.
    damaged: Vec<u8>,
    offset: u64,
    is_over: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is no file of games in this version of the format.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Reader::new(BufReader::with_capacity(1 << 18, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from any input, which should be buffered.
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
            return Err(ReadError::Damaged { offset: 0, reason: "it ends before its version" });
        }
        let found = prologue[name.len()];
        if !(1..=version).contains(&found) {
            return Err(ReadError::OtherVersion(found));
        }
        let (pushed_back, damaged) = (Cursor::default(), Vec::new());
        Ok(Reader { input, pushed_back, damaged, offset: PROLOGUE.len() as u64, is_over: false })
    }

    /// Passes over the damage at which the records ended, to the next valid frame or, if there is
    /// none, to the end. Returns how many bytes that were. Damage that is longer than the longest frame
    /// may be anything: it is passed over if it may be `any_length`; otherwise this returns `None`
    /// and the records stay at their end.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn skip_damage(&mut self, any_length: bool) -> io::Result<Option<u64>> {
        let mut bytes = mem::take(&mut self.damaged);
        // The damage begins at the first byte: no valid frame does.
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

    /// How many bytes from the beginning have been read and found valid, or passed over.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The games alone; headers are passed over.
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
            // The frame as it stood there; its checksum is right, so that what follows it is known.
            let _ = frame::append(&mut self.damaged, kind, &body);
            return Err(damaged("a frame does not hold what it says"));
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
