//! Compares two runs over the same positions: positions won and lost, and the significance of the
//! difference.

use std::collections::HashMap;

use super::record::AnswerRecord;
use super::results::Results;

/// Level of significance: a difference with a smaller p-value is significant.
const SIGNIFICANCE_LEVEL: f64 = 0.05;

/// Comparison of two runs, A and B.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// Answers of A and B to the positions that only B solved.
    pub won: Vec<(&'a AnswerRecord, &'a AnswerRecord)>,
    /// Answers of A and B to the positions that only A solved.
    pub lost: Vec<(&'a AnswerRecord, &'a AnswerRecord)>,
    /// Number of positions that both solved.
    pub both: usize,
    /// Number of positions that neither solved.
    pub neither: usize,
    /// Number of positions that are only in A, and only in B.
    pub alone: [usize; 2],
}

impl<'a> Comparison<'a> {
    /// Compares two runs. Two positions are the same if their FEN and the expected answer are the same;
    /// positions without an expected answer do not count.
    /// If a position occurs several times, the first is paired with the first, and so on.
    pub fn new(a: &'a Results, b: &'a Results) -> Comparison<'a> {
        let mut waiting: HashMap<_, Vec<&AnswerRecord>> = HashMap::new();
        for record in a.results.iter().rev().filter(|record| record.solved.is_some()) {
            waiting.entry(question(record)).or_default().push(record);
        }
        let mut comparison =
            Comparison { won: Vec::new(), lost: Vec::new(), both: 0, neither: 0, alone: [0, 0] };
        for record in b.results.iter().filter(|record| record.solved.is_some()) {
            let before = waiting.get_mut(&question(record)).and_then(Vec::pop);
            match before.map(|before| (before, before.is_solved(), record.is_solved())) {
                None => comparison.alone[1] += 1,
                Some((_, true, true)) => comparison.both += 1,
                Some((_, false, false)) => comparison.neither += 1,
                Some((before, false, true)) => comparison.won.push((before, record)),
                Some((before, true, false)) => comparison.lost.push((before, record)),
            }
        }
        comparison.alone[0] = waiting.values().map(Vec::len).sum();
        comparison
    }

    /// Number of positions that are in both runs.
    pub fn positions(&self) -> usize {
        self.won.len() + self.lost.len() + self.both + self.neither
    }

    /// Probability that two programs of equal strength differ by as much or more.
    pub(crate) fn p_value(&self) -> f64 {
        mcnemar(self.won.len(), self.lost.len())
    }
}

impl Comparison<'_> {
    /// Describes the significance of the difference in a sentence.
    pub fn significance(&self) -> String {
        let p_value = self.p_value();
        let probability =
            if p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p_value:.4}") };
        let verdict = if p_value < SIGNIFICANCE_LEVEL { "significant" } else { "not significant" };
        format!("Exact McNemar test, two-sided: {probability}, {verdict} at the 5 % level.")
    }
}

type Question<'a> = (&'a str, &'a [String], &'a [String], Option<i32>);

fn question(record: &AnswerRecord) -> Question<'_> {
    (&record.fen, &record.bm, &record.am, record.dm)
}

/// McNemar's exact test of paired answers, two-sided (McNemar, "Note on the sampling error of the
/// difference between correlated proportions or percentages", 1947). Under the null hypothesis each run
/// is equally likely to be the correct one where they differ, so the number of wins is binomial with
/// probability ½. Returns twice the probability of at most the smaller count, and at most 1.
fn mcnemar(won: usize, lost: usize) -> f64 {
    let (throws, fewer) = (won + lost, won.min(lost));
    // Logarithms, since the probability of a single outcome of a thousand throws underflows.
    let mut logarithm = -(throws as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for heads in 0..=fewer {
        tail += logarithm.exp();
        logarithm += ((throws - heads) as f64 / (heads + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::super::results::SummaryRecord;
    use super::super::solve::RunSettings;
    use super::*;
    use crate::PositionLimit;
    use proptest::prelude::*;

    #[test]
    fn the_p_value_is_that_of_a_fair_coin() {
        // Computed by hand: 2 * (1 + 10) / 2^10, 2 * 1 / 2^6, and the middle of four throws.
        assert!((mcnemar(9, 1) - 22.0 / 1024.0).abs() < 1e-12);
        assert!((mcnemar(0, 6) - 2.0 / 64.0).abs() < 1e-12);
        assert_eq!(mcnemar(2, 2), 1.0);
        assert_eq!(mcnemar(0, 0), 1.0);
        // Expected value from exact fractions.
        assert!((mcnemar(40, 14) - 0.000_535_435_5).abs() < 1e-9, "{}", mcnemar(40, 14));
    }

    #[test]
    fn thousands_of_positions_neither_overflow_nor_underflow() {
        assert!(mcnemar(5000, 5000) > 0.99);
        // Expected value from exact fractions.
        assert!((mcnemar(5100, 4900) - 0.046_585_5).abs() < 1e-6, "{}", mcnemar(5100, 4900));
        assert!(mcnemar(9000, 1000) < 1e-300);
    }

    fn run(records: Vec<AnswerRecord>) -> Results {
        let summary = super::super::summary::SuiteSummary::default();
        let settings = RunSettings::for_tests(PositionLimit::Depth(1));
        Results {
            settings,
            total: SummaryRecord::new("total", &summary, None),
            files: Vec::new(),
            results: records,
            broken_lines: Vec::new(),
            skipped_parts: Vec::new(),
            unreadable_files: Vec::new(),
        }
    }

    fn answer(fen: &str, solved: bool) -> AnswerRecord {
        AnswerRecord { fen: fen.to_owned(), solved: Some(solved), ..record(fen) }
    }

    #[test]
    fn positions_are_paired_by_fen_and_expected_answer_in_any_order() {
        let a = run(vec![
            answer("a", true),
            answer("b", false),
            answer("c", true),
            answer("c", false),
            answer("only a", true),
            AnswerRecord { solved: None, ..answer("evaluated", true) },
        ]);
        let other_question = AnswerRecord { bm: vec!["Kh1".to_owned()], ..answer("a", true) };
        let b = run(vec![
            answer("c", true),
            answer("b", true),
            other_question,
            answer("a", false),
            answer("c", false),
            AnswerRecord { solved: None, ..answer("evaluated", true) },
        ]);
        let comparison = Comparison::new(&a, &b);
        let names = |pairs: &[(&AnswerRecord, &AnswerRecord)]| {
            pairs.iter().map(|(_, record)| record.fen.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            (names(&comparison.won), names(&comparison.lost)),
            (vec!["b".into()], vec!["a".into()])
        );
        assert_eq!((comparison.both, comparison.neither, comparison.alone), (1, 1, [1, 1]));
        assert_eq!(comparison.positions(), 4);
        assert_eq!(comparison.p_value(), 1.0);
    }

    proptest! {
        #[test]
        fn the_p_value_is_the_same_if_the_runs_are_swapped(won in 0..300_usize, lost in 0..300_usize) {
            prop_assert_eq!(mcnemar(won, lost), mcnemar(lost, won));
            prop_assert!((0.0..=1.0).contains(&mcnemar(won, lost)));
            prop_assert!(won < lost || mcnemar(won + 1, lost) <= mcnemar(won, lost) + 1e-12);
        }
    }
}
