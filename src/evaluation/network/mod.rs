#![doc = include_str!("README.md")]

mod accumulators;
pub mod features;
pub mod file;
mod kernels;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use once_cell::sync::Lazy;
use shakmaty::Color;

pub use accumulators::Accumulators;
use features::{is_mirrored, output_bucket};
use file::{FIRST_LAYER_ONE, FileError, NetworkError, OUTPUT_ONE, Parameters};
use kernels::{Kernels, Rows, Units};

use crate::units::Score;

/// Units of the first layer a perspective in the networks that the engine plays with.
pub const HIDDEN: usize = 256;

/// A network to evaluate with, made from the [`Parameters`] of a file.
pub struct Network {
    rows: Box<Rows>,
    biases: Units,
    outputs: Vec<Output>,
    scale: i64,
    description: String,
    checksum: u32,
    kernels: Kernels,
}

/// The last layer for some numbers of men.
struct Output {
    own: Units,
    other: Units,
    bias: i64,
}

impl Network {
    /// The network that these weights make.
    ///
    /// # Errors
    ///
    /// Fails if they are refused by [`Parameters::check`] or have not [`HIDDEN`] units.
    pub fn new(parameters: &Parameters) -> Result<Network, NetworkError> {
        parameters.check()?;
        if parameters.hidden != HIDDEN {
            return Err(NetworkError::OtherSize(parameters.hidden));
        }
        let rows: Box<[Units]> =
            parameters.feature_weights.as_chunks().0.iter().map(|&row| Units(row)).collect();
        let outputs = parameters.output_weights.as_chunks::<{ 2 * HIDDEN }>().0;
        let output = |(weights, &bias): (&[i8; 2 * HIDDEN], &i32)| Output {
            own: Units(std::array::from_fn(|unit| weights[unit].into())),
            other: Units(std::array::from_fn(|unit| weights[HIDDEN + unit].into())),
            bias: bias.into(),
        };
        Ok(Network {
            rows: rows.try_into().unwrap_or_else(|_| unreachable!("the check counts the rows")),
            biases: Units(std::array::from_fn(|unit| parameters.feature_biases[unit])),
            outputs: outputs.iter().zip(&parameters.output_biases).map(output).collect(),
            scale: parameters.scale.into(),
            description: parameters.description.clone(),
            checksum: parameters.checksum(),
            kernels: kernels::fastest(),
        })
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, is refused by [`Parameters::from_bytes`] or has not [`HIDDEN`]
    /// units.
    pub fn load(path: &Path) -> Result<Network, FileError> {
        Network::new(&Parameters::load(path)?)
            .map_err(|reason| FileError { path: path.to_owned(), reason })
    }

    /// The network that the engine plays with unless told otherwise, the same for all threads.
    pub fn built_in() -> Arc<Network> {
        static BUILT_IN: Lazy<Arc<Network>> = Lazy::new(|| {
            let parameters = Parameters::from_bytes(include_bytes!(env!("OUTRIDER_NETWORK")));
            let network = parameters.and_then(|parameters| Network::new(&parameters));
            Arc::new(network.expect("the network built in is sound"))
        });
        Arc::clone(&BUILT_IN)
    }

    /// The CRC-32 that its file ends with.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Centipawns for each unit of the output, which was trained to be the logarithm of the odds to
    /// win.
    pub fn scale(&self) -> i32 {
        self.scale as i32
    }

    /// How many outputs it has, for different numbers of men.
    pub fn buckets(&self) -> usize {
        self.outputs.len()
    }

    /// The value of a board for the side to move by one of the outputs, with nothing carried along.
    ///
    /// # Panics
    ///
    /// Panics if there is no such output.
    pub fn value_by(&self, board: &shakmaty::Board, turn: Color, bucket: usize) -> Score {
        let sums = |perspective| self.sums(board, perspective);
        self.output(&sums(turn), &sums(!turn), bucket)
    }

    /// The value of a board for the side to move, with nothing carried along.
    pub fn value(&self, board: &shakmaty::Board, turn: Color) -> Score {
        self.value_by(board, turn, self.bucket(board))
    }

    /// The output that values this board.
    pub fn bucket(&self, board: &shakmaty::Board) -> usize {
        output_bucket(board.occupied().count(), self.buckets()).min(self.buckets() - 1)
    }

    /// The first layer's sums from scratch.
    fn sums(&self, board: &shakmaty::Board, perspective: Color) -> Units {
        let mirrored = board.king_of(perspective).is_some_and(is_mirrored);
        let mut sums = self.biases;
        for (square, piece) in board {
            let feature = features::feature(perspective, mirrored, piece, square) as u16;
            (self.kernels.changed)(&mut sums, &self.rows, &[], &[feature]);
        }
        sums
    }

    /// The value in centipawns from the sums of the side to move and those of the other.
    #[inline]
    fn output(&self, own: &Units, other: &Units, bucket: usize) -> Score {
        let output = &self.outputs[bucket];
        let own = (self.kernels.weighted)(own, &output.own);
        let other = (self.kernels.weighted)(other, &output.other);
        let sum = i64::from(own) + i64::from(other);
        let one = i64::from(FIRST_LAYER_ONE);
        let value = (sum / one + output.bias) * self.scale / (one * i64::from(OUTPUT_ONE));
        let greatest = i64::from(Score::MAX_STATIC.centipawns());
        Score::new(value.clamp(-greatest, greatest) as i32)
    }
}

/// As people are told of it.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x} ({})", self.checksum, self.description)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {self}")
    }
}
