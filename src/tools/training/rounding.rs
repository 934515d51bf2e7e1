//! Fits the integers of the output layer together instead of rounding each weight.
//!
//! The nearest integer of each weight is not the best choice: activations are never negative, so the
//! errors of many weights add up to an offset, which other weights and the bias can compensate. The fit
//! minimises, on training positions, the squared difference between the outputs of the network in
//! integers and in floating point, weighted by the derivative of the expected points. One weight after
//! another is set to the best integer while the others stay, until none changes (coordinate descent).
//! This also compensates errors of the rounded first layer.

use rayon::prelude::*;

use super::config::sigmoid;
use super::integer_network::activations;
use super::model::Model;
use super::sample::Sample;
use outrider_engine::evaluation::network::file::{FIRST_LAYER_ONE, NetworkWeights, OUTPUT_ONE};

/// Largest number of positions per bucket in the fit: many times the number of weights.
pub const FITTING_SAMPLES: usize = 16_384;
/// Rows of the matrix that a thread sums at once, so that they stay in the cache.
const ROWS_AT_ONCE: usize = 32;
/// Largest number of passes over all weights; a fit seldom needs as many.
const MAX_PASSES: usize = 200;
/// Largest output weight of a network file.
const MAX_OUTPUT_WEIGHT: f64 = 127.0;

/// Fits the output weights and biases of `network`, which is the rounded `model`, on the threads of the
/// current rayon pool. A bucket without samples is unchanged.
pub fn fit_outputs(model: &Model, network: &mut NetworkWeights, samples: &[Sample]) {
    for bucket in 0..network.buckets {
        let of_bucket =
            samples.iter().filter(|sample| model.bucket_of(sample.piece_count()) == bucket);
        let chosen: Vec<&Sample> = of_bucket.take(FITTING_SAMPLES).collect();
        let equations = Equations::new(model, network, &chosen);
        let weights = 2 * bucket * network.hidden..2 * (bucket + 1) * network.hidden;
        let bias = f64::from(network.output_biases[bucket]) / f64::from(FIRST_LAYER_ONE);
        let whole = network.output_weights[weights.clone()].iter().map(|&weight| weight.into());
        let fitted = equations.solve(whole.chain([bias]).collect());
        let (bias, fitted) = fitted.split_last().expect("the bias is the last");
        network.output_biases[bucket] = (bias * f64::from(FIRST_LAYER_ONE)).round() as i32;
        let places = network.output_weights[weights].iter_mut();
        places.zip(fitted).for_each(|(place, &weight)| *place = weight as i8);
    }
}

/// Normal equations of the least squares, in units of the integer output weights. The last unknown is
/// the bias.
struct Equations {
    /// Symmetric matrix, row by row.
    matrix: Vec<f32>,
    /// Right-hand side.
    right: Vec<f64>,
}

impl Equations {
    fn new(model: &Model, network: &NetworkWeights, samples: &[&Sample]) -> Equations {
        let unknowns = 2 * network.hidden + 1;
        let rows: Vec<(Vec<f32>, f64)> =
            samples.par_iter().map(|sample| equation(model, network, sample)).collect();
        let mut matrix = vec![0.0; unknowns * unknowns];
        matrix.par_chunks_mut(ROWS_AT_ONCE * unknowns).enumerate().for_each(|(tile, sums)| {
            for (row, _) in &rows {
                let factors = &row[tile * ROWS_AT_ONCE..];
                for (sums, &factor) in sums.chunks_mut(unknowns).zip(factors) {
                    sums.iter_mut().zip(row).for_each(|(sum, &number)| *sum += factor * number);
                }
            }
        });
        let mut right = vec![0.0; unknowns];
        for (row, wanted) in &rows {
            right.iter_mut().zip(row).for_each(|(sum, &number)| *sum += wanted * f64::from(number));
        }
        Equations { matrix, right }
    }

    fn row(&self, unknown: usize) -> &[f32] {
        &self.matrix[unknown * self.right.len()..][..self.right.len()]
    }

    /// Improves the integer weights one by one until none changes. The bias stays a real number.
    fn solve(&self, mut unknowns: Vec<f64>) -> Vec<f64> {
        let bias = unknowns.len() - 1;
        let mut gradient: Vec<f64> = self.right.iter().map(|number| -number).collect();
        for (unknown, &number) in unknowns.iter().enumerate() {
            self.add(&mut gradient, unknown, number);
        }
        for _ in 0..MAX_PASSES {
            let mut is_changed = false;
            for unknown in 0..unknowns.len() {
                let curvature = f64::from(self.row(unknown)[unknown]);
                if curvature <= 0.0 {
                    continue;
                }
                let best = unknowns[unknown] - gradient[unknown] / curvature;
                let best = if unknown == bias {
                    best
                } else {
                    best.round().clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
                };
                let change = best - unknowns[unknown];
                if change != 0.0 {
                    unknowns[unknown] = best;
                    self.add(&mut gradient, unknown, change);
                    is_changed |= unknown != bias;
                }
            }
            if !is_changed {
                break;
            }
        }
        unknowns
    }

    /// Adds the effect of a change of one unknown to the gradient.
    fn add(&self, gradient: &mut [f64], unknown: usize, change: f64) {
        let row = self.row(unknown);
        gradient.iter_mut().zip(row).for_each(|(sum, &number)| *sum += change * f64::from(number));
    }
}

/// Returns the coefficients of the unknowns for a position, and the target. Both are multiplied by the
/// derivative of the expected points with respect to the output.
fn equation(model: &Model, network: &NetworkWeights, sample: &Sample) -> (Vec<f32>, f64) {
    let output = model.output(sample);
    let chance = sigmoid(output);
    let slope = chance * (1.0 - chance);
    let one = FIRST_LAYER_ONE as f32;
    let squared = |activation: i32| slope * (activation as f32 / one).powi(2);
    let row = activations(network, sample).into_iter().map(squared).chain([slope]).collect();
    (row, f64::from(slope * output) * f64::from(OUTPUT_ONE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::integer_network;
    use crate::training::model::BIAS;
    use outrider_engine::position::notation::parse_fen_any;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
    use shakmaty::{Chess, Position as _};

    /// Returns positions of random games.
    fn samples(count: usize) -> Vec<Sample> {
        let mut random = StdRng::seed_from_u64(11);
        let mut samples = Vec::new();
        while samples.len() < count {
            let mut chess = Chess::default();
            for _ in 0..random.random_range(10..120) {
                let Some(&mv) = chess.legal_moves().choose(&mut random) else {
                    break;
                };
                chess.play_unchecked(mv);
            }
            samples.extend(Sample::from_board(chess.board(), chess.turn(), 0, Some(0.5)));
        }
        samples
    }

    /// Returns the mean square of the rounding error, in square centipawns.
    fn error(model: &Model, network: &NetworkWeights, samples: &[Sample]) -> f64 {
        let errors = samples.iter().map(|sample| {
            let exact = f64::from(model.output(sample)) * f64::from(network.scale);
            (exact - integer_network::value(network, sample) as f64).powi(2)
        });
        errors.sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn fitted_integers_are_more_accurate_than_rounded_ones_on_other_positions() {
        let mut model = Model::random(64, 2, 5);
        for block in &mut model.blocks {
            block[BIAS] = [0.4; 32];
            // The first layer is exact, so all error is that of the output weights.
            for weight in block[..BIAS].as_flattened_mut() {
                *weight = (*weight * FIRST_LAYER_ONE as f32).round() / FIRST_LAYER_ONE as f32;
            }
        }
        let all = samples(3_000);
        let (fitted_to, others) = all.split_at(2_000);
        let rounded = model.quantised(400, String::new());
        let mut fitted = rounded.clone();
        fit_outputs(&model, &mut fitted, fitted_to);
        let (before, after) = (error(&model, &rounded, others), error(&model, &fitted, others));
        assert!(after < 0.5 * before, "{before} and {after}");
        fitted.check().expect("a sound network");
    }

    #[test]
    fn a_bucket_without_positions_keeps_its_rounded_weights() {
        let model = Model::random(32, 2, 5);
        let chess = parse_fen_any("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let few = Sample::from_board(chess.board(), chess.turn(), 0, Some(0.5)).unwrap();
        let rounded = model.quantised(400, String::new());
        let mut fitted = rounded.clone();
        fit_outputs(&model, &mut fitted, &[few; 50]);
        let filled = 1 - model.bucket_of(few.piece_count());
        let weights = 2 * filled * 32..2 * (filled + 1) * 32;
        assert_eq!(fitted.output_weights[weights.clone()], rounded.output_weights[weights]);
        assert_eq!(fitted.output_biases[filled], rounded.output_biases[filled]);
    }
}
