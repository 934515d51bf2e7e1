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

use super::model::{BIAS, PAIRS, Row, UNITS};
use super::sample::Features;
use outrider_engine::evaluation::network::head::{Head, SECOND_UNITS, THIRD_INPUTS, THIRD_UNITS};

/// A position in the form that the kernels use.
#[derive(Clone, Debug, Default)]
pub(super) struct TrainingInput {
    /// Active features.
    pub features: Features,
    /// Bucket of the weights after the accumulators.
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

/// Activations of a block for both sides, 0 to 1.
pub(super) type Activations = [Row; 2];

/// One number for each unit of the second layer.
pub(super) type SecondRow = [f32; SECOND_UNITS];

/// Computes the block's activations for each position, and their contribution to the second layer.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn forward(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    contributions: &mut [SecondRow],
) {
    forward_inlined(block, inputs, activations, contributions);
}

#[inline(always)]
fn forward_inlined(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    contributions: &mut [SecondRow],
) {
    let weights = transposed(&block[BIAS + 1..]);
    let results = activations.iter_mut().zip(contributions);
    for (input, (activations, contribution)) in inputs.iter().zip(results) {
        for (side, features) in input.sides().into_iter().enumerate() {
            let mut row = block[BIAS];
            for &feature in features {
                add(&mut row, &block[usize::from(feature)]);
            }
            for unit in 0..UNITS {
                activations[side][unit] = row[unit].clamp(0.0, 1.0);
            }
        }
        let products = products(activations);
        let weights = &weights[input.bucket];
        // Two sums, so that an addition need not wait for the one before it.
        let [mut even, mut odd] = [[0.0; SECOND_UNITS]; 2];
        let mut input = 0;
        while input < UNITS {
            add_scaled(&mut even, &weights[input], products[input]);
            add_scaled(&mut odd, &weights[input + 1], products[input + 1]);
            input += 2;
        }
        add_scaled(&mut even, &odd, 1.0);
        *contribution = even;
    }
}

/// Returns the weights of the second layer by input, for each bucket.
#[inline(always)]
fn transposed(rows: &[Row]) -> Vec<[SecondRow; UNITS]> {
    let (buckets, _) = rows.as_chunks::<SECOND_UNITS>();
    let mut transposed = vec![[[0.0; SECOND_UNITS]; UNITS]; buckets.len()];
    for (bucket, rows) in buckets.iter().enumerate() {
        for unit in 0..SECOND_UNITS {
            for input in 0..UNITS {
                transposed[bucket][input][unit] = rows[unit][input];
            }
        }
    }
    transposed
}

/// Returns the products of the pairs of a block, the side to move first.
#[inline(always)]
fn products([own, other]: &Activations) -> Row {
    let mut products = [0.0; UNITS];
    for pair in 0..PAIRS {
        products[pair] = own[pair] * own[PAIRS + pair];
        products[PAIRS + pair] = other[pair] * other[PAIRS + pair];
    }
    products
}

/// Adds the gradients of all positions to the block's gradient. `second_gradients` are the derivatives
/// of the loss with respect to the sums of the second layer. The activations are overwritten.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn backward(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    second_gradients: &[SecondRow],
    gradient: &mut [Row],
) {
    backward_inlined(block, inputs, activations, second_gradients, gradient);
}

#[inline(always)]
fn backward_inlined(
    block: &[Row],
    inputs: &[TrainingInput],
    activations: &mut [Activations],
    second_gradients: &[SecondRow],
    gradient: &mut [Row],
) {
    for ((input, activations), second_gradient) in
        inputs.iter().zip(activations).zip(second_gradients)
    {
        let products = products(activations);
        let weights = &block[BIAS + 1..].as_chunks::<SECOND_UNITS>().0[input.bucket];
        let sums = &mut gradient[BIAS + 1..].as_chunks_mut::<SECOND_UNITS>().0[input.bucket];
        let mut deltas = [0.0; UNITS];
        let mut unit = 0;
        while unit < SECOND_UNITS {
            add_scaled(&mut deltas, &weights[unit], second_gradient[unit]);
            add_scaled(&mut sums[unit], &products, second_gradient[unit]);
            unit += 1;
        }
        for (side, active) in activations.iter_mut().enumerate() {
            replace_by_derivatives(active, &deltas[side * PAIRS..][..PAIRS]);
        }
        for (delta, features) in activations.iter().zip(input.sides()) {
            add(&mut gradient[BIAS], delta);
            for &feature in features {
                add(&mut gradient[usize::from(feature)], delta);
            }
        }
    }
}

/// Replaces activations by the derivatives with respect to their sums. `deltas` are those with respect to
/// the products of the pairs.
#[inline(always)]
fn replace_by_derivatives(active: &mut Row, deltas: &[f32]) {
    // An activation clipped to 0 or 1 has no derivative: the factor is 0 for these and 1 for others. The
    // compiler vectorises this form, but not comparisons.
    let factor = |active: f32| (active * 1e30).min(1.0) * ((1.0 - active) * 1e30).min(1.0);
    for pair in 0..PAIRS {
        let [a, b] = [active[pair], active[PAIRS + pair]];
        active[pair] = factor(a) * b * deltas[pair];
        active[PAIRS + pair] = factor(b) * a * deltas[pair];
    }
}

/// The values of the last layers for a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HeadValues {
    second: SecondRow,
    third: [f32; THIRD_UNITS],
}

/// Computes the output for a position from the contributions of the blocks. Leaves the values that
/// [`head_backward`] needs in `values`.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn head_forward(head: &Head, contribution: SecondRow, values: &mut HeadValues) -> f32 {
    head_forward_inlined(head, contribution, values)
}

#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "iterators are not inlined into each version")]
fn head_forward_inlined(head: &Head, contribution: SecondRow, values: &mut HeadValues) -> f32 {
    for unit in 0..SECOND_UNITS {
        values.second[unit] = contribution[unit] + head.second_biases[unit];
    }
    values.third = head.third_sums(&Head::third_inputs(&values.second));
    head.output(&values.third)
}

/// Adds the gradient of a position to that of the head. Returns the derivatives with respect to the sums of
/// the second layer.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn head_backward(
    head: &Head,
    values: &HeadValues,
    output_gradient: f32,
    gradient: &mut Head,
) -> SecondRow {
    head_backward_inlined(head, values, output_gradient, gradient)
}

#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "iterators are not inlined into each version")]
fn head_backward_inlined(
    head: &Head,
    values: &HeadValues,
    output_gradient: f32,
    gradient: &mut Head,
) -> SecondRow {
    gradient.output_bias += output_gradient;
    let mut third_gradient = [0.0; THIRD_UNITS];
    for unit in 0..THIRD_UNITS {
        let clipped = values.third[unit].clamp(0.0, 1.0);
        gradient.output_weights[unit] += output_gradient * clipped * clipped;
        let moves = clipped > 0.0 && clipped < 1.0;
        let derivative = if moves { 2.0 * clipped } else { 0.0 };
        third_gradient[unit] = output_gradient * head.output_weights[unit] * derivative;
        gradient.third_biases[unit] += third_gradient[unit];
    }
    let inputs = Head::third_inputs(&values.second);
    let mut input_gradient = [0.0; THIRD_INPUTS];
    for input in 0..THIRD_INPUTS {
        let (weights, gradient) = (&head.third_weights[input], &mut gradient.third_weights[input]);
        let mut products = [0.0; UNITS];
        for unit in 0..THIRD_UNITS {
            products[unit] = third_gradient[unit] * weights[unit];
        }
        add_scaled(gradient, &third_gradient, inputs[input]);
        input_gradient[input] = pairwise_sum(products);
    }
    let mut second_gradient = [0.0; SECOND_UNITS];
    for unit in 0..SECOND_UNITS {
        let sum = values.second[unit];
        let of_clipped = if sum > 0.0 && sum < 1.0 { input_gradient[unit] } else { 0.0 };
        let squared = input_gradient[SECOND_UNITS + unit];
        let of_square = if sum * sum < 1.0 { 2.0 * sum * squared } else { 0.0 };
        second_gradient[unit] = of_clipped + of_square;
        gradient.second_biases[unit] += second_gradient[unit];
    }
    second_gradient
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

/// Makes a step of Adam (Kingma and Ba 2015, Algorithm 1) with weight decay. The parameters stay within
/// ±`limit`. Sets the gradient to zero.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.1"))]
pub fn adam(
    step: AdamStep,
    limit: f32,
    parameters: &mut [f32],
    gradient: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
) {
    adam_inlined(step, limit, parameters, gradient, first, second);
}

#[inline(always)]
fn adam_inlined(
    step: AdamStep,
    limit: f32,
    parameters: &mut [f32],
    gradient: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
) {
    let moments = first.iter_mut().zip(second);
    for ((parameter, gradient), (first, second)) in parameters.iter_mut().zip(gradient).zip(moments)
    {
        let derivative = std::mem::take(gradient);
        *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * derivative;
        *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * derivative * derivative;
        let size = (second.sqrt() * step.second_correction) + EPSILON;
        let moved = step.decay_factor * *parameter - step.rate * *first / size;
        *parameter = moved.clamp(-limit, limit);
    }
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for unit in 0..UNITS {
        sum[unit] += row[unit];
    }
}

#[inline(always)]
fn add_scaled<const N: usize>(sum: &mut [f32; N], row: &[f32; N], factor: f32) {
    for unit in 0..N {
        sum[unit] += factor * row[unit];
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
    use outrider_engine::evaluation::network::features::FEATURES;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    const ROWS: usize = BIAS + 1 + SECOND_UNITS;

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
        let mut head = Head::default();
        head.parameters_mut().fill_with(|| random.random_range(-0.5..0.5));
        let mut side = || (0..20).map(|_| random.random_range(0..FEATURES as u16)).collect();
        let features = std::iter::repeat_with(|| Features { own: side(), other: side() });
        let inputs: Vec<TrainingInput> = features
            .take(9)
            .map(|features| TrainingInput { features, bucket: 0, target: 0.5, weight: 1.0 })
            .collect();
        let mut activations = vec![[[0.0; UNITS]; 2]; inputs.len()];
        let mut contributions = vec![[0.0; SECOND_UNITS]; inputs.len()];
        forward_inlined(&block, &inputs, &mut activations, &mut contributions);
        let mut head_gradient = Head::default();
        let mut outputs = Vec::new();
        let mut of_head = |&contribution: &SecondRow| {
            let mut values = HeadValues::default();
            let output = head_forward_inlined(&head, contribution, &mut values);
            outputs.push(output);
            head_backward_inlined(&head, &values, output, &mut head_gradient)
        };
        let second_gradients: Vec<SecondRow> = contributions.iter().map(&mut of_head).collect();
        backward_inlined(&block, &inputs, &mut activations, &second_gradients, &mut gradient);
        let step = AdamStep { rate: 0.001, second_correction: 0.3, decay_factor: 0.9999 };
        let [rows, of_rows, one, two] = [&mut block, &mut gradient, &mut first, &mut second]
            .map(|rows| rows.as_flattened_mut());
        adam_inlined(step, 1.98, rows, of_rows, one, two);
        let rows = [block, gradient, first, second].concat();
        let numbers = rows.as_flattened().iter().chain(contributions.as_flattened());
        let numbers = numbers.chain(head_gradient.parameters()).chain(&outputs);
        numbers.map(|number| number.to_bits()).collect()
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
    fn all_instruction_sets_compute_the_same_bits() {
        for seed in 0..20 {
            let plain = step_inlined(seed);
            for step in [step_with_avx512, step_with_avx2, step_with_sse41] {
                assert_eq!(step(seed), plain);
            }
        }
    }
}
