//! A file of samples, for a labeller outside of this program.
//!
//! `outrider data samples` writes it, a larger network replaces the scores, and `outrider train`
//! learns from it as from a file of games.
//!
//! A file begins with the eight bytes of `PROLOGUE`; the last byte is the version of the format. The
//! number of samples to train on follows (8 bytes, little-endian), then these samples, then those of games
//! for validation. A sample has 40 bytes, as [`Sample`] describes them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;

use rayon::prelude::*;
use thiserror::Error;

use super::sample::Sample;
use outrider_engine::atomic_write;

/// First bytes of every file of samples; the last byte is the version of the format.
const PROLOGUE: [u8; 8] = *b"outrsmp\x01";
/// Bytes before the first sample.
const HEAD: usize = PROLOGUE.len() + size_of::<u64>();

/// Reason why a file of samples cannot be read.
#[derive(Debug, Error)]
pub enum SampleFileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file ends within its head or within a sample, or has fewer samples than its head says.
    #[error("ends too soon")]
    Truncated,
    /// A sample is no position.
    #[error("has a broken sample: number {0}")]
    Broken(usize),
}

/// Samples of a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SampleFile {
    /// Samples to train on.
    pub training: Vec<Sample>,
    /// Samples of games that are never trained on.
    pub validation: Vec<Sample>,
}

impl SampleFile {
    /// Returns true if this is a file of samples, by its first bytes.
    pub fn is_at(path: &Path) -> bool {
        let mut found = [0; PROLOGUE.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut found));
        read.is_ok() && found == PROLOGUE
    }

    /// Reads a file on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, ends too soon or has a sample that is no position.
    pub fn read(path: &Path) -> Result<SampleFile, SampleFileError> {
        let bytes = fs::read(path)?;
        let (head, body) = bytes.split_at_checked(HEAD).ok_or(SampleFileError::Truncated)?;
        let count = head[PROLOGUE.len()..].try_into().map_or(0, u64::from_le_bytes);
        let (samples, []) = body.as_chunks() else {
            return Err(SampleFileError::Truncated);
        };
        let count = usize::try_from(count).ok().filter(|&count| count <= samples.len());
        let (training, validation) = samples.split_at(count.ok_or(SampleFileError::Truncated)?);
        let read = |first: usize, part: &[[u8; Sample::BYTES]]| {
            let numbered = part.par_iter().enumerate();
            let read = numbered.map(|(index, &bytes)| {
                Sample::from_bytes(bytes).ok_or(SampleFileError::Broken(first + index + 1))
            });
            read.collect::<Result<Vec<_>, _>>()
        };
        Ok(SampleFile {
            training: read(0, training)?,
            validation: read(training.len(), validation)?,
        })
    }

    /// Writes a file, which replaces an existing one when it is complete.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn write(path: &Path, training: &[Sample], validation: &[Sample]) -> io::Result<()> {
        let temporary = atomic_write::temporary_path(path);
        let write = || {
            let mut file = BufWriter::new(File::create(&temporary)?);
            file.write_all(&PROLOGUE)?;
            file.write_all(&(training.len() as u64).to_le_bytes())?;
            for sample in training.iter().chain(validation) {
                file.write_all(&sample.to_bytes())?;
            }
            file.into_inner()?.sync_all()?;
            fs::rename(&temporary, path)
        };
        write().inspect_err(|_| {
            // A partial file is useless. If it cannot be removed, the first error is the one to report.
            let _ = fs::remove_file(&temporary);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;
    use shakmaty::Position as _;
    use tempfile::tempdir;

    fn samples() -> Vec<Sample> {
        let fens = ["8/8/4k3/8/8/3QK3/8/8 b - - 0 1", "4k3/pp6/8/3q4/8/8/5PPP/R5K1 b - - 3 20"];
        let sample = |(fen, points)| {
            let chess = parse_fen_any(fen).unwrap();
            Sample::from_board(chess.board(), chess.turn(), -35, points).unwrap()
        };
        fens.into_iter().zip([None, Some(0.25)]).map(sample).collect()
    }

    #[test]
    fn a_file_has_the_samples_that_were_written() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("samples");
        let samples = samples();
        SampleFile::write(&path, &samples, &samples[1..]).unwrap();
        assert!(SampleFile::is_at(&path));
        let read = SampleFile::read(&path).unwrap();
        assert_eq!(read, SampleFile { validation: samples[1..].to_vec(), training: samples });
    }

    #[test]
    fn a_file_that_ends_too_soon_or_has_a_broken_sample_is_refused() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("samples");
        SampleFile::write(&path, &samples(), &[]).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in [HEAD - 1, HEAD + 1, HEAD + Sample::BYTES] {
            fs::write(&path, &whole[..length]).unwrap();
            let read = SampleFile::read(&path);
            assert!(matches!(read, Err(SampleFileError::Truncated)), "{length}: {read:?}");
        }
        let mut broken = whole;
        // The second sample has no pieces any more.
        broken[HEAD + Sample::BYTES..][..8].fill(0);
        fs::write(&path, broken).unwrap();
        assert!(matches!(SampleFile::read(&path), Err(SampleFileError::Broken(2))));
    }
}
