//! Frames, the units of a file of games: a file grows by whole frames, and each frame has its own
//! checksum.
//!
//! A file begins with the eight bytes of [`PROLOGUE`]; the last byte is the version of the format.
//! Frames follow one another without a gap. All numbers are little-endian.
//!
//! | bytes    | content                                                     |
//! |----------|-------------------------------------------------------------|
//! | 1        | kind: `H` for a header, `G` for a game                      |
//! | 2        | length of the body                                          |
//! | length   | the body                                                    |
//! | 4        | CRC-32 (IEEE) of the preceding bytes of this frame          |
//!
//! The bodies are described in [`Header`](super::Header) and [`Game`](super::Game).

use std::io::{self, Read};
use std::ops::RangeInclusive;

/// First bytes of every file of games; the last byte is the version of the format. A newer version
/// only adds flags of games and fields at the end of headers, so one reader reads all versions.
pub const PROLOGUE: [u8; 8] = *b"outrgam\x03";
/// Bytes of a frame besides its body.
pub const OVERHEAD: usize = HEAD + CHECKSUM;
/// Bytes of the longest frame.
pub(super) const MAX_FRAME: usize = u16::MAX as usize + OVERHEAD;

const HEAD: usize = 3;
const CHECKSUM: usize = 4;

/// Kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A [`Header`](super::Header).
    Header = b'H' as isize,
    /// A [`Game`](super::Game).
    Game = b'G' as isize,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        [Kind::Header, Kind::Game].into_iter().find(|&kind| kind as u8 == byte)
    }
}

/// Result of reading a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FrameRead {
    /// A valid frame with this body.
    Frame(Kind, Vec<u8>),
    /// The end of the file.
    End,
    /// No valid frame: the reason and the bytes that were read.
    Damage(&'static str, Vec<u8>),
}

/// Appends a frame to `bytes`. Returns `false` and appends nothing if the body is longer than 65,535
/// bytes.
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

/// Reads the next frame.
///
/// # Errors
///
/// Fails if the input cannot be read. Damage is not an error but [`FrameRead::Damage`].
pub(super) fn read(input: &mut impl Read) -> io::Result<FrameRead> {
    let mut frame = vec![0; HEAD];
    match fill(input, &mut frame)? {
        0 => return Ok(FrameRead::End),
        HEAD => {}
        read => {
            frame.truncate(read);
            return Ok(FrameRead::Damage("the file ends within the head of a frame", frame));
        }
    }
    let Some(kind) = Kind::from_byte(frame[0]) else {
        return Ok(FrameRead::Damage("a frame has an unknown kind", frame));
    };
    let length = usize::from(u16::from_le_bytes([frame[1], frame[2]]));
    frame.resize(length + OVERHEAD, 0);
    let read = HEAD + fill(input, &mut frame[HEAD..])?;
    if read < frame.len() {
        frame.truncate(read);
        return Ok(FrameRead::Damage("the file ends within a frame", frame));
    }
    let (content, checksum) = frame.split_at(HEAD + length);
    if crc32fast::hash(content).to_le_bytes() != checksum {
        return Ok(FrameRead::Damage("the checksum of a frame does not match", frame));
    }
    frame.truncate(HEAD + length);
    frame.drain(..HEAD);
    Ok(FrameRead::Frame(kind, frame))
}

/// Returns the first of `places` at which a valid frame begins.
pub(super) fn find(bytes: &[u8], mut places: RangeInclusive<usize>) -> Option<usize> {
    places.find(|&place| {
        let mut rest = bytes.get(place..).unwrap_or_default();
        // The first byte rules out most places without copying.
        rest.first().is_some_and(|&kind| Kind::from_byte(kind).is_some())
            && matches!(read(&mut rest), Ok(FrameRead::Frame(..)))
    })
}

/// Reads until the buffer is full or the input ends. Returns the number of bytes read.
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

/// Takes little-endian numbers and texts from the start of a body. Returns `None` if it is too short.
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

    /// Takes a length in one byte and as many bytes after it.
    pub(super) fn length_prefixed(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(self.byte()?);
        let (short, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(short)
    }
}
