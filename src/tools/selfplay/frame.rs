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

/// The first bytes of every file of games; the last one counts the versions of the format. What
/// version 2 has more than version 1 are marks of games and fields of headers that are absent
/// there, so that both are read alike.
pub const PROLOGUE: [u8; 8] = *b"outrgam\x02";
/// Bytes that a frame takes beside its body.
pub const OVERHEAD: usize = HEAD + CHECKSUM;

const HEAD: usize = 3;
const CHECKSUM: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// How the games after it were made.
    Header = b'H' as isize,
    Game = b'G' as isize,
}

/// What was read where a frame should begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// A valid frame with this body.
    Frame(Kind, Vec<u8>),
    /// The end of the file.
    End,
    /// Damage: no frame, for this reason.
    Damage(&'static str),
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
pub fn read(input: &mut impl Read) -> io::Result<Next> {
    let mut frame = vec![0; HEAD];
    match fill(input, &mut frame)? {
        0 => return Ok(Next::End),
        HEAD => {}
        _ => return Ok(Next::Damage("it ends within the head of a frame")),
    }
    let kind = match frame[0] {
        b'H' => Kind::Header,
        b'G' => Kind::Game,
        _ => return Ok(Next::Damage("a frame is of no known kind")),
    };
    let length = usize::from(u16::from_le_bytes([frame[1], frame[2]]));
    frame.resize(length + OVERHEAD, 0);
    if fill(input, &mut frame[HEAD..])? < length + CHECKSUM {
        return Ok(Next::Damage("it ends within a frame"));
    }
    let checksum = frame.split_off(HEAD + length);
    if crc32fast::hash(&frame).to_le_bytes() != checksum[..] {
        return Ok(Next::Damage("a checksum does not match"));
    }
    frame.drain(..HEAD);
    Ok(Next::Frame(kind, frame))
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
    pub(super) fn short(&mut self) -> Option<&'a [u8]> {
        let length = usize::from(self.byte()?);
        let (short, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(short)
    }
}
