//! Figures 5 to 7 of Marsland, Reinefeld and Schaeffer 1987: leaf visits of alpha-beta, the
//! NegaScouts, DUAL* and SSS* in percent of the minimal tree, on random and on strongly ordered
//! trees.

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::OrderedKind;
use super::plan::Plan;
use super::statistics::Sample;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::artificial::Order;
use crate::{GameTree, SearchCounts, Value};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "minimal-window-1987",
    about: "leaf visits of alpha-beta, NegaScout, PNS, INS, DUAL* and SSS* in percent of the \
            minimal tree (Marsland, Reinefeld and Schaeffer 1987, Figures 5 to 7)",
    usual_trees: 200,
    run,
};

const SIZES: [(usize, usize); 19] = [
    (5, 2),
    (5, 3),
    (5, 4),
    (5, 5),
    (5, 6),
    (5, 7),
    (5, 8),
    (10, 3),
    (10, 4),
    (10, 5),
    (10, 6),
    (15, 3),
    (15, 4),
    (15, 5),
    (15, 6),
    (20, 3),
    (20, 4),
    (20, 5),
    (20, 6),
];
/// Values are from minus this to plus this; the paper does not state it.
const RANGE: Value = 1000;
const ALGORITHMS: [(Algorithm, &str); 6] = [
    (Algorithm::AlphaBetaSoft, "alpha-beta"),
    (Algorithm::NegaScoutGuarded, "NegaScout"),
    (Algorithm::Pns, "PNS"),
    (Algorithm::Ins, "INS"),
    (Algorithm::Dual, "DUAL*"),
    (Algorithm::Sss, "SSS*"),
];

/// Line of the table. Leaves are sums over all trees.
#[derive(Debug, Serialize)]
struct Row {
    order: Order,
    width: usize,
    depth: usize,
    algorithm: &'static str,
    trees: u32,
    minimal_leaves: u64,
    leaves: u64,
    percent_of_minimal: f64,
    /// Standard deviation of the leaves per tree, in percent of their mean.
    deviation_percent: f64,
    /// Number of trees in which the algorithm visits fewer leaves than SSS*, and as many.
    trees_better_than_sss: u32,
    trees_equal_to_sss: u32,
}

/// Leaf visits of each algorithm.
type Leaves = [u64; ALGORITHMS.len()];

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let kinds = OrderedKind::of_sizes(&SIZES, RANGE)?;
    let cost = |kind: &OrderedKind| kind.shape.minimal_leaves();
    let found = plan.search(&kinds, cost, |kind, seed| count(&kind.tree(seed)))?;
    let rows: Vec<Row> =
        kinds.iter().zip(&found).flat_map(|(kind, trees)| summarize(kind, trees)).collect();
    Ok(Findings {
        counts: CsvTable::of(&rows)?,
        times: None,
        chart: chart(&rows, plan.trees),
        claims: claims(&Percents(&rows)),
    })
}

fn count<T: GameTree>(tree: &T) -> Leaves {
    ALGORITHMS.map(|(algorithm, _)| {
        let mut counts = SearchCounts::default();
        algorithm.solve(tree, &AlgorithmSettings::default(), &mut counts);
        counts.leaves
    })
}

fn summarize(kind: &OrderedKind, trees: &[Leaves]) -> [Row; ALGORITHMS.len()] {
    let minimal_leaves = kind.shape.minimal_leaves();
    let sss = |tree: &Leaves| tree[ALGORITHMS.len() - 1];
    let trees_where =
        |holds: &dyn Fn(&Leaves) -> bool| trees.iter().filter(|&tree| holds(tree)).count() as u32;
    std::array::from_fn(|index| {
        let leaves: u64 = trees.iter().map(|tree| tree[index]).sum();
        let each: Sample = trees.iter().map(|tree| tree[index]).collect();
        Row {
            order: kind.order,
            width: kind.shape.width(),
            depth: kind.shape.height(),
            algorithm: ALGORITHMS[index].1,
            trees: trees.len() as u32,
            minimal_leaves,
            leaves,
            percent_of_minimal: rounded(100.0 * each.mean() / minimal_leaves as f64),
            deviation_percent: rounded(100.0 * each.deviation() / each.mean()),
            trees_better_than_sss: trees_where(&|tree| tree[index] < sss(tree)),
            trees_equal_to_sss: trees_where(&|tree| tree[index] == sss(tree)),
        }
    })
}

/// Rows with functions to find values.
struct Percents<'a>(&'a [Row]);

impl Percents<'_> {
    fn rows(&self, order: Order, odd: bool) -> impl Iterator<Item = &Row> {
        let is_meant = move |row: &&Row| row.order == order && (row.depth % 2 == 1) == odd;
        self.0.iter().filter(is_meant)
    }

    fn row(&self, order: Order, width: usize, depth: usize, algorithm: &str) -> Option<&Row> {
        let is_meant = |row: &&Row| {
            (row.order, row.width, row.depth, row.algorithm) == (order, width, depth, algorithm)
        };
        self.0.iter().find(is_meant)
    }

    /// Returns the results of all algorithms on trees of one kind.
    fn ranking(&self, order: Order, width: usize, depth: usize) -> String {
        let each = ALGORITHMS.iter().filter_map(|(_, name)| self.row(order, width, depth, name));
        let each = each.map(|row| format!("{} {:.0}", row.algorithm, row.percent_of_minimal));
        format!("{order} w={width} d={depth}: {}", each.collect::<Vec<_>>().join(", "))
    }

    /// Returns how many percent more leaves DUAL* and NegaScout visit than SSS*.
    fn more_than_sss(&self, width: usize, depth: usize) -> String {
        let leaves = |algorithm: &str| {
            self.row(Order::Strong, width, depth, algorithm).map_or(0.0, |row| row.leaves as f64)
        };
        let more = |algorithm: &str| 100.0 * (leaves(algorithm) / leaves("SSS*") - 1.0);
        format!("{:+.0}/{:+.0} (w={width} d={depth})", more("DUAL*"), more("NegaScout"))
    }
}

/// Formats the range of the percentages in several rows.
fn percents(shares: impl Iterator<Item = f64>) -> String {
    let shares: Sample = shares.collect();
    format!("{:.0} to {:.0} %", shares.least(), shares.greatest())
}

fn claims(found: &Percents<'_>) -> Vec<Claim> {
    let mut claims = claims_on_rankings(found);
    claims.extend(claims_on_single_trees(found));
    claims
}

fn claims_on_rankings(found: &Percents<'_>) -> Vec<Claim> {
    let rankings = |depth: usize| {
        let sizes =
            [(Order::Strong, 10), (Order::Strong, 20), (Order::Random, 10), (Order::Random, 20)];
        sizes.map(|(order, width)| found.ranking(order, width, depth)).join("; ")
    };
    vec![
        Claim {
            paper: "on odd depths and w > 5 SSS* dominates only alpha-beta",
            measured: rankings(5),
        },
        Claim { paper: "on even depths SSS* is superior", measured: rankings(6) },
        Claim {
            paper: "on ordered bushy trees of even depth DUAL* visits 10 % and NegaScout 25 % more \
                    leaves than SSS*",
            measured: [(5, 6), (10, 6), (15, 6), (20, 6), (20, 4)]
                .map(|(width, depth)| found.more_than_sss(width, depth))
                .join(", "),
        },
    ]
}

fn claims_on_single_trees(found: &Percents<'_>) -> Vec<Claim> {
    let wins = |order: Order, widths: std::ops::RangeInclusive<usize>, odd: bool| {
        let ins = found.rows(order, odd).filter(|row| row.algorithm == "INS" && row.depth >= 4);
        let ins = ins.filter(|row| widths.contains(&row.width));
        percents(ins.map(|row| 100.0 * f64::from(row.trees_better_than_sss) / f64::from(row.trees)))
    };
    let deviations = |order: Order| {
        let rows = [true, false].into_iter().flat_map(|odd| found.rows(order, odd));
        let deep = rows.filter(|row| row.algorithm == "SSS*" && row.depth >= 4);
        percents(deep.map(|row| row.deviation_percent))
    };
    vec![
        Claim {
            paper: "on odd depths INS visits fewer leaves than SSS* in about 80 % of the trees",
            measured: format!(
                "d >= 5, strongly ordered {} (w >= 10), {} (w = 5); random {}",
                wins(Order::Strong, 10..=20, true),
                wins(Order::Strong, 5..=5, true),
                wins(Order::Random, 5..=20, true)
            ),
        },
        Claim {
            paper: "on even depths SSS* is preferable only marginally more often than INS",
            measured: format!(
                "INS better, d >= 4: strongly ordered {}; random {}",
                wins(Order::Strong, 5..=20, false),
                wins(Order::Random, 5..=20, false)
            ),
        },
        Claim {
            paper: "the standard deviation of SSS* is about 30 %",
            measured: format!(
                "of the mean, d >= 4: strongly ordered {}; random {}",
                deviations(Order::Strong),
                deviations(Order::Random)
            ),
        },
    ]
}

fn chart(rows: &[Row], trees: u32) -> Chart {
    let panel = |title: &str,
                 order,
                 x: Axis,
                 place: fn(&Row) -> f64,
                 is_shown: fn(&Row) -> bool| {
        let curve = |&(_, name): &(Algorithm, &'static str)| {
            let shown = rows.iter().filter(|row| row.order == order && row.algorithm == name);
            let points = shown.filter(|row| is_shown(row));
            Curve::line(name, points.map(|row| DataPoint::new(place(row), row.percent_of_minimal)))
        };
        Panel {
            title: format!("{order} trees, {title}"),
            x,
            y: Axis::logarithmic("leaf visits, % of the minimal tree").including(100.0),
            curves: ALGORITHMS.iter().map(curve).collect(),
            level: None,
        }
    };
    let by_depth = || Axis::linear("depth d").with_ticks((2..=8).map(f64::from));
    let by_width = || Axis::linear("width w").with_ticks([5.0, 10.0, 15.0, 20.0]);
    let of_order = |order| {
        [
            panel("w = 5", order, by_depth(), |row| row.depth as f64, |row| row.width == 5),
            panel("d = 5", order, by_width(), |row| row.width as f64, |row| row.depth == 5),
            panel("d = 6", order, by_width(), |row| row.width as f64, |row| row.depth == 6),
        ]
    };
    Chart {
        title: "Leaf visits in percent of the minimal tree".to_owned(),
        note: format!("trees with values from -{RANGE} to {RANGE}; {trees} trees a point"),
        columns: 3,
        panels: Order::ALL.into_iter().flat_map(of_order).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artificial::Shape;
    use crate::testing::{test_tree, uniform};

    #[test]
    fn with_the_best_child_first_every_algorithm_visits_the_minimal_tree() {
        for (width, depth) in [(2, 3), (2, 4), (3, 3)] {
            let shape = Shape::new(width, depth).unwrap();
            let leaves: Vec<Value> = (0..width.pow(depth as u32) as Value).collect();
            let visited = count(&uniform(width, &leaves).best_first().tree());
            assert_eq!(visited, [shape.minimal_leaves(); ALGORITHMS.len()]);
        }
    }

    /// No two algorithms have the same counts in all of these trees together.
    #[test]
    fn leaves_are_as_counted_by_hand() {
        for (tree, leaves) in [
            // Reinefeld's Figure 3: all leaves, or all but -3, or all but 7.
            ("[[5 7] [[7 -3] [-2 -9]]]", [6, 5, 5, 5, 5, 6]),
            // NegaScout searches the second child with a null window by 2 6 3, and again; INS
            // without 2.
            ("[2 [[2 6] [3 8]]]", [5, 8, 8, 7, 5, 5]),
            // Null window by 5 7; NegaScout again by 5 7 7, forms with bounds by 5 7.
            ("[2 [[5 7] 7]]", [4, 6, 5, 5, 4, 4]),
            // Null window by 6 2; again by 6 2 (Figure 2 without guards needs 2 twice), with bounds
            // by 2.
            ("[0 [[[6]] 2]]", [3, 5, 4, 4, 3, 3]),
            // SSS* knows from 1 and 5 that the second child is better, and skips 2.
            ("[[1 2] [5 6]]", [4, 4, 4, 4, 4, 3]),
        ] {
            assert_eq!(count(&test_tree(tree).tree()), leaves, "{tree}");
        }
    }

    #[test]
    fn a_row_compares_leaves_with_the_minimal_tree_and_with_sss() {
        let shape = Shape::new(5, 2).unwrap();
        let kind = OrderedKind { order: Order::Strong, shape, range: RANGE };
        let rows = summarize(&kind, &[[18, 9, 9, 27, 9, 9], [36, 9, 18, 9, 9, 18]]);
        let names = rows.each_ref().map(|row| row.algorithm);
        assert_eq!(names, ["alpha-beta", "NegaScout", "PNS", "INS", "DUAL*", "SSS*"]);
        assert!(rows.iter().all(|row| (row.width, row.depth, row.trees) == (5, 2, 2)));
        // Five leaves of the first child, and one of each of the four others.
        assert!(rows.iter().all(|row| row.minimal_leaves == 9));
        assert_eq!(rows.each_ref().map(|row| row.leaves), [54, 18, 27, 36, 18, 27]);
        let percents = rows.each_ref().map(|row| row.percent_of_minimal);
        assert_eq!(percents, [300.0, 100.0, 150.0, 200.0, 100.0, 150.0]);
        // 18 and 36 are 9 away from their mean of 27, so the standard deviation is 9 times the root
        // of 2.
        let deviation = rounded(100.0 * 2f64.sqrt() / 3.0);
        assert_eq!((rows[0].deviation_percent, rows[1].deviation_percent), (deviation, 0.0));
        assert_eq!(rows.each_ref().map(|row| row.trees_better_than_sss), [0, 1, 0, 1, 1, 0]);
        assert_eq!(rows.each_ref().map(|row| row.trees_equal_to_sss), [0, 1, 2, 0, 1, 2]);
    }
}
