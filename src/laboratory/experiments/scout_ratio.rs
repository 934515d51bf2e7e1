//! Pearl's ratio r: leaves that SCOUT evaluates, relative to alpha-beta, on uniform trees with very
//! few equal leaf values (Pearl 1984, as quoted in Hsu's slides). The statements of the slides
//! depend on how leaves are counted, so all three ways are measured.

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::IndependentKind;
use super::plan::Plan;
use super::statistics::{Sample, span};
use super::visits::LeafVisits;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::{GameTree, LIMIT, SearchCounts};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "scout-ratio",
    about: "leaves of SCOUT relative to alpha-beta, by width and depth (Pearl's r, 1984)",
    usual_trees: 200,
    run,
};

/// Widths, and the maximum depth of each.
const WIDTHS: [(usize, usize); 5] = [(2, 20), (3, 12), (5, 8), (10, 6), (20, 5)];
const MIN_DEPTH: usize = 2;
/// A way of counting leaves: its name and its ratio.
type LeafCount = (&'static str, fn(&Row) -> f64);

const COUNTS: [LeafCount; 3] = [
    ("every evaluation", |row| row.ratio),
    ("a tested leaf not evaluated again", |row| row.leaf_once_ratio),
    ("distinct leaves", |row| row.distinct_ratio),
];

/// Line of the table. Leaves are sums over all trees.
#[derive(Debug, Serialize)]
struct Row {
    width: usize,
    depth: usize,
    trees: u32,
    alphabeta: u64,
    scout: u64,
    scout_leaf_once: u64,
    scout_distinct: u64,
    ratio: f64,
    leaf_once_ratio: f64,
    distinct_ratio: f64,
    least_tree_ratio: f64,
    greatest_tree_ratio: f64,
}

struct Leaves {
    alphabeta: u64,
    scout: u64,
    /// Without the second evaluation of a leaf that passed its TEST and is searched immediately
    /// after.
    scout_leaf_once: u64,
    scout_distinct: u64,
}

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let depths = |&(width, greatest): &(usize, usize)| {
        (MIN_DEPTH..=greatest).map(move |depth| (width, depth))
    };
    let sizes: Vec<(usize, usize)> = WIDTHS.iter().flat_map(depths).collect();
    let kinds = IndependentKind::of_sizes(&sizes, LIMIT)?;
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
    let (mut alphabeta, mut scout) = (SearchCounts::default(), LeafVisits::default());
    Algorithm::AlphaBetaSoft.solve(tree, &AlgorithmSettings::default(), &mut alphabeta);
    Algorithm::Scout.solve(tree, &AlgorithmSettings::default(), &mut scout);
    Leaves {
        alphabeta: alphabeta.leaves,
        scout: scout.all(),
        scout_leaf_once: scout.all() - scout.again_at_once(),
        scout_distinct: scout.distinct(),
    }
}

fn summarize(kind: &IndependentKind, trees: &[Leaves]) -> Row {
    let sum = |leaves: fn(&Leaves) -> u64| trees.iter().map(leaves).sum::<u64>();
    let alphabeta = sum(|tree| tree.alphabeta);
    let ratio = |leaves: u64| rounded(leaves as f64 / alphabeta as f64);
    let (scout, scout_leaf_once) = (sum(|tree| tree.scout), sum(|tree| tree.scout_leaf_once));
    let scout_distinct = sum(|tree| tree.scout_distinct);
    let ratios = trees.iter().map(|tree| tree.scout as f64 / tree.alphabeta as f64);
    let ratios: Sample = ratios.collect();
    Row {
        width: kind.shape.width(),
        depth: kind.shape.height(),
        trees: trees.len() as u32,
        alphabeta,
        scout,
        scout_leaf_once,
        scout_distinct,
        ratio: ratio(scout),
        leaf_once_ratio: ratio(scout_leaf_once),
        distinct_ratio: ratio(scout_distinct),
        least_tree_ratio: rounded(ratios.least()),
        greatest_tree_ratio: rounded(ratios.greatest()),
    }
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let trees: Sample =
        rows.iter().flat_map(|row| [row.least_tree_ratio, row.greatest_tree_ratio]).collect();
    let spans = COUNTS.map(|(name, ratio)| format!("{name} {}", span(rows.iter().map(ratio))));
    vec![
        Claim {
            paper: "1 <= r <= 1.275 for any width and depth",
            measured: format!(
                "{}; single trees, every evaluation, {:.2} to {:.2}",
                spans.join(", "),
                trees.least(),
                trees.greatest()
            ),
        },
        Claim {
            paper: "r decreases with the depth; r(2,20) is about 1.04",
            measured: format!(
                "{}; {}",
                ratios(rows, &[(2, 2), (2, 10), (2, 20), (3, 2), (3, 12)]),
                nearest(rows, (2, 20), 1.04)
            ),
        },
        Claim {
            paper: "r decreases with the width",
            measured: ratios(rows, &[(2, 5), (3, 5), (5, 5), (10, 5), (20, 5)]),
        },
    ]
}

fn of_size(rows: &[Row], (width, depth): (usize, usize)) -> Option<&Row> {
    rows.iter().find(|row| (row.width, row.depth) == (width, depth))
}

/// Returns the ratios at these sizes, one way of counting after the other.
fn ratios(rows: &[Row], sizes: &[(usize, usize)]) -> String {
    let counted = |(name, ratio): LeafCount| {
        let write = |&size: &(usize, usize)| {
            let ratio = ratio(of_size(rows, size)?);
            Some(format!("r({},{}) = {ratio:.2}", size.0, size.1))
        };
        format!("{name}: {}", sizes.iter().filter_map(write).collect::<Vec<_>>().join(", "))
    };
    COUNTS.map(counted).join("; ")
}

/// Returns the way of counting that is closest to a printed ratio.
fn nearest(rows: &[Row], size: (usize, usize), printed: f64) -> String {
    let Some(row) = of_size(rows, size) else { return String::new() };
    let ratios = COUNTS.map(|(name, ratio)| (name, ratio(row)));
    let distance = |ratio: f64| (ratio - printed).abs();
    let nearest = ratios.into_iter().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    let write = |(name, ratio)| {
        let (width, depth) = size;
        format!(
            "the count that agrees best with r({width},{depth}) = {printed}: {name}, {ratio:.2}"
        )
    };
    nearest.map(write).unwrap_or_default()
}

fn chart(rows: &[Row], trees: u32) -> Chart {
    let panel = |title: &str, ratio: fn(&Row) -> f64| Panel {
        title: title.to_owned(),
        x: Axis::linear("depth d").with_ticks([2.0, 5.0, 10.0, 15.0, 20.0]),
        y: Axis::linear("r, SCOUT / alpha-beta").including(0.7).including(2.0),
        curves: WIDTHS
            .iter()
            .map(|&(width, _)| {
                let of_width = rows.iter().filter(|row| row.width == width);
                let points = of_width.map(|row| DataPoint::new(row.depth as f64, ratio(row)));
                Curve::line(format!("b = {width}"), points)
            })
            .collect(),
        level: Some((1.275, "the bound of the slides, 1.275".to_owned())),
    };
    Chart {
        title: "SCOUT against alpha-beta: Pearl's r".to_owned(),
        note: format!(
            "uniform trees of width b whose leaves are hardly ever equal; {trees} trees a point"
        ),
        columns: 3,
        panels: vec![
            panel("every evaluation", |row| row.ratio),
            panel("a tested leaf is known when scouted", |row| row.leaf_once_ratio),
            panel("each leaf once", |row| row.distinct_ratio),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artificial::Shape;
    use crate::testing::uniform;

    fn row(width: usize, depth: usize, ratios: [f64; 3]) -> Row {
        let [ratio, leaf_once_ratio, distinct_ratio] = ratios;
        Row {
            width,
            depth,
            trees: 1,
            alphabeta: 1,
            scout: 1,
            scout_leaf_once: 1,
            scout_distinct: 1,
            ratio,
            leaf_once_ratio,
            distinct_ratio,
            least_tree_ratio: ratio,
            greatest_tree_ratio: ratio,
        }
    }

    #[test]
    fn each_way_of_counting_is_reported_and_the_closest_is_named() {
        let rows = [row(2, 10, [1.8, 1.7, 0.9]), row(2, 20, [2.0, 1.9, 1.03])];
        let progress = claims(&rows).swap_remove(1).measured;
        assert_eq!(
            progress,
            "every evaluation: r(2,10) = 1.80, r(2,20) = 2.00; a tested leaf not evaluated again: \
             r(2,10) = 1.70, r(2,20) = 1.90; distinct leaves: r(2,10) = 0.90, r(2,20) = 1.03; the \
             count that agrees best with r(2,20) = 1.04: distinct leaves, 1.03"
        );
        let rows = [row(2, 20, [1.1, 1.05, 0.9])];
        let progress = claims(&rows).swap_remove(1).measured;
        assert!(progress.ends_with("a tested leaf not evaluated again, 1.05"), "{progress}");
    }

    /// Counts the tree [[a b] [c d]] in all 24 orders of its leaves.
    fn trees_of_width_and_depth_two() -> Vec<Leaves> {
        let mut trees = Vec::new();
        for number in 0..4_u32.pow(4) {
            let leaves = [0, 2, 4, 6].map(|shift| (number >> shift & 3) as i32);
            if (0..4).all(|value| leaves.contains(&value)) {
                trees.push(count(&uniform(2, &leaves).tree()));
            }
        }
        trees
    }

    #[test]
    fn at_width_and_depth_two_the_ratios_are_as_calculated() {
        // Alpha-beta evaluates a, b and c, and d unless c is the smallest of the three, as in a
        // third of the orders: 3 2/3 leaves. SCOUT evaluates a, tests b, and in half of the orders
        // searches b. It tests c and, in two thirds of the orders, d. In half of the orders the
        // second child passes and costs as much as the first. Literally this is 2 1/2 + 1 2/3 + (2
        // 1/2) / 2 leaves; if a tested leaf is not evaluated again immediately, 2 + 1 2/3 + 2 / 2.
        let kind = IndependentKind { shape: Shape::new(2, 2).unwrap(), values: LIMIT };
        let row = summarize(&kind, &trees_of_width_and_depth_two());
        let twelfths = (row.alphabeta, row.scout, row.scout_leaf_once, row.scout_distinct);
        assert_eq!(twelfths, (2 * 44, 2 * 65, 2 * 56, 2 * 44));
        assert_eq!(row.ratio, rounded(65.0 / 44.0));
        assert_eq!(row.leaf_once_ratio, rounded(14.0 / 11.0));
        assert_eq!(row.distinct_ratio, 1.0);
    }

    #[test]
    fn a_row_has_the_ratio_of_all_leaves_to_alphabeta_and_the_extreme_trees() {
        let kind = IndependentKind { shape: Shape::new(4, 3).unwrap(), values: LIMIT };
        let leaves = |[alphabeta, scout, scout_leaf_once, scout_distinct]: [u64; 4]| Leaves {
            alphabeta,
            scout,
            scout_leaf_once,
            scout_distinct,
        };
        let row = summarize(&kind, &[[100, 150, 120, 80], [300, 270, 240, 240]].map(leaves));
        assert_eq!((row.width, row.depth, row.trees), (4, 3, 2));
        let sums = (row.alphabeta, row.scout, row.scout_leaf_once, row.scout_distinct);
        assert_eq!(sums, (400, 420, 360, 320));
        assert_eq!((row.ratio, row.leaf_once_ratio, row.distinct_ratio), (1.05, 0.9, 0.8));
        assert_eq!((row.least_tree_ratio, row.greatest_tree_ratio), (0.9, 1.5));
    }
}
