//! Validates a finished network, in integers, on positions that it was not trained on.
//!
//! Its evaluations are compared with the scores of long searches, both converted to expected points on
//! one scale. So networks can be compared that were trained with different losses.

use std::fmt;

use rayon::prelude::*;

use super::config::{PIECE_GROUPS, piece_group, sigmoid};
use super::integer_network;
use super::sample::{MAX_PIECES, Sample};
use outrider_engine::evaluation::network::file::NetworkWeights;

/// Mean squared difference of expected points over some positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct MeanLoss {
    /// Number of positions.
    pub positions: u64,
    sum: f64,
}

impl MeanLoss {
    /// Returns the mean; 0 if there are no positions.
    pub fn loss(&self) -> f64 {
        self.sum / self.positions.max(1) as f64
    }

    fn add(&mut self, loss: f64) {
        self.positions += 1;
        self.sum += loss;
    }
}

/// Losses of a network, overall and by piece count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Validation {
    /// Loss over all positions.
    pub all: MeanLoss,
    /// Losses by [`piece_group`].
    pub by_pieces: [MeanLoss; PIECE_GROUPS],
}

impl Validation {
    /// Compares a network with the scores of these positions on the threads of the current rayon pool.
    /// `scale` is the number of centipawns by which the odds of winning grow e-fold.
    pub fn new(network: &NetworkWeights, samples: &[Sample], scale: f32) -> Validation {
        let loss = |sample: &Sample| {
            let chance = |centipawns: f32| f64::from(sigmoid(centipawns / scale));
            let value = integer_network::value(network, sample) as f32;
            (chance(value) - chance(sample.score().centipawns() as f32)).powi(2)
        };
        // Collected first, so that the order of summation does not depend on the threads.
        let losses: Vec<f64> = samples.par_iter().map(loss).collect();
        let mut validation = Validation::default();
        for (sample, loss) in samples.iter().zip(losses) {
            validation.all.add(loss);
            validation.by_pieces[piece_group(sample.piece_count())].add(loss);
        }
        validation
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MeanLoss { positions, .. } = self.all;
        write!(f, "loss {:.6} of {positions} positions", self.all.loss())?;
        let step = MAX_PIECES / PIECE_GROUPS;
        for (group, mean) in self.by_pieces.iter().enumerate() {
            let (first, last) = ((group * step + 1).max(2), (group + 1) * step);
            write!(f, "\n  {first} to {last} pieces: {:.6} of {}", mean.loss(), mean.positions)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;
    use shakmaty::Position as _;

    fn sample(fen: &str, score: i16) -> Sample {
        let chess = parse_fen_any(fen).unwrap();
        Sample::from_board(chess.board(), chess.turn(), score, Some(1.0)).unwrap()
    }

    #[test]
    fn a_material_network_has_no_loss_where_scores_are_material() {
        let even = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        let rook_up = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let network = NetworkWeights::material();
        let right = [
            sample(even, 0),
            sample(rook_up, integer_network::value(&network, &sample(rook_up, 0)) as i16),
        ];
        let validation = Validation::new(&network, &right, 150.0);
        assert!(validation.all.loss() < 1e-9, "{validation}");
        let counts = validation.by_pieces.map(|mean| mean.positions);
        assert_eq!((validation.all.positions, counts), (2, [1, 0, 1, 0]));

        // Expected points of ½ and e / (1 + e).
        let wrong = Validation::new(&network, &[sample(even, 150)], 150.0);
        assert!((wrong.all.loss() - 0.231_058_6_f64.powi(2)).abs() < 1e-6, "{wrong}");
        assert_eq!(wrong.by_pieces[2], wrong.all);
    }
}
