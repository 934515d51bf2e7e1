//! Means and deviations.

/// Measurements on several trees.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sample(Vec<f64>);

impl Sample {
    /// Arithmetic mean; 0 if empty.
    pub(super) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// Standard deviation of the population, estimated from the sample; 0 for fewer than two
    /// values.
    pub(super) fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        (squares / self.0.len().saturating_sub(1).max(1) as f64).sqrt()
    }

    /// Standard error of the mean.
    pub(super) fn standard_error(&self) -> f64 {
        self.deviation() / (self.0.len().max(1) as f64).sqrt()
    }

    /// Maximum; 0 if empty.
    pub(super) fn greatest(&self) -> f64 {
        self.0.iter().copied().reduce(f64::max).unwrap_or(0.0)
    }

    /// Minimum; 0 if empty.
    pub(super) fn least(&self) -> f64 {
        self.0.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }
}

/// Formats the range of ratios, from the minimum to the maximum.
pub(super) fn span(ratios: impl Iterator<Item = f64>) -> String {
    let ratios: Sample = ratios.collect();
    format!("{:.2} to {:.2}", ratios.least(), ratios.greatest())
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sample {
        Sample(values.into_iter().collect())
    }
}

impl FromIterator<u64> for Sample {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Sample {
        values.into_iter().map(|value| value as f64).collect()
    }
}
