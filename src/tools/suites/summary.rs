//! Counts judged answers of a theme, a file, or all files.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use super::exercise::Exercise;
use super::solve::Answer;

/// Counts of judged answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SuiteSummary {
    /// Number of positions with an expected answer.
    pub positions: usize,
    /// Number of positions without one, which are only evaluated.
    pub evaluated: usize,
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
        let Some(solved) = answer.verdict.solved else {
            self.evaluated += 1;
            return;
        };
        self.positions += 1;
        self.points += u64::from(answer.verdict.points);
        self.most_points += u64::from(exercise.most_points());
        if solved {
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
        let SuiteSummary { positions, evaluated, solved, points, most_points, .. } = *self;
        let (count, sum, share) = if f.alternate() { (4, 6, 5) } else { (0, 0, 0) };
        if positions == 0 && evaluated > 0 {
            let word = if evaluated == 1 { "position" } else { "positions" };
            return write!(f, "{evaluated:count$} {word}, only evaluated");
        }
        let solved_share = self.percent();
        write!(f, "{solved:count$} of {positions:count$} solved ({solved_share:share$.1} %)")?;
        if most_points > 0 {
            let points_share = percent(points, most_points);
            write!(f, ", {points:sum$} of {most_points:sum$} points ({points_share:share$.1} %)")?;
        }
        if let Some(mean) = self.mean_time() {
            write!(f, ", mean time {:.3} s", mean.as_secs_f64())?;
        }
        if evaluated > 0 { write!(f, ", {evaluated} only evaluated") } else { Ok(()) }
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

    /// Returns the themes of more than one position, with their summaries. Names that only differ in a
    /// number, such as those of some studies, are no themes.
    pub fn iter(&self) -> impl Iterator<Item = &(String, SuiteSummary)> {
        self.summaries.iter().filter(|(_, summary)| summary.positions + summary.evaluated > 1)
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
    fn positions_without_an_expected_answer_are_counted_separately() {
        let mut summary = SuiteSummary::default();
        let plain = Exercise::read("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1").unwrap();
        summary.add(&plain, &failed(&plain));
        assert_eq!(summary.to_string(), "1 position, only evaluated");
        summary.add(&plain, &solved(&plain, 1.0));
        assert_eq!(summary.to_string(), "2 positions, only evaluated");
        let exercise = exercise("A.1");
        summary.add(&exercise, &failed(&exercise));
        assert_eq!((summary.positions, summary.evaluated), (1, 2));
        let text = "0 of 1 solved (0.0 %), 7 of 100 points (7.0 %), 2 only evaluated";
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
        let failed_ones = ["Pins.1", "nameless", "Forks.2"].map(exercise);
        let solved_ones = ["Forks.1", "Pins.2", "Alone.1"].map(exercise);
        for (one, other) in failed_ones.iter().zip(&solved_ones) {
            themes.add(one, &failed(one));
            themes.add(other, &solved(other, 1.0));
        }
        let counted: Vec<_> = themes
            .iter()
            .map(|(theme, summary)| (theme.as_str(), summary.solved, summary.positions))
            .collect();
        assert_eq!(counted, [("Pins", 1, 2), ("Forks", 1, 2)], "not the theme of one position");
    }
}
