//! Alpha-beta, NegaScout, PVS, MTD(f) and SSS* on chess positions, to equal depth and with the same
//! move order: the "further investigation" in "an actual game-playing program" that the conclusion
//! of Reinefeld's paper of 1983 asks for.
//!
//! The horizon is a static evaluation, nothing is selective, and all methods find the same value.
//! They are compared in three settings: without a table, as in the paper's first measure; with a
//! table of the bounds of all positions, including leaves, which in chess also joins
//! transpositions; and as in programs, with the table's best moves first and all smaller depths
//! before.

use super::chess_comparison::{MethodComparison, Metric, compare};
use super::chess_searches::{self as searches, NamedMethod, Row};
use super::experiment::{Claim, Experiment, ExperimentError, Findings};
use super::plan::Plan;
use crate::chess::{self, BaseAlgorithm, Method};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-algorithms",
    about: "leaves of alpha-beta, NegaScout, PVS, MTD(f) and SSS* on chess positions, with and \
            without a table (asked for by Reinefeld 1983); --trees is the number of positions",
    usual_trees: 78,
    run,
};

const DEPTHS: [usize; 4] = [2, 3, 4, 5];
const WITHOUT: &str = "no table";
const TABLE: &str = "table";
const DEEPENING: &str = "table and deepening";
const SETTINGS: [&str; 3] = [WITHOUT, TABLE, DEEPENING];
const ALGORITHMS: [(&str, BaseAlgorithm); 5] = [
    (ALPHA_BETA, BaseAlgorithm::AlphaBeta),
    (SCOUTS[0], BaseAlgorithm::NegaScout),
    (SCOUTS[1], BaseAlgorithm::PrincipalVariation),
    (MEMORY_TEST_DRIVERS[0], BaseAlgorithm::MtdF),
    (MEMORY_TEST_DRIVERS[1], BaseAlgorithm::SssStar),
];
const ALPHA_BETA: &str = "alpha-beta";
const SCOUTS: [&str; 2] = ["NegaScout", "PVS"];
const MEMORY_TEST_DRIVERS: [&str; 2] = ["MTD(f)", "SSS*"];

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    searches::measure(plan, &DEPTHS, &methods())?.findings(claims, chart)
}

/// MTD and SSS* with null windows need a memory, so they are excluded from the setting without a
/// table.
fn methods() -> Vec<NamedMethod> {
    let all =
        SETTINGS.iter().flat_map(|&setting| ALGORITHMS.map(move |algorithm| (setting, algorithm)));
    all.filter(|&(setting, (_, algorithm))| {
        setting != WITHOUT || !matches!(algorithm, BaseAlgorithm::MtdF | BaseAlgorithm::SssStar)
    })
    .map(|(setting, (name, algorithm))| NamedMethod {
        setting,
        name,
        method: method(setting, algorithm),
    })
    .collect()
}

fn method(setting: &str, algorithm: BaseAlgorithm) -> Method {
    let bare = Method::bare(algorithm);
    match setting {
        TABLE => bare.with(chess::TableUse::Bounds),
        DEEPENING => {
            Method { iterative_deepening: true, ..bare.with(chess::TableUse::BoundsAndMoves) }
        }
        _ => bare,
    }
}

/// Returns a method's count relative to alpha-beta's in the same setting.
fn relative(
    rows: &[Row],
    depth: usize,
    setting: &str,
    name: &str,
    count: Metric,
) -> Option<MethodComparison> {
    compare(rows, depth, (setting, name), (setting, ALPHA_BETA), count)
}

fn leaves(row: &Row) -> u64 {
    row.leaves
}

fn distinct_leaves(row: &Row) -> u64 {
    row.distinct_leaves.unwrap_or(row.leaves)
}

fn nodes(row: &Row) -> u64 {
    row.nodes
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let mut claims = Vec::from(claims_on_scouts(rows));
    claims.extend(claims_on_memory_test_drivers(rows));
    claims.push(claim_on_minimal_tree(rows));
    claims
}

fn claims_on_scouts(rows: &[Row]) -> [Claim; 3] {
    let by_depth = |setting, count| by_depth(rows, setting, &SCOUTS, count);
    [
        Claim {
            paper: "NegaScout visits about 20 percent fewer leaves than alpha-beta on trees as \
                    wide as those of chess (Reinefeld 1983)",
            measured: format!("leaves without a table, {READING}: {}", by_depth(WITHOUT, leaves)),
        },
        Claim {
            paper: "counting each leaf once, 20 to 30 percent fewer",
            measured: format!(
                "different leaves, {READING}: {}; evaluations with a table that also joins \
                 transpositions: {}",
                by_depth(WITHOUT, distinct_leaves),
                by_depth(TABLE, leaves)
            ),
        },
        Claim {
            paper: "iterative deepening and a table favour NegaScout even more",
            measured: format!("evaluations, {READING}: {}", by_depth(DEEPENING, leaves)),
        },
    ]
}

fn claims_on_memory_test_drivers(rows: &[Row]) -> [Claim; 3] {
    let by_setting = |count| {
        let of_setting = |setting| {
            format!("{setting}: {}", by_depth(rows, setting, &MEMORY_TEST_DRIVERS, count))
        };
        [TABLE, DEEPENING].map(of_setting).join("; ")
    };
    let exceptions = |count| SETTINGS.map(|setting| exceptions(rows, setting, count)).join("; ");
    [
        Claim {
            paper: "MTD never expands more nodes than alpha-beta (Batenkov 2006)",
            measured: format!(
                "evaluations, {READING}: {}; {}",
                by_setting(leaves),
                searches::rounding(rows)
            ),
        },
        Claim {
            paper: "the same, of all nodes and not of leaves only",
            measured: format!("nodes, {READING}: {}", by_setting(nodes)),
        },
        Claim {
            paper: "the same, tree by tree",
            measured: format!(
                "trees in which more leaves than alpha-beta's were evaluated: {}; more nodes \
                 entered: {}",
                exceptions(leaves),
                exceptions(nodes)
            ),
        },
    ]
}

fn claim_on_minimal_tree(rows: &[Row]) -> Claim {
    Claim {
        paper: "alpha-beta with its enhancements approaches the minimal tree",
        measured: format!(
            "the minimal tree, alpha-beta's leaves = 1: {}",
            SETTINGS.map(|setting| minimal_share(rows, setting)).join("; ")
        ),
    }
}

/// Explains how to read the text of [`by_depth`].
const READING: &str = "alpha-beta = 1, all positions together (mean of their ratios, least to \
                       greatest)";

/// Returns the counts of methods in a setting relative to alpha-beta, by depth.
fn by_depth(rows: &[Row], setting: &str, names: &[&str], count: Metric) -> String {
    let of_method = |name: &&str| {
        let of_depth = |&depth: &usize| {
            Some(format!("d={depth} {}", relative(rows, depth, setting, name, count)?))
        };
        format!("{name} {}", DEPTHS.iter().filter_map(of_depth).collect::<Vec<_>>().join(", "))
    };
    names.iter().map(of_method).collect::<Vec<_>>().join("; ")
}

/// Returns the number of trees of a setting in which each method counted more than alpha-beta.
fn exceptions(rows: &[Row], setting: &str, count: Metric) -> String {
    let mut trees = 0;
    let mut more = Vec::new();
    for (name, _) in &ALGORITHMS[1..] {
        let compared =
            DEPTHS.iter().filter_map(|&depth| relative(rows, depth, setting, name, count));
        let compared: Vec<MethodComparison> = compared.collect();
        if !compared.is_empty() {
            trees = compared.iter().map(|comparison| comparison.positions).sum();
            more.push(format!(
                "{name} {}",
                compared.iter().map(|comparison| comparison.more).sum::<usize>()
            ));
        }
    }
    format!("{setting}: {} of {trees}", more.join(", "))
}

/// Returns the minimum number of leaves of the setting's searches, relative to alpha-beta's.
fn minimal_share(rows: &[Row], setting: &str) -> String {
    let of_depth = |&depth: &usize| {
        let row = searches::sum(rows, depth, setting, ALPHA_BETA)?;
        Some(format!("{:.2} (d={depth})", minimal_leaves(row) as f64 / row.leaves as f64))
    };
    format!("{setting} {}", DEPTHS.iter().filter_map(of_depth).collect::<Vec<_>>().join(", "))
}

/// With a table a position counts once.
fn minimal_leaves(row: &Row) -> u64 {
    if row.setting == WITHOUT { row.minimal_tree } else { row.minimal_positions }
}

fn chart(rows: &[Row], positions: usize) -> Chart {
    let depths = || DEPTHS.map(|depth| depth as f64);
    let panel = |setting: &'static str, y: Axis, height: &dyn Fn(usize, &str) -> Option<f64>| {
        let curve = |&(name, _): &(&'static str, BaseAlgorithm)| {
            let point = |&depth: &usize| Some(DataPoint::new(depth as f64, height(depth, name)?));
            Curve::line(name, DEPTHS.iter().filter_map(point))
        };
        let curves = ALGORITHMS.iter().map(curve).filter(|curve| !curve.points.is_empty());
        Panel {
            title: setting.to_owned(),
            x: Axis::linear("depth in plies").with_ticks(depths()),
            y,
            curves: curves.collect(),
            level: None,
        }
    };
    let ratio = |setting: &'static str| {
        let y = Axis::linear("leaves, alpha-beta = 1").including(0.0);
        let height =
            |depth, name: &str| Some(relative(rows, depth, setting, name, leaves)?.of_sums);
        panel(setting, y, &height)
    };
    let distance = |setting: &'static str| {
        let y = Axis::logarithmic("leaves, minimal tree = 1").including(1.0);
        let height = |depth, name: &str| {
            let row = searches::sum(rows, depth, setting, name)?;
            Some(row.leaves as f64 / minimal_leaves(row) as f64)
        };
        panel(setting, y, &height)
    };
    Chart {
        title: "Search algorithms on chess positions".to_owned(),
        note: format!(
            "{positions} positions, static evaluation at the horizon, no selectivity; above \
             relative to alpha-beta in the same setting, below to the minimal tree"
        ),
        columns: SETTINGS.len(),
        panels: SETTINGS.map(ratio).into_iter().chain(SETTINGS.map(distance)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::chess_comparison::tests::row;
    use super::*;

    /// Rows of two positions to depth two: each method's leaves and nodes.
    fn rows() -> Vec<Row> {
        let counts = [
            ((WITHOUT, ALPHA_BETA), [(1000, 1100), (100, 200)]),
            ((WITHOUT, "NegaScout"), [(900, 1000), (150, 210)]),
            ((TABLE, ALPHA_BETA), [(800, 900), (50, 100)]),
            ((TABLE, "SSS*"), [(400, 1800), (50, 150)]),
            ((DEEPENING, ALPHA_BETA), [(700, 800), (40, 80)]),
            ((DEEPENING, "SSS*"), [(560, 600), (60, 60)]),
        ];
        let (mut rows, mut sums) = (Vec::new(), Vec::new());
        for (place, [large, small]) in counts {
            rows.extend([row("large", 2, place, large), row("small", 2, place, small)]);
            sums.push(Row {
                minimal_tree: 330,
                minimal_positions: 185,
                ..row("all", 2, place, (large.0 + small.0, large.1 + small.1))
            });
        }
        rows.append(&mut sums);
        rows
    }

    #[test]
    fn each_setting_is_compared_with_its_own_alpha_beta_in_total_and_by_position() {
        let rows = rows();
        assert_eq!(
            by_depth(&rows, WITHOUT, &["NegaScout"], leaves),
            "NegaScout d=2 0.95 (1.20, 0.90 to 1.50)"
        );
        assert_eq!(by_depth(&rows, TABLE, &["SSS*"], nodes), "SSS* d=2 1.95 (1.75, 1.50 to 2.00)");
        assert_eq!(
            by_depth(&rows, DEEPENING, &["SSS*"], leaves),
            "SSS* d=2 0.84 (1.15, 0.80 to 1.50)"
        );
    }

    #[test]
    fn exceptions_are_reported_for_each_setting_and_for_leaves_and_nodes() {
        let measured = claims(&rows()).swap_remove(5).measured;
        assert_eq!(
            measured,
            "trees in which more leaves than alpha-beta's were evaluated: no table: NegaScout 1 of \
             2; table: SSS* 0 of 2; table and deepening: SSS* 1 of 2; more nodes entered: no \
             table: NegaScout 1 of 2; table: SSS* 2 of 2; table and deepening: SSS* 0 of 2"
        );
    }

    #[test]
    fn with_a_table_the_minimal_tree_counts_a_position_once() {
        let measured = claims(&rows()).swap_remove(6).measured;
        assert_eq!(
            measured,
            "the minimal tree, alpha-beta's leaves = 1: no table 0.30 (d=2); table 0.22 (d=2); \
             table and deepening 0.25 (d=2)"
        );
    }
}
