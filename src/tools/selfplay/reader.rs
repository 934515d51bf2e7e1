//! Reading files of games as a stream.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use super::frame::{self, Kind, Next, OVERHEAD, PROLOGUE};
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
    #[error("is no file of games")]
    OtherFile,
    /// The file is of another version of the format.
    #[error("is of version {0} of the format, this program reads versions 1 to {newest}",
        newest = PROLOGUE[PROLOGUE.len() - 1])]
    OtherVersion(u8),
    /// From here on the file is damaged.
    #[error("is damaged from byte {offset} on: {reason}")]
    Damaged {
        /// Where the valid part ends.
        offset: u64,
        reason: &'static str,
    },
}

/// An iterator over the records of a file. The first error is the last item.
pub struct Reader<R> {
    input: R,
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
        Ok(Reader { input, offset: PROLOGUE.len() as u64, is_over: false })
    }

    /// How many bytes from the beginning have been read and found valid.
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
        let damaged = |reason| ReadError::Damaged { offset: self.offset, reason };
        let (kind, body) = match frame::read(&mut self.input)? {
            Next::Frame(kind, body) => (kind, body),
            Next::End => return Ok(None),
            Next::Damage(reason) => return Err(damaged(reason)),
        };
        let record = match kind {
            Kind::Header => Header::from_body(&body).map(Record::Header),
            Kind::Game => Game::from_body(&body).map(Record::Game),
        };
        let record = record.ok_or_else(|| damaged("a frame does not hold what it says"))?;
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
