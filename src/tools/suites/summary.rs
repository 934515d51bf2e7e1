//! Judged answers counted: for a theme, a file, or all files.

use std::fmt;
use std::time::Duration;

use super::record::Record;

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions searched.
    pub positions: usize,
    /// Positions solved.
    pub solved: usize,
    /// Points earned.
    pub points: u64,
    /// Points that the best moves would have earned; zero if there are none to earn.
    pub most_points: u64,
    /// Time from the beginning of the search to the solution, added up over the positions solved.
    time_to_solution: Duration,
}

impl Summary {
    /// Counts one more answer.
    pub fn add(&mut self, record: &Record) {
        self.positions += 1;
        self.points += u64::from(record.points.unwrap_or(0));
        self.most_points += u64::from(record.most_points.unwrap_or(0));
        if record.solved {
            self.solved += 1;
            let milliseconds = record.found_ms.unwrap_or(0.0).max(0.0);
            self.time_to_solution += Duration::from_micros((milliseconds * 1000.0).round() as u64);
        }
    }

    /// Mean time to the solution over the positions solved, if there are any.
    pub fn mean_time(&self) -> Option<Duration> {
        let solved = u32::try_from(self.solved).ok()?;
        self.time_to_solution.checked_div(solved)
    }

    /// The share of positions solved in percent.
    pub fn percent(&self) -> f64 {
        percent(self.solved as u64, self.positions as u64)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// As a person reads it; the alternate form in columns, for summaries below each other.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { positions, solved, points, most_points, .. } = *self;
        let (count, sum, share) = if f.alternate() { (4, 6, 5) } else { (0, 0, 0) };
        let solved_share = self.percent();
        write!(f, "{solved:count$} of {positions:count$} solved ({solved_share:share$.1} %)")?;
        if most_points > 0 {
            let points_share = percent(points, most_points);
            write!(f, ", {points:sum$} of {most_points:sum$} points ({points_share:share$.1} %)")?;
        }
        match self.mean_time() {
            Some(mean) => write!(f, ", mean time {:.3} s", mean.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// Summaries by theme, in the order in which the themes came up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Themes(Vec<(String, Summary)>);

impl Themes {
    /// Counts one more answer, if its position has a theme.
    pub fn add(&mut self, record: &Record) {
        let Some(theme) = &record.theme else {
            return;
        };
        let known = self.0.iter().position(|(known, _)| known == theme);
        let index = known.unwrap_or_else(|| {
            self.0.push((theme.clone(), Summary::default()));
            self.0.len() - 1
        });
        self.0[index].1.add(record);
    }

    /// The themes and what was counted for each.
    pub fn iter(&self) -> impl Iterator<Item = &(String, Summary)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    /// A position of which the best move is worth 100 points.
    fn answered(id: &str, points: u32, found_ms: Option<f64>) -> Record {
        let solved = found_ms.is_some();
        let (points, most_points) = (Some(points), Some(100));
        Record { solved, points, most_points, found_ms, ..record(id) }
    }

    fn solved(id: &str, seconds: f64) -> Record {
        answered(id, 100, Some(1000.0 * seconds))
    }

    fn failed(id: &str) -> Record {
        answered(id, 7, None)
    }

    #[test]
    fn a_summary_counts_positions_points_and_the_time_of_what_was_solved() {
        let mut summary = Summary::default();
        for record in [solved("A.1", 1.0), failed("A.2"), solved("A.3", 2.0), failed("A.4")] {
            summary.add(&record);
        }
        assert_eq!((summary.solved, summary.positions), (2, 4));
        assert_eq!((summary.points, summary.most_points), (214, 400));
        assert_eq!(summary.mean_time(), Some(Duration::from_millis(1500)));
        let text = "2 of 4 solved (50.0 %), 214 of 400 points (53.5 %), mean time 1.500 s";
        assert_eq!(summary.to_string(), text);
    }

    #[test]
    fn nothing_solved_is_no_reason_for_nonsense() {
        let mut summary = Summary::default();
        assert_eq!(summary.to_string(), "0 of 0 solved (0.0 %)");
        summary.add(&failed("A.1"));
        assert_eq!(summary.mean_time(), None);
        assert_eq!(summary.percent(), 0.0);
    }

    #[test]
    fn themes_are_counted_apart_in_the_order_in_which_they_came_up() {
        let mut themes = Themes::default();
        for record in [failed("Pins.1"), solved("Forks.1", 1.0), solved("Pins.2", 1.0)] {
            themes.add(&record);
        }
        themes.add(&Record { theme: None, ..failed("nameless") });
        let counted: Vec<_> = themes
            .iter()
            .map(|(theme, summary)| (theme.as_str(), summary.solved, summary.positions))
            .collect();
        assert_eq!(counted, [("Pins", 1, 2), ("Forks", 1, 1)]);
    }
}
