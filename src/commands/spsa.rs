//! `outrider spsa`: the parameters of the search in the form in which OpenBench takes them for a tune
//! by SPSA (Spall 1992): name, type, value, least and greatest value, and two coefficients of the
//! last iterations.

use std::fmt;
use std::io::Write;

use outrider_engine::search::parameters::{self, Parameter};

/// How far a value is moved to both sides in the last iterations, in parts of the value.
const STEP: f64 = 0.1;

/// The least step. The engine takes whole numbers, and a smaller step would often move nothing.
const MIN_STEP: f64 = 0.5;

/// The share of the step that is kept after a won pair of games, in the last iterations; the usual value.
const LEARNING_RATE: f64 = 0.002;

/// A line a parameter.
pub(super) fn command(output: &mut dyn Write) -> anyhow::Result<()> {
    for parameter in parameters::all() {
        writeln!(output, "{}", ParameterLine(parameter))?;
    }
    Ok(())
}

/// A parameter as OpenBench reads it.
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
    fn every_parameter_has_a_line_that_openbench_accepts() {
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
