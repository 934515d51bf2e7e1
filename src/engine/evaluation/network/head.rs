//! The small layers after the accumulators, in single precision.
//!
//! Each operation is rounded as IEEE 754 says, and their order is fixed, so all machines compute the same
//! numbers: the compiler neither reorders nor contracts them. The trainer uses the same functions.

use bytemuck::{Pod, Zeroable};

/// Units of the second layer.
pub const SECOND_UNITS: usize = 16;
/// Inputs of the third layer: the clipped sums of the second layer, then the squares of the sums, at most 1.
pub const THIRD_INPUTS: usize = 2 * SECOND_UNITS;
/// Units of the third layer.
pub const THIRD_UNITS: usize = 32;

/// The parameters after the sums of the second layer, for one number of pieces.
///
/// Each sum of the second layer enters the third twice: clipped to 0 to 1, and squared, at most 1. So a
/// negative sum is not lost (Stockfish, 2023).
#[derive(Clone, Copy, PartialEq, Default, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Head {
    /// Biases of the second layer.
    pub second_biases: [f32; SECOND_UNITS],
    /// Weights of the third layer, by input.
    pub third_weights: [[f32; THIRD_UNITS]; THIRD_INPUTS],
    /// Biases of the third layer.
    pub third_biases: [f32; THIRD_UNITS],
    /// Weights of the output.
    pub output_weights: [f32; THIRD_UNITS],
    /// Bias of the output.
    pub output_bias: f32,
}

impl Head {
    /// Number of parameters.
    pub const PARAMETERS: usize = size_of::<Head>() / size_of::<f32>();

    /// Returns all parameters, in the order of the fields.
    pub fn parameters(&self) -> &[f32; Head::PARAMETERS] {
        bytemuck::must_cast_ref(self)
    }

    /// Returns all parameters for writing, in the order of the fields.
    pub fn parameters_mut(&mut self) -> &mut [f32; Head::PARAMETERS] {
        bytemuck::must_cast_mut(self)
    }

    /// Computes the inputs of the third layer from the sums of the second layer with their biases.
    #[inline(always)]
    pub fn third_inputs(second: &[f32; SECOND_UNITS]) -> [f32; THIRD_INPUTS] {
        let mut inputs = [0.0; THIRD_INPUTS];
        for unit in 0..SECOND_UNITS {
            inputs[unit] = second[unit].clamp(0.0, 1.0);
            inputs[SECOND_UNITS + unit] = (second[unit] * second[unit]).min(1.0);
        }
        inputs
    }

    /// Computes the sums of the third layer. One sum starts with the bias and adds the inputs with even
    /// indices in order; another adds those with odd indices and is added to the first at the end. So an
    /// addition need not wait for the one before it.
    #[inline(always)]
    pub fn third_sums(&self, inputs: &[f32; THIRD_INPUTS]) -> [f32; THIRD_UNITS] {
        let [mut even, mut odd] = [self.third_biases, [0.0; THIRD_UNITS]];
        let mut input = 0;
        while input < THIRD_INPUTS {
            add_scaled(&mut even, &self.third_weights[input], inputs[input]);
            add_scaled(&mut odd, &self.third_weights[input + 1], inputs[input + 1]);
            input += 2;
        }
        add_scaled(&mut even, &odd, 1.0);
        even
    }

    /// Computes the output from the sums of the third layer. Each sum is clipped to 0 to 1, squared, then
    /// multiplied by its weight. The products are added by halves (i and i + 16, then i and i + 8, and so
    /// on), and the bias last.
    #[inline(always)]
    pub fn output(&self, third: &[f32; THIRD_UNITS]) -> f32 {
        let mut products = [0.0; THIRD_UNITS];
        for unit in 0..THIRD_UNITS {
            let clipped = third[unit].clamp(0.0, 1.0);
            products[unit] = clipped * clipped * self.output_weights[unit];
        }
        // By halves, which takes the fewest steps in vector registers of any width.
        let mut width = THIRD_UNITS / 2;
        while width > 0 {
            for unit in 0..width {
                products[unit] += products[unit + width];
            }
            width /= 2;
        }
        self.output_bias + products[0]
    }
}

/// Adds a multiple of a row to sums.
#[inline(always)]
fn add_scaled(sums: &mut [f32; THIRD_UNITS], row: &[f32; THIRD_UNITS], factor: f32) {
    for unit in 0..THIRD_UNITS {
        sums[unit] += factor * row[unit];
    }
}
