//! Common part of the experiments on chess positions: each position is searched to each depth by
//! many methods, counted on all cores and timed on one.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;
use shakmaty::Position as _;

use super::experiment::{Claim, CsvTable, ExperimentError, Findings, rounded};
use super::plan::Plan;
use crate::chess::{
    ChessTree, Method, MinimalTree, SolveResult, TableUse, minimal_tree, positions, solve,
};
use crate::{DistinctLeaves, SearchCounts, Value};
use outrider_engine::position::epd::Epd;
use outrider_tools::charts::Chart;

/// MTD makes a pass for each value on its way. If there are more passes than this, the evaluations
/// for all methods are rounded to twice as many centipawns, repeatedly.
const MAX_PASSES: u32 = 1000;

/// Alpha-beta's work grows with about this power of the tree's leaves: 1/2 if the best move is
/// always first (Knuth and Moore 1975), about 3/4 in random order (Pearl 1982).
const GROWTH: f64 = 0.7;

/// Number of times that each search is timed; the shortest time counts.
const RUNS: u32 = 3;

/// Name of the position in rows of sums.
const ALL: &str = "all";

/// A method with its name in tables.
pub(super) struct NamedMethod {
    /// Group of methods that are compared with each other.
    pub setting: &'static str,
    pub name: &'static str,
    pub method: Method,
}

/// Measurements on all positions.
pub(super) struct Measurements {
    /// Number of positions.
    pub positions: usize,
    /// Counts by position, and their sums.
    pub rows: Vec<Row>,
    /// Times at the greatest depth.
    pub times: CsvTable,
    /// Claim that all searches agree.
    pub agreement: Claim,
}

impl Measurements {
    /// Returns the findings of an experiment with these claims and this chart.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be written as a table.
    pub(super) fn findings(
        self,
        claims: fn(&[Row]) -> Vec<Claim>,
        chart: fn(&[Row], usize) -> Chart,
    ) -> Result<Findings, ExperimentError> {
        Ok(Findings {
            counts: CsvTable::of(&self.rows)?,
            chart: chart(&self.rows, self.positions),
            claims: claims(&self.rows).into_iter().chain([self.agreement]).collect(),
            times: Some(self.times),
        })
    }
}

/// Counts of the searches of one position to one depth.
struct PositionCounts {
    position: String,
    depth: usize,
    grain: Value,
    minimal: MinimalTree,
    /// One search by each method.
    searches: Vec<MethodResult>,
}

/// Result and counts of one search.
struct MethodResult {
    solved: SolveResult,
    leaves: u64,
    distinct_leaves: Option<u64>,
    nodes: u64,
}

/// Line of the table of counts: one position, or the sum over all of them.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Row {
    /// Name of the position, or `all`.
    pub position: String,
    pub depth: usize,
    /// Unit to which evaluations were rounded, in centipawns; in a row of sums, the greatest.
    pub grain: Value,
    pub setting: &'static str,
    pub method: &'static str,
    /// Value of the tree, from the root player's side.
    pub value: Option<Value>,
    pub leaves: u64,
    /// Distinct leaves; a leaf visited again on the same path counts once. Only counted without a
    /// table.
    pub distinct_leaves: Option<u64>,
    /// Nodes entered, including leaves and table hits.
    pub nodes: u64,
    /// Leaves relative to those of the setting's first method.
    pub leaves_ratio: f64,
    /// Nodes relative to those of the setting's first method.
    pub nodes_ratio: f64,
    pub passes: u32,
    /// Positions in the table at the end.
    pub remembered: usize,
    /// Leaves of the two proofs of the value.
    pub minimal_tree: u64,
    /// Different positions among them.
    pub minimal_positions: u64,
    /// Minimum number of leaves if the tree were uniform and ordered best first.
    pub uniform_minimum: f64,
}

/// Line of the table of times.
#[derive(Debug, Serialize)]
struct TimeRow {
    positions: usize,
    depth: usize,
    setting: &'static str,
    method: &'static str,
    seconds: f64,
    /// Relative to the first method of the same setting.
    ratio_in_setting: f64,
    /// Relative to the first method of all.
    ratio_to_first: f64,
}

/// Searches a sample of the built-in positions, drawn with the plan's seed, to each depth with each
/// method. The last depth must be the greatest.
///
/// # Errors
///
/// Fails if there are not enough positions, or if a thread cannot be started.
pub(super) fn measure(
    plan: &Plan<'_>,
    depths: &[usize],
    methods: &[NamedMethod],
) -> Result<Measurements, ExperimentError> {
    let positions = positions::sample(plan.trees as usize, plan.seed);
    if positions.len() < plan.trees as usize {
        return Err(ExperimentError::TooFewPositions(positions.len()));
    }
    let of_position = |epd| depths.iter().map(move |&depth| (epd, depth));
    let jobs: Vec<(&Epd, usize)> = positions.iter().flat_map(of_position).collect();
    let deepest = depths.last().copied().unwrap_or(0);
    // Includes the timed searches, so that the progress bar is not full before they are done.
    plan.progress
        .expect(positions.iter().map(|epd| u64::from(RUNS) * estimated_work(epd, deepest)).sum());
    let count = |&(epd, depth): &(&Epd, usize)| count_position(epd, depth, methods);
    let counted = plan.map(&jobs, |&(epd, depth)| estimated_work(epd, depth), count)?;
    let of_deepest = counted.iter().filter(|counts| counts.depth == deepest);
    let grained: Vec<(&Epd, Value)> =
        positions.iter().zip(of_deepest).map(|(epd, counts)| (epd, counts.grain)).collect();
    let times = time_rows(&time(plan, &grained, deepest, methods), deepest, methods);
    Ok(Measurements {
        positions: positions.len(),
        rows: rows(&counted, depths, methods),
        times: CsvTable::of(&times)?,
        agreement: agreement(&counted),
    })
}

/// Roughly proportional to the work of alpha-beta.
fn estimated_work(epd: &Epd, depth: usize) -> u64 {
    let width = epd.chess.legal_moves().len() as f64;
    width.powf(GROWTH * depth as f64) as u64 + 1
}

fn count_position(epd: &Epd, depth: usize, methods: &[NamedMethod]) -> PositionCounts {
    let mut grain = 1;
    loop {
        let tree = ChessTree::new(epd.chess.clone(), depth).rounded(grain);
        let searches: Vec<_> = methods.iter().map(|method| search(&tree, &method.method)).collect();
        if searches.iter().all(|search| search.solved.passes <= MAX_PASSES) {
            let value = searches.first().map_or(0, |search| search.solved.value);
            let minimal = minimal_tree(&tree, value);
            let position = epd.id().unwrap_or_default().to_owned();
            return PositionCounts { position, depth, grain, minimal, searches };
        }
        grain *= 2;
    }
}

fn search(tree: &ChessTree, method: &Method) -> MethodResult {
    if method.table == TableUse::None {
        let mut leaves_once = DistinctLeaves::default();
        let solved = solve(tree, method, &mut leaves_once);
        let DistinctLeaves { counts, distinct } = leaves_once;
        let distinct_leaves = Some(distinct.len() as u64);
        return MethodResult {
            solved,
            leaves: counts.leaves,
            distinct_leaves,
            nodes: counts.nodes,
        };
    }
    let mut counts = SearchCounts::default();
    let solved = solve(tree, method, &mut counts);
    MethodResult { solved, leaves: counts.leaves, distinct_leaves: None, nodes: counts.nodes }
}

fn agreement(counted: &[PositionCounts]) -> Claim {
    let values = |counts: &PositionCounts| {
        counts.searches.iter().map(|search| search.solved.value).collect()
    };
    let values: Vec<Vec<Value>> = counted.iter().map(values).collect();
    let differ =
        |values: &Vec<Value>| values.iter().filter(|&value| Some(value) != values.first()).count();
    Claim {
        paper: "all methods find the minimax value",
        measured: format!(
            "{} searches, {} of them with another value than the first of the same tree",
            values.iter().map(Vec::len).sum::<usize>(),
            values.iter().map(differ).sum::<usize>()
        ),
    }
}

/// Returns a row for each position, depth and method, then sums for each depth and method.
fn rows(counted: &[PositionCounts], depths: &[usize], methods: &[NamedMethod]) -> Vec<Row> {
    let mut rows: Vec<Row> = counted.iter().flat_map(|counts| counts.rows(methods)).collect();
    let mut sums = Vec::new();
    for &depth in depths {
        for method in methods {
            let wanted = (depth, method.setting, method.name);
            let same = rows.iter().filter(|row| (row.depth, row.setting, row.method) == wanted);
            let sum = same.cloned().reduce(Row::plus);
            sums.extend(sum.map(|sum| Row { position: ALL.to_owned(), value: None, ..sum }));
        }
    }
    rows.append(&mut sums);
    relate(&mut rows);
    rows
}

/// Computes each method's counts relative to the first method of its setting, for the same position
/// and depth.
fn relate(rows: &mut [Row]) {
    let same_group =
        |a: &Row, b: &Row| (&a.position, a.depth, a.setting) == (&b.position, b.depth, b.setting);
    for rows in rows.chunk_by_mut(same_group) {
        let (leaves, nodes) = rows.first().map_or((0, 0), |first| (first.leaves, first.nodes));
        for row in rows {
            row.leaves_ratio = rounded(row.leaves as f64 / leaves as f64);
            row.nodes_ratio = rounded(row.nodes as f64 / nodes as f64);
        }
    }
}

/// Returns the row of sums of a method's searches to a depth.
pub(super) fn sum<'a>(
    rows: &'a [Row],
    depth: usize,
    setting: &str,
    method: &str,
) -> Option<&'a Row> {
    let wanted = (ALL, depth, setting, method);
    rows.iter().find(|row| (row.position.as_str(), row.depth, row.setting, row.method) == wanted)
}

/// Returns the rows of single positions.
pub(super) fn single(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.position != ALL)
}

/// Describes the rounding of evaluations.
pub(super) fn rounding(rows: &[Row]) -> String {
    let grain = single(rows).map(|row| row.grain).max().unwrap_or(1);
    let passes = single(rows).map(|row| row.passes).max().unwrap_or(0);
    let rounded = if grain > 1 {
        format!("in some positions evaluations were rounded to at most {grain} centipawns")
    } else {
        "evaluations were not rounded".to_owned()
    };
    format!("{rounded}; the root was searched at most {passes} times")
}

impl PositionCounts {
    fn rows(&self, methods: &[NamedMethod]) -> impl Iterator<Item = Row> {
        self.searches.iter().zip(methods).map(|(search, method)| Row {
            position: self.position.clone(),
            depth: self.depth,
            grain: self.grain,
            setting: method.setting,
            method: method.name,
            value: Some(search.solved.value),
            leaves: search.leaves,
            distinct_leaves: search.distinct_leaves,
            nodes: search.nodes,
            leaves_ratio: 1.0,
            nodes_ratio: 1.0,
            passes: search.solved.passes,
            remembered: search.solved.remembered,
            minimal_tree: self.minimal.leaves,
            minimal_positions: self.minimal.positions,
            uniform_minimum: rounded(self.minimal.uniform_leaves(self.depth)),
        })
    }
}

impl Row {
    fn plus(self, other: Row) -> Row {
        let both = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        Row {
            grain: self.grain.max(other.grain),
            leaves: self.leaves + other.leaves,
            distinct_leaves: both(self.distinct_leaves, other.distinct_leaves),
            nodes: self.nodes + other.nodes,
            passes: self.passes + other.passes,
            remembered: self.remembered + other.remembered,
            minimal_tree: self.minimal_tree + other.minimal_tree,
            minimal_positions: self.minimal_positions + other.minimal_positions,
            uniform_minimum: rounded(self.uniform_minimum + other.uniform_minimum),
            ..self
        }
    }
}

/// Times each method on each position at one depth, one search at a time, with evaluations rounded
/// as in the counted search.
fn time(
    plan: &Plan<'_>,
    positions: &[(&Epd, Value)],
    depth: usize,
    methods: &[NamedMethod],
) -> Vec<Vec<Duration>> {
    let time = |&(epd, grain): &(&Epd, Value)| {
        let tree = ChessTree::new(epd.chess.clone(), depth).rounded(grain);
        let search = |method: &NamedMethod| {
            let started = Instant::now();
            black_box(solve(black_box(&tree), &method.method, &mut ()));
            started.elapsed()
        };
        shortest((0..RUNS).map(|_| {
            let times = methods.iter().map(search).collect();
            plan.progress.advance(estimated_work(epd, depth));
            times
        }))
    };
    positions.iter().map(time).collect()
}

/// Returns each method's shortest time.
fn shortest(runs: impl Iterator<Item = Vec<Duration>>) -> Vec<Duration> {
    let lesser =
        |a: Vec<Duration>, b: Vec<Duration>| a.into_iter().zip(b).map(|(a, b)| a.min(b)).collect();
    runs.reduce(lesser).unwrap_or_default()
}

/// Returns a row for each method with its time for all positions together.
fn time_rows(times: &[Vec<Duration>], depth: usize, methods: &[NamedMethod]) -> Vec<TimeRow> {
    let seconds =
        |index: usize| times.iter().map(|position| position[index]).sum::<Duration>().as_secs_f64();
    let row = |(index, method): (usize, &NamedMethod)| {
        let first = methods.iter().position(|other| other.setting == method.setting).unwrap_or(0);
        TimeRow {
            positions: times.len(),
            depth,
            setting: method.setting,
            method: method.name,
            seconds: rounded(seconds(index)),
            ratio_in_setting: rounded(seconds(index) / seconds(first)),
            ratio_to_first: rounded(seconds(index) / seconds(0)),
        }
    };
    methods.iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use super::super::chess_comparison::tests::row;
    use super::super::plan::WorkProgress;
    use super::*;
    use crate::chess::BaseAlgorithm;

    const METHODS: [NamedMethod; 2] = [
        NamedMethod {
            setting: "plain",
            name: "alpha-beta",
            method: Method::bare(BaseAlgorithm::AlphaBeta),
        },
        NamedMethod {
            setting: "table",
            name: "SSS*",
            method: Method::bare(BaseAlgorithm::SssStar).with(TableUse::Bounds),
        },
    ];

    /// Counts the expected and the completed work, and detects work that was expected too late.
    #[derive(Default)]
    struct CountedProgress {
        expected: AtomicU64,
        done: AtomicU64,
        was_full: AtomicBool,
    }

    impl WorkProgress for CountedProgress {
        fn expect(&self, work: u64) {
            self.expected.fetch_add(work, Ordering::Relaxed);
        }

        fn advance(&self, work: u64) {
            let done = work + self.done.fetch_add(work, Ordering::Relaxed);
            assert!(done <= self.expected.load(Ordering::Relaxed));
            let is_full = done == self.expected.load(Ordering::Relaxed);
            assert!(!self.was_full.swap(is_full, Ordering::Relaxed), "full, and there is more");
        }
    }

    #[test]
    fn progress_is_full_only_after_the_last_timed_search() {
        let progress = CountedProgress::default();
        let plan = Plan { trees: 2, seed: 7, threads: 1, progress: &progress };
        measure(&plan, &[1, 2], &METHODS).unwrap();
        assert!(progress.was_full.into_inner());
    }

    #[test]
    fn times_are_the_shortest_and_relative_to_the_first_of_the_setting() {
        let method = |setting, name| NamedMethod { setting, name, ..METHODS[0] };
        let methods =
            [method("plain", "alpha-beta"), method("table", "alpha-beta"), method("table", "SSS*")];
        let seconds = |times: [u64; 3]| times.map(Duration::from_secs).to_vec();
        let first = shortest([[12, 5, 4], [10, 7, 3], [11, 6, 9]].map(seconds).into_iter());
        assert_eq!(first, seconds([10, 5, 3]));
        let rows = time_rows(&[first, seconds([30, 15, 3])], 5, &methods);
        let ratios = rows.iter().map(|row| (row.seconds, row.ratio_in_setting, row.ratio_to_first));
        assert_eq!(
            ratios.collect::<Vec<_>>(),
            [(40.0, 1.0, 1.0), (20.0, 1.0, 0.5), (6.0, 0.3, 0.15)]
        );
    }

    #[test]
    fn counts_are_relative_to_the_first_of_the_same_setting_position_and_depth() {
        let mut rows = [
            row("a", 2, ("plain", "alpha-beta"), (100, 200)),
            row("a", 2, ("plain", "PVS"), (90, 220)),
            row("a", 2, ("table", "alpha-beta"), (50, 100)),
            row("a", 2, ("table", "PVS"), (40, 120)),
            row("a", 3, ("table", "alpha-beta"), (1000, 1000)),
            row("b", 3, ("table", "alpha-beta"), (10, 10)),
            row("b", 3, ("table", "PVS"), (5, 20)),
        ];
        relate(&mut rows);
        let ratios = rows.map(|row| (row.leaves_ratio, row.nodes_ratio));
        let expected =
            [(1.0, 1.0), (0.9, 1.1), (1.0, 1.0), (0.8, 1.2), (1.0, 1.0), (1.0, 1.0), (0.5, 2.0)];
        assert_eq!(ratios, expected);
    }

    fn measured(threads: usize) -> Measurements {
        let plan = Plan { trees: 3, seed: 7, threads, progress: &() };
        measure(&plan, &[1, 2], &METHODS).unwrap()
    }

    #[test]
    fn counts_are_the_same_for_any_number_of_threads() {
        let table = |threads| CsvTable::of(&measured(threads).rows).unwrap();
        assert_eq!(table(1), table(3));
    }

    #[test]
    fn sums_of_a_method_are_over_its_searches_to_the_same_depth() {
        let rows = measured(1).rows;
        assert_eq!(rows.len(), (3 + 1) * 2 * METHODS.len());
        for (depth, method) in [(1, &METHODS[0]), (2, &METHODS[1])] {
            let of_method =
                |row: &&Row| (row.depth, row.method) == (depth, method.name) && row.position != ALL;
            let leaves: u64 = rows.iter().filter(of_method).map(|row| row.leaves).sum();
            assert_eq!(sum(&rows, depth, method.setting, method.name).unwrap().leaves, leaves);
        }
    }

    #[test]
    fn the_searches_agree_and_nothing_is_rounded_unnecessarily() {
        let measured = measured(2);
        assert_eq!(
            measured.agreement.measured,
            "12 searches, 0 of them with another value than the first of the same tree"
        );
        assert!(measured.rows.iter().all(|row| row.grain == 1 && row.passes <= MAX_PASSES));
    }
}
