//! `outrider spsa`: the search parameters in the form that OpenBench expects for tuning by SPSA (Spall
//! 1992): name, type, value, minimum, maximum, and two coefficients of the last iterations.

use std::fmt;
use std::io::Write;

use outrider_engine::search::parameters::{self, Parameter};

/// Perturbation of a value in both directions in the last iterations, as a fraction of the value.
const STEP: f64 = 0.1;

/// Minimum step. Parameters are whole numbers, so a smaller step would often change nothing.
const MIN_STEP: f64 = 0.5;

/// Fraction of the step that is kept after a won game pair in the last iterations; the usual value.
const LEARNING_RATE: f64 = 0.002;

/// Prints one line per parameter.
pub(super) fn command(output: &mut dyn Write) -> anyhow::Result<()> {
    for parameter in parameters::all() {
        writeln!(output, "{}", ParameterLine(parameter))?;
    }
    Ok(())
}

/// Prints a parameter as OpenBench expects it.
struct ParameterLine(&'static Parameter);

impl fmt::Display for ParameterLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, default, min, max, .. } = self.0;
        let range = f64::from(max - min);
        let step = (STEP * f64::from(default.abs())).min(range / 4.0).max(MIN_STEP);
        write!(f, "{name}, int, {default}, {min}, {max}, {step:.2}, {LEARNING_RATE}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_printed_as_openbench_expects() {
        let mut shown = Vec::new();
        command(&mut shown).unwrap();
        let shown = String::from_utf8(shown).unwrap();
        assert_eq!(shown.lines().count(), parameters::all().len());
        for (line, parameter) in shown.lines().zip(parameters::all()) {
            let parts: Vec<&str> = line.split(',').map(str::trim).collect();
            let [name, "int", value, min, max, step, rate] = parts[..] else { panic!("{line}") };
            assert_eq!((name, value), (parameter.name, parameter.default.to_string().as_str()));
            let [value, min, max, step, rate] =
                [value, min, max, step, rate].map(|number| number.parse::<f64>().unwrap());
            assert!(min <= value && value <= max && step >= 0.5 && rate > 0.0, "{line}");
            assert!(step <= (max - min).max(0.5), "{line}");
        }
    }
}
