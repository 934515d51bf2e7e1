//! The network in single precision, as it is trained: (2×768 → hidden)×2 → 16 → 32 → 1, with one or more
//! sets of weights after the accumulators.
//!
//! The hidden layer is divided into blocks of [`UNITS`] units. A block owns all parameters of its units:
//! their rows of the first layer, their biases and their weights of the second layer. The first half of its
//! units makes pairs with the second half. A thread works on whole blocks, so no two threads write the same
//! number. The contributions of the blocks to the second layer are added in order, so the result does not
//! depend on the number of threads.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::sample::{Features, Sample, THREATS};
use outrider_engine::evaluation::network::features::{FEATURES, output_bucket};
use outrider_engine::evaluation::network::file::{
    FIRST_LAYER_ONE, NetworkWeights, SECOND_LAYER_ONE,
};
use outrider_engine::evaluation::network::head::{Head, SECOND_UNITS, THIRD_INPUTS, THIRD_UNITS};

/// Hidden units per block.
pub const UNITS: usize = 32;
/// Pairs of units per block.
pub(super) const PAIRS: usize = UNITS / 2;
/// Factor by which quantisation multiplies the weights of the first layer.
const FIRST_LAYER_FACTOR: f32 = FIRST_LAYER_ONE as f32;
/// Factor by which quantisation multiplies the weights of the second layer.
const SECOND_LAYER_FACTOR: f32 = SECOND_LAYER_ONE as f32;
/// Largest weight of the first two layers: one of the second layer that is quantised to 127.
pub(super) const MAX_WEIGHT: f32 = 127.0 / SECOND_LAYER_FACTOR;
/// Largest weight of a threatened piece: one that is quantised to 127.
pub(super) const MAX_THREAT_WEIGHT: f32 = 127.0 / FIRST_LAYER_FACTOR;
/// Initial bias of the units of all layers but the output: a unit that is never positive would not learn.
const FIRST_BIAS: f32 = 0.25;

/// One number for each unit of a block.
pub(super) type Row = [f32; UNITS];

/// Row of the biases, after the rows of the threats.
pub(super) const BIAS: usize = THREATS + FEATURES;

/// Row of the weights of a bucket to a unit of the second layer: those of the pairs of the side to move,
/// then those of the other side.
pub(super) fn second_row(bucket: usize, unit: usize) -> usize {
    BIAS + 1 + bucket * SECOND_UNITS + unit
}

/// The parameters of a network, or anything with one number per parameter: gradients or moments.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Rows of each block: features, threats, biases, weights of the second layer.
    pub blocks: Vec<Vec<Row>>,
    /// Parameters after the sums of the second layer, by bucket.
    pub heads: Vec<Head>,
}

impl Model {
    /// Creates a model with all parameters zero. `hidden` must be a multiple of [`UNITS`].
    pub fn zero(hidden: usize, buckets: usize) -> Model {
        let rows = second_row(buckets, 0);
        Model {
            blocks: vec![vec![[0.0; UNITS]; rows]; hidden / UNITS],
            heads: vec![Head::default(); buckets],
        }
    }

    /// Number of parameters of a network of this size.
    pub fn parameter_count(hidden: usize, buckets: usize) -> usize {
        second_row(buckets, 0) * hidden + buckets * Head::PARAMETERS
    }

    /// Creates a model with small random weights, from which training begins. All buckets begin with the same
    /// weights.
    pub fn random(hidden: usize, buckets: usize, seed: u64) -> Model {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut model = Model::zero(hidden, buckets);
        // Uniform within ±√(3/n) has variance 1/n, which keeps sums of n terms near one.
        let most = |terms: usize| (3.0 / terms as f32).sqrt();
        let mut fill = |row: &mut [f32], most: f32| {
            row.fill_with(|| random.random_range(-most..most));
        };
        for block in &mut model.blocks {
            block[..THREATS].iter_mut().for_each(|row| fill(row, most(FEATURES)));
            block[BIAS].fill(FIRST_BIAS);
            let (first, others) = block[BIAS + 1..].split_at_mut(SECOND_UNITS);
            // Larger, since the products of pairs are small at first.
            first.iter_mut().for_each(|row| fill(row, 4.0 * most(hidden)));
            others.chunks_mut(SECOND_UNITS).for_each(|bucket| bucket.copy_from_slice(first));
        }
        let mut head = Head::default();
        fill(head.third_weights.as_flattened_mut(), most(THIRD_INPUTS));
        fill(&mut head.output_weights, most(THIRD_UNITS));
        head.second_biases.fill(FIRST_BIAS);
        head.third_biases.fill(FIRST_BIAS);
        model.heads.fill(head);
        model
    }

    /// Number of hidden units per perspective.
    pub fn hidden(&self) -> usize {
        self.blocks.len() * UNITS
    }

    /// Number of sets of weights after the accumulators.
    pub fn buckets(&self) -> usize {
        self.heads.len()
    }

    /// Returns the bucket of a position with this number of pieces.
    pub fn bucket_of(&self, pieces: usize) -> usize {
        output_bucket(pieces, self.buckets())
    }

    /// Computes the output for a position straight from the definition of the network.
    pub fn output(&self, sample: &Sample) -> f32 {
        self.output_of_sums(sample, &self.second_sums(sample))
    }

    /// Computes the output for a position from the sums of the second layer.
    pub(super) fn output_of_sums(&self, sample: &Sample, second: &[f32; SECOND_UNITS]) -> f32 {
        let head = &self.heads[self.bucket_of(sample.piece_count())];
        head.output(&head.third_sums(&Head::third_inputs(second)))
    }

    /// Computes the sums of the second layer for a position, with their biases.
    pub(super) fn second_sums(&self, sample: &Sample) -> [f32; SECOND_UNITS] {
        let bucket = self.bucket_of(sample.piece_count());
        let Features { own, other } = sample.features();
        let mut second = self.heads[bucket].second_biases;
        for (side, features) in [own, other].iter().enumerate() {
            for block in &self.blocks {
                let active: Row = std::array::from_fn(|unit| {
                    let rows = features.iter().map(|&feature| block[usize::from(feature)][unit]);
                    (block[BIAS][unit] + rows.sum::<f32>()).clamp(0.0, 1.0)
                });
                for (unit, sum) in second.iter_mut().enumerate() {
                    let weights = &block[second_row(bucket, unit)][side * PAIRS..][..PAIRS];
                    let products = (0..PAIRS).map(|pair| active[pair] * active[PAIRS + pair]);
                    *sum += products
                        .zip(weights)
                        .map(|(product, weight)| product * weight)
                        .sum::<f32>();
                }
            }
        }
        second
    }

    /// Returns all parameters in a fixed order, block by block, with the heads last.
    pub fn parameters(&self) -> impl Iterator<Item = f32> {
        let blocks = self.blocks.iter().flatten().flatten();
        blocks.chain(self.heads.iter().flat_map(Head::parameters)).copied()
    }

    /// Returns all parameters for writing, in the order of [`Model::parameters`].
    pub fn parameters_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let heads = self.heads.iter_mut().flat_map(Head::parameters_mut);
        self.blocks.iter_mut().flatten().flatten().chain(heads)
    }

    /// Copies the weights of a finished network, so that this model evaluates every position like it, in
    /// units of `scale` centipawns. If the finished network has one bucket, all buckets get its weights.
    /// Additional hidden units keep their random weights in the first layer, but get weights of zero in the
    /// second.
    ///
    /// # Panics
    ///
    /// Panics if this model has fewer hidden units, or if the number of buckets differs and the finished
    /// network has more than one.
    pub fn load_network(&mut self, network: &NetworkWeights, scale: f32) {
        let NetworkWeights { hidden, buckets, .. } = *network;
        assert!(hidden <= self.hidden() && (buckets == 1 || buckets == self.buckets()));
        for feature in 0..FEATURES {
            let weights = &network.feature_weights[feature * hidden..][..hidden];
            self.load_row(feature, hidden, |unit| weights[unit].into());
            let weights = &network.threat_weights[feature * hidden..][..hidden];
            self.load_row(THREATS + feature, hidden, |unit| weights[unit].into());
        }
        self.load_row(BIAS, hidden, |unit| network.feature_biases[unit].into());
        for bucket in 0..self.buckets() {
            let from = bucket.min(buckets - 1);
            self.load_second_layer(bucket, &network.second_weights, from, hidden);
            let head = &mut self.heads[bucket];
            *head = network.heads[from];
            let factor = network.scale as f32 / scale;
            head.output_weights.iter_mut().for_each(|weight| *weight *= factor);
            head.output_bias *= factor;
        }
    }

    /// Sets the first `hidden` units of a row of the first layer, in the order of the file.
    fn load_row(&mut self, index: usize, hidden: usize, number: impl Fn(usize) -> f32) {
        for unit in 0..hidden {
            let (block, place) = place_of_unit(unit, hidden);
            self.blocks[block][index][place] = number(unit) / FIRST_LAYER_FACTOR;
        }
    }

    /// Sets the weights of the second layer of a bucket to those of the bucket `from` of a file.
    fn load_second_layer(&mut self, bucket: usize, weights: &[i8], from: usize, hidden: usize) {
        let rows = second_row(bucket, 0)..second_row(bucket + 1, 0);
        self.blocks.iter_mut().for_each(|block| block[rows.clone()].fill([0.0; UNITS]));
        let weights = &weights[from * hidden * SECOND_UNITS..][..hidden * SECOND_UNITS];
        for (input, weights) in weights.as_chunks::<SECOND_UNITS>().0.iter().enumerate() {
            let (side, pair) = (input / (hidden / 2), input % (hidden / 2));
            for (unit, &weight) in weights.iter().enumerate() {
                let row = &mut self.blocks[pair / PAIRS][second_row(bucket, unit)];
                row[side * PAIRS + pair % PAIRS] = f32::from(weight) / SECOND_LAYER_FACTOR;
            }
        }
    }

    /// Interpolates linearly towards `other`, a model of the same shape: 0 keeps this model, 1 gives
    /// `other`. A mixture of a network and a further trained version can combine what both know
    /// (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    pub fn mix(&mut self, other: &Model, share: f32) {
        let pairs = self.parameters_mut().zip(other.parameters());
        pairs.for_each(|(number, other)| *number += share * (other - *number));
    }

    /// Rounds the parameters of the first two layers to integers. `scale` is the number of centipawns per
    /// unit of the output.
    pub fn quantised(&self, scale: i32, description: String) -> NetworkWeights {
        let (hidden, buckets) = (self.hidden(), self.buckets());
        let row = |index: usize| {
            (0..hidden).map(move |unit| {
                let (block, place) = place_of_unit(unit, hidden);
                (self.blocks[block][index][place] * FIRST_LAYER_FACTOR).round()
            })
        };
        let wide = |index: usize| row(index).map(|weight| weight as i16);
        let narrow = |index: usize| row(index).map(|weight| weight as i8);
        let second = |bucket: usize| {
            (0..hidden).flat_map(move |input| {
                let (side, pair) = (input / (hidden / 2), input % (hidden / 2));
                (0..SECOND_UNITS).map(move |unit| {
                    let row = self.blocks[pair / PAIRS][second_row(bucket, unit)];
                    (row[side * PAIRS + pair % PAIRS] * SECOND_LAYER_FACTOR).round() as i8
                })
            })
        };
        NetworkWeights {
            hidden,
            buckets,
            scale,
            description,
            feature_weights: (0..FEATURES).flat_map(wide).collect(),
            threat_weights: (THREATS..BIAS).flat_map(narrow).collect(),
            feature_biases: wide(BIAS).collect(),
            second_weights: (0..buckets).flat_map(second).collect(),
            heads: self.heads.clone(),
        }
    }
}

/// Returns the block and the place in it of a unit of a file with this number of units. In the file, all
/// first units of pairs come before all second ones.
fn place_of_unit(unit: usize, hidden: usize) -> (usize, usize) {
    let (half, pair) = (unit / (hidden / 2), unit % (hidden / 2));
    (pair / PAIRS, half * PAIRS + pair % PAIRS)
}
