//! How much of the network is lost when its weights are rounded to whole numbers.

use std::fmt;

use rayon::prelude::*;

use super::model::Model;
use super::sample::{Features, Sample};
use crate::engine::evaluation::network::features::output_bucket;
use crate::engine::evaluation::network::file::{FIRST_LAYER_ONE, NetworkWeights, OUTPUT_ONE};

/// The difference of the two forms on some positions, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuantisationError {
    /// The mean of its size.
    pub mean: f64,
    /// The greatest.
    pub greatest: f64,
}

impl fmt::Display for QuantisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuantisationError { mean, greatest } = self;
        write!(f, "rounding changes scores by {mean:.2} centipawns, {greatest:.1} at most")
    }
}

/// Compares a network with its quantised form, on the threads of the pool that it is called in.
pub fn quantisation_error(
    model: &Model,
    network: &NetworkWeights,
    samples: &[Sample],
) -> QuantisationError {
    let error = |sample: &Sample| {
        let exact = f64::from(model.output(sample)) * f64::from(network.scale);
        (exact - whole(network, sample) as f64).abs()
    };
    // Collected, so that they are added up in the same order whatever the threads.
    let errors: Vec<f64> = samples.par_iter().map(error).collect();
    let sum: f64 = errors.iter().sum();
    let greatest = errors.iter().copied().fold(0.0, f64::max);
    QuantisationError { mean: sum / samples.len().max(1) as f64, greatest }
}

/// The value of the quantised form, as the format of its file defines it.
fn whole(network: &NetworkWeights, sample: &Sample) -> i64 {
    let NetworkWeights { hidden, .. } = *network;
    let Features { own, other } = sample.features();
    let bucket = output_bucket(sample.piece_count(), network.buckets);
    let mut sum = 0;
    for (side, features) in [own, other].iter().enumerate() {
        let weights = &network.output_weights[(2 * bucket + side) * hidden..][..hidden];
        for (unit, &weight) in weights.iter().enumerate() {
            let of_feature =
                |&feature: &u16| network.feature_weights[usize::from(feature) * hidden + unit];
            let bias = i64::from(network.feature_biases[unit]);
            let total = bias + features.iter().map(|f| i64::from(of_feature(f))).sum::<i64>();
            sum += total.clamp(0, FIRST_LAYER_ONE.into()).pow(2) * i64::from(weight);
        }
    }
    let one = i64::from(FIRST_LAYER_ONE);
    let output = sum / one + i64::from(network.output_biases[bucket]);
    output * i64::from(network.scale) / (one * i64::from(OUTPUT_ONE))
}
