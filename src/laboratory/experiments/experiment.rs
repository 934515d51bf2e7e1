//! What an experiment is, and what it finds.

use std::io;

use serde::Serialize;
use thiserror::Error;

use super::plan::Plan;
use crate::artificial::ShapeError;
use outrider_engine::search::MemoryError;
use outrider_tools::charts::Chart;

/// An experiment that can be run by name.
#[derive(Debug)]
pub struct Experiment {
    pub name: &'static str,
    /// What it measures, in a line.
    pub about: &'static str,
    /// How many trees of each kind are searched by default.
    pub usual_trees: u32,
    pub run: fn(&Plan<'_>) -> Result<Findings, ExperimentError>,
}

#[derive(Debug)]
pub struct Findings {
    /// What was counted: the same for the same seed, everywhere.
    pub counts: CsvTable,
    /// What was timed, on one core, if anything was.
    pub times: Option<CsvTable>,
    pub chart: Chart,
    /// What a paper says, beside what was measured.
    pub claims: Vec<Claim>,
}

/// A paper's statement, and what was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub paper: &'static str,
    pub measured: String,
}

/// Rows of numbers as comma-separated values, with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvTable(pub String);

#[derive(Debug, Error)]
pub enum ExperimentError {
    #[error("a row cannot be written: {0}")]
    Row(#[from] csv::Error),
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// More positions are asked for than are built in.
    #[error("there are {0} positions: give --trees {0} at most")]
    TooFewPositions(usize),
}

impl CsvTable {
    /// A table of rows, the columns named as the fields.
    ///
    /// # Errors
    ///
    /// Fails if the rows are not structures of plain fields.
    pub(crate) fn of<R: Serialize>(rows: &[R]) -> Result<CsvTable, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in rows {
            writer.serialize(row)?;
        }
        let bytes = writer.into_inner().map_err(|error| error.into_error())?;
        Ok(CsvTable(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// A ratio as tables have it, with four digits behind the point.
pub(super) fn rounded(ratio: f64) -> f64 {
    (ratio * 1e4).round() / 1e4
}
