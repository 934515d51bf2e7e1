//! An efficiently updatable neural network (NNUE; Yu Nasu, "Efficiently Updatable Neural-Network based
//! Evaluation Functions for Computer Shogi", 2018) in the form that is common in chess engines.
//!
//! # Architecture
//!
//! The inputs are two lists of [`features`], one from each side's perspective: which piece is on which
//! square, 768 features. Each has a row of weights in the first layer for each of four places of the own
//! king (king buckets, a coarse form of the HalfKP features of Nasu). The first layer adds up the rows of
//! all features that are present. A move changes only a few rows, so [`Accumulators`] keep the sums and
//! update them along the search. Another set of rows, for pieces that are [threatened](threats), is
//! added when a value is computed, wherever the king is. The sums of both sides, clipped and squared, are
//! weighted into one output, the side to move first. There may be several sets of these output weights;
//! the number of pieces on the board chooses one. With 768 sums a side and 8 sets of output weights this
//! is usually written ((4+1)×768 → 768)×2 → 8.
//!
//! [`file`](mod@file) defines the stored weights and the value that follows from them, in whole numbers; a
//! file whose sums could overflow is refused. The weights have 8 bits: twice as many rows fit the caches, and
//! the file has half the size. There are kernels for AVX-512, AVX2, SSE4.1 and any machine. All give the same
//! numbers, so play does not depend on the processor.
//!
//! # Origin of the weights
//!
//! All training data is our own. `outrider datagen` plays the engine against itself; the labels are the
//! scores of its searches and the results of the games; `outrider train` computes the weights from them.
//! Each network learns from the games of the one before it. A larger network, which learned from the same
//! games, labels a part of the positions. The first network learned from games of a hand-written
//! evaluation.
//!
//! A position is used for training only if a static evaluation can know its score:
//! `outrider data inspect` counts the positions that the filter leaves out, with the reasons.
//!
//! To build in another network, put its file in the place of `default.network`, or name it in the
//! environment variable `EVALFILE` while building. The engine is compiled for the number of hidden units
//! in that file, so that all loops have fixed lengths. The UCI option `EvalFile` loads a network of the
//! same size at run time.
//!
//! Each set of games and each network has an entry in `benches/record/networks.md`, with the command that
//! makes it again and its matches; `benches/record/speed.md` has the speed of the network.
//!
//! # Scores and probabilities
//!
//! The scores that are shown, and the probabilities of win, draw and loss (`UCI_ShowWDL`), follow a model
//! by material that `outrider data wdl` fits to the engine's own games: 100 means an even chance to win.
//! With a new network the model must be fitted again to check it.
//!
//! # Endings evaluated by rule
//!
//! A network that learned chances to win hardly distinguishes won positions, so it does not find the way
//! to mate with few pieces. A [bare king](crate::evaluation::bare_king) against mating material is
//! evaluated by rule, and so is [king and pawn against king](crate::evaluation::king_and_pawn).

mod accumulators;
pub mod features;
pub mod file;
mod kernels;
pub mod threats;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use shakmaty::Color;

pub use accumulators::Accumulators;
use features::{View, output_bucket};
use file::{FIRST_LAYER_ONE, NetworkError, NetworkFileError, NetworkWeights, OUTPUT_ONE};
use kernels::{FeatureWeights, HiddenVector, Kernels, ThreatWeights, WeightRow};

use crate::position::{Attacks, MAX_PIECES_OF_A_SIDE};
use crate::units::Score;

/// Number of hidden units for each perspective: that of the built-in network. Other networks must have
/// the same number.
pub const HIDDEN: usize = match usize::from_str_radix(env!("OUTRIDER_HIDDEN"), 10) {
    Ok(hidden) => hidden,
    Err(_) => panic!("build.rs sets a number"),
};

/// The built-in network file.
const BUILT_IN: &[u8] = include_bytes!(env!("OUTRIDER_NETWORK"));

/// A network for evaluation, made from [`NetworkWeights`].
pub struct Network {
    feature_weights: Box<FeatureWeights>,
    threat_weights: Box<ThreatWeights>,
    biases: HiddenVector,
    outputs: Vec<OutputLayer>,
    scale: i64,
    description: String,
    checksum: u32,
    kernels: Kernels,
}

/// The additional weights of the threatened pieces of a board.
type ThreatRows<'a> = ArrayVec<&'a WeightRow, MAX_THREATS>;

/// Most pieces that can be threatened.
const MAX_THREATS: usize = 2 * MAX_PIECES_OF_A_SIDE;

/// The output layer for one bucket of piece counts.
struct OutputLayer {
    own: HiddenVector,
    other: HiddenVector,
    bias: i64,
}

impl Network {
    /// Creates a network with these weights.
    ///
    /// # Errors
    ///
    /// Fails if [`NetworkWeights::check`] refuses the weights or they do not have [`HIDDEN`] units.
    pub fn new(weights: &NetworkWeights) -> Result<Network, NetworkError> {
        weights.check()?;
        if weights.hidden != HIDDEN {
            return Err(NetworkError::OtherSize(weights.hidden));
        }
        let rows = |weights: &[i8]| -> Box<[WeightRow]> {
            weights.as_chunks().0.iter().map(|&row| WeightRow(row)).collect()
        };
        let outputs = weights.output_weights.as_chunks::<{ 2 * HIDDEN }>().0;
        let output = |(weights, &bias): (&[i8; 2 * HIDDEN], &i32)| OutputLayer {
            own: HiddenVector(std::array::from_fn(|unit| weights[unit].into())),
            other: HiddenVector(std::array::from_fn(|unit| weights[HIDDEN + unit].into())),
            bias: bias.into(),
        };
        Ok(Network {
            feature_weights: rows(&weights.feature_weights)
                .try_into()
                .unwrap_or_else(|_| unreachable!("the length was checked")),
            threat_weights: rows(&weights.threat_weights)
                .try_into()
                .unwrap_or_else(|_| unreachable!("the length was checked")),
            biases: HiddenVector(std::array::from_fn(|unit| weights.feature_biases[unit])),
            outputs: outputs.iter().zip(&weights.output_biases).map(output).collect(),
            scale: weights.scale.into(),
            description: weights.description.clone(),
            checksum: weights.checksum(),
            kernels: kernels::fastest(),
        })
    }

    /// Reads a network from a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, [`NetworkWeights::from_bytes`] refuses it, or it does not have
    /// [`HIDDEN`] units.
    pub fn load(path: &Path) -> Result<Network, NetworkFileError> {
        Network::new(&NetworkWeights::load(path)?)
            .map_err(|reason| NetworkFileError { path: path.to_owned(), reason })
    }

    /// Reads a network from a file, or returns the built-in network if `path` is `None`.
    ///
    /// # Errors
    ///
    /// Fails as [`Network::load`] does.
    pub fn load_or_built_in(path: Option<&Path>) -> Result<Arc<Network>, NetworkFileError> {
        path.map_or_else(|| Ok(Network::built_in()), |path| Network::load(path).map(Arc::new))
    }

    /// Returns the built-in network. All callers share it.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| {
            let weights = NetworkWeights::from_bytes(BUILT_IN);
            let network = weights.and_then(|weights| Network::new(&weights));
            Arc::new(network.expect("the built-in network is valid"))
        });
        Arc::clone(&NETWORK)
    }

    /// Returns the CRC-32 at the end of its file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the centipawns per unit of the output. The output was trained to be the logarithm of the
    /// odds to win.
    pub fn scale(&self) -> i32 {
        self.scale as i32
    }

    /// Returns the number of outputs.
    pub fn buckets(&self) -> usize {
        self.outputs.len()
    }

    /// Computes the value of a board for the side to move from scratch, with the output of this index.
    ///
    /// # Panics
    ///
    /// Panics if there is no such output.
    pub fn value_with_output(&self, board: &shakmaty::Board, turn: Color, bucket: usize) -> Score {
        let accumulators = Color::ALL.map(|perspective| self.accumulator(board, perspective));
        self.value_with(&accumulators, board, &Attacks::of_both(board), turn, bucket)
    }

    /// Computes the value of a board for the side to move from scratch.
    pub fn value(&self, board: &shakmaty::Board, turn: Color) -> Score {
        self.value_with_output(board, turn, self.bucket(board))
    }

    /// Returns the index of the output for this board.
    pub fn bucket(&self, board: &shakmaty::Board) -> usize {
        output_bucket(board.occupied().count(), self.buckets())
    }

    /// Computes the accumulator of a perspective from scratch.
    fn accumulator(&self, board: &shakmaty::Board, perspective: Color) -> HiddenVector {
        let view = view(perspective, board);
        let mut accumulator = self.biases;
        for (square, piece) in board {
            let feature = view.input(perspective, piece, square) as u16;
            (self.kernels.update)(&mut accumulator, &self.feature_weights, &[], &[feature]);
        }
        accumulator
    }

    /// Computes the value of a board for the side to move from its accumulators, by perspective, which do
    /// not include the threats. `attacks` are those of both sides, White's first.
    #[inline]
    fn value_with(
        &self,
        accumulators: &[HiddenVector; 2],
        board: &shakmaty::Board,
        attacks: &[Attacks; 2],
        turn: Color,
        bucket: usize,
    ) -> Score {
        let views = Color::ALL.map(|perspective| view(perspective, board));
        let mut rows = [ThreatRows::new(), ThreatRows::new()];
        for square in threats::threatened(board, attacks) {
            let Some(piece) = board.piece_at(square) else { continue };
            for perspective in Color::ALL {
                let side = index(perspective);
                let feature = views[side].feature(perspective, piece, square);
                rows[side].push(&self.threat_weights[feature]);
            }
        }
        self.output(accumulators, [&rows[0], &rows[1]], turn, bucket)
    }

    /// Computes the value in centipawns from the accumulators and the weights of threats, by perspective.
    #[inline]
    fn output(
        &self,
        accumulators: &[HiddenVector; 2],
        threats: [&[&WeightRow]; 2],
        turn: Color,
        bucket: usize,
    ) -> Score {
        let output = &self.outputs[bucket];
        let sum = |perspective, weights| {
            let side = index(perspective);
            i64::from((self.kernels.screlu_sum)(&accumulators[side], threats[side], weights))
        };
        let sum = sum(turn, &output.own) + sum(!turn, &output.other);
        let one = i64::from(FIRST_LAYER_ONE);
        let value = (sum / one + output.bias) * self.scale / (one * i64::from(OUTPUT_ONE));
        let greatest = i64::from(Score::MAX_STATIC.centipawns());
        Score::new(value.clamp(-greatest, greatest) as i32)
    }
}

/// Index of a perspective in a pair.
fn index(perspective: Color) -> usize {
    perspective.fold_wb(0, 1)
}

/// Returns how a perspective sees this board.
fn view(perspective: Color, board: &shakmaty::Board) -> View {
    board.king_of(perspective).map_or_else(View::default, |king| View::new(perspective, king))
}

/// Writes the checksum and the description.
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
