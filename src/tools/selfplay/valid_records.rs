//! Reads files of games that may be damaged: valid records are used, damage is counted.
//!
//! Each frame has a length and a checksum. After a frame with a flipped bit the next valid frame is
//! found, so such damage costs one game. If no valid frame is found within the length of the longest
//! frame, the loss is unknown. That is an error, unless the caller asks to go on.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::reader::{ReadError, Reader, Record};

/// Behaviour at damage longer than the longest frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDamage {
    /// Fails.
    Stop,
    /// Searches for the next valid frame, however far away it is.
    KeepGoing,
}

/// Damage of a file that was skipped.
#[derive(Debug)]
pub struct Damage {
    /// Place and kind of the first damage.
    first: ReadError,
    places: u64,
    bytes: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { first, places, bytes } = self;
        let places = if *places == 1 { "one place" } else { &*format!("{places} places") };
        write!(f, "{first}; {bytes} bytes in {places} were skipped and the rest was used")
    }
}

/// An iterator over the valid records of a file. It ends after the first error.
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

    /// Number of bytes read.
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// Damage skipped so far.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// Damage skipped, by value.
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
