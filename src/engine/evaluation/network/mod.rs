//! An efficiently updatable neural network (NNUE; Yu Nasu, "Efficiently Updatable Neural-Network based
//! Evaluation Functions for Computer Shogi", 2018) in the form that chess engines have made common.
//!
//! # How it evaluates
//!
//! A board is two lists of [`features`], one from each side's perspective: which piece stands where,
//! 768 inputs. The first layer adds up a row of weights for every feature that is present, so a move
//! changes its sums by a few rows only; [`Accumulators`] follow the search and keep them. A second set of
//! rows, for pieces that are [threatened](threats), is added when a value is asked for. The sums of the side to move and those of the other side, clipped and squared, are
//! weighted into one number. There may be several sets of these weights, of which the number of pieces
//! on the board chooses one. With 512 sums a side and 8 sets this is usually written
//! (2×768 → 512)×2 → 8.
//!
//! [`file`](mod@file) has the weights as they are stored and defines what they mean, in whole numbers;
//! a file that could overflow is refused. The kernels that add and weigh are written for AVX2, for
//! SSE4.1 and for any machine. All give the same numbers, so play does not depend on the processor.
//!
//! # Where the weights come from
//!
//! All of it is our own. `outrider datagen` plays the engine against itself; the labels are the
//! search's scores and the results of those games; `outrider train` makes the weights from them. The
//! next network learns from the games of the one before it, down to the hand-written
//! evaluation that came before the first.
//!
//! A position is learned only if its score is about something that an evaluation can know:
//! `outrider data inspect` counts what its filter leaves out and why.
//!
//! To build another network in, put its file in the place of `default.network`, or name it in the
//! variable `EVALFILE` while building. The engine is compiled for as many hidden units as that file
//! has, so that all loops have fixed lengths. The UCI option `EvalFile` loads one of the same size at
//! run time.
//!
//! Every set of games and every network has its entry, with the command that makes it again and the
//! matches that it played, in `benches/record/networks.md`; what a network costs is in
//! `benches/record/speed.md`.
//!
//! # What a score is worth
//!
//! The scores that are shown, and the chances to win, draw and lose (`UCI_ShowWDL`), follow a model by
//! material that `outrider data wdl` fits to the engine's own games: 100 means an even chance to win. With
//! a new network it must be fitted again, to see whether it still holds.
//!
//! # Where a rule knows better
//!
//! A network that learned chances to win sees hardly a difference between won positions, so it does
//! not find the way to mate with few pieces. A bare king against mating material is valued by rule:
//! see [`bare_king`](crate::evaluation::bare_king). So is a last pawn, of which a table knows
//! whether it queens: see [`king_and_pawn`](crate::evaluation::king_and_pawn).

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
use features::{feature, is_mirrored, output_bucket};
use file::{FIRST_LAYER_ONE, NetworkError, NetworkFileError, NetworkWeights, OUTPUT_ONE};
use kernels::{FeatureWeights, HiddenVector, Kernels, ThreatVector, ThreatWeights};

use crate::position::MAX_PIECES_OF_A_SIDE;
use crate::units::Score;

/// Units of the first layer for each perspective in the networks that the engine plays with: as many
/// as the network that is built in has.
pub const HIDDEN: usize = match usize::from_str_radix(env!("OUTRIDER_HIDDEN"), 10) {
    Ok(hidden) => hidden,
    Err(_) => panic!("build.rs hands over a number"),
};

/// The file that is built in.
const BUILT_IN: &[u8] = include_bytes!(env!("OUTRIDER_NETWORK"));

/// A network to evaluate with, made from the [`NetworkWeights`] of a file.
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

/// The weights of pieces that are threatened.
type ThreatRows<'a> = ArrayVec<&'a ThreatVector, MAX_THREATS>;

/// The most pieces that can be threatened.
const MAX_THREATS: usize = 2 * MAX_PIECES_OF_A_SIDE;

/// The output layer for some numbers of pieces.
struct OutputLayer {
    own: HiddenVector,
    other: HiddenVector,
    bias: i64,
}

impl Network {
    /// A network with these weights.
    ///
    /// # Errors
    ///
    /// Fails if [`NetworkWeights::check`] refuses them or they do not have [`HIDDEN`] units.
    pub fn new(weights: &NetworkWeights) -> Result<Network, NetworkError> {
        weights.check()?;
        if weights.hidden != HIDDEN {
            return Err(NetworkError::OtherSize(weights.hidden));
        }
        let feature_weights: Box<[HiddenVector]> =
            weights.feature_weights.as_chunks().0.iter().map(|&row| HiddenVector(row)).collect();
        let threat_weights: Box<[ThreatVector]> =
            weights.threat_weights.as_chunks().0.iter().map(|&row| ThreatVector(row)).collect();
        let outputs = weights.output_weights.as_chunks::<{ 2 * HIDDEN }>().0;
        let output = |(weights, &bias): (&[i8; 2 * HIDDEN], &i32)| OutputLayer {
            own: HiddenVector(std::array::from_fn(|unit| weights[unit].into())),
            other: HiddenVector(std::array::from_fn(|unit| weights[HIDDEN + unit].into())),
            bias: bias.into(),
        };
        Ok(Network {
            feature_weights: feature_weights
                .try_into()
                .unwrap_or_else(|_| unreachable!("the check counts them")),
            threat_weights: threat_weights
                .try_into()
                .unwrap_or_else(|_| unreachable!("the check counts them")),
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
    /// Fails if it cannot be read, [`NetworkWeights::from_bytes`] refuses it, or it does not have
    /// [`HIDDEN`] units.
    pub fn load(path: &Path) -> Result<Network, NetworkFileError> {
        Network::new(&NetworkWeights::load(path)?)
            .map_err(|reason| NetworkFileError { path: path.to_owned(), reason })
    }

    /// The network in a file, or without one the one that is built in.
    ///
    /// # Errors
    ///
    /// Fails as [`Network::load`] does.
    pub fn load_or_built_in(path: Option<&Path>) -> Result<Arc<Network>, NetworkFileError> {
        path.map_or_else(|| Ok(Network::built_in()), |path| Network::load(path).map(Arc::new))
    }

    /// The network that the engine plays with by default, the same for all threads.
    pub fn built_in() -> Arc<Network> {
        static NETWORK: Lazy<Arc<Network>> = Lazy::new(|| {
            let weights = NetworkWeights::from_bytes(BUILT_IN);
            let network = weights.and_then(|weights| Network::new(&weights));
            Arc::new(network.expect("the built-in network is valid"))
        });
        Arc::clone(&NETWORK)
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

    /// How many outputs it has, for different numbers of pieces.
    pub fn buckets(&self) -> usize {
        self.outputs.len()
    }

    /// The value of a board for the side to move by one of the outputs, computed from scratch.
    ///
    /// # Panics
    ///
    /// Panics if there is no such output.
    pub fn value_with_output(&self, board: &shakmaty::Board, turn: Color, bucket: usize) -> Score {
        let accumulators = Color::ALL.map(|perspective| self.accumulator(board, perspective));
        self.value_with(&accumulators, board, turn, bucket)
    }

    /// The value of a board for the side to move, computed from scratch.
    pub fn value(&self, board: &shakmaty::Board, turn: Color) -> Score {
        self.value_with_output(board, turn, self.bucket(board))
    }

    /// The output for this board.
    pub fn bucket(&self, board: &shakmaty::Board) -> usize {
        output_bucket(board.occupied().count(), self.buckets())
    }

    /// The accumulator of a perspective from scratch.
    fn accumulator(&self, board: &shakmaty::Board, perspective: Color) -> HiddenVector {
        let mirrored = sees_mirrored(perspective, board);
        let mut accumulator = self.biases;
        for (square, piece) in board {
            let feature = feature(perspective, mirrored, piece, square) as u16;
            (self.kernels.update)(&mut accumulator, &self.feature_weights, &[], &[feature]);
        }
        accumulator
    }

    /// The value of a board for the side to move from its accumulators, which lack the threats, by
    /// perspective.
    #[inline]
    fn value_with(
        &self,
        accumulators: &[HiddenVector; 2],
        board: &shakmaty::Board,
        turn: Color,
        bucket: usize,
    ) -> Score {
        let mirrored = Color::ALL.map(|perspective| sees_mirrored(perspective, board));
        let mut rows = [ThreatRows::new(), ThreatRows::new()];
        for square in threats::threatened(board) {
            let Some(piece) = board.piece_at(square) else { continue };
            for perspective in Color::ALL {
                let side = index(perspective);
                let feature = feature(perspective, mirrored[side], piece, square);
                rows[side].push(&self.threat_weights[feature]);
            }
        }
        self.output(accumulators, [&rows[0], &rows[1]], turn, bucket)
    }

    /// The value in centipawns from the accumulators and the weights of threats, by perspective.
    #[inline]
    fn output(
        &self,
        accumulators: &[HiddenVector; 2],
        threats: [&[&ThreatVector]; 2],
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

/// Where a perspective stands in a pair.
fn index(perspective: Color) -> usize {
    perspective.fold_wb(0, 1)
}

/// Whether a perspective sees the files of this board mirrored.
fn sees_mirrored(perspective: Color, board: &shakmaty::Board) -> bool {
    board.king_of(perspective).is_some_and(is_mirrored)
}

/// A summary for people.
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
