//! The network in single precision, as it is trained: ((4+1)×768 → hidden)×2 → outputs, one or more.
//!
//! The hidden layer is divided into blocks of [`UNITS`] units. A block owns all parameters of its units:
//! their rows of the first layer, their biases and their output weights. A thread works on whole blocks,
//! so no two threads write the same number. The contributions of the blocks to the output are added in
//! order, so the result does not depend on the number of threads.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::sample::{Features, Sample, THREATS};
use outrider_engine::evaluation::network::features::{
    FEATURES, INPUTS, KING_BUCKETS, output_bucket,
};
use outrider_engine::evaluation::network::file::{FIRST_LAYER_ONE, NetworkWeights, OUTPUT_ONE};

/// Hidden units per block.
pub const UNITS: usize = 32;
/// Factor by which quantisation multiplies the weights of the first layer.
const FIRST_LAYER_FACTOR: f32 = FIRST_LAYER_ONE as f32;
/// Factor by which quantisation multiplies the output weights.
const OUTPUT_FACTOR: f32 = OUTPUT_ONE as f32;
/// Largest weight of the first layer: one that is quantised to 127.
pub(super) const FIRST_LAYER_LIMIT: f32 = 127.0 / FIRST_LAYER_FACTOR;
/// Largest output weight: one that is quantised to 127. It limits the biases of the first layer, too.
pub(super) const OUTPUT_LIMIT: f32 = 127.0 / OUTPUT_FACTOR;

/// One number for each unit of a block.
pub(super) type Row = [f32; UNITS];

/// Row of the biases, after the rows of the threats.
pub(super) const BIAS: usize = THREATS + FEATURES;

/// Row of the output weights of a bucket for the side to move (0) or the other side (1).
pub(super) fn output_row(bucket: usize, side: usize) -> usize {
    BIAS + 1 + 2 * bucket + side
}

/// First of the rows for the steps that all king buckets share, one for each feature, after the output
/// weights. Between two steps they are zero. A king bucket that is seldom seen learns by these steps from
/// all others (feature factorisation, as in the trainers of networks for shogi and Stockfish).
pub(super) fn first_shared_row(buckets: usize) -> usize {
    output_row(buckets, 0)
}

/// Number of rows of a block.
fn row_count(buckets: usize) -> usize {
    first_shared_row(buckets) + FEATURES
}

/// The parameters of a network, or anything with one number per parameter: gradients or moments.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Rows of each block: features, threats, biases, output weights.
    pub blocks: Vec<Vec<Row>>,
    /// Biases of the output, by bucket.
    pub output_biases: Vec<f32>,
}

impl Model {
    /// Creates a model with all parameters zero. `hidden` must be a multiple of [`UNITS`].
    pub fn zero(hidden: usize, buckets: usize) -> Model {
        Model {
            blocks: vec![vec![[0.0; UNITS]; row_count(buckets)]; hidden / UNITS],
            output_biases: vec![0.0; buckets],
        }
    }

    /// Number of parameters of a network of this size.
    pub fn parameter_count(hidden: usize, buckets: usize) -> usize {
        row_count(buckets) * hidden + buckets
    }

    /// Creates a model with small random weights, from which training begins.
    pub fn random(hidden: usize, buckets: usize, seed: u64) -> Model {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut model = Model::zero(hidden, buckets);
        // Uniform within ±√(3/n) has variance 1/n, which keeps sums of n terms near one.
        let first = (3.0 / FEATURES as f32).sqrt();
        let output = (3.0 / (2 * hidden) as f32).sqrt();
        for block in &mut model.blocks {
            let mut fill =
                |row: &mut Row, most: f32| row.fill_with(|| random.random_range(-most..most));
            block[..FEATURES].iter_mut().for_each(|row| fill(row, first));
            // Threats and biases begin at zero.
            let outputs = output_row(0, 0)..first_shared_row(buckets);
            block[outputs].iter_mut().for_each(|row| fill(row, output));
            // All king buckets begin alike.
            for bucket in 1..KING_BUCKETS {
                block.copy_within(..FEATURES, bucket * FEATURES);
            }
        }
        model
    }

    /// Number of hidden units per perspective.
    pub fn hidden(&self) -> usize {
        self.blocks.len() * UNITS
    }

    /// Number of sets of output weights.
    pub fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// Returns the bucket of a position with this number of pieces.
    pub fn bucket_of(&self, pieces: usize) -> usize {
        output_bucket(pieces, self.buckets())
    }

    /// Computes the output for a position straight from the definition of the network.
    pub fn output(&self, sample: &Sample) -> f32 {
        let bucket = self.bucket_of(sample.piece_count());
        let Features { own, other } = sample.features();
        let mut output = self.output_biases[bucket];
        for (side, features) in [own, other].iter().enumerate() {
            for block in &self.blocks {
                let weights = block[output_row(bucket, side)];
                for (unit, weight) in weights.into_iter().enumerate() {
                    let rows = features.iter().map(|&feature| block[usize::from(feature)][unit]);
                    let active = (block[BIAS][unit] + rows.sum::<f32>()).clamp(0.0, 1.0);
                    output += active * active * weight;
                }
            }
        }
        output
    }

    /// Returns all parameters in a fixed order, block by block, with the output biases last.
    pub fn parameters(&self) -> impl Iterator<Item = f32> {
        let blocks = self.blocks.iter().flatten().flatten().copied();
        blocks.chain(self.output_biases.iter().copied())
    }

    /// Returns all parameters for writing, in the order of [`Model::parameters`].
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.blocks.iter_mut().flatten().flatten().chain(&mut self.output_biases)
    }

    /// Copies the weights of a finished network, so that this model evaluates every position like it, in
    /// units of `scale` centipawns. If the finished network has one bucket, all buckets get its weights.
    /// Additional hidden units keep their random weights in the first layer, but get output weights of
    /// zero.
    ///
    /// # Panics
    ///
    /// Panics if this model has fewer hidden units, or if the number of buckets differs and the finished
    /// network has more than one.
    pub fn load_network(&mut self, network: &NetworkWeights, scale: f32) {
        let NetworkWeights { hidden, buckets, .. } = *network;
        assert!(hidden <= self.hidden() && (buckets == 1 || buckets == self.buckets()));
        let factor = network.scale as f32 / scale;
        let (first, output) = (FIRST_LAYER_FACTOR, OUTPUT_FACTOR / factor);
        for input in 0..INPUTS {
            let weights = &network.feature_weights[input * hidden..][..hidden];
            self.set_row(input, weights.iter().map(|&weight| f32::from(weight) / first));
        }
        for feature in 0..FEATURES {
            let weights = &network.threat_weights[feature * hidden..][..hidden];
            let weights = weights.iter().map(|&weight| f32::from(weight) / first);
            self.set_row(THREATS + feature, weights);
        }
        self.set_row(BIAS, network.feature_biases.iter().map(|&bias| f32::from(bias) / first));
        for bucket in 0..self.buckets() {
            let from = bucket.min(buckets - 1);
            for side in [0, 1] {
                let weights = &network.output_weights[(2 * from + side) * hidden..][..hidden];
                let weights = weights.iter().map(|&weight| f32::from(weight) / output);
                self.set_row(output_row(bucket, side), weights.chain(std::iter::repeat(0.0)));
            }
            self.output_biases[bucket] = network.output_biases[from] as f32 / (first * output);
        }
    }

    /// Interpolates linearly towards `other`, a model of the same shape: 0 keeps this model, 1 gives
    /// `other`. A mixture of a network and a further trained version can combine what both know
    /// (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    pub fn mix(&mut self, other: &Model, share: f32) {
        let pairs = self.parameters_mut().zip(other.parameters());
        pairs.for_each(|(number, other)| *number += share * (other - *number));
    }

    /// Sets the first numbers of a row across all blocks.
    fn set_row(&mut self, index: usize, numbers: impl Iterator<Item = f32>) {
        let places = self.blocks.iter_mut().flat_map(|block| &mut block[index]);
        places.zip(numbers).for_each(|(place, number)| *place = number);
    }

    /// Rounds the parameters to integers. `scale` is the number of centipawns per unit of the output.
    pub fn quantised(&self, scale: i32, description: String) -> NetworkWeights {
        let (hidden, buckets) = (self.hidden(), self.buckets());
        let row = |index: usize| self.blocks.iter().flat_map(move |block| block[index]);
        let narrow = |factor: f32| move |weight: f32| (weight * factor).round() as i8;
        let first = |index: usize| row(index).map(narrow(FIRST_LAYER_FACTOR));
        let output = |index: usize| row(index).map(narrow(OUTPUT_FACTOR));
        NetworkWeights {
            hidden,
            buckets,
            scale,
            description,
            feature_weights: (0..INPUTS).flat_map(first).collect(),
            threat_weights: (THREATS..BIAS).flat_map(first).collect(),
            feature_biases: row(BIAS)
                .map(|bias| (bias * FIRST_LAYER_FACTOR).round() as i16)
                .collect(),
            output_weights: (0..buckets)
                .flat_map(|bucket| [output_row(bucket, 0), output_row(bucket, 1)])
                .flat_map(output)
                .collect(),
            output_biases: (self.output_biases.iter())
                .map(|bias| (bias * FIRST_LAYER_FACTOR * OUTPUT_FACTOR).round() as i32)
                .collect(),
        }
    }
}
