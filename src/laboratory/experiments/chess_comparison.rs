//! Compares the counts of two methods: over all positions together, and position by position. A
//! single position can have a large part of all leaves, and then it dominates the ratio of sums.

use std::fmt;

use super::chess_searches::{Row, single};
use super::statistics::Sample;

/// A setting and a method.
pub(super) type MethodName<'a> = (&'a str, &'a str);

/// Count of a search.
pub(super) type Metric = fn(&Row) -> u64;

/// A method's counts relative to another's.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MethodComparison {
    /// Ratio of the sums over all positions.
    pub of_sums: f64,
    /// Ratio in each position.
    pub of_positions: Sample,
    pub positions: usize,
    /// Number of positions in which the method counted more than the other.
    pub more: usize,
}

/// Compares a method's searches to a depth with those of another; `None` if one of them has no
/// searches.
pub(super) fn compare(
    rows: &[Row],
    depth: usize,
    method: MethodName<'_>,
    base: MethodName<'_>,
    count: Metric,
) -> Option<MethodComparison> {
    let counts = |place: MethodName<'_>| -> Vec<u64> {
        let wanted = |row: &&Row| row.depth == depth && (row.setting, row.method) == place;
        single(rows).filter(wanted).map(count).collect()
    };
    let (counts, base) = (counts(method), counts(base));
    if counts.is_empty() || base.is_empty() {
        return None;
    }
    let pairs = || counts.iter().zip(&base);
    Some(MethodComparison {
        of_sums: counts.iter().sum::<u64>() as f64 / base.iter().sum::<u64>() as f64,
        of_positions: pairs().map(|(&count, &base)| count as f64 / base as f64).collect(),
        positions: pairs().count(),
        more: pairs().filter(|(count, base)| count > base).count(),
    })
}

/// The ratio of the sums, and in brackets mean, minimum and maximum of the ratios by position.
impl fmt::Display for MethodComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sums, each) = (self.of_sums, &self.of_positions);
        write!(f, "{sums:.2} ({:.2}, {:.2} to {:.2})", each.mean(), each.least(), each.greatest())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a row with counts of leaves and nodes for a position and a depth.
    pub(crate) fn row(
        position: &str,
        depth: usize,
        (setting, method): (&'static str, &'static str),
        (leaves, nodes): (u64, u64),
    ) -> Row {
        Row {
            position: position.to_owned(),
            depth,
            setting,
            method,
            leaves,
            nodes,
            ..Row::default()
        }
    }

    #[test]
    fn a_large_position_dominates_the_sums_but_not_the_mean() {
        let (usual, other) = (("plain", "alpha-beta"), ("plain", "PVS"));
        let rows = [
            row("large", 3, usual, (900, 1000)),
            row("small", 3, usual, (100, 100)),
            row("large", 3, other, (1800, 1000)),
            row("small", 3, other, (50, 104)),
            row("large", 4, other, (7, 7)),
            row("all", 3, other, (1850, 1104)),
        ];
        let leaves = compare(&rows, 3, other, usual, |row| row.leaves).unwrap();
        assert_eq!((leaves.of_sums, leaves.of_positions.mean()), (1.85, 1.25));
        assert_eq!((leaves.positions, leaves.more), (2, 1));
        assert_eq!(leaves.to_string(), "1.85 (1.25, 0.50 to 2.00)");
        let nodes = compare(&rows, 3, other, usual, |row| row.nodes).unwrap();
        assert_eq!((nodes.to_string(), nodes.more), ("1.00 (1.02, 1.00 to 1.04)".to_owned(), 1));
        assert_eq!(compare(&rows, 4, other, usual, |row| row.leaves), None);
    }
}
