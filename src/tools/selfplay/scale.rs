//! Fits the scale of scores, which relates centipawns to expected points.
//!
//! Expected points are modelled as a logistic curve of the score, `1 / (1 + exp(-score / scale))`, as
//! in Elo ratings and most trainers. The scale of maximum likelihood is found by Newton's method.

use std::collections::BTreeMap;

use outrider_engine::units::Score;

/// Largest number of Newton steps. About ten are enough; data without a finite scale never converge.
const MAX_STEPS: usize = 100;
/// Relative change at which the iteration ends.
const PRECISION: f64 = 1e-9;

/// Counts points by score. Memory is bounded by the number of different scores.
#[derive(Clone, Debug, Default)]
pub struct ScorePoints {
    by_score: BTreeMap<i32, ScoreTally>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ScoreTally {
    count: f64,
    points: f64,
}

impl ScorePoints {
    /// Counts a score and points, 0 to 1, both of the same side, with a weight.
    pub(crate) fn add(&mut self, score: Score, points: f32, weight: f64) {
        let tally = self.by_score.entry(score.centipawns()).or_default();
        tally.count += weight;
        tally.points += weight * f64::from(points);
    }

    /// Fits the scale in centipawns. Returns `None` if there is no finite positive scale: points do not
    /// rise with the score, or every score above zero won and every score below zero lost.
    pub fn scale(&self) -> Option<f64> {
        // For a steepness above 0 the gradient is convex, so steps from zero never overshoot.
        let mut steepness = 0.0;
        for _ in 0..MAX_STEPS {
            let (gradient, curvature) = self.derivatives(steepness);
            let step = gradient / curvature;
            steepness += step;
            if steepness.is_nan() || steepness <= 0.0 {
                return None;
            }
            if step.abs() <= PRECISION * steepness {
                return Some(1.0 / steepness);
            }
        }
        None
    }

    /// Returns the first derivative of the log-likelihood and the negated second derivative.
    fn derivatives(&self, steepness: f64) -> (f64, f64) {
        self.by_score.iter().fold((0.0, 0.0), |(gradient, curvature), (&score, tally)| {
            let score = f64::from(score);
            let expected = sigmoid(steepness * score);
            let slope = expected * (1.0 - expected) * score * score;
            (
                gradient + (tally.points - tally.count * expected) * score,
                curvature + tally.count * slope,
            )
        })
    }
}

/// Logistic function.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Fits the scale in centipawns to scores, points from 0 to 1 of the same side, and weights. Returns
/// `None` in the same cases as `ScorePoints::scale`.
pub fn fit_scale(weighted: impl IntoIterator<Item = (Score, f32, f64)>) -> Option<f64> {
    let mut all = ScorePoints::default();
    weighted.into_iter().for_each(|(score, points, weight)| all.add(score, points, weight));
    all.scale()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

    /// Returns random games whose chance to win follows from the score on this scale.
    fn games(scale: f64, count: usize) -> Vec<(Score, f32)> {
        let mut random = StdRng::seed_from_u64(1);
        let games = (0..count).map(|_| {
            let score: i32 = random.random_range(-1500..=1500);
            let won = random.random_bool(sigmoid(f64::from(score) / scale));
            (Score::new(score), f32::from(u8::from(won)))
        });
        games.collect()
    }

    fn fit(pairs: impl IntoIterator<Item = (Score, f32)>) -> Option<f64> {
        fit_scale(pairs.into_iter().map(|(score, points)| (score, points, 1.0)))
    }

    #[test]
    fn the_fit_recovers_the_scale_of_the_games() {
        for scale in [100.0, 250.0, 400.0] {
            let found = fit(games(scale, 200_000)).unwrap();
            assert!((found / scale - 1.0).abs() < 0.02, "{found} for {scale}");
        }
    }

    #[test]
    fn a_game_of_twice_the_weight_counts_as_two() {
        let (steep, flat) = (games(100.0, 1000), games(400.0, 1000));
        let twice = fit([&steep[..], &flat, &flat].concat()).unwrap();
        let weighted = |games: Vec<(Score, f32)>, weight: f64| {
            games.into_iter().map(move |(score, points)| (score, points, weight))
        };
        let found = fit_scale(weighted(steep, 0.5).chain(weighted(flat, 1.0))).unwrap();
        assert!((found - twice).abs() < 1e-6, "{found} and {twice}");
    }

    #[test]
    fn the_scale_is_the_same_from_both_sides() {
        let games = games(250.0, 1000);
        let turned: Vec<_> = games.iter().map(|&(score, points)| (-score, 1.0 - points)).collect();
        let (found, again) = (fit(games).unwrap(), fit(turned).unwrap());
        assert!((found - again).abs() < 1e-6, "{found} and {again}");
    }

    #[test]
    fn there_is_no_scale_if_no_finite_scale_fits() {
        assert_eq!(fit([]), None);
        assert_eq!(fit([(Score::DRAW, 0.5)]), None);
        let (ahead, behind) = (Score::new(100), Score::new(-100));
        assert_eq!(fit([(ahead, 1.0), (behind, 0.0)]), None, "each score decides");
        assert_eq!(fit([(ahead, 0.0), (ahead, 0.0), (ahead, 1.0)]), None, "points fall");
        assert!(fit([(ahead, 1.0), (behind, 0.0), (ahead, 0.0)]).is_some());
    }
}
