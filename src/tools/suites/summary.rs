//! Counts judged answers of a theme, a file, or all files.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::exercise::Exercise;
use super::solve::Answer;

/// Counts of judged answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SuiteSummary {
    /// Number of positions.
    pub positions: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Sum of the points of the moves played.
    pub points: u64,
    /// Sum of the points of the best moves; zero if the positions have no points.
    pub most_points: u64,
    /// Sum of the times to the solution over the positions solved.
    time_to_solution: Duration,
}

impl SuiteSummary {
    /// Counts an answer.
    pub(crate) fn add(&mut self, exercise: &Exercise, answer: &Answer) {
        self.positions += 1;
        self.points += u64::from(answer.verdict.points);
        self.most_points += u64::from(exercise.most_points());
        if answer.verdict.solved {
            self.solved += 1;
            self.time_to_solution +=
                answer.verdict.found.map_or(Duration::ZERO, |found| found.elapsed);
        }
    }

    /// Mean time to the solution over the positions solved, if any.
    pub(crate) fn mean_time(&self) -> Option<Duration> {
        let solved = u32::try_from(self.solved).ok()?;
        self.time_to_solution.checked_div(solved)
    }

    /// Percentage of positions solved.
    pub(crate) fn percent(&self) -> f64 {
        percent(self.solved as u64, self.positions as u64)
    }
}

/// Returns `part` as a percentage of `whole`; zero if `whole` is zero.
pub(super) fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Formats a summary for users. The alternate form aligns numbers in columns.
impl fmt::Display for SuiteSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SuiteSummary { positions, solved, points, most_points, .. } = *self;
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

/// Summaries by theme, in the order of first occurrence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Themes {
    summaries: Vec<(String, SuiteSummary)>,
    /// Index of each theme in `summaries`.
    indices: HashMap<String, usize>,
}

impl Themes {
    /// Counts an answer, if its position has a theme.
    pub(crate) fn add(&mut self, exercise: &Exercise, answer: &Answer) {
        let Some(theme) = exercise.theme() else {
            return;
        };
        let next = self.summaries.len();
        let index = *self.indices.entry(theme.to_owned()).or_insert(next);
        if index == next {
            self.summaries.push((theme.to_owned(), SuiteSummary::default()));
        }
        self.summaries[index].1.add(exercise, answer);
    }

    /// Returns the themes with their summaries.
    pub fn iter(&self) -> impl Iterator<Item = &(String, SuiteSummary)> {
        self.summaries.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a position whose best move is worth 100 points and another one 7.
    fn exercise(id: &str) -> Exercise {
        let board = "6k1/5ppp/8/8/8/8/8/R3R1K1 w - -";
        Exercise::read(&format!("{board} c0 \"Ra8=100, Kf1=7\"; id \"{id}\";")).unwrap()
    }

    fn solved(exercise: &Exercise, seconds: f64) -> Answer {
        Answer::for_tests(exercise, "Ra8", Duration::from_secs_f64(seconds))
    }

    fn failed(exercise: &Exercise) -> Answer {
        Answer::for_tests(exercise, "Kf1", Duration::from_secs(9))
    }

    #[test]
    fn a_summary_counts_positions_points_and_the_times_of_solved_positions() {
        let mut summary = SuiteSummary::default();
        let exercise = exercise("A.1");
        for answer in
            [solved(&exercise, 1.0), failed(&exercise), solved(&exercise, 2.0), failed(&exercise)]
        {
            summary.add(&exercise, &answer);
        }
        assert_eq!((summary.solved, summary.positions), (2, 4));
        assert_eq!((summary.points, summary.most_points), (214, 400));
        assert_eq!(summary.mean_time(), Some(Duration::from_millis(1500)));
        let text = "2 of 4 solved (50.0 %), 214 of 400 points (53.5 %), mean time 1.500 s";
        assert_eq!(summary.to_string(), text);
    }

    #[test]
    fn a_summary_without_solved_positions_has_no_mean_time() {
        let mut summary = SuiteSummary::default();
        assert_eq!(summary.to_string(), "0 of 0 solved (0.0 %)");
        let exercise = exercise("A.1");
        summary.add(&exercise, &failed(&exercise));
        assert_eq!(summary.mean_time(), None);
        assert_eq!(summary.percent(), 0.0);
    }

    #[test]
    fn themes_are_counted_separately_in_the_order_of_first_occurrence() {
        let mut themes = Themes::default();
        let [one, two, three, nameless] = ["Pins.1", "Forks.1", "Pins.2", "nameless"].map(exercise);
        themes.add(&one, &failed(&one));
        themes.add(&two, &solved(&two, 1.0));
        themes.add(&three, &solved(&three, 1.0));
        themes.add(&nameless, &failed(&nameless));
        let counted: Vec<_> = themes
            .iter()
            .map(|(theme, summary)| (theme.as_str(), summary.solved, summary.positions))
            .collect();
        assert_eq!(counted, [("Pins", 1, 2), ("Forks", 1, 1)]);
    }
}
