//! Settings of an analysis.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::PositionLimit;

/// Selects the moves at which the best line is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ShownLines {
    /// At faults.
    #[default]
    Faults,
    /// At every move that was not the best.
    All,
    /// At no move.
    None,
}

/// Settings that determine the result of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisSettings {
    /// Limit for the search of each position.
    pub limit: PositionLimit,
    /// Moves at which the best line is written into the game.
    pub lines: ShownLines,
    /// Number of lines searched in each position, at least 1.
    pub multi_pv: usize,
    /// Keep the verdicts of other programs.
    pub keep_verdicts: bool,
}

impl AnalysisSettings {
    /// Settings with one line per position, shown at faults.
    #[cfg(test)]
    pub(crate) const fn new(limit: PositionLimit) -> AnalysisSettings {
        AnalysisSettings { limit, lines: ShownLines::Faults, multi_pv: 1, keep_verdicts: false }
    }
}
