//! The losses of a run as a table and a chart.

use std::io;
use std::path::{Path, PathBuf};

use super::config::TrainingConfig;
use super::trainer::Losses;
use crate::charts::{Axis, Chart, ChartError, Curve, DataPoint, Panel};
use outrider_engine::atomic_write;

/// Writes the losses of a run so far: one row per superbatch to `table` (CSV), and both curves to
/// `picture` (SVG).
///
/// # Errors
///
/// Fails if a file cannot be written. An older file is then unchanged.
pub fn write_losses(
    config: &TrainingConfig,
    history: &[Losses],
    table: &Path,
    picture: &Path,
) -> Result<(), LossesError> {
    let rows = rows(config, history).map_err(io::Error::from);
    rows.and_then(|rows| atomic_write::replace(table, &rows))
        .map_err(|error| LossesError::Table { path: table.to_owned(), error })?;
    Ok(chart(config, history).write_svg(picture)?)
}

fn rows(config: &TrainingConfig, history: &[Losses]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["superbatch", "samples", "rate", "training_loss", "validation_loss"])?;
    for (number, losses) in (1_u64..).zip(history) {
        let last_step = number * u64::from(config.batches) - 1;
        writer.write_record([
            number.to_string(),
            (number * config.superbatch_samples()).to_string(),
            format!("{:.8}", config.rate(last_step)),
            format!("{:.8}", losses.training),
            format!("{:.8}", losses.validation),
        ])?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// Reason why losses could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LossesError {
    /// The table cannot be written.
    #[error("{}: {error}", .path.display())]
    Table { path: PathBuf, error: io::Error },
    /// The chart cannot be written.
    #[error(transparent)]
    Picture(#[from] ChartError),
}

fn chart(config: &TrainingConfig, history: &[Losses]) -> Chart {
    let curve = |name: &str, loss: fn(&Losses) -> f64| {
        let points = (1..).zip(history).map(|(number, losses): (u32, _)| {
            let samples = f64::from(number) * config.superbatch_samples() as f64;
            DataPoint::new(samples / 1e6, loss(losses))
        });
        Curve::line(name, points)
    };
    Chart {
        title: "Loss in training and validation".into(),
        note: format!(
            "{}, result share {} to {}, scale {:.0}",
            config.architecture(),
            config.result_share,
            config.last_result_share,
            config.scale
        ),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            x: Axis::linear("million samples"),
            y: Axis::linear(if config.exponent == 2.0 {
                "mean squared error"
            } else {
                "mean loss"
            }),
            curves: vec![
                curve("training", |losses| losses.training),
                curve("validation", |losses| losses.validation),
            ],
            level: None,
        }],
    }
}
