//! Labels of several networks.

use rayon::prelude::*;

use super::integer_network;
use super::sample::Sample;
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_engine::units::Score;

/// Mixes the mean value of several networks into the scores of samples.
///
/// Each network learned some noise of its games. Networks from different random weights learned different
/// noise, so their mean knows more than each of them (Hansen and Salamon 1990, "Neural network ensembles"),
/// and one network can learn from it (Hinton, Vinyals and Dean 2015, "Distilling the knowledge in a neural
/// network").
#[derive(Clone, Copy, Debug)]
pub struct Ensemble<'a> {
    /// Networks of any size, at least one. Each must pass [`NetworkWeights::check`].
    pub networks: &'a [NetworkWeights],
    /// Share of the mean in the expected points of the new score, 0 to 1.
    pub weight: f64,
    /// Score in centipawns with odds of winning of e to 1.
    pub scale: f64,
}

impl Ensemble<'_> {
    /// Labels all samples on the threads of the current rayon pool. Calls `labelled` after each sample, on
    /// any thread.
    pub fn label(&self, samples: &mut [Sample], labelled: impl Fn() + Sync) {
        samples.par_iter_mut().for_each(|sample| {
            *sample = self.labelled(sample);
            labelled();
        });
    }

    fn labelled(&self, sample: &Sample) -> Sample {
        let own = f64::from(sample.score().centipawns()) / self.scale;
        let mean = self.mean_output(sample);
        // The chances to win and to lose are mixed separately: the difference of a chance near 1 to 1 has
        // no digits left.
        let chance = |sign: f64| {
            let of = |output: f64| 1.0 / (1.0 + (-sign * output).exp());
            (1.0 - self.weight) * of(own) + self.weight * of(mean)
        };
        let score = self.scale * (chance(1.0).ln() - chance(-1.0).ln());
        sample.with_score(Score::new(score.round() as i32).clamp_static())
    }

    /// Mean of the logarithms of the odds to win.
    fn mean_output(&self, sample: &Sample) -> f64 {
        let output = |network: &NetworkWeights| {
            integer_network::value(network, sample) as f64 / f64::from(network.scale)
        };
        self.networks.iter().map(output).sum::<f64>() / self.networks.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::notation::parse_fen_any;
    use shakmaty::Position as _;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn sample(fen: &str, score: i16) -> Sample {
        let chess = parse_fen_any(fen).unwrap();
        Sample::from_board(chess.board(), chess.turn(), score, Some(0.25)).unwrap()
    }

    /// Labels a position in which the side to move is a rook up, and returns its scores before and after.
    fn labelled(weight: f64) -> [i32; 2] {
        let first = NetworkWeights::material();
        let mut second = first.clone();
        // The other network finds every position better.
        second.output_biases.iter_mut().for_each(|bias| *bias += 6_000);
        let networks = [first, second];
        let mut samples = [sample("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", -80)];
        let values =
            networks.each_ref().map(|network| integer_network::value(network, &samples[0]));
        assert!(values[0] > 0 && values[1] > values[0] + 100, "{values:?}");
        let scale = f64::from(networks[0].scale);
        let count = AtomicUsize::new(0);
        Ensemble { networks: &networks, weight, scale }.label(&mut samples, || {
            count.fetch_add(1, Relaxed);
        });
        assert_eq!((count.into_inner(), samples[0].points()), (1, Some(0.25)));
        [(values[0] + values[1]) as i32 / 2, samples[0].score().centipawns()]
    }

    #[test]
    fn the_whole_label_is_the_mean_of_the_values() {
        let [mean, score] = labelled(1.0);
        assert!((mean - score).abs() <= 1, "{mean} {score}");
    }

    #[test]
    fn the_weight_is_the_share_of_the_label() {
        assert_eq!(labelled(0.0)[1], -80);
        let [mean, score] = labelled(0.5);
        assert!(-80 < score && score < mean, "{score} {mean}");
    }

    #[test]
    fn chances_near_one_keep_their_scores() {
        let networks = [NetworkWeights::material()];
        for (score, weight, expected) in [(15_000, 0.0, 15_000), (-9_000, 0.0, -9_000)] {
            let mut samples = [sample("7k/8/8/8/8/8/8/1QQ1K3 w - - 0 1", score)];
            Ensemble { networks: &networks, weight, scale: 134.0 }.label(&mut samples, || ());
            assert_eq!(samples[0].score().centipawns(), expected);
        }
        let mut samples = [sample("7k/8/8/8/8/8/8/QQQQK3 b - - 0 1", 15_000)];
        let value = integer_network::value(&networks[0], &samples[0]);
        assert!(value < -2_500, "{value}");
        let scale = f64::from(networks[0].scale);
        Ensemble { networks: &networks, weight: 1.0, scale }.label(&mut samples, || ());
        assert!((i64::from(samples[0].score().centipawns()) - value).abs() <= 1, "{samples:?}");
    }
}
