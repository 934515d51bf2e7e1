//! Gain of NegaScout by remembering results of the null-window search: the path to the leaf that
//! made it fail high (Reinefeld 1983), also the bounds of the moves on the first level of the
//! second search (partially informed), or of all levels (informed; both Marsland, Reinefeld and
//! Schaeffer 1987).

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::IndependentKind;
use super::plan::Plan;
use super::statistics::Sample;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::{GameTree, SearchCounts, Value};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "path-refinement",
    about: "leaf visits that NegaScout saves by remembering the path to a failure, or more \
            (Reinefeld 1983, Refinements of NegaScout)",
    usual_trees: 300,
    run,
};

const WIDTH: usize = 10;
const DEPTHS: std::ops::RangeInclusive<usize> = 3..=7;
const VALUES: Value = 200;
/// The form with only the guards comes first, because the others are based on it.
const REFINED: [Algorithm; 4] =
    [Algorithm::NegaScoutGuarded, Algorithm::NegaScoutPath, Algorithm::Pns, Algorithm::Ins];

/// Line of the table. Leaves are sums over all trees.
#[derive(Debug, Serialize)]
struct Row {
    depth: usize,
    width: usize,
    algorithm: &'static str,
    trees: u32,
    negascout: u64,
    leaves: u64,
    percent_fewer: f64,
    /// Standard error of `percent_fewer`, as of a ratio of sums (Cochran 1977, section 6.4).
    standard_error: f64,
}

/// Leaf visits in one tree: of NegaScout, and of each refined form.
type Leaves = (u64, [u64; REFINED.len()]);

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let sizes: Vec<(usize, usize)> = DEPTHS.map(|depth| (WIDTH, depth)).collect();
    let kinds = IndependentKind::of_sizes(&sizes, VALUES)?;
    let cost = |kind: &IndependentKind| kind.shape.minimal_leaves();
    let found = plan.search(&kinds, cost, |kind, seed| count(&kind.tree(seed)))?;
    let rows: Vec<Row> =
        kinds.iter().zip(&found).flat_map(|(kind, trees)| summarize(kind, trees)).collect();
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
    (leaves(Algorithm::NegaScout), REFINED.map(leaves))
}

fn summarize(kind: &IndependentKind, trees: &[Leaves]) -> [Row; REFINED.len()] {
    let negascout: u64 = trees.iter().map(|(negascout, _)| negascout).sum();
    std::array::from_fn(|index| {
        let leaves: u64 = trees.iter().map(|(_, refined)| refined[index]).sum();
        let share = leaves as f64 / negascout as f64;
        let deviation = |&(plain, refined): &Leaves| refined[index] as f64 - share * plain as f64;
        let deviations: Sample = trees.iter().map(deviation).collect();
        let mean = negascout as f64 / trees.len() as f64;
        Row {
            depth: kind.shape.height(),
            width: kind.shape.width(),
            algorithm: REFINED[index].name(),
            trees: trees.len() as u32,
            negascout,
            leaves,
            percent_fewer: rounded(100.0 * (1.0 - share)),
            standard_error: rounded(100.0 * deviations.standard_error() / mean),
        }
    })
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let at = |depth: usize| {
        let fewer = |row: &Row| format!("{} {:.1} %", row.algorithm, row.percent_fewer);
        let of_depth = rows.iter().filter(|row| row.depth == depth).map(fewer);
        format!("{} at d = {depth}", of_depth.collect::<Vec<_>>().join(", "))
    };
    vec![Claim {
        paper: "the path refinement typically saves 8 % of the leaf visits (d = 7, b = 10)",
        measured: format!("fewer than Figure 2: {}; {}; {}", at(7), at(5), at(4)),
    }]
}

fn chart(rows: &[Row], trees: u32) -> Chart {
    let curve = |algorithm: Algorithm| {
        let of_algorithm = rows.iter().filter(|row| row.algorithm == algorithm.name());
        let points = of_algorithm.map(|row| DataPoint {
            x: row.depth as f64,
            y: row.percent_fewer,
            error: row.standard_error,
        });
        Curve::line(algorithm.name(), points)
    };
    Chart {
        title: "What NegaScout gains by remembering".to_owned(),
        note: format!(
            "uniform trees of width {WIDTH} with {VALUES} values; {trees} trees a point, bars: standard error"
        ),
        columns: 1,
        panels: vec![Panel {
            title: String::new(),
            x: Axis::linear("depth d").with_ticks(DEPTHS.map(|depth| depth as f64)),
            y: Axis::linear("leaf visits saved, % of NegaScout's").including(0.0),
            curves: REFINED.map(curve).into(),
            level: Some((8.0, "8 %, the paper's figure for d = 7".to_owned())),
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artificial::Shape;
    use crate::testing::test_tree;

    #[test]
    fn savings_of_the_refined_forms_are_as_counted_by_hand() {
        for (tree, negascout, refined) in [
            // Null window: 0 1 2. Again, plain: 1, 2 and, because it is above beta, 2; with the
            // path: 2.
            ("[0 [[[6]] 2]]", 6, [5, 4, 4, 4]),
            // Null window: 0 1 2. Again, plain: 1 2; with the path: 2.
            ("[3 [[2 8]]]", 5, [5, 4, 4, 4]),
            // Null window: 0 1 3. Again: 1 2 3; with bounds 3 is superfluous.
            ("[2 [[5 7] 7]]", 6, [6, 6, 5, 5]),
            // Null window: 0 1 2 3. Again: 1 2 3 4; with bounds 3 4 1 2, with all bounds 3 4 2.
            ("[2 [[2 6] [3 8]]]", 8, [8, 8, 8, 7]),
        ] {
            assert_eq!(count(&test_tree(tree).tree()), (negascout, refined), "{tree}");
        }
    }

    #[test]
    fn a_row_has_the_percentage_of_leaves_that_a_refined_form_saves() {
        let kind = IndependentKind { shape: Shape::new(4, 3).unwrap(), values: VALUES };
        let trees = [(100, [90, 100, 50, 150]), (300, [210, 300, 150, 250])];
        let rows = summarize(&kind, &trees);
        let names = rows.each_ref().map(|row| row.algorithm);
        assert_eq!(names, ["negascout-guarded", "negascout-path", "pns", "ins"]);
        assert!(rows.iter().all(|row| (row.width, row.depth, row.trees) == (4, 3, 2)));
        assert!(rows.iter().all(|row| row.negascout == 400));
        assert_eq!(rows.each_ref().map(|row| row.leaves), [300, 400, 200, 400]);
        assert_eq!(rows.each_ref().map(|row| row.percent_fewer), [25.0, 0.0, 50.0, 0.0]);
        // 75 % of 100 and 300 are 15 away from 90 and 210: the error of a mean of two, of 200.
        assert_eq!(rows.each_ref().map(|row| row.standard_error)[..3], [7.5, 0.0, 0.0]);
    }
}
