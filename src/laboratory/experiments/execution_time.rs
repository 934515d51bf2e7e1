//! Section 4.2 of Marsland, Reinefeld and Schaeffer 1987: the cost of the best-first searches'
//! bookkeeping. Measures how much longer than NegaScout each algorithm takes, and how long OPEN
//! gets.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::experiment::{Claim, CsvTable, Experiment, ExperimentError, Findings, rounded};
use super::kinds::OrderedKind;
use super::plan::Plan;
use super::statistics::Sample;
use crate::algorithms::{Algorithm, AlgorithmSettings};
use crate::artificial::{Order, Seed};
use crate::{GameTree, SearchCounts, Value};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "execution-time",
    about: "time of SSS*, DUAL*, MTD, INS and PNS relative to NegaScout, and the length of OPEN \
            (Marsland, Reinefeld and Schaeffer 1987, section 4.2)",
    usual_trees: 20,
    run,
};

const SIZES: [(usize, usize); 6] = [(5, 6), (5, 8), (10, 5), (10, 6), (20, 4), (20, 5)];
const RANGE: Value = 1000;
/// Number of times that each search is timed; the shortest time counts.
const RUNS: u32 = 5;
const ALGORITHMS: [(Algorithm, &str); 8] = [
    (Algorithm::NegaScoutGuarded, NEGASCOUT),
    (Algorithm::AlphaBetaSoft, "alpha-beta"),
    (Algorithm::Pns, "PNS"),
    (Algorithm::Ins, "INS"),
    (Algorithm::MtdMinusInfinity, "MTD(-inf)"),
    (Algorithm::MtdPlusInfinity, "MTD(+inf)"),
    (Algorithm::Dual, "DUAL*"),
    (Algorithm::Sss, "SSS*"),
];
const NEGASCOUT: &str = "NegaScout";

/// Line of the table of counts, which are sums over all trees.
#[derive(Debug, Serialize)]
struct CountRow {
    order: Order,
    width: usize,
    depth: usize,
    algorithm: &'static str,
    trees: u32,
    leaves: u64,
    nodes: u64,
    /// Mean and maximum over the trees of the maximum length of OPEN.
    mean_open_peak: f64,
    greatest_open_peak: usize,
}

/// Line of the table of times.
#[derive(Debug, Serialize)]
struct TimeRow {
    order: Order,
    width: usize,
    depth: usize,
    algorithm: &'static str,
    trees: u32,
    milliseconds: f64,
    nanoseconds_per_leaf: f64,
    relative_to_negascout: f64,
}

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    let kinds = OrderedKind::of_sizes(&SIZES, RANGE)?;
    let cost = |kind: &OrderedKind| kind.shape.minimal_leaves();
    let counted = plan.search(&kinds, cost, |kind, seed| count(&kind.tree(seed)))?;
    // One search at a time, so that searches do not slow each other down.
    let alone = Plan { threads: 1, ..*plan };
    let timed = alone.search(&kinds, |kind| u64::from(RUNS) * cost(kind), time)?;
    let counts = kinds.iter().zip(&counted).flat_map(|(kind, trees)| count_rows(kind, trees));
    let counts: Vec<CountRow> = counts.collect();
    let times = kinds.iter().zip(&timed).zip(counts.chunks(ALGORITHMS.len()));
    let times = times.flat_map(|((kind, trees), counts)| time_rows(kind, trees, counts));
    let times: Vec<TimeRow> = times.collect();
    Ok(Findings {
        counts: CsvTable::of(&counts)?,
        times: Some(CsvTable::of(&times)?),
        chart: chart(&times, plan.trees),
        claims: claims(&times, &counts),
    })
}

fn count<T: GameTree>(tree: &T) -> [SearchCounts; ALGORITHMS.len()] {
    ALGORITHMS.map(|(algorithm, _)| {
        let mut counts = SearchCounts::default();
        algorithm.solve(tree, &AlgorithmSettings::default(), &mut counts);
        counts
    })
}

fn time(kind: &OrderedKind, seed: Seed) -> [Duration; ALGORITHMS.len()] {
    let tree = kind.tree(seed);
    let mut least = [Duration::MAX; ALGORITHMS.len()];
    for _ in 0..RUNS {
        for (least, (algorithm, _)) in least.iter_mut().zip(ALGORITHMS) {
            let started = Instant::now();
            black_box(algorithm.solve(black_box(&tree), &AlgorithmSettings::default(), &mut ()));
            *least = started.elapsed().min(*least);
        }
    }
    least
}

fn count_rows(
    kind: &OrderedKind,
    trees: &[[SearchCounts; ALGORITHMS.len()]],
) -> [CountRow; ALGORITHMS.len()] {
    std::array::from_fn(|index| {
        let of_trees = || trees.iter().map(|tree| tree[index]);
        let peaks: usize = of_trees().map(|counts| counts.open_peak).sum();
        CountRow {
            order: kind.order,
            width: kind.shape.width(),
            depth: kind.shape.height(),
            algorithm: ALGORITHMS[index].1,
            trees: trees.len() as u32,
            leaves: of_trees().map(|counts| counts.leaves).sum(),
            nodes: of_trees().map(|counts| counts.nodes).sum(),
            mean_open_peak: rounded(peaks as f64 / trees.len() as f64),
            greatest_open_peak: of_trees().map(|counts| counts.open_peak).max().unwrap_or(0),
        }
    })
}

fn time_rows(
    kind: &OrderedKind,
    trees: &[[Duration; ALGORITHMS.len()]],
    counts: &[CountRow],
) -> [TimeRow; ALGORITHMS.len()] {
    let seconds =
        |index: usize| trees.iter().map(|tree| tree[index]).sum::<Duration>().as_secs_f64();
    std::array::from_fn(|index| TimeRow {
        order: kind.order,
        width: kind.shape.width(),
        depth: kind.shape.height(),
        algorithm: ALGORITHMS[index].1,
        trees: trees.len() as u32,
        milliseconds: rounded(seconds(index) * 1e3),
        nanoseconds_per_leaf: rounded(seconds(index) * 1e9 / counts[index].leaves as f64),
        relative_to_negascout: rounded(seconds(index) / seconds(0)),
    })
}

fn claims(times: &[TimeRow], counts: &[CountRow]) -> Vec<Claim> {
    let slower = |algorithm: &str| {
        let of_algorithm = times.iter().filter(|row| row.algorithm == algorithm);
        let ratios: Sample = of_algorithm.map(|row| row.relative_to_negascout).collect();
        format!("{algorithm} {:.1} to {:.1}", ratios.least(), ratios.greatest())
    };
    let longest = |algorithm: &str| {
        let peaks = counts.iter().filter(|row| row.algorithm == algorithm);
        let longest = peaks.map(|row| row.greatest_open_peak).max().unwrap_or(0);
        format!("{algorithm} {longest}")
    };
    let leaves = |algorithm| {
        let of_algorithm = counts.iter().filter(move |row| row.algorithm == algorithm);
        of_algorithm.map(|row| row.leaves)
    };
    let same = leaves("SSS*").zip(leaves("MTD(+inf)")).map(|(sss, mtd)| sss == mtd);
    vec![
        Claim {
            paper: "DUAL* and SSS* are 5 and 10 times slower than NegaScout",
            measured: format!(
                "times NegaScout's time, OPEN being a stack and a heap: {}, {}; longest OPEN {}, {}",
                slower("DUAL*"),
                slower("SSS*"),
                longest("DUAL*"),
                longest("SSS*")
            ),
        },
        Claim {
            paper: "INS is only slightly slower than NegaScout",
            measured: format!(
                "times NegaScout's time: {}, {}, {}",
                slower("INS"),
                slower("PNS"),
                slower("alpha-beta")
            ),
        },
        Claim {
            paper: "SSS* is equivalent to MTD(+inf) (a survey, 2006)",
            measured: format!(
                "as many leaves in {} of {} kinds of trees; times NegaScout's time: {}, {}",
                same.clone().filter(|&is_same| is_same).count(),
                same.count(),
                slower("MTD(-inf)"),
                slower("MTD(+inf)")
            ),
        },
    ]
}

fn chart(times: &[TimeRow], trees: u32) -> Chart {
    let panel = |order: Order| {
        let curve = |&(width, depth): &(usize, usize)| {
            let of_size = times
                .iter()
                .filter(|row| (row.order, row.width, row.depth) == (order, width, depth));
            let points = of_size
                .enumerate()
                .map(|(index, row)| DataPoint::new(row.relative_to_negascout, index as f64));
            Curve::marks(format!("w = {width}, d = {depth}"), points)
        };
        Panel {
            title: format!("{order} trees"),
            x: Axis::logarithmic("time, NegaScout = 1"),
            y: Axis::categorical("", ALGORITHMS.map(|(_, name)| name.to_owned()).into()),
            curves: SIZES.iter().map(curve).collect(),
            level: None,
        }
    };
    Chart {
        title: "Time relative to NegaScout".to_owned(),
        note: format!(
            "sum over {trees} trees of the least of {RUNS} times; OPEN is a stack and a heap"
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

    const NAMES: [&str; ALGORITHMS.len()] =
        ["NegaScout", "alpha-beta", "PNS", "INS", "MTD(-inf)", "MTD(+inf)", "DUAL*", "SSS*"];

    fn kind() -> OrderedKind {
        let shape = Shape::new(4, 3).unwrap();
        OrderedKind { order: Order::Strong, shape, range: RANGE }
    }

    #[test]
    fn leaves_are_as_counted_by_hand_and_only_best_first_searches_have_an_open_list() {
        // See the experiment `minimal-window-1987`; MTD evaluates the same leaves as DUAL* and
        // SSS*.
        for (tree, leaves) in [
            ("[[5 7] [[7 -3] [-2 -9]]]", [5, 6, 5, 5, 5, 6, 5, 6]),
            ("[2 [[2 6] [3 8]]]", [8, 5, 8, 7, 5, 5, 5, 5]),
            ("[2 [[5 7] 7]]", [6, 4, 5, 5, 4, 4, 4, 4]),
            ("[0 [[[6]] 2]]", [5, 3, 4, 4, 3, 3, 3, 3]),
            ("[[1 2] [5 6]]", [4, 4, 4, 4, 4, 3, 4, 3]),
        ] {
            let counts = count(&test_tree(tree).tree());
            assert_eq!(counts.map(|counts| counts.leaves), leaves, "{tree}");
            let has_open = counts.map(|counts| counts.open_peak > 0);
            let best_first = NAMES.map(|name| name.ends_with('*'));
            assert_eq!(has_open, best_first, "{tree}");
        }
    }

    #[test]
    fn a_row_of_counts_has_sums_over_all_trees_and_the_mean_and_maximum_of_open() {
        let counts = |leaves, nodes, open_peak| SearchCounts { leaves, nodes, open_peak };
        let rows = count_rows(
            &kind(),
            &[[counts(10, 30, 4); ALGORITHMS.len()], [counts(20, 50, 7); ALGORITHMS.len()]],
        );
        assert_eq!(rows.each_ref().map(|row| row.algorithm), NAMES);
        for row in rows {
            assert_eq!((row.width, row.depth, row.trees), (4, 3, 2));
            assert_eq!((row.leaves, row.nodes), (30, 80));
            assert_eq!((row.mean_open_peak, row.greatest_open_peak), (5.5, 7));
        }
    }

    #[test]
    fn a_row_of_times_is_relative_to_negascout_and_to_the_leaves_of_the_same_algorithm() {
        let counts = std::array::from_fn(|index| SearchCounts {
            leaves: 1000 * (index as u64 + 1),
            ..SearchCounts::default()
        });
        let counts = count_rows(&kind(), &[counts]);
        let milliseconds = |times: [u64; ALGORITHMS.len()]| times.map(Duration::from_millis);
        let rows = time_rows(
            &kind(),
            &[milliseconds([2, 1, 3, 4, 5, 6, 7, 8]), milliseconds([2, 1, 3, 4, 5, 6, 9, 32])],
            &counts,
        );
        assert_eq!(rows.each_ref().map(|row| row.algorithm), NAMES);
        let sums = [4.0, 2.0, 6.0, 8.0, 10.0, 12.0, 16.0, 40.0];
        assert_eq!(rows.each_ref().map(|row| row.milliseconds), sums);
        let relative = [1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 4.0, 10.0];
        assert_eq!(rows.each_ref().map(|row| row.relative_to_negascout), relative);
        // 4 milliseconds for 1000 leaves are 4000 nanoseconds each.
        let each = [4000.0, 1000.0, 2000.0, 2000.0, 2000.0, 2000.0];
        assert_eq!(rows.each_ref().map(|row| row.nanoseconds_per_leaf)[..6], each);
    }
}
