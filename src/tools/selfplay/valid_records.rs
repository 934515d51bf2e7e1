//! Files of games that may be damaged: what is sound is used, what is not is counted.
//!
//! Each frame has a length and a checksum. Behind a frame that a flipped bit spoiled the next sound
//! one is found, so that such damage costs one game. Where no frame is found within the length of
//! the longest one, nobody knows how much is lost: that is an error, unless the rest is wanted all
//! the same.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::reader::{ReadError, Reader, Record};

/// What to do where a file cannot be read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDamage {
    /// Fail.
    Stop,
    /// Look for the next sound frame, however far it is.
    KeepGoing,
}

/// What of a file was passed over.
#[derive(Debug)]
pub struct Damage {
    /// The first place, and what was wrong there.
    first: ReadError,
    places: u64,
    bytes: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { first, places, bytes } = self;
        let places = if *places == 1 { "one place" } else { &*format!("{places} places") };
        write!(f, "{first}; {bytes} bytes in {places} were skipped, the rest is used")
    }
}

/// An iterator over the sound records of a file. The first error is the last item.
pub struct ValidRecords {
    reader: Reader<BufReader<File>>,
    on_damage: OnDamage,
    damage: Option<Damage>,
}

impl ValidRecords {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Fails as [`Reader::open`] does.
    pub fn open(path: &Path, on_damage: OnDamage) -> Result<ValidRecords, ReadError> {
        Ok(ValidRecords { reader: Reader::open(path)?, on_damage, damage: None })
    }

    /// How many bytes of the file have been read.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// What has been passed over so far.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// The same, by value.
    pub fn into_damage(self) -> Option<Damage> {
        self.damage
    }
}

impl Iterator for ValidRecords {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let error = match self.reader.next()? {
                Err(error @ ReadError::Damaged { .. }) => error,
                record => return Some(record),
            };
            let bytes = match self.reader.skip_damage(self.on_damage == OnDamage::KeepGoing) {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return Some(Err(error)),
                Err(error) => return Some(Err(error.into())),
            };
            let damage = self.damage.get_or_insert(Damage { first: error, places: 0, bytes: 0 });
            damage.places += 1;
            damage.bytes += bytes;
        }
    }
}
