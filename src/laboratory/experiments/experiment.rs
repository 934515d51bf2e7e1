//! An experiment and its findings.

use std::io;

use serde::Serialize;
use thiserror::Error;

use super::plan::Plan;
use crate::artificial::ShapeError;
use outrider_engine::search::MemoryError;
use outrider_tools::charts::Chart;

/// Experiment that can be run by name.
#[derive(Debug)]
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Default number of trees (or positions) of each kind.
    pub usual_trees: u32,
    /// Runs the experiment.
    pub run: fn(&Plan<'_>) -> Result<Findings, ExperimentError>,
}

/// Results of an experiment.
#[derive(Debug)]
pub struct Findings {
    /// Counts: the same for the same seed, on every machine.
    pub counts: CsvTable,
    /// Times, measured on one core, if the experiment has any.
    pub times: Option<CsvTable>,
    /// Chart of the results.
    pub chart: Chart,
    /// Statements of papers, with the measurements.
    pub claims: Vec<Claim>,
}

/// A paper's statement, with the measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Statement of the paper.
    pub paper: &'static str,
    /// Measured result.
    pub measured: String,
}

/// Rows of numbers as comma-separated values, with a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvTable(pub String);

/// Reason why an experiment failed.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// A row of the table cannot be written.
    #[error("a row cannot be written: {0}")]
    Row(#[from] csv::Error),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// A tree has an impossible shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// There is not enough memory for the engine.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// More positions are requested than are built in.
    #[error("there are only {0} positions: use --trees {0} or less")]
    TooFewPositions(usize),
}

impl CsvTable {
    /// Returns a table of rows, with the field names as column names.
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

/// Rounds a ratio to four decimal places, for tables.
pub(super) fn rounded(ratio: f64) -> f64 {
    (ratio * 1e4).round() / 1e4
}
