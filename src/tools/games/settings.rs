//! What can be chosen about an analysis.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::PositionLimit;

/// At which moves the best line is written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ShownLines {
    /// Where the move was a fault.
    #[default]
    Faults,
    /// Wherever it was not the best.
    All,
    /// Nowhere.
    None,
}

/// What an analysis searches and says; with other settings it is other work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisSettings {
    /// How long each position is searched.
    pub limit: PositionLimit,
    /// At which moves the best line is written into the game.
    pub lines: ShownLines,
    /// How many lines are searched in each position, at least 1.
    pub multi_pv: usize,
}

impl AnalysisSettings {
    /// One line a position, shown at faults.
    #[cfg(test)]
    pub(crate) const fn new(limit: PositionLimit) -> AnalysisSettings {
        AnalysisSettings { limit, lines: ShownLines::Faults, multi_pv: 1 }
    }
}
