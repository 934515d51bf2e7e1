//! Evaluates positions with a network of integers of any width, as its file format defines. The engine's
//! own arithmetic is compiled for the width of the built-in network.

use super::sample::{Features, Sample, THREATS};
use outrider_engine::evaluation::network::features::output_bucket;
use outrider_engine::evaluation::network::file::{
    FIRST_LAYER_ONE, NetworkWeights, SECOND_LAYER_UNIT,
};
use outrider_engine::evaluation::network::head::{Head, SECOND_UNITS};

/// Returns the clipped sums of the first layer, 0 to [`FIRST_LAYER_ONE`] each, the side to move first.
fn activations(network: &NetworkWeights, sample: &Sample) -> Vec<i32> {
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

/// Returns the products of the pairs, 0 to 127 each, the side to move first.
pub(super) fn products(network: &NetworkWeights, sample: &Sample) -> Vec<i32> {
    let of_side = |side: &[i32]| {
        let (first, second) = side.split_at(network.hidden / 2);
        first.iter().zip(second).map(|(v, w)| (v * w + 256) / 512).collect::<Vec<_>>()
    };
    activations(network, sample).chunks(network.hidden).flat_map(of_side).collect()
}

/// Returns the evaluation in centipawns for the side to move.
pub(super) fn value(network: &NetworkWeights, sample: &Sample) -> i64 {
    let bucket = output_bucket(sample.piece_count(), network.buckets);
    let weights = &network.second_weights[bucket * network.hidden * SECOND_UNITS..];
    let weights = weights.as_chunks::<SECOND_UNITS>().0;
    let mut sums = [0; SECOND_UNITS];
    for (product, weights) in products(network, sample).into_iter().zip(weights) {
        sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += product * i32::from(weight));
    }
    let head = &network.heads[bucket];
    let second = std::array::from_fn(|unit| {
        sums[unit] as f32 * SECOND_LAYER_UNIT + head.second_biases[unit]
    });
    let output = head.output(&head.third_sums(&Head::third_inputs(&second)));
    (output * network.scale as f32) as i64
}
