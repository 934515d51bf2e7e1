//! The file format of networks: integer weights and their meaning.
//!
//! # The value of a position
//!
//! With 64-bit integers:
//!
//! 1. For each perspective and each hidden unit, `a` is the sum of the unit's bias, the weights of the
//!    [features](super::features) present for the place of the perspective's king, and the weights of
//!    threats for the pieces that are [threatened](super::threats); `v` is `a` clamped to 0 to 160.
//! 2. `sum` is the sum of `v * v * w` over the units of both perspectives, where `w` is the unit's weight
//!    in the output for the number of pieces; the weights of the side to move come first.
//! 3. The value in centipawns, for the side to move, is
//!    `(sum / 160 + bias) * scale / (160 * 64)`. Both divisions round towards zero.
//!
//! So 160 represents one in the first layer, and 64 represents one in the output weights. Except for
//! rounding this is a network of real numbers with the output `bias + Σ w * clamp(a, 0, 1)²` (SCReLU),
//! times `scale`.
//!
//! # The file
//!
//! All numbers are little-endian. In this order: the magic `outrnet`; a byte for the version, one for each
//! architecture; hidden units (u32), outputs (u32), scale (i32); the description, its length in
//! bytes (u16) and a line of UTF-8; the arrays of [`NetworkWeights`] in the order of the fields; the CRC-32
//! of all bytes before it.
//!
//! A file is accepted only if inference cannot overflow, so inference does not check for overflow.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::HIDDEN;
use super::features::{FEATURES, INPUTS, KING_BUCKETS};
use crate::atomic_write;

/// Representation of one in the first layer; accumulators are clipped to it.
pub const FIRST_LAYER_ONE: i32 = 160;
/// Representation of one in the output weights.
pub const OUTPUT_ONE: i32 = 64;
/// Most hidden units for each perspective in a file.
pub const MAX_HIDDEN: usize = 4_096;
/// Valid numbers of outputs.
pub const BUCKETS: [usize; 4] = [1, 2, 4, 8];

/// Greatest bias of the first layer. In any position at most 32 rows of pieces and 32 of threats are added
/// to it, so with weights of 8 bits no accumulator exceeds 16 bits.
pub const MAX_BIAS: i16 = i16::MAX - 64 * 128;

const MAGIC: &[u8; 7] = b"outrnet";
/// Version of the format.
const VERSION: u8 = 4;
const CHECKSUM_SIZE: usize = 4;
/// Limit on the bytes that are read; more than any valid file has.
const MAX_SIZE: u64 = 32 << 20;

/// The weights of a network as integers. The [module](self) defines the value that follows from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkWeights {
    /// Number of hidden units for each perspective, 1 to [`MAX_HIDDEN`].
    pub hidden: usize,
    /// Number of outputs, one of [`BUCKETS`]; [`super::features::output_bucket`] chooses among them.
    pub buckets: usize,
    /// Centipawns per unit of the output as a real number, at least 1.
    pub scale: i32,
    /// A line that describes how the network was made; at most 65,535 bytes are written.
    pub description: String,
    /// Weights of the first layer, `[king bucket][feature][hidden]`; 160 represents one.
    pub feature_weights: Vec<i8>,
    /// Weights that are added while the piece is threatened, `[feature][hidden]`; 160 represents one.
    pub threat_weights: Vec<i8>,
    /// Biases of the first layer, `[hidden]`, within ±[`MAX_BIAS`]; 160 represents one.
    pub feature_biases: Vec<i16>,
    /// Weights of the outputs, `[bucket][2 * hidden]`, the side to move first, within ±127; 64 represents
    /// one.
    pub output_weights: Vec<i8>,
    /// Biases of the outputs, `[bucket]`; 160 * 64 represents one.
    pub output_biases: Vec<i32>,
}

/// Reasons why a network is refused.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum NetworkError {
    /// The path leads to a folder, a pipe or a device.
    #[error("not a file")]
    NotAFile,
    /// The bytes do not begin with the magic.
    #[error("not a network of this engine")]
    NotANetwork,
    /// The version of the format is another one.
    #[error("a network file of version {0}, but this build reads version {VERSION}")]
    OtherVersion(u8),
    /// The file is shorter than its header says. Sizes are in bytes.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated { found: usize, expected: usize },
    /// The file has bytes after its end.
    #[error("damaged: {0} bytes too many")]
    TooLong(usize),
    /// The checksum is wrong.
    #[error("damaged: its checksum is {found:08x}, but {stored:08x} is stored")]
    Damaged { found: u32, stored: u32 },
    /// A field of the header is out of range.
    #[error("{what} cannot be {found}")]
    Header { what: &'static str, found: i64 },
    /// The description is not UTF-8 or has control characters.
    #[error("damaged: its description is not a line of text")]
    Description,
    /// The length of an array does not fit the dimensions.
    #[error("{what} has {found} numbers instead of {expected}")]
    Length { what: &'static str, found: usize, expected: usize },
    /// With this bias an accumulator could exceed 16 bits.
    #[error("hidden unit {unit} could overflow: its bias {bias} is beyond ±{MAX_BIAS}")]
    AccumulatorOverflow { unit: usize, bias: i16 },
    /// An output weight is -128, so that products could exceed 16 bits.
    #[error("output {bucket} could overflow: its weight {index} is beyond ±127")]
    OutputWeight { bucket: usize, index: usize },
    /// In some position the sum of one perspective could exceed 32 bits.
    #[error("output {bucket} could overflow: its sums reach {sum}")]
    OutputOverflow { bucket: usize, sum: i64 },
    /// The network is valid, but this build is compiled for another number of hidden units.
    #[error(
        "it has {0} hidden units, but this build needs {HIDDEN}; compile with EVALFILE to use it"
    )]
    OtherSize(usize),
    /// The file could not be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// A network file that could not be read or written, and the reason.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[expect(missing_docs, reason = "a path and a reason")]
pub struct NetworkFileError {
    pub path: PathBuf,
    pub reason: NetworkError,
}

impl NetworkWeights {
    /// Returns the bytes of a file with these weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let description =
            &self.description[..self.description.floor_char_boundary(usize::from(u16::MAX))];
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        bytes.extend((self.hidden as u32).to_le_bytes());
        bytes.extend((self.buckets as u32).to_le_bytes());
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend((description.len() as u16).to_le_bytes());
        bytes.extend(description.as_bytes());
        bytes.extend(self.feature_weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.threat_weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.feature_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.output_weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    ///
    /// Fails unless the bytes are a network of this version, without rest, whose inference cannot overflow.
    pub fn from_bytes(bytes: &[u8]) -> Result<NetworkWeights, NetworkError> {
        let mut fields = FieldReader { bytes, read: 0 };
        let kind = bytes.get(..MAGIC.len()).ok_or(NetworkError::NotANetwork)?;
        if kind != MAGIC {
            return Err(NetworkError::NotANetwork);
        }
        fields.skip(MAGIC.len());
        let [version] = fields.array()?;
        if version != VERSION {
            return Err(NetworkError::OtherVersion(version));
        }
        let [hidden, buckets] = [fields.array()?, fields.array()?].map(u32::from_le_bytes);
        let scale = i32::from_le_bytes(fields.array()?);
        let [hidden, buckets] = [hidden as usize, buckets as usize];
        check_header(hidden, buckets, scale)?;
        let length = usize::from(u16::from_le_bytes(fields.array()?));
        let description = fields.take(length)?;
        let first = (INPUTS + FEATURES + 2) * hidden;
        let size = first + buckets * hidden * 2 + buckets * 4;
        let expected = fields.read + size + CHECKSUM_SIZE;
        match bytes.len() {
            found if found < expected => return Err(NetworkError::Truncated { found, expected }),
            found if found > expected => return Err(NetworkError::TooLong(found - expected)),
            _ => {}
        }
        let found = crc32fast::hash(&bytes[..expected - CHECKSUM_SIZE]);
        let description = str::from_utf8(description)
            .ok()
            .filter(|line| !line.contains(char::is_control))
            .map(str::to_owned)
            .ok_or(NetworkError::Description);
        let feature_weights = fields.numbers(INPUTS * hidden, i8::from_le_bytes)?;
        let threat_weights = fields.numbers(FEATURES * hidden, i8::from_le_bytes)?;
        let feature_biases = fields.numbers(hidden, i16::from_le_bytes)?;
        let output_weights = fields.numbers(buckets * 2 * hidden, i8::from_le_bytes)?;
        let output_biases = fields.numbers(buckets, i32::from_le_bytes)?;
        let stored = u32::from_le_bytes(fields.array()?);
        if stored != found {
            return Err(NetworkError::Damaged { found, stored });
        }
        let weights = NetworkWeights {
            hidden,
            buckets,
            scale,
            description: description?,
            feature_weights,
            threat_weights,
            feature_biases,
            output_weights,
            output_biases,
        };
        weights.check()?;
        Ok(weights)
    }

    /// Returns the CRC-32 at the end of the file. It identifies the network, written as `{:08x}`.
    pub fn checksum(&self) -> u32 {
        let bytes = self.to_bytes();
        crc32fast::hash(&bytes[..bytes.len() - CHECKSUM_SIZE])
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or [`NetworkWeights::from_bytes`] refuses it.
    pub fn load(path: &Path) -> Result<NetworkWeights, NetworkFileError> {
        let read = || {
            // Opening a pipe would block until another process writes to it.
            if !fs::metadata(path)?.is_file() {
                return Err(NetworkError::NotAFile);
            }
            let mut bytes = Vec::new();
            // A wrong path may lead to a huge file.
            File::open(path)?.take(MAX_SIZE).read_to_end(&mut bytes)?;
            NetworkWeights::from_bytes(&bytes)
        };
        read().map_err(|reason| NetworkFileError { path: path.to_owned(), reason })
    }

    /// Writes a network to a file atomically, see [`atomic_write::replace`].
    ///
    /// # Errors
    ///
    /// Fails if [`NetworkWeights::check`] refuses the weights, or the file cannot be written. An old file
    /// then stays.
    pub fn save(&self, path: &Path) -> Result<(), NetworkFileError> {
        let write = || {
            self.check()?;
            Ok(atomic_write::replace(path, &self.to_bytes())?)
        };
        write().map_err(|reason| NetworkFileError { path: path.to_owned(), reason })
    }

    /// Checks that dimensions and lengths fit and that inference cannot overflow.
    ///
    /// # Errors
    ///
    /// Fails with the first fault that is found.
    pub fn check(&self) -> Result<(), NetworkError> {
        check_header(self.hidden, self.buckets, self.scale)?;
        let (hidden, buckets) = (self.hidden, self.buckets);
        for (what, found, expected) in [
            ("the first layer's weights", self.feature_weights.len(), INPUTS * hidden),
            ("the weights of threats", self.threat_weights.len(), FEATURES * hidden),
            ("the first layer's biases", self.feature_biases.len(), hidden),
            ("the output weights", self.output_weights.len(), buckets * 2 * hidden),
            ("the output biases", self.output_biases.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Length { what, found, expected });
            }
        }
        for (unit, &bias) in self.feature_biases.iter().enumerate() {
            if !(-MAX_BIAS..=MAX_BIAS).contains(&bias) {
                return Err(NetworkError::AccumulatorOverflow { unit, bias });
            }
        }
        (0..buckets).try_for_each(|bucket| self.check_output(bucket))
    }

    /// Checks that no sum of the output overflows. The order of the terms is not fixed, so no partial sum
    /// may exceed 32 bits. Every partial sum lies between the sum of all negative terms and the sum of all
    /// positive terms.
    fn check_output(&self, bucket: usize) -> Result<(), NetworkError> {
        let weights = &self.output_weights[bucket * 2 * self.hidden..][..2 * self.hidden];
        if let Some(index) = weights.iter().position(|&weight| weight == i8::MIN) {
            return Err(NetworkError::OutputWeight { bucket, index });
        }
        for half in weights.chunks(self.hidden) {
            for sign in [1, -1] {
                let of_sign = half.iter().map(|&weight| (sign * i64::from(weight)).max(0));
                let sum = sign * of_sign.sum::<i64>() * i64::from(FIRST_LAYER_ONE.pow(2));
                if i32::try_from(sum).is_err() {
                    return Err(NetworkError::OutputOverflow { bucket, sum });
                }
            }
        }
        Ok(())
    }

    /// Returns a network that evaluates material only: 100 centipawns for a pawn, 300 for a knight or a
    /// bishop, 500 for a rook, 900 for a queen, within one percent.
    ///
    /// Half of the units compute ½ + x, where x is the material balance, and the other half ½ − x. Since
    /// (½ + x)² − (½ − x)² is 2x, the output is linear in the material.
    pub fn material() -> NetworkWeights {
        const VALUES: [i8; 6] = [1, 3, 3, 5, 9, 0];
        const WEIGHT: usize = 4_096 / HIDDEN;
        // Chosen so that a pawn is worth 100 centipawns for any number of units. The value is truncated.
        const ONE: usize = (FIRST_LAYER_ONE * OUTPUT_ONE) as usize;
        const SCALE: usize = (100 * ONE).div_ceil(WEIGHT * HIDDEN);
        let mut feature_weights = Vec::with_capacity(FEATURES * HIDDEN);
        for feature in 0..FEATURES {
            let value = VALUES[feature / 64 % 6] * if feature < FEATURES / 2 { 1 } else { -1 };
            feature_weights
                .extend((0..HIDDEN).map(|unit| if unit % 2 == 0 { value } else { -value }));
        }
        let feature_weights = feature_weights.repeat(KING_BUCKETS);
        let output = |unit| match unit {
            HIDDEN.. => 0,
            _ if unit % 2 == 0 => WEIGHT as i8,
            _ => -(WEIGHT as i8),
        };
        NetworkWeights {
            hidden: HIDDEN,
            buckets: 1,
            scale: SCALE as i32,
            description: "material alone".to_owned(),
            feature_weights,
            threat_weights: vec![0; FEATURES * HIDDEN],
            feature_biases: vec![FIRST_LAYER_ONE as i16 / 2; HIDDEN],
            output_weights: (0..2 * HIDDEN).map(output).collect(),
            output_biases: vec![0],
        }
    }
}

fn check_header(hidden: usize, buckets: usize, scale: i32) -> Result<(), NetworkError> {
    let wrong = |what, found| Err(NetworkError::Header { what, found });
    if !(1..=MAX_HIDDEN).contains(&hidden) {
        return wrong("the number of hidden units", hidden as i64);
    }
    if !BUCKETS.contains(&buckets) {
        return wrong("the number of outputs", buckets as i64);
    }
    if scale < 1 {
        return wrong("the scale", scale.into());
    }
    Ok(())
}

/// Reads the fields of a file in order.
struct FieldReader<'a> {
    bytes: &'a [u8],
    read: usize,
}

impl<'a> FieldReader<'a> {
    fn skip(&mut self, count: usize) {
        self.read += count;
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let expected = self.read + count;
        let found = self.bytes.len();
        let taken = self.bytes.get(self.read..expected);
        self.read = expected;
        taken.ok_or(NetworkError::Truncated { found, expected })
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn numbers<const N: usize, T>(
        &mut self,
        count: usize,
        read: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, NetworkError> {
        let (chunks, _) = self.take(count * N)?.as_chunks();
        Ok(chunks.iter().map(|&chunk| read(chunk)).collect())
    }
}

#[cfg(test)]
mod tests;
