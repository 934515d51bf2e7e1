//! Reading with an upper bound, since a wrong path may lead to an endless file such as `/dev/zero`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

/// Error of an input that is longer than its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("it is longer than {} MiB", .limit >> 20)]
pub struct TooLong {
    /// Maximum length in bytes.
    pub limit: u64,
}

/// Reads an input to its end.
///
/// # Errors
///
/// Fails if the input cannot be read, or with [`TooLong`] if it has more than `limit` bytes.
pub fn read_to_end(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLong { limit }));
    }
    Ok(bytes)
}

/// Reads a file to its end.
///
/// # Errors
///
/// Fails as [`read_to_end`] does.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_to_end(File::open(path)?, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_read_up_to_its_bound() {
        assert_eq!(read_to_end(&b"four"[..], 4).unwrap(), b"four");
        assert_eq!(read_to_end(&b""[..], 0).unwrap(), b"");
        let error = read_to_end(&b"longer"[..], 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn an_endless_input_is_an_error() {
        let error = read_to_end(io::repeat(b'x'), 3 << 20).unwrap_err();
        assert_eq!(error.to_string(), "it is longer than 3 MiB");
    }
}
