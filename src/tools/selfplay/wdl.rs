//! Fits the [`WdlModel`], the chances to win, draw and lose, to games.
//!
//! For each range of material, maximum likelihood gives the score with an even chance to win, and the
//! spread. Then a parabola in the reciprocal of the material is fitted to each of the two, weighted by
//! the number of positions.

use std::collections::BTreeMap;

use super::replay::LabelledPosition;
use super::scale::sigmoid;
use outrider_engine::evaluation::wdl::{WdlModel, material};

/// Width of a range of material.
const MATERIAL_STEP: u32 = 4;
/// Smallest number of positions for a range of material to be fitted.
const MIN_POSITIONS: f64 = 1_000.0;
/// Width of a step of scores, in centipawns.
const SCORE_STEP: i32 = 4;
/// Largest number of Newton steps; about ten are enough.
const MAX_STEPS: usize = 100;
/// Start of the iteration: steepness per centipawn, and threshold.
const FIRST_GUESS: [f64; 2] = [0.005, 0.5];
/// The iteration ends after a step that changes the steepness by less than this share and the threshold
/// by less than this.
const PRECISION: f64 = 1e-7;
/// The iteration ends if not even this part of a step increases the likelihood.
const MIN_STEP_SCALE: f64 = 1e-6;
/// Step of the finite differences: in the threshold, and as a share of the steepness.
const DIFFERENCE: f64 = 1e-3;
/// Smallest steepness that a difference is a share of.
const MIN_STEEPNESS: f64 = 1e-4;
/// Smallest probability of a result, so that logarithms stay finite.
const MIN_CHANCE: f64 = 1e-12;

/// Counts results by material and score.
#[derive(Clone, Debug, Default)]
pub struct WdlTallies {
    by_material: BTreeMap<u32, BTreeMap<i32, ResultCounts>>,
}

/// Number of losses, draws and wins of the side to move.
type ResultCounts = [f64; 3];

/// Fit of a range of material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FittedRange {
    /// Middle of the range, in units of [`material`].
    pub material: f64,
    /// Number of positions in the range.
    pub positions: f64,
    /// Score with an even chance to win, in centipawns.
    pub even: f64,
    /// Score by which the odds grow e-fold, in centipawns.
    pub spread: f64,
}

impl WdlTallies {
    /// Counts a position. Ignores it if it has no result or its material is outside the model's range.
    pub fn add(&mut self, position: &LabelledPosition) {
        use shakmaty::Position as _;
        let range = WdlModel::MATERIAL;
        let material = material(position.board.chess().board());
        let Some(points) = position.points_for_mover().filter(|_| range.contains(&material)) else {
            return;
        };
        let score = position.score_for_mover().centipawns().div_euclid(SCORE_STEP);
        let by_score = self.by_material.entry(material / MATERIAL_STEP).or_default();
        let result = (points * 2.0) as usize;
        by_score.entry(score).or_default()[result] += 1.0;
    }

    /// Fits each range of material with enough positions.
    pub fn ranges(&self) -> Vec<FittedRange> {
        let fitted = self.by_material.iter().filter_map(|(&step, by_score)| {
            let positions: f64 = by_score.values().flatten().sum();
            let (steepness, threshold) = maximum_likelihood(by_score)?;
            (positions >= MIN_POSITIONS).then(|| FittedRange {
                material: f64::from(step * MATERIAL_STEP) + f64::from(MATERIAL_STEP - 1) / 2.0,
                positions,
                even: threshold / steepness,
                spread: 1.0 / steepness,
            })
        });
        fitted.collect()
    }
}

/// Fits the model to the ranges. Returns `None` if there are fewer than three or the fit is degenerate.
pub fn fit_wdl(ranges: &[FittedRange]) -> Option<WdlModel> {
    let parabola = |value: fn(&FittedRange) -> f64| {
        let points = ranges
            .iter()
            .map(|range| (WdlModel::HALF_MATERIAL / range.material, value(range), range.positions));
        least_squares(points)
    };
    Some(WdlModel { even: parabola(|range| range.even)?, spread: parabola(|r| r.spread)? })
}

/// Fits steepness and threshold by maximum likelihood, where the chance to win is
/// `σ(steepness·score - threshold)` and the chance to lose `σ(-steepness·score - threshold)`.
///
/// The log-likelihood is concave in both (Pratt 1981). So Newton's method finds the only maximum, if a
/// step that decreases the likelihood is halved until it does not. Returns `None` if the steepness found
/// is not positive.
fn maximum_likelihood(by_score: &BTreeMap<i32, ResultCounts>) -> Option<(f64, f64)> {
    let [mut steepness, mut threshold] = FIRST_GUESS;
    let mut likelihood = log_likelihood(by_score, steepness, threshold);
    for _ in 0..MAX_STEPS {
        let [mut steeper, mut higher] = newton_step(by_score, steepness, threshold)?;
        let mut part = 1.0;
        loop {
            let better = log_likelihood(by_score, steepness + steeper, threshold + higher);
            if better >= likelihood {
                likelihood = better;
                break;
            }
            part /= 2.0;
            if part < MIN_STEP_SCALE {
                return (steepness > 0.0).then_some((steepness, threshold));
            }
            (steeper, higher) = (steeper / 2.0, higher / 2.0);
        }
        (steepness, threshold) = (steepness + steeper, threshold + higher);
        if steeper.abs() < PRECISION * steepness.abs() && higher.abs() < PRECISION {
            break;
        }
    }
    let found = steepness > 0.0 && steepness.is_finite() && threshold.is_finite();
    found.then_some((steepness, threshold))
}

/// Returns the middle of a step of scores, in centipawns.
fn centipawns(step: i32) -> f64 {
    f64::from(step * SCORE_STEP) + f64::from(SCORE_STEP - 1) / 2.0
}

fn log_likelihood(by_score: &BTreeMap<i32, ResultCounts>, steepness: f64, threshold: f64) -> f64 {
    let of_step = |(&step, [lost, drawn, won]): (&i32, &ResultCounts)| {
        let x = steepness * centipawns(step);
        let (win, loss) = (sigmoid(x - threshold), sigmoid(-x - threshold));
        let logarithm = |chance: f64| chance.max(MIN_CHANCE).ln();
        lost * logarithm(loss) + drawn * logarithm(1.0 - win - loss) + won * logarithm(win)
    };
    by_score.iter().map(of_step).sum()
}

/// Returns Newton's step, with the derivatives of the log-likelihood by finite differences.
fn newton_step(
    by_score: &BTreeMap<i32, ResultCounts>,
    steepness: f64,
    threshold: f64,
) -> Option<[f64; 2]> {
    let (dx, dy) = (DIFFERENCE * steepness.abs().max(MIN_STEEPNESS), DIFFERENCE);
    let at = |i: f64, j: f64| log_likelihood(by_score, steepness + i * dx, threshold + j * dy);
    let here = at(0.0, 0.0);
    let gradient =
        [(at(1.0, 0.0) - at(-1.0, 0.0)) / (2.0 * dx), (at(0.0, 1.0) - at(0.0, -1.0)) / (2.0 * dy)];
    let xx = (at(1.0, 0.0) - 2.0 * here + at(-1.0, 0.0)) / (dx * dx);
    let yy = (at(0.0, 1.0) - 2.0 * here + at(0.0, -1.0)) / (dy * dy);
    let xy = (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * dx * dy);
    let determinant = xx * yy - xy * xy;
    let step = [
        -(yy * gradient[0] - xy * gradient[1]) / determinant,
        -(xx * gradient[1] - xy * gradient[0]) / determinant,
    ];
    step.iter().all(|step| step.is_finite()).then_some(step)
}

/// Fits a parabola to points (x, y, weight) by weighted least squares, solving the normal equations.
/// Returns `None` if there are fewer than three points or the equations are singular.
fn least_squares(points: impl Iterator<Item = (f64, f64, f64)>) -> Option<[f64; 3]> {
    let mut rows = [[0.0; 4]; 3];
    let mut count = 0;
    for (x, y, weight) in points {
        let powers = [1.0, x, x * x];
        for (row, power) in rows.iter_mut().zip(powers) {
            for (cell, factor) in row.iter_mut().zip([powers[0], powers[1], powers[2], y]) {
                *cell += weight * power * factor;
            }
        }
        count += 1;
    }
    if count < 3 {
        return None;
    }
    for pivot in 0..3 {
        for other in (0..3).filter(|&other| other != pivot) {
            let factor = rows[other][pivot] / rows[pivot][pivot];
            let subtracted = rows[pivot].map(|cell| factor * cell);
            rows[other].iter_mut().zip(subtracted).for_each(|(cell, less)| *cell -= less);
        }
    }
    let solution = [0, 1, 2].map(|row| rows[row][3] / rows[row][row]);
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::GameResult;
    use outrider_engine::evaluation::wdl::Wdl;
    use outrider_engine::units::Score;
    use shakmaty::Position as _;

    #[test]
    fn the_fit_recovers_the_chances_of_the_games() {
        let (even, spread) = (150.0, 60.0);
        let mut by_score = BTreeMap::new();
        for step in -200..=200 {
            let score = centipawns(step);
            let win = sigmoid((score - even) / spread);
            let loss = sigmoid((-score - even) / spread);
            by_score.insert(step, [loss, 1.0 - win - loss, win].map(|chance| 100.0 * chance));
        }
        let (steepness, threshold) = maximum_likelihood(&by_score).unwrap();
        assert!((1.0 / steepness - spread).abs() < 0.1, "{}", 1.0 / steepness);
        assert!((threshold / steepness - even).abs() < 0.1, "{}", threshold / steepness);
    }

    /// Adds positions of this board with results in the proportions of a model.
    fn tally(tallies: &mut WdlTallies, model: &WdlModel, fen: &str) {
        use outrider_engine::position::{Board, notation::parse_fen_any};
        let board = Board::new(parse_fen_any(fen).unwrap());
        let material = material(board.chess().board());
        let best = board.chess().legal_moves()[0];
        for score in (-500..500).step_by(5).map(Score::new) {
            let Wdl { win, draw, loss } = model.wdl(score, material);
            let ends = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
            for (result, chance) in ends.into_iter().zip([win, draw, loss]) {
                for _ in 0..chance / 20 {
                    let board = board.clone();
                    tallies.add(&LabelledPosition {
                        board,
                        best,
                        white_score: score,
                        result: Some(result),
                    });
                }
            }
        }
    }

    #[test]
    fn the_fit_recovers_a_model_from_results_drawn_from_it() {
        let model = WdlModel { even: [60.0, 40.0, 0.0], spread: [50.0, 0.0, 0.0] };
        let mut tallies = WdlTallies::default();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "1nbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w - - 0 1",
            "2bqkb2/pppppppp/8/8/8/8/PPPPPPPP/2BQKB2 w - - 0 1",
            "3qk3/pppppppp/8/8/8/8/PPPPPPPP/3QK3 w - - 0 1",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        ] {
            tally(&mut tallies, &model, fen);
        }
        let ranges = tallies.ranges();
        assert_eq!(ranges.len(), 5);
        let found = fit_wdl(&ranges).unwrap();
        for material in [16, 30, 50, 78] {
            // A range counts as its middle, and chances are rounded to integers.
            let even = found.even(material) / model.even(material);
            let spread = found.spread(material) / model.spread(material);
            assert!((even - 1.0).abs() < 0.1 && (spread - 1.0).abs() < 0.1, "{even} {spread}");
        }
    }

    #[test]
    fn least_squares_recovers_a_parabola_and_needs_three_points() {
        let y = |x: f64| 3.0 - 2.0 * x + 0.5 * x * x;
        let points = (1..9).map(f64::from).map(|x| (x, y(x), 1.0 + x));
        let found = least_squares(points).unwrap();
        for (found, expected) in found.into_iter().zip([3.0, -2.0, 0.5]) {
            assert!((found - expected).abs() < 1e-6, "{found}");
        }
        assert_eq!(least_squares([(1.0, 1.0, 1.0), (2.0, 1.0, 1.0)].into_iter()), None);
    }
}
