//! Summary of a game for each player.

use shakmaty::{ByColor, Color};

use super::AnalysedGame;
use super::judge::{Fault, SHARE_FOR_PEOPLE};
use crate::pgn::AnnotatedGame;

/// Statistics of a player's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerSummary {
    /// Number of moves.
    pub moves: usize,
    /// Accuracy, 0 to 100, as on lichess.org: the average of two means of the moves' accuracies, one
    /// weighted by the volatility of the expected points, the other harmonic.
    pub accuracy: f64,
    /// Mean loss per move, in centipawns.
    pub centipawn_loss: f64,
    /// Number of faults of each kind, in the order of [`Fault::ALL`].
    pub faults: [usize; 3],
    /// Number of missed mates and of missed wins.
    pub missed: [usize; 2],
}

impl PlayerSummary {
    /// Returns the summary of each player; `None` for a player without a move.
    pub fn by_color(
        game: &AnnotatedGame,
        analysed: &AnalysedGame,
    ) -> ByColor<Option<PlayerSummary>> {
        ByColor::new_with(|color| {
            let plies = (0..game.moves.len()).filter(|&ply| game.mover(ply) == color);
            let chances = plies.clone().filter_map(|ply| analysed.missed[ply]);
            let missed =
                [0, 1].map(|kind| chances.clone().filter(|chance| chance.kind() == kind).count());
            let judged: Vec<_> = plies.map(|ply| analysed.judged[ply]).collect();
            let count = |fault| judged.iter().filter(|judged| judged.fault == Some(fault)).count();
            let centipawns: i32 = judged.iter().map(|judged| judged.centipawns).sum();
            (!judged.is_empty()).then(|| PlayerSummary {
                moves: judged.len(),
                accuracy: accuracy(game, analysed, color),
                centipawn_loss: f64::from(centipawns) / judged.len() as f64,
                faults: Fault::ALL.map(count),
                missed,
            })
        })
    }

    /// Returns the number of faults of this kind.
    pub fn count(&self, fault: Fault) -> usize {
        let index = Fault::ALL.iter().position(|&kind| kind == fault);
        index.map_or(0, |index| self.faults[index])
    }

    /// Adds another game. Means are weighted by the number of moves.
    pub fn add(&mut self, game: &PlayerSummary) {
        let (own, other) = (self.moves as f64, game.moves as f64);
        let joined =
            |mine: f64, theirs: f64| (mine * own + theirs * other) / (own + other).max(1.0);
        self.accuracy = joined(self.accuracy, game.accuracy);
        self.centipawn_loss = joined(self.centipawn_loss, game.centipawn_loss);
        self.moves += game.moves;
        let counts = game.faults.into_iter().chain(game.missed);
        for (sum, count) in self.faults.iter_mut().chain(&mut self.missed).zip(counts) {
            *sum += count;
        }
    }
}

/// Returns a player's accuracy, 0 to 100: the average of two means of the moves' accuracies. One is
/// weighted by the volatility of the expected points, the other is the harmonic mean, which a single
/// blunder lowers much. This is the measure of lichess.org (lila,
/// `modules/analyse/AccuracyPercent.scala`), which is slightly higher because it adds one percent to each
/// move.
pub(super) fn accuracy(game: &AnnotatedGame, analysed: &AnalysedGame, color: Color) -> f64 {
    let weights = volatility(&analysed.white_expected_points(game));
    let own = (0..game.moves.len()).filter(|&ply| game.mover(ply) == color);
    let (mut count, mut weight_sum, mut weighted_sum, mut reciprocals) = (0.0, 0.0, 0.0, 0.0);
    for ply in own {
        let accuracy = analysed.judged[ply].accuracy();
        count += 1.0;
        weight_sum += weights[ply];
        weighted_sum += weights[ply] * accuracy;
        reciprocals += 1.0 / accuracy.max(1.0);
    }
    f64::midpoint(weighted_sum / weight_sum, count / reciprocals)
}

/// Returns the volatility at each move: the standard deviation of the expected points in percent, clamped
/// to 0.5 to 12, over a window of a tenth of the moves (2 to 8 positions). The first moves share the first
/// window.
fn volatility(expected_points: &[f64]) -> Vec<f64> {
    let moves = expected_points.len() - 1;
    let size = (moves / 10).clamp(2, 8).min(expected_points.len());
    let first = |ply: usize| (ply + 2).saturating_sub(size).min(expected_points.len() - size);
    let percent = 100.0 * SHARE_FOR_PEOPLE;
    let weight = |ply| {
        (percent * deviation(&expected_points[first(ply)..first(ply) + size])).clamp(0.5, 12.0)
    };
    (0..moves).map(weight).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / values.len() as f64).sqrt()
}

impl AnalysedGame {
    /// Returns White's expected points in each position, 0 to 1.
    pub(crate) fn white_expected_points(&self, game: &AnnotatedGame) -> Vec<f64> {
        let chance = |(ply, examined): (usize, &super::ExaminedPosition)| {
            let chance = examined.wdl.expected_points();
            if game.mover(ply).is_white() { chance } else { 1.0 - chance }
        };
        self.examined.iter().enumerate().map(chance).collect()
    }
}
