//! Measures the error of rounding the network's weights to integers.

use std::fmt;

use rayon::prelude::*;

use super::config::{TrainingConfig, sigmoid};
use super::integer_network;
use super::model::Model;
use super::sample::Sample;
use outrider_engine::evaluation::network::file::NetworkWeights;

/// Difference between the network in floating point and in integers on some positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QuantisationError {
    /// Mean absolute difference in centipawns.
    pub mean: f64,
    /// Greatest absolute difference in centipawns.
    pub greatest: f64,
    /// Mean loss of the network in floating point.
    pub float_loss: f64,
    /// Mean loss of the network in integers.
    pub integer_loss: f64,
}

impl QuantisationError {
    /// Relative increase of the loss by rounding.
    pub fn cost(&self) -> f64 {
        self.integer_loss / self.float_loss - 1.0
    }
}

impl fmt::Display for QuantisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let QuantisationError { mean, greatest, float_loss, integer_loss } = self;
        writeln!(
            f,
            "rounding changes scores by {mean:.2} centipawns on average, {greatest:.1} at most"
        )?;
        let cost = 100.0 * self.cost();
        write!(
            f,
            "rounding increases the loss by {cost:.2} %, from {float_loss:.6} to {integer_loss:.6}"
        )
    }
}

/// Compares a model with its integer form on the threads of the current rayon pool.
pub fn quantisation_error(
    config: &TrainingConfig,
    model: &Model,
    network: &NetworkWeights,
    samples: &[Sample],
) -> QuantisationError {
    let compare = |sample: &Sample| {
        let (real, whole) = (model.output(sample), integer_network::value(network, sample) as f32);
        let target = config.target(sample, config.last_result_share);
        let weight = config.weight_of(sample.piece_count());
        let loss = |output: f32| f64::from(weight * config.loss(sigmoid(output) - target).0);
        let scale = network.scale as f32;
        (f64::from((real * scale - whole).abs()), loss(real), loss(whole / scale))
    };
    // Collected first, so that the order of summation does not depend on the threads.
    let compared: Vec<(f64, f64, f64)> = samples.par_iter().map(compare).collect();
    let mean = |number: fn(&(f64, f64, f64)) -> f64| {
        compared.iter().map(number).sum::<f64>() / compared.len().max(1) as f64
    };
    QuantisationError {
        mean: mean(|compared| compared.0),
        greatest: compared.iter().map(|compared| compared.0).fold(0.0, f64::max),
        float_loss: mean(|compared| compared.1),
        integer_loss: mean(|compared| compared.2),
    }
}
