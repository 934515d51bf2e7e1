//! Settings of a run: its length, the loss, and the schedules of learning rate and result share.
//!
//! The loss is a power of the difference between the network's output after a sigmoid and the target.
//! The target is a mixture of the search's score after the same sigmoid and the game's result, as in
//! most engines since Stockfish adopted NNUE from shogi (2020).

use serde::{Deserialize, Serialize};

use super::sample::{MAX_PIECES, Sample};
use outrider_engine::evaluation::network::HIDDEN;
use outrider_engine::evaluation::network::features::{FEATURES, KING_BUCKETS};

/// Number of groups of positions by piece count: up to 8, 9 to 16, 17 to 24, 25 to 32.
pub const PIECE_GROUPS: usize = 4;

/// Returns the group of a position with this number of pieces, 1 to 32.
pub fn piece_group(pieces: usize) -> usize {
    pieces.saturating_sub(1) / (MAX_PIECES / PIECE_GROUPS)
}

/// All settings on which a network depends, except for the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingConfig {
    /// Hidden units for each perspective, a multiple of [`UNITS`](super::UNITS).
    pub hidden: usize,
    /// Number of sets of output weights, which are chosen by piece count.
    pub buckets: usize,
    /// Number of superbatches of the run.
    pub superbatches: u32,
    /// Mini-batches per superbatch.
    pub batches: u32,
    /// Samples per mini-batch.
    pub batch: usize,
    /// Seed of the random initial weights and of the order of the samples.
    pub seed: u64,
    /// Learning rate after the first superbatch.
    pub rate: f64,
    /// Learning rate at the end.
    pub last_rate: f64,
    /// Weight decay: each step reduces every weight by this share of it times the learning rate, so only
    /// weights that the positions keep supporting stay large (AdamW; Loshchilov and Hutter 2019,
    /// "Decoupled weight decay regularization").
    pub decay: f64,
    /// Exponent of the difference in the loss, above 1.
    pub exponent: f32,
    /// Share of the result in the target at the beginning, 0 to 1. The rest is the share of the score.
    pub result_share: f32,
    /// Share of the result in the target at the end.
    pub last_result_share: f32,
    /// Weights of positions in the loss, by [`piece_group`].
    pub piece_weights: [f32; PIECE_GROUPS],
    /// Centipawns per unit of the network's output, the argument of the sigmoid.
    pub scale: f32,
    /// Checksum of the network from which the run begins. `None` for random weights.
    pub from: Option<u32>,
}

impl Default for TrainingConfig {
    fn default() -> TrainingConfig {
        TrainingConfig {
            hidden: HIDDEN,
            buckets: 1,
            superbatches: 80,
            batches: 640,
            batch: 16_384,
            seed: 1,
            rate: 1e-3,
            last_rate: 1e-5,
            decay: 0.0,
            exponent: 2.0,
            result_share: 0.1,
            last_result_share: 0.1,
            piece_weights: [1.0; PIECE_GROUPS],
            scale: 150.0,
            from: None,
        }
    }
}

impl TrainingConfig {
    /// Returns the architecture as it is usually written: inputs for each king bucket and for threatened
    /// pieces, hidden units, outputs.
    pub fn architecture(&self) -> String {
        let (hidden, buckets) = (self.hidden, self.buckets);
        format!("(({KING_BUCKETS}+1)×{FEATURES} → {hidden})×2 → {buckets}")
    }

    /// Samples per superbatch.
    pub fn superbatch_samples(&self) -> u64 {
        u64::from(self.batches) * self.batch as u64
    }

    /// Number of steps of the run, one per mini-batch.
    pub fn steps(&self) -> u64 {
        u64::from(self.batches) * u64::from(self.superbatches)
    }

    /// Target of the network's output after the sigmoid. It depends only on the score if there is no
    /// result.
    pub(super) fn target(&self, sample: &Sample, result_share: f32) -> f32 {
        let score = sigmoid(sample.score().centipawns() as f32 / self.scale);
        score + sample.points().map_or(0.0, |points| result_share * (points - score))
    }

    /// Returns the loss and its derivative for a difference between output after the sigmoid and target.
    pub(super) fn loss(&self, difference: f32) -> (f32, f32) {
        let size = difference.abs();
        let slope = size.powf(self.exponent - 1.0);
        (slope * size, self.exponent * slope.copysign(difference))
    }

    /// Weight in the loss of a position with this number of pieces.
    pub(super) fn weight_of(&self, pieces: usize) -> f32 {
        self.piece_weights[piece_group(pieces)]
    }

    /// Learning rate of a step of the run. It rises linearly in the first superbatch and falls along a
    /// cosine in the others (Loshchilov and Hutter 2017).
    pub fn rate(&self, step: u64) -> f64 {
        let warm_up = u64::from(self.batches);
        if step < warm_up {
            return self.rate * (step + 1) as f64 / warm_up as f64;
        }
        let part = (step - warm_up) as f64 / (self.steps() - warm_up).max(1) as f64;
        let cosine = (1.0 + (std::f64::consts::PI * part).cos()) / 2.0;
        self.last_rate + (self.rate - self.last_rate) * cosine
    }

    /// Share of the result in the targets of a step. It changes linearly from the first to the last
    /// value.
    pub fn result_share_at(&self, step: u64) -> f32 {
        let part = step as f32 / self.steps().saturating_sub(1).max(1) as f32;
        self.result_share + part * (self.last_result_share - self.result_share)
    }
}

/// Logistic function: expected points, 0 to 1, of a score in units of the scale.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_rises_in_the_first_superbatch_and_then_falls() {
        let config = TrainingConfig { superbatches: 5, batches: 10, ..TrainingConfig::default() };
        let rates: Vec<f64> = (0..50).map(|step| config.rate(step)).collect();
        assert!(rates[..10].is_sorted() && rates[9..].is_sorted_by(|a, b| a >= b));
        assert!((rates[9] - 1e-3).abs() < 1e-12);
        assert!(rates[49] > 1e-5 && rates[49] < 2e-5, "{}", rates[49]);
        let fine = TrainingConfig { rate: 2e-5, last_rate: 1e-6, ..config };
        assert!((fine.rate(9) - 2e-5).abs() < 1e-12 && fine.rate(49) < 2e-6);
    }

    #[test]
    fn the_result_share_changes_linearly_over_the_run() {
        let config = TrainingConfig {
            superbatches: 2,
            batches: 3,
            result_share: 0.1,
            last_result_share: 0.6,
            ..TrainingConfig::default()
        };
        let shares = [0, 2, 5].map(|step| config.result_share_at(step));
        for (share, expected) in shares.into_iter().zip([0.1, 0.3, 0.6]) {
            assert!((share - expected).abs() < 1e-6, "{shares:?}");
        }
        let constant = TrainingConfig { last_result_share: 0.1, ..config };
        assert_eq!(constant.result_share_at(4), 0.1);
    }

    #[test]
    fn the_derivative_of_the_loss_matches_finite_differences() {
        for exponent in [2.0, 2.5, 3.0] {
            let config = TrainingConfig { exponent, ..TrainingConfig::default() };
            for difference in [-0.4_f32, -0.01, 0.2, 0.7] {
                let (loss, derivative) = config.loss(difference);
                let step = 1e-3;
                let found = (config.loss(difference + step).0 - config.loss(difference - step).0)
                    / (2.0 * step);
                assert!((found - derivative).abs() < 1e-3, "{exponent}, {difference}: {found}");
                assert!((loss - difference.abs().powf(exponent)).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn pieces_fall_into_four_groups_of_eight() {
        assert_eq!([2, 8, 9, 16, 17, 24, 25, 32].map(piece_group), [0, 0, 1, 1, 2, 2, 3, 3]);
    }
}
