//! The arithmetic of training: runs one block of units forwards and backwards over some positions.
//!
//! A board has at most 32 pieces, so few features are active: the first layer is a sum of their rows,
//! and its gradient goes only to these rows. A row is two cache lines, and a block's sums stay in
//! registers from the first row to the activation.
//!
//! Each function is compiled for several instruction sets, and one is chosen at run time. No operation
//! may be contracted or reordered, so all of them compute the same bits. The code is in `…_inlined`
//! functions, which are inlined into each version.

use multiversion::multiversion;

use super::model::{BIAS, Row, UNITS, output_row};
use super::sample::Features;
use outrider_engine::evaluation::network::features::{FEATURES, INPUTS};

/// A position in the form that the kernels use.
#[derive(Clone, Debug, Default)]
pub(super) struct TrainingInput {
    /// Active features.
    pub features: Features,
    /// Bucket of the output weights.
    pub bucket: usize,
    /// Target of the output after the sigmoid, 0 to 1.
    pub target: f32,
    /// Weight in the loss.
    pub weight: f32,
}

impl TrainingInput {
    /// Features of the side to move and of the other side.
    fn sides(&self) -> [&[u16]; 2] {
        [&self.features.own, &self.features.other]
    }
}

/// Activations of a block for both sides before squaring, 0 to 1.
pub(super) type Activations = [Row; 2];

/// Computes the block's activations for each position, and their contribution to the output.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn forward(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    contributions: &mut [f32],
) {
    forward_inlined(block, inputs, activations, contributions);
}

#[inline(always)]
fn forward_inlined(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    contributions: &mut [f32],
) {
    let results = activations.iter_mut().zip(contributions);
    for (input, (activations, contribution)) in inputs.iter().zip(results) {
        let mut sums = [0.0; UNITS];
        for (side, features) in input.sides().into_iter().enumerate() {
            let weights = &block[output_row(input.bucket, side)];
            let mut row = block[BIAS];
            for &feature in features {
                add(&mut row, &block[usize::from(feature)]);
            }
            for unit in 0..UNITS {
                row[unit] = row[unit].clamp(0.0, 1.0);
                sums[unit] += row[unit] * row[unit] * weights[unit];
            }
            activations[side] = row;
        }
        *contribution = pairwise_sum(sums);
    }
}

/// Adds the gradients of all positions to the block's gradient. `output_gradients` are the derivatives
/// of the loss with respect to the output.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn backward(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &[Activations],
    output_gradients: &[f32],
    gradient: &mut [Row],
) {
    backward_inlined(block, inputs, activations, output_gradients, gradient);
}

#[inline(always)]
fn backward_inlined(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &[Activations],
    output_gradients: &[f32],
    gradient: &mut [Row],
) {
    for ((input, activations), &output_gradient) in
        inputs.iter().zip(activations).zip(output_gradients)
    {
        for (side, features) in input.sides().into_iter().enumerate() {
            let output = output_row(input.bucket, side);
            let (weights, active) = (&block[output], &activations[side]);
            let mut delta = [0.0; UNITS];
            let mut squares = [0.0; UNITS];
            for unit in 0..UNITS {
                // An activation clipped to 0 or 1 has no derivative.
                let moves = active[unit] > 0.0 && active[unit] < 1.0;
                let derivative = if moves { 2.0 * active[unit] } else { 0.0 };
                delta[unit] = output_gradient * weights[unit] * derivative;
                squares[unit] = output_gradient * active[unit] * active[unit];
            }
            add(&mut gradient[output], &squares);
            add(&mut gradient[BIAS], &delta);
            for &feature in features {
                add(&mut gradient[usize::from(feature)], &delta);
            }
        }
    }
}

/// Factors of a step of the optimiser.
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamStep {
    /// Learning rate, corrected for the bias of the first moment, which starts at zero.
    pub rate: f32,
    /// Factor that corrects the bias of the root of the second moment.
    pub second_correction: f32,
    /// Factor that weight decay multiplies a parameter by; 1 without decay.
    pub decay_factor: f32,
}

impl AdamStep {
    /// Computes the factors of step `step`, from 0, at this learning rate and decay.
    pub(super) fn new(rate: f64, decay: f64, step: u64) -> AdamStep {
        let steps = i32::try_from(step + 1).unwrap_or(i32::MAX);
        AdamStep {
            rate: (rate / (1.0 - f64::from(FIRST_DECAY).powi(steps))) as f32,
            second_correction: (1.0 - f64::from(SECOND_DECAY).powi(steps)).sqrt().recip() as f32,
            decay_factor: (1.0 - rate * decay) as f32,
        }
    }
}

/// Share of the first moment that a step keeps, β₁.
const FIRST_DECAY: f32 = 0.9;
/// Share of the second moment that a step keeps, β₂.
const SECOND_DECAY: f32 = 0.999;
/// Keeps the quotient finite if the gradient is nearly zero, ε.
const EPSILON: f32 = 1e-8;

/// Makes a step of Adam (Kingma and Ba 2015, Algorithm 1) with weight decay for rows of parameters. The
/// parameters stay within ±`limit`. Sets the gradient to zero.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn adam(
    step: AdamStep,
    limit: f32,
    parameters: &mut [Row],
    gradient: &mut [Row],
    first: &mut [Row],
    second: &mut [Row],
) {
    adam_inlined(step, limit, parameters, gradient, first, second);
}

#[inline(always)]
fn adam_inlined(
    step: AdamStep,
    limit: f32,
    parameters: &mut [Row],
    gradient: &mut [Row],
    first: &mut [Row],
    second: &mut [Row],
) {
    let moments = first.iter_mut().zip(second);
    for ((row, gradient), (first, second)) in parameters.iter_mut().zip(gradient).zip(moments) {
        for unit in 0..UNITS {
            let derivative = std::mem::take(&mut gradient[unit]);
            first[unit] = FIRST_DECAY * first[unit] + (1.0 - FIRST_DECAY) * derivative;
            second[unit] =
                SECOND_DECAY * second[unit] + (1.0 - SECOND_DECAY) * derivative * derivative;
            let size = (second[unit].sqrt() * step.second_correction) + EPSILON;
            let moved = step.decay_factor * row[unit] - step.rate * first[unit] / size;
            row[unit] = moved.clamp(-limit, limit);
        }
    }
}

/// Adds the gradients of all king buckets to those of the rows from `shared` on.
pub(super) fn sum_king_buckets(gradient: &mut [Row], shared: usize) {
    let (buckets, rest) = gradient.split_at_mut(INPUTS);
    let sums = &mut rest[shared - INPUTS..];
    for bucket in buckets.chunks(FEATURES) {
        sums.iter_mut().zip(bucket).for_each(|(sum, row)| add(sum, row));
    }
}

/// Adds the rows from `shared` on to those of all king buckets, and sets them to zero.
pub(super) fn share_steps(rows: &mut [Row], shared: usize, limit: f32) {
    let (buckets, rest) = rows.split_at_mut(INPUTS);
    let steps = &mut rest[shared - INPUTS..];
    for bucket in buckets.chunks_mut(FEATURES) {
        for (row, step) in bucket.iter_mut().zip(&*steps) {
            for unit in 0..UNITS {
                row[unit] = (row[unit] + step[unit]).clamp(-limit, limit);
            }
        }
    }
    steps.fill([0.0; UNITS]);
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for unit in 0..UNITS {
        sum[unit] += row[unit];
    }
}

/// Sums by halves, which gives the same bits for any register width.
#[inline(always)]
fn pairwise_sum(mut sums: Row) -> f32 {
    let mut width = UNITS / 2;
    while width > 0 {
        for unit in 0..width {
            sums[unit] += sums[unit + width];
        }
        width /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    const ROWS: usize = BIAS + 3;

    /// Makes a step of training on a few positions. Returns the bits of all resulting numbers.
    #[inline(always)]
    fn step_inlined(seed: u64) -> Vec<u32> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut rows = |most: f32| -> Vec<Row> {
            let mut row = || std::array::from_fn(|_| random.random_range(-most..most));
            (0..ROWS).map(|_| row()).collect()
        };
        let (mut block, mut gradient) = (rows(0.7), rows(0.1));
        let (mut first, mut second) = (rows(0.01), rows(0.001));
        second.as_flattened_mut().iter_mut().for_each(|number| *number = number.abs());
        let mut side = || (0..20).map(|_| random.random_range(0..INPUTS as u16)).collect();
        let features = std::iter::repeat_with(|| Features { own: side(), other: side() });
        let inputs: Vec<TrainingInput> = features
            .take(9)
            .map(|features| TrainingInput { features, bucket: 0, target: 0.5, weight: 1.0 })
            .collect();
        let mut activations = vec![[[0.0; UNITS]; 2]; inputs.len()];
        let mut contributions = vec![0.0; inputs.len()];
        forward_inlined(&block, &inputs, &mut activations, &mut contributions);
        backward_inlined(&block, &inputs, &activations, &contributions, &mut gradient);
        let step = AdamStep { rate: 0.001, second_correction: 0.3, decay_factor: 0.9999 };
        let all = (&mut block, &mut gradient, &mut first, &mut second);
        adam_inlined(step, 1.98, all.0, all.1, all.2, all.3);
        let rows = [block, gradient, first, second].concat();
        rows.as_flattened().iter().chain(&contributions).map(|number| number.to_bits()).collect()
    }

    macro_rules! step_with {
        ($name:ident, $target:literal) => {
            #[multiversion(targets($target))]
            fn $name(seed: u64) -> Vec<u32> {
                step_inlined(seed)
            }
        };
    }

    step_with!(step_with_avx512, "x86_64+avx512f+avx512vl");
    step_with!(step_with_avx2, "x86_64+avx2");
    step_with!(step_with_sse41, "x86_64+sse4.1");

    #[test]
    fn a_shared_step_moves_the_features_of_all_king_buckets() {
        let shared = BIAS + 3;
        let mut rows = vec![[0.0; UNITS]; shared + FEATURES];
        let input = |bucket: usize, feature: usize| bucket * FEATURES + feature;
        rows[input(0, 5)] = [0.25; UNITS];
        rows[input(3, 5)] = [1.0; UNITS];
        rows[input(1, 6)] = [2.0; UNITS];
        let mut gradient = rows.clone();
        sum_king_buckets(&mut gradient, shared);
        assert_eq!(gradient[shared + 5], [1.25; UNITS]);
        assert_eq!(gradient[shared + 6], [2.0; UNITS]);
        rows[shared + 5] = [0.5; UNITS];
        share_steps(&mut rows, shared, 1.25);
        let of_feature = |feature| [0, 1, 2, 3].map(|bucket| rows[input(bucket, feature)][0]);
        assert_eq!(of_feature(5), [0.75, 0.5, 0.5, 1.25]);
        assert_eq!(of_feature(6), [0.0, 1.25, 0.0, 0.0]);
        assert!(rows[INPUTS..].iter().all(|row| *row == [0.0; UNITS]));
    }

    #[test]
    fn all_instruction_sets_compute_the_same_bits() {
        for seed in 0..20 {
            let plain = step_inlined(seed);
            for step in [step_with_avx512, step_with_avx2, step_with_sse41] {
                assert_eq!(step(seed), plain);
            }
        }
    }
}
