//! Positions of values on an axis, and its ticks.

use super::contents::{Axis, Scale};

/// Minimum number of ticks at multiples of powers of ten; with fewer, a logarithmic axis gets linear
/// ticks.
const MIN_TICKS: usize = 4;

/// An axis with its range and ticks.
#[derive(Clone)]
pub(super) struct FittedAxis {
    scale: Scale,
    downwards: bool,
    /// Ends of the range, as lengths: logarithms on a logarithmic axis, otherwise values.
    from: f64,
    to: f64,
    /// Values and labels of the ticks.
    ticks: Vec<(f64, String)>,
}

impl FittedAxis {
    /// Fits an axis to values.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> FittedAxis {
        let lengths = values.chain(axis.includes.iter().chain(&axis.ticks).copied());
        let lengths =
            lengths.map(|value| length(&axis.scale, value)).filter(|length| length.is_finite());
        let (least, greatest) = lengths.fold((f64::MAX, f64::MIN), |(least, greatest), length| {
            (least.min(length), greatest.max(length))
        });
        let (least, greatest) = if least <= greatest { (least, greatest) } else { (0.0, 1.0) };
        let (from, to) = match &axis.scale {
            Scale::Categorical(names) => (-0.5, names.len() as f64 - 0.5),
            Scale::Linear | Scale::Logarithmic => {
                let margin = if least < greatest { (greatest - least) * 0.05 } else { 0.5 };
                // A curve may touch only a border that the axis has to include.
                let is_included =
                    |end| axis.includes.iter().any(|&value| length(&axis.scale, value) == end);
                let from = if is_included(least) { least } else { least - margin };
                (from, greatest + margin)
            }
        };
        let ticks = match &axis.scale {
            Scale::Categorical(names) => (0..).map(f64::from).zip(names.iter().cloned()).collect(),
            _ if !axis.ticks.is_empty() => {
                axis.ticks.iter().map(|&value| (value, format!("{value}"))).collect()
            }
            Scale::Linear => linear_ticks(from, to),
            Scale::Logarithmic => logarithmic_ticks(from, to),
        };
        FittedAxis { scale: axis.scale.clone(), downwards: false, from, to, ticks }
    }

    /// Makes the axis vertical; categories then run from top to bottom.
    pub(super) fn vertical(self) -> FittedAxis {
        FittedAxis { downwards: matches!(self.scale, Scale::Categorical(_)), ..self }
    }

    /// Length of the longest tick label, in characters.
    pub(super) fn letters(&self) -> usize {
        self.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0)
    }

    /// Position of a value between the ends of the axis, 0 to 1. Values that the axis cannot show, such
    /// as the logarithm of 0, are clamped to an end.
    pub(super) fn share(&self, value: f64) -> f64 {
        let share = (length(&self.scale, value) - self.from) / (self.to - self.from);
        let share = share.clamp(0.0, 1.0);
        if self.downwards { 1.0 - share } else { share }
    }

    /// Returns the values and labels of the ticks.
    pub(super) fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }
}

fn length(scale: &Scale, value: f64) -> f64 {
    match scale {
        Scale::Logarithmic if value < 0.0 => f64::NEG_INFINITY,
        Scale::Logarithmic => value.log10(),
        Scale::Linear | Scale::Categorical(_) => value,
    }
}

/// Returns about six ticks; their distance is 1, 2 or 5 times a power of ten.
fn linear_ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    let rough = (to - from) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|&step| step >= rough).unwrap_or(rough);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    let write = |index: i64| (index as f64 * step, format!("{:.decimals$}", index as f64 * step));
    (first..=last).map(write).collect()
}

/// Returns ticks at powers of ten and, on short axes, at multiples of them.
fn logarithmic_ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    let factors: &[f64] = match to - from {
        decades if decades > 4.0 => &[1.0],
        decades if decades > 1.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0, 2.0, 3.0, 5.0, 7.0],
    };
    let ticks = logarithmic_multiples(from, to, factors);
    // On a short range, equal differences are nearly equal ratios.
    if ticks.len() < MIN_TICKS { linear_ticks(10f64.powf(from), 10f64.powf(to)) } else { ticks }
}

/// Returns ticks at these multiples of powers of ten.
fn logarithmic_multiples(from: f64, to: f64, factors: &[f64]) -> Vec<(f64, String)> {
    let powers = (from.floor() as i32..=to.ceil() as i32).map(|power| 10f64.powi(power));
    let values = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
    let inside = values.filter(|value| (from..=to).contains(&value.log10()));
    let write = |value: f64| {
        let decimals = (-value.log10().floor()).max(0.0) as usize;
        (value, format!("{value:.decimals$}"))
    };
    inside.map(write).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> Vec<String> {
        let fitted = FittedAxis::new(axis, values.iter().copied());
        fitted.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_at_round_numbers() {
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, &[0.73, 1.41]), ["0.8", "1.0", "1.2", "1.4"]);
        assert_eq!(labels(&linear, &[2.0, 60.0]), ["0", "20", "40", "60"]);
        let logarithmic = Axis::logarithmic("");
        assert_eq!(labels(&logarithmic, &[150.0, 2400.0]), ["200", "500", "1000", "2000"]);
        assert_eq!(labels(&logarithmic, &[0.9, 6.0]), ["1", "2", "3", "5"]);
        assert_eq!(labels(&logarithmic, &[0.9, 4.3]), ["1", "2", "3", "4"]);
        assert_eq!(labels(&logarithmic, &[1.07, 1.33]), ["1.10", "1.15", "1.20", "1.25", "1.30"]);
        assert_eq!(labels(&linear.with_ticks([2.0, 5.0]), &[1.0, 9.0]), ["2", "5"]);
    }

    #[test]
    fn the_range_covers_all_values_and_is_never_empty() {
        for axis in [Axis::linear(""), Axis::logarithmic("")] {
            let fitted = FittedAxis::new(&axis, [5.0].into_iter());
            assert!(0.0 < fitted.share(5.0) && fitted.share(5.0) < 1.0);
            assert!(fitted.share(4.9) < fitted.share(5.0));
            let fitted = FittedAxis::new(&axis, std::iter::empty());
            assert!(fitted.from < fitted.to);
        }
        let from_zero = Axis::linear("").including(0.0);
        assert_eq!(FittedAxis::new(&from_zero, [7.0].into_iter()).share(0.0), 0.0);
    }

    #[test]
    fn categories_lie_at_whole_numbers() {
        let axis = Axis::categorical("", vec!["killers".into(), "history".into()]);
        let fitted = FittedAxis::new(&axis, [0.0, 1.0].into_iter());
        assert_eq!(fitted.ticks, [(0.0, "killers".to_owned()), (1.0, "history".to_owned())]);
    }
}
