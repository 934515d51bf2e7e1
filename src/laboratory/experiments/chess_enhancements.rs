//! Value of the enhancements of alpha-beta in Batenkov's survey (2006) on chess positions: each
//! enabled alone, and each removed from the full set. Schaeffer asked this in 1989, and his answer
//! was that the history heuristic and the transposition table do most of the work.
//!
//! All searches are alpha-beta to equal depth with the same initial move order, captures first; all
//! find the same value. Enhanced transposition cut-offs need a table, so for them "alone" includes
//! the table, and a set without the table is also without them.

use super::chess_comparison::{MethodName, compare};
use super::chess_searches::{self as searches, NamedMethod, Row};
use super::experiment::{Claim, Experiment, ExperimentError, Findings};
use super::plan::Plan;
use crate::Value;
use crate::chess::{self, BaseAlgorithm, Method};
use outrider_tools::charts::{Axis, Chart, Curve, DataPoint, Panel};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chess-enhancements",
    about: "what iterative deepening, killers, history, table, enhanced cut-offs and aspiration \
            are worth on chess positions (Batenkov 2006); --trees is the number of positions",
    usual_trees: 78,
    run,
};

const DEPTHS: [usize; 4] = [2, 3, 4, DEEPEST];
/// Depth of the claims.
const DEEPEST: usize = 5;
/// Half width of the aspiration window, in centipawns.
const ASPIRATION: Value = 50;

const ALONE: &str = "alone";
const LEFT_OUT: &str = "left out";
const NOTHING: &str = "nothing";

/// Enables or disables an enhancement of a method.
type Enhancement = fn(Method) -> Method;

/// Name, and the functions that enable and disable it.
const ENHANCEMENTS: [(&str, Enhancement, Enhancement); 6] = [
    (
        "iterative deepening",
        |method| Method { iterative_deepening: true, ..method },
        |method| Method { iterative_deepening: false, ..method },
    ),
    (
        "killers",
        |method| Method { killers: true, ..method },
        |method| Method { killers: false, ..method },
    ),
    (
        "history",
        |method| Method { history: true, ..method },
        |method| Method { history: false, ..method },
    ),
    (
        "transposition table",
        |method| method.with(chess::TableUse::BoundsAndMoves),
        |method| method.with(chess::TableUse::None),
    ),
    (
        "enhanced cut-offs",
        |method| Method { enhanced_cutoffs: true, ..method.with(chess::TableUse::BoundsAndMoves) },
        |method| Method { enhanced_cutoffs: false, ..method },
    ),
    (
        "aspiration",
        |method| Method { aspiration: Some(ASPIRATION), ..method },
        |method| Method { aspiration: None, ..method },
    ),
];

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    searches::measure(plan, &DEPTHS, &methods())?.findings(claims, chart)
}

/// Returns the methods: none, each alone, all, and all but each.
fn methods() -> Vec<NamedMethod> {
    let bare = Method::bare(BaseAlgorithm::AlphaBeta);
    let full = ENHANCEMENTS.iter().fold(bare, |method, (_, add, _)| add(method));
    let mut methods = Vec::new();
    for (setting, base) in [(ALONE, bare), (LEFT_OUT, full)] {
        methods.push(NamedMethod { setting, name: NOTHING, method: base });
        methods.extend(ENHANCEMENTS.map(|(name, add, remove)| {
            let change = if setting == ALONE { add } else { remove };
            NamedMethod { setting, name, method: change(base) }
        }));
    }
    methods
}

/// Returns the evaluations relative to the base of the same setting.
fn relative(rows: &[Row], depth: usize, setting: &str, method: &str) -> Option<f64> {
    let base = (setting, NOTHING);
    Some(compare(rows, depth, (setting, method), base, |row| row.leaves)?.of_sums)
}

/// Returns leaves and nodes of a method relative to another's, as text.
fn leaves_and_nodes(rows: &[Row], method: MethodName<'_>, base: MethodName<'_>) -> Option<String> {
    let leaves = compare(rows, DEEPEST, method, base, |row| row.leaves)?;
    let nodes = compare(rows, DEEPEST, method, base, |row| row.nodes)?;
    Some(format!(
        "{:.2}, {:.2} ({:.2}, {:.2})",
        leaves.of_sums,
        nodes.of_sums,
        leaves.of_positions.mean(),
        nodes.of_positions.mean()
    ))
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    const READING: &str = "leaves, nodes of all positions together (means of their ratios)";
    let each = |setting: &str| {
        let of_one = |&(name, _, _): &(&str, Enhancement, Enhancement)| {
            let ratios = leaves_and_nodes(rows, (setting, name), (setting, NOTHING))?;
            Some(format!("{name} {ratios}"))
        };
        ENHANCEMENTS.iter().filter_map(of_one).collect::<Vec<_>>().join("; ")
    };
    let all = leaves_and_nodes(rows, (LEFT_OUT, NOTHING), (ALONE, NOTHING)).unwrap_or_default();
    let base = |setting| searches::sum(rows, DEEPEST, setting, NOTHING);
    let times =
        |setting| base(setting).map_or(0.0, |row| row.leaves as f64 / row.minimal_positions as f64);
    vec![
        Claim {
            paper: "the enhancements order moves and spare leaves (Batenkov 2006)",
            measured: format!(
                "alone, plain alpha-beta = 1, d={DEEPEST}, {READING}: {}; all of them {all}",
                each(ALONE)
            ),
        },
        Claim {
            paper: "some are superfluous beside the others",
            measured: format!(
                "left out, the full set = 1, d={DEEPEST}, {READING}: {}",
                each(LEFT_OUT)
            ),
        },
        Claim {
            paper: "alpha-beta with its enhancements approaches the minimal tree",
            measured: format!(
                "evaluations, different positions of the minimal tree = 1, d={DEEPEST}: none \
                 {:.1}, all {:.1}",
                times(ALONE),
                times(LEFT_OUT)
            ),
        },
    ]
}

fn chart(rows: &[Row], positions: usize) -> Chart {
    let names = ENHANCEMENTS.map(|(name, _, _)| name.to_owned());
    let panel = |(setting, title, x): (&str, &str, &str)| {
        let curve = |depth: usize| {
            let point = |(at, &(name, _, _)): (usize, &(&str, Enhancement, Enhancement))| {
                Some(DataPoint::new(relative(rows, depth, setting, name)?, at as f64))
            };
            let points = ENHANCEMENTS.iter().enumerate().filter_map(point);
            Curve::marks(format!("depth {depth}"), points)
        };
        Panel {
            title: title.to_owned(),
            x: Axis::linear(x).including(1.0),
            y: Axis::categorical("", names.to_vec()),
            curves: DEPTHS.map(curve).into(),
            level: None,
        }
    };
    Chart {
        title: "What each enhancement is worth in chess".to_owned(),
        note: format!("{positions} positions, alpha-beta, static evaluations at the horizon"),
        columns: 2,
        panels: [
            (ALONE, "switched on alone", "leaves, plain alpha-beta = 1"),
            (LEFT_OUT, "left out of the full set", "leaves, full set = 1"),
        ]
        .map(panel)
        .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::chess_comparison::tests::row;
    use super::*;

    #[test]
    fn an_enhancement_is_reported_in_leaves_and_nodes_alone_and_removed_from_the_full_set() {
        let counts = [
            ((ALONE, NOTHING), [(1000, 2000), (100, 200)]),
            ((ALONE, "killers"), [(500, 1200), (100, 200)]),
            ((LEFT_OUT, NOTHING), [(200, 500), (20, 50)]),
            ((LEFT_OUT, "killers"), [(300, 500), (20, 50)]),
        ];
        let rows = counts.map(|(place, [large, small])| {
            [row("large", DEEPEST, place, large), row("small", DEEPEST, place, small)]
        });
        let claims = claims(&rows.concat());
        let alone = &claims[0].measured;
        assert!(
            alone
                .contains(": killers 0.55, 0.64 (0.75, 0.80); all of them 0.20, 0.25 (0.20, 0.25)"),
            "{alone}"
        );
        let left_out = &claims[1].measured;
        assert!(left_out.ends_with(": killers 1.45, 1.00 (1.25, 1.00)"), "{left_out}");
    }
}
