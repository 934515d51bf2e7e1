//! Data of a chart.

/// One or more panels with a common legend. Curves with the same name look the same in all panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title above all panels.
    pub title: String,
    /// Note below the title, such as the number of trees.
    pub note: String,
    /// Number of panels in a row.
    pub columns: usize,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
}

/// Curves over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title that distinguishes this panel from the others; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves, drawn in this order.
    pub curves: Vec<Curve>,
    /// Value for a horizontal line of comparison, and its name in the legend.
    pub level: Option<(f64, String)>,
}

/// An axis. Its range covers the values of the curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Measured quantity with its unit.
    pub title: String,
    /// Mapping from values to lengths.
    pub scale: Scale,
    /// Values at the ticks; if empty, round values are chosen.
    pub ticks: Vec<f64>,
    /// Values that the range always includes.
    pub includes: Vec<f64>,
}

/// Mapping from values to lengths on an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths.
    Logarithmic,
    /// Names of categories at 0, 1, 2 and so on; on a vertical axis from top to bottom.
    Categorical(Vec<String>),
}

/// Points of one data series.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Data points, joined in this order.
    pub points: Vec<DataPoint>,
    /// The points are joined by a line.
    pub joined: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// Length of the error bar above and below the point; no bar if 0.
    pub error: f64,
}

impl Axis {
    /// Creates a linear axis.
    pub fn linear(title: &str) -> Axis {
        Axis { title: title.into(), scale: Scale::Linear, ticks: Vec::new(), includes: Vec::new() }
    }

    /// Creates a logarithmic axis, for positive values.
    pub fn logarithmic(title: &str) -> Axis {
        Axis { scale: Scale::Logarithmic, ..Axis::linear(title) }
    }

    /// Creates an axis of categories, which lie at 0, 1, 2 and so on.
    pub fn categorical(title: &str, names: Vec<String>) -> Axis {
        Axis { scale: Scale::Categorical(names), ..Axis::linear(title) }
    }

    /// Label of the axis.
    pub(super) fn label(&self) -> String {
        match self.scale {
            Scale::Logarithmic => format!("{} (logarithmic)", self.title),
            Scale::Linear | Scale::Categorical(_) => self.title.clone(),
        }
    }

    /// Sets the values of the ticks.
    #[must_use]
    pub fn with_ticks(self, ticks: impl IntoIterator<Item = f64>) -> Axis {
        Axis { ticks: ticks.into_iter().collect(), ..self }
    }

    /// Extends the range to this value.
    #[must_use]
    pub fn including(mut self, value: f64) -> Axis {
        self.includes.push(value);
        self
    }
}

impl Curve {
    /// Creates a curve whose points are joined by a line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = DataPoint>) -> Curve {
        Curve { name: name.into(), points: points.into_iter().collect(), joined: true }
    }

    /// Creates a curve of single points without a line.
    pub fn marks(name: impl Into<String>, points: impl IntoIterator<Item = DataPoint>) -> Curve {
        Curve { joined: false, ..Curve::line(name, points) }
    }
}

impl DataPoint {
    /// Creates a point without an error bar.
    pub fn new(x: f64, y: f64) -> DataPoint {
        DataPoint { x, y, error: 0.0 }
    }
}
