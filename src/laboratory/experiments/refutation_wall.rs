//! Figure 1 of Marsland, Reinefeld and Schaeffer 1987: the cost of a null window in nodes,
//! depending on its position. Below the tree's value v one good move at the root is enough to
//! answer "more than that". From (v, v+1) on every move at the root must be refuted, and the cost
//! jumps: the refutation wall.

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::OrderedKind;
use super::plan::Plan;
use crate::algorithms::alphabeta_soft;
use crate::artificial::{Order, Seed};
use crate::{GameTree, SearchCounts, Value, Window};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "refutation-wall",
    about: "nodes that a null window costs, by its distance from the tree's value \
            (Marsland, Reinefeld and Schaeffer 1987, Figure 1)",
    usual_trees: 200,
    run,
};

/// Widths and heights of the trees.
const SIZES: [(usize, usize); 4] = [(5, 6), (10, 4), (10, 5), (20, 4)];
/// Leaf values are from minus this to plus this; the paper does not state it.
const RANGE: Value = 100;
/// Distances i of the windows (v + i, v + i + 1).
const DISTANCES: std::ops::Range<Value> = -25..25;

/// Line of the table.
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
    let cost = |kind: &OrderedKind| kind.shape.minimal_leaves();
    let scan_one = |kind: &OrderedKind, seed: Seed| {
        let tree = kind.tree(seed);
        scan(&tree, tree.minimax_value())
    };
    let nodes = plan.search(&kinds, cost, scan_one)?;
    let rows = kinds.iter().zip(&nodes).flat_map(|(kind, trees)| summarize(kind, trees));
    let rows: Vec<Row> = rows.collect();
    Ok(Findings {
        counts: CsvTable::of(&rows)?,
        times: None,
        claims: claims(&rows),
        chart: chart(&rows, plan.trees),
    })
}

/// Returns the nodes visited in a tree of this value, for each distance.
fn scan<T: GameTree>(tree: &T, value: Value) -> Vec<u64> {
    let nodes = |distance: Value| {
        let mut counts = SearchCounts::default();
        let window = Window::above(value + distance);
        alphabeta_soft::solve(tree, window, &mut counts);
        counts.nodes
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

/// Returns the rows of each kind of tree, in the order of the distances.
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
                    .map(|row| DataPoint::new(f64::from(row.distance), row.percent_of_largest));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artificial::Shape;
    use crate::testing::test_tree;

    /// Index of the window (v, v + 1) among the distances.
    const WALL: usize = DISTANCES.start.unsigned_abs() as usize;

    #[test]
    fn the_wall_is_between_the_windows_below_and_above_the_value() {
        // The value is 5. For every window below it the first leaf is enough. For those above, 3
        // must refute the second child: two nodes more than the root and the first leaf.
        let tree = test_tree("[5 [3 9]]");
        let nodes = scan(&tree.tree(), tree.minimax());
        assert_eq!(nodes.len(), DISTANCES.len());
        assert!(nodes[..WALL].iter().all(|&nodes| nodes == 2));
        assert!(nodes[WALL..].iter().all(|&nodes| nodes == 4));
    }

    #[test]
    fn a_row_has_the_nodes_of_one_distance_and_their_percentage_of_the_maximum() {
        let shape = Shape::new(4, 3).unwrap();
        let kind = OrderedKind { order: Order::Strong, shape, range: RANGE };
        let ascending = |factor: u64| (1..=DISTANCES.len() as u64).map(|n| factor * n).collect();
        let rows = summarize(&kind, &[ascending(1), ascending(3)]);
        assert_eq!(rows.len(), DISTANCES.len());
        for (distance, (n, row)) in DISTANCES.zip((1..).zip(&rows)) {
            assert_eq!((row.width, row.depth, row.trees), (4, 3, 2));
            assert_eq!((row.distance, row.nodes), (distance, 4 * n));
            assert_eq!(row.mean_nodes, 2.0 * n as f64);
            assert_eq!(row.percent_of_largest, 100.0 * n as f64 / DISTANCES.len() as f64);
        }
        // 4 * 26 nodes above the value, 4 * 25 below.
        let claim = &claims(&rows)[0].measured;
        assert!(claim.ends_with("strongly ordered 1.04 (w=4 d=3)"), "{claim}");
    }
}
