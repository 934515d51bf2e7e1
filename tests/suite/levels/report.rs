//! The result of a measurement: a table for the record, and the rows of `strength_limit.rs` with which
//! each level would be as strong as it says.

use std::fmt;

use outrider_engine::search::{Level, StrengthLimit};

use super::fit::{Measured, Pairing, Tally};
use super::games::Opponent;

/// Number of Elo by which a level may differ from what it says.
const TOLERANCE: f64 = 75.0;
/// Strength at which Stockfish's scale begins. The levels below rest on games between levels alone.
const ANCHORED: i32 = 1350;

/// A level as it was measured.
#[derive(Clone, Debug)]
struct Row {
    level: Level,
    measured: f64,
    error: f64,
    /// Results against the next level, and against each setting of Stockfish.
    next: Option<Tally>,
    stockfish: Vec<(i32, Tally)>,
}

/// All levels in rising order.
pub(super) struct Report {
    rows: Vec<Row>,
    slope: f64,
    slope_error: f64,
}

impl Report {
    pub(super) fn new(opponents: &[Opponent], pairings: &[Pairing], measured: &Measured) -> Report {
        let row = |(index, opponent): (usize, &Opponent)| {
            let Opponent::Level(elo) = *opponent else { return None };
            let own = pairings.iter().filter(|pairing| pairing.players[0] == index);
            let mut row = Row {
                level: StrengthLimit::from_elo(elo, 0).level(),
                measured: measured.fit.strengths[index],
                error: measured.errors[index],
                next: None,
                stockfish: Vec::new(),
            };
            for pairing in own {
                match opponents[pairing.players[1]] {
                    Opponent::Level(_) => row.next = Some(pairing.tally),
                    Opponent::Stockfish(elo) => row.stockfish.push((elo, pairing.tally)),
                }
            }
            Some(row)
        };
        Report {
            rows: opponents.iter().enumerate().filter_map(row).collect(),
            slope: measured.fit.slope,
            slope_error: measured.slope_error,
        }
    }

    /// Returns the levels on Stockfish's scale that differ from what they say by more than the tolerance
    /// and the error together.
    pub(super) fn wrong(&self) -> Vec<i32> {
        let is_wrong = |row: &&Row| {
            let off = (row.measured - f64::from(row.level.elo)).abs();
            row.level.elo >= ANCHORED && off > TOLERANCE + row.error
        };
        self.rows.iter().filter(is_wrong).map(|row| row.level.elo).collect()
    }

    /// Returns the level that measured as `elo`, interpolated; the lowest or highest one outside of what
    /// was measured.
    fn level_measured_as(&self, elo: i32) -> Level {
        let wanted = f64::from(elo);
        let above = self.rows.iter().position(|row| row.measured >= wanted);
        let last = self.rows.len() - 1;
        let (below, above) = match above {
            Some(0) => (0, 0),
            Some(above) => (above - 1, above),
            None => (last, last),
        };
        let (below, above) = (&self.rows[below], &self.rows[above]);
        let span = (above.measured - below.measured).max(1.0);
        let share = ((wanted - below.measured) / span).clamp(0.0, 1.0);
        let between = |value: fn(&Level) -> i32| {
            let (from, to) = (f64::from(value(&below.level)), f64::from(value(&above.level)));
            (from + (to - from) * share).round() as i32
        };
        Level {
            elo,
            depth: between(|level| level.depth),
            growth: between(|level| level.growth),
            overlooked: between(|level| level.overlooked),
            noise: between(|level| level.noise),
        }
    }
}

/// Prints the percentage of the points.
fn percent(tally: Tally) -> String {
    match tally.games() {
        0 => "not played".to_owned(),
        games => format!("{:.1} % of {games}", 100.0 * tally.points() / f64::from(games)),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| Strength | Plies | Measured | Against the next | Against Stockfish |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for row in &self.rows {
            let stockfish = row.stockfish.iter();
            let stockfish: Vec<String> =
                stockfish.map(|(elo, tally)| format!("{elo}: {}", percent(*tally))).collect();
            writeln!(
                f,
                "| {} | {:.1} | {:.0} ± {:.0} | {} | {} |",
                row.level.elo,
                f64::from(row.level.depth) / 10.0,
                row.measured,
                row.error,
                row.next.map(percent).unwrap_or_default(),
                stockfish.join(", "),
            )?;
        }
        writeln!(
            f,
            "\nOne Elo of strength is {:.2} ± {:.2} in games between levels.\n",
            self.slope, self.slope_error
        )?;
        writeln!(f, "Rows of src/engine/search/strength_limit.rs, fitted again:\n")?;
        for row in &self.rows {
            let Level { elo, depth, growth, overlooked, noise } =
                self.level_measured_as(row.level.elo);
            writeln!(f, "    level({elo}, {depth}, {growth}, {overlooked}, {noise}),")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(elo: i32, depth: i32, measured: f64, error: f64) -> Row {
        let level =
            Level { elo, depth, growth: depth / 10, overlooked: 400 - depth, noise: 100 - depth };
        Row { level, measured, error, next: None, stockfish: Vec::new() }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report { rows, slope: 1.0, slope_error: 0.1 }
    }

    #[test]
    fn a_level_is_fitted_between_those_that_measured_weaker_and_stronger() {
        let report = report(vec![row(1000, 20, 1200.0, 30.0), row(1500, 60, 1600.0, 30.0)]);
        let fitted = report.level_measured_as(1500);
        assert_eq!((fitted.elo, fitted.depth), (1500, 50));
        assert_eq!((fitted.overlooked, fitted.noise), (350, 50));
        assert_eq!(report.level_measured_as(1000).depth, 20);
        assert_eq!(report.level_measured_as(1900).depth, 60);
        assert!(report.to_string().contains("    level(1500, 50, 5, 350, 50),\n"), "{report}");
    }

    #[test]
    fn a_level_is_wrong_if_it_differs_by_more_than_the_tolerance_and_the_error() {
        let rows = vec![
            row(1100, 20, 1500.0, 30.0),
            row(1350, 40, 1450.0, 30.0),
            row(1600, 60, 1710.0, 30.0),
            row(1850, 80, 1740.0, 30.0),
        ];
        assert_eq!(report(rows).wrong(), [1600, 1850]);
    }
}
