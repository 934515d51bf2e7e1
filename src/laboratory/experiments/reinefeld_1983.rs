//! Figure 4 of Reinefeld 1983: leaves that NegaScout evaluates, relative to alpha-beta, on uniform
//! trees with 200 different values. Counted in two ways: every evaluation, and every leaf once, as
//! with a table of leaves.

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::IndependentKind;
use super::plan::Plan;
use super::statistics::{Sample, span};
use super::visits::LeafVisits;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::{GameTree, SearchCounts, Value};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "reinefeld-1983",
    about: "leaves of NegaScout relative to alpha-beta, by width and depth \
            (Reinefeld 1983, Figure 4)",
    usual_trees: 100,
    run,
};

const WIDTHS: [usize; 15] = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60];
/// Depths, and the maximum width of each; larger trees would take too long.
const DEPTHS: [(usize, usize); 8] =
    [(2, 60), (3, 60), (4, 60), (5, 60), (6, 30), (7, 15), (8, 10), (9, 6)];
/// Number of different leaf values.
const VALUES: Value = 200;

/// Line of the table. Leaves are sums over all trees.
#[derive(Debug, Serialize)]
struct Row {
    depth: usize,
    width: usize,
    trees: u32,
    alphabeta: u64,
    negascout: u64,
    negascout_distinct: u64,
    guarded: u64,
    negascout_ratio: f64,
    negascout_distinct_ratio: f64,
    guarded_ratio: f64,
    least_tree_ratio: f64,
    greatest_tree_ratio: f64,
    greatest_tree_distinct_ratio: f64,
}

#[derive(Debug, PartialEq)]
struct Leaves {
    alphabeta: u64,
    negascout: u64,
    negascout_distinct: u64,
    guarded: u64,
}

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let of_depth = |(depth, greatest)| {
        let widths = WIDTHS.into_iter().filter(move |&width| width <= greatest);
        widths.map(move |width| (width, depth))
    };
    let sizes: Vec<(usize, usize)> = DEPTHS.into_iter().flat_map(of_depth).collect();
    let kinds = IndependentKind::of_sizes(&sizes, VALUES)?;
    let cost = |kind: &IndependentKind| kind.shape.minimal_leaves();
    let found = plan.search(&kinds, cost, |kind, seed| count(&kind.tree(seed)))?;
    let rows: Vec<Row> =
        kinds.iter().zip(&found).map(|(kind, trees)| summarize(kind, trees)).collect();
    Ok(Findings {
        counts: CsvTable::of(&rows)?,
        times: None,
        chart: chart(&rows, plan.trees),
        claims: claims(&rows),
    })
}

fn count<T: GameTree>(tree: &T) -> Leaves {
    let leaves = |algorithm: Algorithm| {
        let mut counts = SearchCounts::default();
        algorithm.solve(tree, &AlgorithmSettings::default(), &mut counts);
        counts.leaves
    };
    let mut negascout = LeafVisits::default();
    Algorithm::NegaScout.solve(tree, &AlgorithmSettings::default(), &mut negascout);
    Leaves {
        alphabeta: leaves(Algorithm::AlphaBetaSoft),
        negascout: negascout.all(),
        negascout_distinct: negascout.distinct(),
        guarded: leaves(Algorithm::NegaScoutGuarded),
    }
}

fn summarize(kind: &IndependentKind, trees: &[Leaves]) -> Row {
    let sum = |leaves: fn(&Leaves) -> u64| trees.iter().map(leaves).sum::<u64>();
    let alphabeta = sum(|tree| tree.alphabeta);
    let ratio = |leaves: u64| rounded(leaves as f64 / alphabeta as f64);
    let ratios = |leaves: fn(&Leaves) -> u64| -> Sample {
        trees.iter().map(|tree| leaves(tree) as f64 / tree.alphabeta as f64).collect()
    };
    let (negascout, guarded) = (sum(|tree| tree.negascout), sum(|tree| tree.guarded));
    let negascout_distinct = sum(|tree| tree.negascout_distinct);
    let tree_ratios = ratios(|tree| tree.negascout);
    Row {
        depth: kind.shape.height(),
        width: kind.shape.width(),
        trees: trees.len() as u32,
        alphabeta,
        negascout,
        negascout_distinct,
        guarded,
        negascout_ratio: ratio(negascout),
        negascout_distinct_ratio: ratio(negascout_distinct),
        guarded_ratio: ratio(guarded),
        least_tree_ratio: rounded(tree_ratios.least()),
        greatest_tree_ratio: rounded(tree_ratios.greatest()),
        greatest_tree_distinct_ratio: rounded(ratios(|tree| tree.negascout_distinct).greatest()),
    }
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let mut claims = claims_on_visits(rows);
    claims.extend(claims_with_a_table(rows));
    claims.push(claim_on_guards(rows));
    claims
}

/// Ratio of all visits.
fn all(row: &Row) -> f64 {
    row.negascout_ratio
}

/// Ratio of different leaves, which are those evaluated with a table of leaves.
fn distinct(row: &Row) -> f64 {
    row.negascout_distinct_ratio
}

fn claims_on_visits(rows: &[Row]) -> Vec<Claim> {
    let chess = || rows.iter().filter(|row| row.depth >= 3 && row.width >= 20);
    let narrow = rows.iter().filter(|row| row.depth >= 3 && row.width == 2);
    let shallow = rows.iter().filter(|row| row.depth == 2);
    let superior = chess().filter(|row| all(row) < 1.0).count();
    vec![
        Claim {
            paper: "about 20 percent fewer leaf visits for typical chess tree sizes",
            measured: format!("{} of them, b = 20 to 60, d >= 3", span(chess().map(all))),
        },
        Claim {
            paper: "superior for branching factors from 20 to 60",
            measured: format!("in {superior} of {} sizes of d >= 3", chess().count()),
        },
        Claim {
            paper: "outperformed by alpha-beta on trees with low branching factors",
            measured: format!("{} at b = 2, d >= 3", span(narrow.map(all))),
        },
        Claim {
            paper: "no better than alpha-beta at depths below three",
            measured: format!("{} at d = 2", span(shallow.map(all))),
        },
    ]
}

fn claims_with_a_table(rows: &[Row]) -> Vec<Claim> {
    let deep = || rows.iter().filter(|row| row.depth >= 3);
    let bushy = deep().filter(|row| row.width >= 15);
    let superior = deep().filter(|row| distinct(row) < 1.0).count();
    let of_trees: Sample = deep().map(|row| row.greatest_tree_distinct_ratio).collect();
    let lowest = |depth: usize| {
        let of_depth = rows.iter().filter(|row| row.depth == depth);
        let best = of_depth.min_by(|a, b| distinct(a).total_cmp(&distinct(b)));
        best.map(|row| format!("b = {} at d = {depth}", row.width)).unwrap_or_default()
    };
    vec![
        Claim {
            paper: "with a table NegaScout examines 20 to 30 percent fewer leaves than alpha-beta",
            measured: format!("{} of them, b >= 15, d >= 3", span(bushy.map(distinct))),
        },
        Claim {
            paper: "with a table superior at any tree size",
            measured: format!(
                "in {superior} of {} sizes of d >= 3; the worst single tree {:.3}",
                deep().count(),
                of_trees.greatest()
            ),
        },
        Claim {
            paper: "all curves exhibit saturation at high branching factors",
            measured: format!(
                "with a table the least ratio is at {}",
                [3, 4, 5, 6].map(lowest).join(", ")
            ),
        },
    ]
}

fn claim_on_guards(rows: &[Row]) -> Claim {
    let guards = |(width, depth)| {
        let row = rows.iter().find(|row| (row.width, row.depth) == (width, depth));
        let cost = row.map(|row| 100.0 * (row.negascout as f64 / row.guarded as f64 - 1.0));
        cost.map(|cost| format!("{cost:.1} % (b = {width}, d = {depth})")).unwrap_or_default()
    };
    let costs = [(10, 7), (5, 7), (2, 9)].map(guards).join(", ");
    Claim {
        paper: "Figure 2 searches again whenever t > m, also where t <= alpha or t >= beta",
        measured: format!("more leaf visits than with these two guards: {costs}"),
    }
}

fn chart(rows: &[Row], trees: u32) -> Chart {
    let panel = |title: &str, ratio: fn(&Row) -> f64| Panel {
        title: title.to_owned(),
        x: Axis::logarithmic("width b").with_ticks([2, 3, 5, 10, 20, 40, 60].map(f64::from)),
        y: Axis::linear("leaves, NegaScout / alpha-beta"),
        // At depth 2 the two algorithms are the same.
        curves: DEPTHS
            .iter()
            .filter(|(depth, _)| *depth > 2)
            .map(|&(depth, _)| {
                let of_depth = rows.iter().filter(|row| row.depth == depth);
                let points = of_depth.map(|row| DataPoint::new(row.width as f64, ratio(row)));
                Curve::line(format!("d = {depth}"), points)
            })
            .collect(),
        level: Some((1.0, "alpha-beta".to_owned())),
    };
    Chart {
        title: "NegaScout against alpha-beta".to_owned(),
        note: format!(
            "uniform trees of width b and depth d with {VALUES} values; {trees} trees a point"
        ),
        columns: 2,
        panels: vec![
            panel("every visit of a leaf", |row| row.negascout_ratio),
            panel("each leaf once, as with a table", |row| row.negascout_distinct_ratio),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artificial::{Seed, Shape};
    use crate::testing::test_tree;

    #[test]
    fn leaves_are_counted_by_visits_and_once_with_and_without_the_guards() {
        // Alpha-beta: 0 1 2. Figure 2 evaluates 0, then 1 2 with a null window, then again 1, and 2
        // twice, because it is above beta; the guards save the last. See `printed`.
        let found = count(&test_tree("[0 [[[6]] 2]]").tree());
        let expected = Leaves { alphabeta: 3, negascout: 6, negascout_distinct: 3, guarded: 5 };
        assert_eq!(found, expected);
        // Figure 3: one of alpha-beta's six leaves is saved and none is searched again.
        let found = count(&test_tree("[[5 7] [[7 -3] [-2 -9]]]").tree());
        let expected = Leaves { alphabeta: 6, negascout: 5, negascout_distinct: 5, guarded: 5 };
        assert_eq!(found, expected);
    }

    #[test]
    fn at_depth_two_negascout_is_alphabeta() {
        for kind in IndependentKind::of_sizes(&[(2, 2), (7, 2)], VALUES).unwrap() {
            for tree in 0..20 {
                let found = count(&kind.tree(Seed { series: 1, tree }));
                assert_eq!(found.negascout, found.alphabeta);
                assert_eq!(found.negascout_distinct, found.alphabeta);
                assert_eq!(found.guarded, found.alphabeta);
            }
        }
    }

    #[test]
    fn a_row_has_the_ratio_of_all_leaves_to_alphabeta_and_the_extreme_trees() {
        let kind = IndependentKind { shape: Shape::new(4, 3).unwrap(), values: VALUES };
        let leaves = |[alphabeta, negascout, negascout_distinct, guarded]: [u64; 4]| Leaves {
            alphabeta,
            negascout,
            negascout_distinct,
            guarded,
        };
        let row = summarize(&kind, &[[100, 80, 60, 75], [300, 360, 240, 345]].map(leaves));
        assert_eq!((row.width, row.depth, row.trees), (4, 3, 2));
        let sums = (row.alphabeta, row.negascout, row.negascout_distinct, row.guarded);
        assert_eq!(sums, (400, 440, 300, 420));
        let ratios = (row.negascout_ratio, row.negascout_distinct_ratio, row.guarded_ratio);
        assert_eq!(ratios, (1.1, 0.75, 1.05));
        assert_eq!((row.least_tree_ratio, row.greatest_tree_ratio), (0.8, 1.2));
        assert_eq!(row.greatest_tree_distinct_ratio, 0.8);
    }
}
