//! `outrider lab solve`: the value of trees, and the cost of finding it.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::arguments::{AlgorithmArguments, TreeArguments};
use super::counting::{LeafCounter, NamedLeaves};
use outrider_laboratory::algorithms::Algorithm;
use outrider_laboratory::{LocatedTree, SearchCounts, Value, with_stack_for};

/// Trees, algorithms and the form of the output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider lab solve --algorithm all --tree trees.txt
  outrider lab solve --algorithm negascout,mtdf --position startpos --depth 4")]
pub(crate) struct Arguments {
    #[command(flatten)]
    algorithms: AlgorithmArguments,
    #[command(flatten)]
    tree: TreeArguments,
    /// Print one JSON object for each tree and algorithm
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand. Prints one line for each algorithm before it reads the next tree.
///
/// # Errors
///
/// Fails if the trees cannot be read, at the first malformed tree, or if there is not enough memory to
/// search a tree as deep as one of them.
pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(tree) = arguments.tree.chess() {
        return answer(&tree, None, arguments, output);
    }
    let file = arguments.tree.file();
    for read in file.trees()? {
        let LocatedTree { line, tree, .. } = read.map_err(|error| file.read_error(error))?;
        answer(&tree, Some(line), arguments, output)?;
    }
    Ok(())
}

fn answer<T: NamedLeaves + Sync>(
    tree: &T,
    line: Option<u64>,
    arguments: &Arguments,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let Arguments { algorithms, json, .. } = arguments;
    let names = algorithms.chosen().map(|algorithm| algorithm.name().len());
    let width = names.max().unwrap_or(0);
    for algorithm in algorithms.chosen() {
        let solution = solve(tree, line, algorithm, arguments)?;
        let text = if *json { serde_json::to_string(&solution)? } else { solution.to_line(width) };
        writeln!(output, "{text}")?;
    }
    Ok(())
}

fn solve<T: NamedLeaves + Sync>(
    tree: &T,
    line: Option<u64>,
    algorithm: Algorithm,
    arguments: &Arguments,
) -> anyhow::Result<Solution<T::Name>> {
    let settings = arguments.algorithms.settings();
    let mut count = LeafCounter::new(arguments.json);
    let searched = with_stack_for(tree, || {
        let start = Instant::now();
        let value = algorithm.solve(tree, &settings, &mut count);
        (value, start.elapsed())
    });
    let (value, elapsed) =
        searched.with_context(|| format!("cannot search a tree of height {}", tree.height()))?;
    anyhow::ensure!(
        count.is_complete(),
        "{algorithm} evaluates {} leaves, but at most {} are listed; without --json they are only \
         counted",
        count.counts.leaves,
        T::MAX_LISTED
    );
    let SearchCounts { leaves, nodes, open_peak } = count.counts;
    let name = |ids: &Vec<T::LeafId>| ids.iter().map(|&id| tree.name(id)).collect();
    Ok(Solution {
        algorithm: algorithm.name(),
        value,
        leaves,
        distinct_leaves: count.distinct_leaves(),
        sequence: count.sequence.as_ref().map(name),
        nodes,
        proven: count.proven,
        open_peak: (open_peak > 0).then_some(open_peak),
        elapsed_ms: milliseconds(elapsed),
        line,
    })
}

/// Solution of a tree by one algorithm.
#[derive(Debug, Serialize)]
struct Solution<Name> {
    algorithm: &'static str,
    value: Value,
    /// Number of leaf evaluations; repeated ones count.
    leaves: u64,
    distinct_leaves: usize,
    /// Evaluated leaves in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<Vec<Name>>,
    /// Number of nodes entered; repeated visits count.
    nodes: u64,
    /// True if the value is the minimax value, false if it is an estimate when a limit ended the
    /// search.
    proven: bool,
    /// Maximum length of the OPEN list, for an algorithm with such a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_peak: Option<usize>,
    elapsed_ms: f64,
    /// Line number of the tree in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

impl<Name> Solution<Name> {
    /// Formats one line in columns; `width` is the length of the longest name.
    fn to_line(&self, width: usize) -> String {
        let Solution { algorithm, value, leaves, distinct_leaves, nodes, elapsed_ms, .. } = self;
        let value = format!("{}{value}", if self.proven { "" } else { "≈" });
        let mut line = format!(
            "{algorithm:width$}  value {value:<6}  leaves {leaves:<7}  distinct \
             {distinct_leaves:<7}  nodes {nodes:<7}  {elapsed_ms:9.3} ms"
        );
        if let Some(peak) = self.open_peak {
            line += &format!("  OPEN up to {peak}");
        }
        line
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}
