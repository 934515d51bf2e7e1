//! Figure 1 of Marsland, Reinefeld and Schaeffer 1987: how many nodes a null window costs,
//! depending on where it lies. Below the tree's value v it takes one good move at the root to say
//! "more than that"; from (v, v+1) on every move at the root must be refuted, and the cost jumps:
//! the refutation wall.

use serde::Serialize;

use super::kinds::OrderedKind;
use super::{
    Axis, Chart, Claim, Curve, Experiment, ExperimentError, Findings, Panel, Plan, Point, Table,
    rounded,
};
use crate::laboratory::algorithms::alphabeta_soft;
use crate::laboratory::generated::{Order, Seed};
use crate::laboratory::{Tally, Value, Window};

/// The experiment.
pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "refutation-wall",
    about: "nodes that a null window costs, by its distance from the tree's value \
            (Marsland, Reinefeld and Schaeffer 1987, Figure 1)",
    usual_trees: 200,
    run,
};

/// Widths and heights of the trees.
const SIZES: [(usize, usize); 4] = [(5, 6), (10, 4), (10, 5), (20, 4)];
/// Leaf values lie from minus to plus this; the paper does not say.
const RANGE: Value = 100;
/// Where the window (v + i, v + i + 1) lies.
const DISTANCES: std::ops::Range<Value> = -25..25;

/// A line of the table.
#[derive(Debug, Serialize)]
struct Row {
    order: Order,
    width: usize,
    depth: usize,
    distance: Value,
    trees: u32,
    nodes: u64,
    mean_nodes: f64,
    percent_of_largest: f64,
}

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let kinds = OrderedKind::of_sizes(&SIZES, RANGE)?;
    let nodes = plan.search(&kinds, |kind| kind.shape.minimal_leaves(), scan)?;
    let rows = kinds.iter().zip(&nodes).flat_map(|(kind, trees)| summarize(kind, trees));
    let rows: Vec<Row> = rows.collect();
    Ok(Findings {
        counts: Table::of(&rows)?,
        times: None,
        claims: claims(&rows),
        chart: chart(&rows, plan.trees),
    })
}

/// Nodes visited, for each distance.
fn scan(kind: &OrderedKind, seed: Seed) -> Vec<u64> {
    let tree = kind.tree(seed);
    let nodes = |distance: Value| {
        let mut tally = Tally::default();
        let window = Window::above(tree.minimax_value() + distance);
        alphabeta_soft::solve(&tree, window, &mut tally);
        tally.nodes
    };
    DISTANCES.map(nodes).collect()
}

fn summarize(kind: &OrderedKind, trees: &[Vec<u64>]) -> Vec<Row> {
    let sums: Vec<u64> =
        (0..DISTANCES.len()).map(|i| trees.iter().map(|tree| tree[i]).sum()).collect();
    let largest = sums.iter().copied().max().unwrap_or(0);
    let row = |(distance, &nodes): (Value, &u64)| Row {
        order: kind.order,
        width: kind.shape.width(),
        depth: kind.shape.height(),
        distance,
        trees: trees.len() as u32,
        nodes,
        mean_nodes: rounded(nodes as f64 / trees.len() as f64),
        percent_of_largest: rounded(100.0 * nodes as f64 / largest as f64),
    };
    DISTANCES.zip(&sums).map(row).collect()
}

/// The rows of each kind of tree, in the order of the distances.
fn curves(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunks(DISTANCES.len())
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let wall = |order: Order| {
        let step = |rows: &[Row]| {
            let at = |distance: Value| rows[(distance - DISTANCES.start) as usize].nodes as f64;
            format!("{:.2} (w={} d={})", at(0) / at(-1), rows[0].width, rows[0].depth)
        };
        let steps = curves(rows).filter(|rows| rows[0].order == order).map(step);
        steps.collect::<Vec<_>>().join(", ")
    };
    vec![Claim {
        paper: "a null window rises abruptly in cost from (v-1, v) to (v, v+1), more so the better \
                the tree is ordered (Figure 1)",
        measured: format!(
            "nodes times: random {}; strongly ordered {}",
            wall(Order::Random),
            wall(Order::Strong)
        ),
    }]
}

fn chart(rows: &[Row], trees: u32) -> Chart {
    let panel = |order: Order| Panel {
        title: format!("{order} trees"),
        x: Axis::linear("distance of the window from the tree's value"),
        y: Axis::linear("nodes, % of the most").including(0.0),
        curves: curves(rows)
            .filter(|rows| rows[0].order == order)
            .map(|rows| {
                let points = rows
                    .iter()
                    .map(|row| Point::new(f64::from(row.distance), row.percent_of_largest));
                Curve::line(format!("w = {}, d = {}", rows[0].width, rows[0].depth), points)
            })
            .collect(),
        level: None,
    };
    Chart {
        title: "The refutation wall".to_owned(),
        note: format!(
            "nodes of a search with the window (v + i, v + i + 1), v being the tree's value; mean of {trees} trees"
        ),
        columns: 2,
        panels: Order::ALL.map(panel).into(),
    }
}
