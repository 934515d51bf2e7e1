//! The alpha-beta window.

use super::report::Bound;
use crate::engine::units::Score;

/// The open interval in which a score is wanted: scores up to `alpha` fail low, scores from `beta`
/// on fail high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreWindow {
    /// The side to move can already get this score elsewhere.
    pub alpha: Score,
    /// The opponent can already avoid this score elsewhere.
    pub beta: Score,
}

impl ScoreWindow {
    /// The window that excludes nothing.
    pub const FULL: ScoreWindow =
        ScoreWindow { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

    /// The window between two scores.
    pub fn new(alpha: Score, beta: Score) -> ScoreWindow {
        debug_assert!(alpha < beta);
        ScoreWindow { alpha, beta }
    }

    /// The null window that finds out whether the score is above `alpha`.
    pub fn null(alpha: Score) -> ScoreWindow {
        ScoreWindow { alpha, beta: alpha + 1 }
    }

    /// The window of `half_width` centipawns to each side of a score, as far as scores go.
    pub fn around(score: Score, half_width: i32) -> ScoreWindow {
        ScoreWindow {
            alpha: (score - half_width).max(ScoreWindow::FULL.alpha),
            beta: (score + half_width).min(ScoreWindow::FULL.beta),
        }
    }

    /// Whether alpha and beta are one apart, so that only a bound can be found.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// What the score of a search with this window says about the true value.
    pub fn bound(self, score: Score) -> Bound {
        if score <= self.alpha {
            Bound::Upper
        } else if score >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// The same window seen from the other side.
    pub fn flip(self) -> ScoreWindow {
        ScoreWindow { alpha: -self.beta, beta: -self.alpha }
    }
}
