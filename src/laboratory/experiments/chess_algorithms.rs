//! Alpha-beta, NegaScout, PVS, MTD(f) and SSS* on chess positions, to equal depth and in one order
//! of moves: the "further investigation" in "an actual game-playing program" that Reinefeld's
//! paper of 1983 asks for in its conclusion.
//!
//! The horizon is a static evaluation, nothing is selective, and all methods find the same value.
//! They are compared in three settings: without a table, as in the paper's first measure; with one
//! that keeps the bounds of every position, leaves included, which in chess also joins what is
//! reached by different paths; and as programs do it, the table's best moves first and all lesser
//! depths before.

use super::chess_searches::{self as searches, Entrant, Row};
use super::{Axis, Chart, Claim, Curve, Experiment, ExperimentError, Findings, Panel, Plan, Point};
use crate::laboratory::chess::{self, Method, Trunk};

/// The experiment.
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
const TRUNKS: [(&str, Trunk); 5] = [
    (ALPHA_BETA, Trunk::AlphaBeta),
    (NEGASCOUT, Trunk::NegaScout),
    ("PVS", Trunk::PrincipalVariation),
    ("MTD(f)", Trunk::MtdF),
    ("SSS*", Trunk::SssStar),
];
const ALPHA_BETA: &str = "alpha-beta";
const NEGASCOUT: &str = "NegaScout";

fn run(plan: &Plan<'_>) -> Result<Findings, ExperimentError> {
    searches::measure(plan, &DEPTHS, &entrants())?.findings(claims, chart)
}

/// Null windows from above are nothing without memory, so MTD and SSS* are left out there.
fn entrants() -> Vec<Entrant> {
    let all = SETTINGS.iter().flat_map(|&setting| TRUNKS.map(move |trunk| (setting, trunk)));
    all.filter(|&(setting, (_, trunk))| {
        setting != WITHOUT || !matches!(trunk, Trunk::MtdF | Trunk::SssStar)
    })
    .map(|(setting, (name, trunk))| Entrant { setting, name, method: method(setting, trunk) })
    .collect()
}

fn method(setting: &str, trunk: Trunk) -> Method {
    let bare = Method::bare(trunk);
    match setting {
        TABLE => bare.with(chess::Table::Bounds),
        DEEPENING => {
            Method { iterative_deepening: true, ..bare.with(chess::Table::BoundsAndMoves) }
        }
        _ => bare,
    }
}

/// A count of one method's in relation to alpha-beta's in the same setting.
fn relative(rows: &[Row], depth: usize, at: (&str, &str), count: fn(&Row) -> u64) -> Option<f64> {
    let of = |method| searches::sum(rows, depth, at.0, method).map(|row| count(row) as f64);
    Some(of(at.1)? / of(ALPHA_BETA)?)
}

fn leaves(row: &Row) -> u64 {
    row.leaves
}

fn distinct_leaves(row: &Row) -> u64 {
    row.distinct_leaves.unwrap_or(row.leaves)
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let by_depth = |at: (&str, &str), count: fn(&Row) -> u64| {
        let of_depth =
            |&depth: &usize| Some(format!("{:.2} (d={depth})", relative(rows, depth, at, count)?));
        DEPTHS.iter().filter_map(of_depth).collect::<Vec<_>>().join(", ")
    };
    let all = |setting: &'static str| {
        let of_method = |name| format!("{name} {}", by_depth((setting, name), leaves));
        TRUNKS[1..].iter().map(|&(name, _)| of_method(name)).collect::<Vec<_>>().join("; ")
    };
    vec![
        Claim {
            paper: "NegaScout visits about 20 percent fewer leaves than alpha-beta on trees as \
                    wide as those of chess (Reinefeld 1983)",
            measured: format!("leaves, alpha-beta = 1: {}", by_depth((WITHOUT, NEGASCOUT), leaves)),
        },
        Claim {
            paper: "counting each leaf once, 20 to 30 percent fewer",
            measured: format!(
                "different leaves, alpha-beta = 1: {}; evaluations with a table that also joins \
                 transpositions: {}",
                by_depth((WITHOUT, NEGASCOUT), distinct_leaves),
                by_depth((TABLE, NEGASCOUT), leaves)
            ),
        },
        Claim {
            paper: "iterative deepening and a table favour NegaScout even more",
            measured: format!(
                "evaluations, alpha-beta = 1: {}",
                by_depth((DEEPENING, NEGASCOUT), leaves)
            ),
        },
        Claim {
            paper: "MTD never expands more nodes than alpha-beta (Batenkov 2006)",
            measured: format!(
                "evaluations with a table, alpha-beta = 1: {}; more than alpha-beta in {}; {}",
                all(TABLE),
                exceptions(rows),
                searches::rounding(rows)
            ),
        },
    ]
}

/// In how many trees a search over a table evaluated more than alpha-beta over one did.
fn exceptions(rows: &[Row]) -> String {
    let of = |name| {
        let wanted = move |row: &&Row| (row.setting, row.method) == (TABLE, name);
        searches::single(rows).filter(wanted).map(|row| row.leaves)
    };
    let more = |name| {
        let pairs = of(name).zip(of(ALPHA_BETA));
        format!("{} ({name})", pairs.filter(|(leaves, usual)| leaves > usual).count())
    };
    let all = TRUNKS[1..].iter().map(|&(name, _)| more(name)).collect::<Vec<_>>().join(", ");
    format!("{all} of {} trees", of(ALPHA_BETA).count())
}

fn chart(rows: &[Row], positions: usize) -> Chart {
    let depths = || DEPTHS.map(|depth| depth as f64);
    let panel = |setting: &'static str, y: Axis, height: &dyn Fn(usize, &str) -> Option<f64>| {
        let curve = |&(name, _): &(&'static str, Trunk)| {
            let point = |&depth: &usize| Some(Point::new(depth as f64, height(depth, name)?));
            Curve::line(name, DEPTHS.iter().filter_map(point))
        };
        let curves = TRUNKS.iter().map(curve).filter(|curve| !curve.points.is_empty());
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
        panel(setting, y, &|depth, name| relative(rows, depth, (setting, name), leaves))
    };
    let distance = |setting: &'static str| {
        let y = Axis::logarithmic("leaves, minimal tree = 1").including(1.0);
        let height = |depth, name: &str| {
            let row = searches::sum(rows, depth, setting, name)?;
            let least = if setting == WITHOUT { row.minimal_tree } else { row.minimal_positions };
            Some(row.leaves as f64 / least as f64)
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
