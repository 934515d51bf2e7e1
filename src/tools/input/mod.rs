//! Opens text that users name on the command line: games, test positions, trees, results.
//!
//! Text may be compressed (gzip, Zstandard) and may be UTF-16 with a byte-order mark; readers get plain
//! bytes, with UTF-16 as UTF-8. Input that is no text is an error that names it, and every read has a
//! bound, since a wrong path may lead to an endless file.

mod encoding;
mod format;
mod line_limit;
mod utf16;
mod zstd;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use crate::STANDARD_INPUT;
pub use encoding::{decode_line, decode_text};
use format::Format;
use line_limit::LineLimit;
use outrider_engine::bounded_read;
use utf16::Utf16Reader;
use zstd::ZstdReader;

/// Maximum length of a text that is read whole, in bytes, after decompression.
pub const MAX_TEXT: u64 = 256 << 20;

/// Maximum length of a line, in bytes.
pub const MAX_LINE: usize = 64 << 20;

/// Number of bytes by which a format is recognised.
const HEAD: usize = 4096;

/// Error of an input that cannot be read.
#[derive(Debug, Error)]
#[error("cannot read {name}: {reason}", name = name(.path))]
pub struct InputError {
    /// Path of the file, or `-` for the standard input.
    pub path: PathBuf,
    /// Error of the system, or an [`InputFault`].
    pub reason: io::Error,
}

/// Reason why an input cannot be used.
#[derive(Debug, Error)]
pub enum InputFault {
    /// A folder.
    #[error("it is a folder; give the files in it")]
    Folder,
    /// An address of the web.
    #[error("it is an address, not a file; download it first, for example with curl -LO")]
    Address,
    /// A known format that is not read.
    #[error("it is {0}")]
    Other(&'static str),
    /// An archive or a compressed file that is not read.
    #[error("it is {0}; unpack it first")]
    Packed(&'static str),
    /// Unknown binary data.
    #[error("it is not text")]
    Binary,
    /// Compressed data that cannot be decompressed.
    #[error("its {format} data is damaged or incomplete: {reason}")]
    Damaged {
        /// Name of the format.
        format: &'static str,
        /// Error of the decoder.
        reason: io::Error,
    },
    /// A line without an end.
    #[error("a line is longer than {} MiB", MAX_LINE >> 20)]
    LongLine,
    /// A game without an end.
    #[error("a game is longer than {} MiB; it ends only at the tag Event of the next one", MAX_TEXT >> 20)]
    LongGame,
}

impl From<InputFault> for io::Error {
    fn from(fault: InputFault) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, fault)
    }
}

/// A text to read line by line.
pub type TextReader = Box<dyn BufRead + Send>;

/// Opens a text, or the standard input if the path is `-`. Reading fails at a line that is longer than
/// [`MAX_LINE`].
///
/// # Errors
///
/// Fails if the input cannot be read or is no text.
pub fn open(path: &Path) -> Result<TextReader, InputError> {
    open_file(path).map_err(|reason| InputError { path: path.to_owned(), reason })
}

/// Reads a text, or the standard input if the path is `-`.
///
/// # Errors
///
/// Fails if the input cannot be read, is no text, or is longer than [`MAX_TEXT`].
pub fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    let read = || bounded_read::read_to_end(open_file(path)?, MAX_TEXT);
    read().map_err(|reason| InputError { path: path.to_owned(), reason })
}

/// Checks that an input can be read and is text. A pipe is not opened, since that would consume its
/// content.
///
/// # Errors
///
/// Fails as [`open`] does.
pub fn check(path: &Path) -> Result<(), InputError> {
    let check = || {
        if path == Path::new(STANDARD_INPUT) || !metadata(path)?.is_file() {
            return Ok(());
        }
        open_file(path).map(drop)
    };
    check().map_err(|reason| InputError { path: path.to_owned(), reason })
}

/// Returns the name of an input in messages.
fn name(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) {
        return "the standard input".to_owned();
    }
    path.display().to_string()
}

fn open_file(path: &Path) -> io::Result<TextReader> {
    if path == Path::new(STANDARD_INPUT) {
        return decode(Box::new(io::stdin()));
    }
    metadata(path)?;
    decode(Box::new(File::open(path)?))
}

/// Returns the metadata of a file or a pipe.
fn metadata(path: &Path) -> io::Result<fs::Metadata> {
    let is_address = || {
        let path = path.to_string_lossy();
        ["https://", "http://"].iter().any(|scheme| path.starts_with(scheme))
    };
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(InputFault::Folder.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_address() => {
            Err(InputFault::Address.into())
        }
        found => found,
    }
}

/// Returns the text of an input, decompressed and as UTF-8 if it is UTF-16.
fn decode(input: Box<dyn Read + Send>) -> io::Result<TextReader> {
    let (format, input) = recognise(input)?;
    let unpacked: Box<dyn Read + Send> = match format {
        Format::Gzip => Box::new(Unpacked { input: MultiGzDecoder::new(input), format: "gzip" }),
        Format::Zstd => Box::new(Unpacked { input: ZstdReader::new(input), format: "Zstandard" }),
        _ => return text(format, input),
    };
    let (format, input) = recognise(unpacked)?;
    text(format, input)
}

/// Returns the text of an input of a known format.
fn text(format: Format, input: impl BufRead + Send + 'static) -> io::Result<TextReader> {
    match format {
        Format::Text => Ok(Box::new(LineLimit::new(input))),
        Format::Utf16(order) => {
            Ok(Box::new(LineLimit::new(BufReader::new(Utf16Reader::new(input, order)))))
        }
        Format::Gzip | Format::Zstd => Err(InputFault::Packed("compressed twice").into()),
        Format::Packed(name) => Err(InputFault::Packed(name).into()),
        Format::Other(name) => Err(InputFault::Other(name).into()),
        Format::Binary => Err(InputFault::Binary.into()),
    }
}

/// Returns the format of an input by its first bytes, and the input from its start. Reads no more than
/// needed, so that a line of a pipe is processed before the next one arrives.
fn recognise<R: Read>(mut input: R) -> io::Result<(Format, impl BufRead + use<R>)> {
    let mut head = vec![0; HEAD];
    let mut length = 0;
    while length < format::LONGEST_MARK {
        match input.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok((Format::recognise(&head), Cursor::new(head).chain(BufReader::new(input))))
}

/// A decompressed input. Errors of its decoder name the format.
struct Unpacked<R> {
    input: R,
    format: &'static str,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer).map_err(|reason| match reason.kind() {
            io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof => {
                InputFault::Damaged { format: self.format, reason }.into()
            }
            _ => reason,
        })
    }
}

#[cfg(test)]
mod tests;
