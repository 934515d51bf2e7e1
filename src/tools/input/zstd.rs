//! Decompresses Zstandard (RFC 8878).

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// Reader of all frames of an input; a file made by pzstd has many. The decoder refuses windows above
/// 100 MiB.
pub(super) struct ZstdReader<R> {
    input: R,
    decoder: FrameDecoder,
    /// A frame has begun and was not read to its end.
    is_in_frame: bool,
}

impl<R: BufRead> ZstdReader<R> {
    pub(super) fn new(input: R) -> ZstdReader<R> {
        ZstdReader { input, decoder: FrameDecoder::new(), is_in_frame: false }
    }

    /// Begins the next frame of data. Returns `false` at the end of the input.
    fn begin_frame(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(length.into())?,
                Err(error) => return Err(damaged(error)),
            }
        }
        Ok(false)
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(length), &mut io::sink())?;
        if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Fails if the data of the frame that has ended does not fit its checksum.
    fn check(&self) -> io::Result<()> {
        let expected = self.decoder.get_checksum_from_data();
        if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
            return Err(damaged("wrong checksum"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            if !self.is_in_frame && !self.begin_frame()? {
                break;
            }
            self.is_in_frame = true;
            if !self.decoder.is_finished() {
                let part = BlockDecodingStrategy::UptoBytes(buffer.len());
                self.decoder.decode_blocks(&mut self.input, part).map_err(damaged)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.check()?;
                self.is_in_frame = false;
            }
        }
        Ok(0)
    }
}

fn damaged(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
