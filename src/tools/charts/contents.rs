//! What a chart shows.

/// A picture of one or more panels with a common legend. Curves of one name look the same in all
/// panels.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title above all panels.
    pub title: String,
    /// A line below it: what was searched, how many trees.
    pub note: String,
    /// How many panels stand side by side.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// Curves over a pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What distinguishes this panel from the others; empty if nothing does.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves, drawn in this order.
    pub curves: Vec<Curve>,
    /// A height to compare with, and what it is for the legend.
    pub level: Option<(f64, String)>,
}

/// An axis. It reaches as far as the curves do.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub title: String,
    /// Mapping from values to lengths.
    pub scale: Scale,
    /// Where numbers stand; if empty, at round values.
    pub ticks: Vec<f64>,
    /// Values that the axis includes in any case.
    pub includes: Vec<f64>,
}

/// How values become lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences, equal lengths.
    Linear,
    /// Equal ratios, equal lengths.
    Logarithmic,
    /// Names at 0, 1, 2 and so on; on a vertical axis from the top.
    Named(Vec<String>),
}

/// Points of one data series.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// As the legend has it.
    pub name: String,
    /// Data points, joined in this order.
    pub points: Vec<DataPoint>,
    /// Whether a line joins the points.
    pub joined: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// A bar reaches so far up and down from it; none if 0.
    pub error: f64,
}

impl Axis {
    /// An axis of equal differences.
    pub fn linear(title: &str) -> Axis {
        Axis { title: title.into(), scale: Scale::Linear, ticks: Vec::new(), includes: Vec::new() }
    }

    /// An axis of equal ratios, for positive values.
    pub fn logarithmic(title: &str) -> Axis {
        Axis { scale: Scale::Logarithmic, ..Axis::linear(title) }
    }

    /// An axis of categories, which lie at 0, 1, 2 and so on.
    pub fn named(title: &str, names: Vec<String>) -> Axis {
        Axis { scale: Scale::Named(names), ..Axis::linear(title) }
    }

    /// What is written along it.
    pub(super) fn label(&self) -> String {
        match self.scale {
            Scale::Logarithmic => format!("{} (logarithmic)", self.title),
            Scale::Linear | Scale::Named(_) => self.title.clone(),
        }
    }

    /// The same axis with numbers at these places only.
    #[must_use]
    pub fn with_ticks(self, ticks: impl IntoIterator<Item = f64>) -> Axis {
        Axis { ticks: ticks.into_iter().collect(), ..self }
    }

    /// The same axis, which reaches to this value at least.
    #[must_use]
    pub fn including(mut self, value: f64) -> Axis {
        self.includes.push(value);
        self
    }
}

impl Curve {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = DataPoint>) -> Curve {
        Curve { name: name.into(), points: points.into_iter().collect(), joined: true }
    }

    /// Points that no line joins.
    pub fn marks(name: impl Into<String>, points: impl IntoIterator<Item = DataPoint>) -> Curve {
        Curve { joined: false, ..Curve::line(name, points) }
    }
}

impl DataPoint {
    /// A point without an error bar.
    pub fn new(x: f64, y: f64) -> DataPoint {
        DataPoint { x, y, error: 0.0 }
    }
}
