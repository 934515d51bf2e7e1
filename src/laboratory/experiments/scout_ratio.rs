//! Pearl's ratio r: leaves that SCOUT evaluates, relative to alpha-beta, on uniform trees whose
//! leaf values are hardly ever equal (Pearl 1984, as quoted in Hsu's slides). What the slides say
//! of it depends on how leaves are counted, so all three ways are measured.

use serde::Serialize;

use super::kinds::IndependentKind;
use super::{
    Axis, Chart, Claim, Curve, Experiment, ExperimentError, Findings, Panel, Plan, Point, Sample,
    Table, Visits, rounded, span,
};
use crate::laboratory::algorithms::{Algorithm, Settings};
use crate::laboratory::generated::Seed;
use crate::laboratory::{LIMIT, Tally};

/// The experiment.
pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "scout-ratio",
    about: "leaves of SCOUT relative to alpha-beta, by width and depth (Pearl's r, 1984)",
    usual_trees: 200,
    run,
};

/// Widths, and the greatest depth of each.
const WIDTHS: [(usize, usize); 5] = [(2, 20), (3, 12), (5, 8), (10, 6), (20, 5)];
const LEAST_DEPTH: usize = 2;

/// A line of the table. Leaves are those of all trees together.
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

/// Leaves of one tree.
struct Leaves {
    alphabeta: u64,
    scout: u64,
    /// Without the second evaluation of a leaf that passed its TEST and is scouted at once.
    scout_leaf_once: u64,
    scout_distinct: u64,
}

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let depths = |&(width, greatest): &(usize, usize)| {
        (LEAST_DEPTH..=greatest).map(move |depth| (width, depth))
    };
    let sizes: Vec<(usize, usize)> = WIDTHS.iter().flat_map(depths).collect();
    let kinds = IndependentKind::of_sizes(&sizes, LIMIT)?;
    let found = plan.search(&kinds, |kind| kind.shape.minimal_leaves(), count)?;
    let rows: Vec<Row> =
        kinds.iter().zip(&found).map(|(kind, trees)| summarize(kind, trees)).collect();
    Ok(Findings {
        counts: Table::of(&rows)?,
        times: None,
        chart: chart(&rows, plan.trees),
        claims: claims(&rows),
    })
}

fn count(kind: &IndependentKind, seed: Seed) -> Leaves {
    let tree = kind.tree(seed);
    let (mut alphabeta, mut scout) = (Tally::default(), Visits::default());
    Algorithm::AlphaBetaSoft.solve(&tree, &Settings::default(), &mut alphabeta);
    Algorithm::Scout.solve(&tree, &Settings::default(), &mut scout);
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
    let ratios = |width: usize, depth: usize| {
        let row = rows.iter().find(|row| (row.width, row.depth) == (width, depth));
        let write = |row: &Row| {
            format!(
                "r({width},{depth}) = {:.2}, {:.2}, {:.2}",
                row.ratio, row.leaf_once_ratio, row.distinct_ratio
            )
        };
        row.map(write).unwrap_or_default()
    };
    let trees: Sample =
        rows.iter().flat_map(|row| [row.least_tree_ratio, row.greatest_tree_ratio]).collect();
    vec![
        Claim {
            paper: "1 <= r <= 1.275 for any width and depth",
            measured: format!(
                "all evaluations {}, a tested leaf not evaluated again {}, distinct leaves {}; \
                 single trees {:.2} to {:.2}",
                span(rows.iter().map(|row| row.ratio)),
                span(rows.iter().map(|row| row.leaf_once_ratio)),
                span(rows.iter().map(|row| row.distinct_ratio)),
                trees.least(),
                trees.greatest()
            ),
        },
        Claim {
            paper: "r decreases with the depth; r(2,20) is about 1.04",
            measured: [(2, 2), (2, 10), (2, 20), (3, 2), (3, 12)]
                .map(|(width, depth)| ratios(width, depth))
                .join("; "),
        },
        Claim {
            paper: "r decreases with the width",
            measured: [(2, 5), (3, 5), (5, 5), (10, 5), (20, 5)]
                .map(|(width, depth)| ratios(width, depth))
                .join("; "),
        },
    ]
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
                let points = of_width.map(|row| Point::new(row.depth as f64, ratio(row)));
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
