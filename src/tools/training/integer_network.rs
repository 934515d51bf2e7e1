//! Evaluates positions with a network of integers of any width, as its file format defines. The engine's
//! own arithmetic is compiled for the width of the built-in network.

use super::sample::{Features, Sample, THREATS};
use outrider_engine::evaluation::network::features::output_bucket;
use outrider_engine::evaluation::network::file::{FIRST_LAYER_ONE, NetworkWeights, OUTPUT_ONE};

/// Returns the clipped sums of the first layer, 0 to [`FIRST_LAYER_ONE`] each, the side to move first.
pub(super) fn activations(network: &NetworkWeights, sample: &Sample) -> Vec<i32> {
    let hidden = network.hidden;
    let Features { own, other } = sample.features();
    let mut sums = Vec::with_capacity(2 * hidden);
    for features in [own, other] {
        let start = sums.len();
        sums.extend(network.feature_biases.iter().map(|&bias| i32::from(bias)));
        for feature in features {
            let (feature, sums) = (usize::from(feature), &mut sums[start..]);
            match feature.checked_sub(THREATS) {
                None => add(sums, &network.feature_weights[feature * hidden..]),
                Some(threat) => add(sums, &network.threat_weights[threat * hidden..]),
            }
        }
    }
    sums.iter_mut().for_each(|sum| *sum = (*sum).clamp(0, FIRST_LAYER_ONE));
    sums
}

fn add<T: Copy + Into<i32>>(sums: &mut [i32], weights: &[T]) {
    sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += weight.into());
}

/// Returns the evaluation in centipawns for the side to move.
pub(super) fn value(network: &NetworkWeights, sample: &Sample) -> i64 {
    let bucket = output_bucket(sample.piece_count(), network.buckets);
    let weights = &network.output_weights[2 * bucket * network.hidden..][..2 * network.hidden];
    let products = activations(network, sample).into_iter().zip(weights);
    let sum: i64 = products.map(|(v, &weight)| i64::from(v * v) * i64::from(weight)).sum();
    let one = i64::from(FIRST_LAYER_ONE);
    let output = sum / one + i64::from(network.output_biases[bucket]);
    output * i64::from(network.scale) / (one * i64::from(OUTPUT_ONE))
}
