//! Charts: panels of curves over two axes. `contents` has the data of a chart; `draw` and `scale` make a
//! picture of it.

mod contents;
mod draw;
mod scale;

use std::io;
use std::path::Path;

use thiserror::Error;

pub use contents::{Axis, Chart, Curve, DataPoint, Panel};

use outrider_engine::atomic_write;

/// Error of writing a chart.
#[derive(Debug, Error)]
#[error("cannot draw {path}: {reason}")]
pub struct ChartError {
    path: String,
    reason: io::Error,
}

impl Chart {
    /// Writes the chart to an SVG file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; an existing file is then unchanged.
    pub fn write_svg(&self, path: &Path) -> Result<(), ChartError> {
        let written = atomic_write::replace(path, draw::svg(self).as_bytes());
        written.map_err(|reason| ChartError { path: path.display().to_string(), reason })
    }
}

#[cfg(test)]
mod tests;
