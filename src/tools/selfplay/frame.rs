//! Frames: a file of games grows by whole frames, and damage is found frame by frame.
//!
//! A file begins with the eight bytes of [`PROLOGUE`], the last of which is the version of the
//! format. Frames follow one another without a gap, all numbers little-endian:
//!
//! | bytes    | what                                                        |
//! |----------|-------------------------------------------------------------|
//! | 1        | kind: `H` for a header, `G` for a game                      |
//! | 2        | length of the body                                          |
//! | length   | the body                                                    |
//! | 4        | CRC-32 (IEEE) of all that comes before it in this frame     |
//!
//! The bodies are described where they are written: the header's with
//! [`Header`](super::Header), the game's with [`Game`](super::Game).

use std::io::{self, Read};
use std::ops::RangeInclusive;

/// The first bytes of every file of games; the last one counts the versions of the format. What a
/// version has more than the one before are marks of games and fields of headers that are absent
/// there, so that all are read alike.
pub const PROLOGUE: [u8; 8] = *b"outrgam\x03";
/// Bytes that a frame takes beside its body.
pub const OVERHEAD: usize = HEAD + CHECKSUM;
/// The bytes of the longest frame.
pub(super) const MAX_FRAME: usize = u16::MAX as usize + OVERHEAD;

const HEAD: usize = 3;
const CHECKSUM: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// How the games after it were made.
    Header = b'H' as isize,
    Game = b'G' as isize,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        [Kind::Header, Kind::Game].into_iter().find(|&kind| kind as u8 == byte)
    }
}

/// What was read where a frame should begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameRead {
    /// A valid frame with this body.
    Frame(Kind, Vec<u8>),
    /// The end of the file.
    End,
    /// Damage: no frame, for this reason; these bytes were read.
    Damage(&'static str, Vec<u8>),
}

/// Appends a frame to `bytes`. Returns `false`, and appends nothing, if the body is longer than a
/// frame can hold, 65,535 bytes.
#[must_use]
pub fn append(bytes: &mut Vec<u8>, kind: Kind, body: &[u8]) -> bool {
    let Ok(length) = u16::try_from(body.len()) else {
        return false;
    };
    let start = bytes.len();
    bytes.push(kind as u8);
    bytes.extend(length.to_le_bytes());
    bytes.extend(body);
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend(checksum.to_le_bytes());
    true
}

/// Reads the frame that comes next.
///
/// # Errors
///
/// Fails if the input cannot be read; damage is no error here.
pub fn read(input: &mut impl Read) -> io::Result<FrameRead> {
    let mut frame = vec![0; HEAD];
    match fill(input, &mut frame)? {
        0 => return Ok(FrameRead::End),
        HEAD => {}
        read => {
            frame.truncate(read);
            return Ok(FrameRead::Damage("it ends within the head of a frame", frame));
        }
    }
    let Some(kind) = Kind::from_byte(frame[0]) else {
        return Ok(FrameRead::Damage("a frame is of no known kind", frame));
    };
    let length = usize::from(u16::from_le_bytes([frame[1], frame[2]]));
    frame.resize(length + OVERHEAD, 0);
    let read = HEAD + fill(input, &mut frame[HEAD..])?;
    if read < frame.len() {
        frame.truncate(read);
        return Ok(FrameRead::Damage("it ends within a frame", frame));
    }
    let (content, checksum) = frame.split_at(HEAD + length);
    if crc32fast::hash(content).to_le_bytes() != checksum {
        return Ok(FrameRead::Damage("a checksum does not match", frame));
    }
    frame.truncate(HEAD + length);
    frame.drain(..HEAD);
    Ok(FrameRead::Frame(kind, frame))
}

/// Where the first valid frame among these bytes begins, if it begins at one of the places.
pub(super) fn find(bytes: &[u8], mut places: RangeInclusive<usize>) -> Option<usize> {
    places.find(|&place| {
        let mut rest = bytes.get(place..).unwrap_or_default();
        // Most places are ruled out by their first byte, without a copy.
        rest.first().is_some_and(|&kind| Kind::from_byte(kind).is_some())
            && matches!(read(&mut rest), Ok(FrameRead::Frame(..)))
    })
}

/// Reads until the buffer is full or the input ends; returns how much there was.
pub(super) fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Takes little-endian numbers and texts from the start of a body; `None` once it is too short.
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// A length in one byte and the bytes after it.
    pub(super) fn length_prefixed(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(self.byte()?);
        let (short, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(short)
    }
}
