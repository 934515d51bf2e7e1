//! `outrider lab solve`: the value of trees, and what it takes to find it.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::subject::Subject;
use crate::laboratory::algorithms::Algorithm;
use crate::laboratory::{
    ExplicitTree, GameTree, Observer, Pass, PlacedTree, Value, Window, with_stack_for,
};

/// More leaf evaluations than that are not listed: some algorithms need exponentially many on deep
/// and narrow trees, and the list must not take all memory.
const MOST_LISTED: usize = 50_000_000;

/// What to solve and how.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Print an object of JSON for each tree and algorithm
    #[arg(long)]
    json: bool,
}

/// The subcommand. Each tree is answered, a line for each algorithm, before the next is read.
///
/// # Errors
///
/// Fails if the trees cannot be read, at the first that is malformed, or if there is no memory for
/// a search as deep as a tree.
pub fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { subject, json } = arguments;
    let names = subject.algorithms().map(|algorithm| algorithm.name().len());
    let width = names.max().unwrap_or(0);
    for read in subject.trees()? {
        let PlacedTree { line, tree, .. } = read.map_err(|error| subject.complaint(error))?;
        for algorithm in subject.algorithms() {
            let tally = Answering::new(&tree, *json);
            let solution = solve(&tree, line, algorithm, subject, tally)?;
            let text =
                if *json { serde_json::to_string(&solution)? } else { solution.for_people(width) };
            writeln!(output, "{text}")?;
        }
    }
    Ok(())
}

fn solve(
    tree: &ExplicitTree,
    line: u64,
    algorithm: Algorithm,
    subject: &Subject,
    mut tally: Answering,
) -> anyhow::Result<Solution> {
    let settings = subject.settings();
    let searched = with_stack_for(tree, || {
        let start = Instant::now();
        let value = algorithm.solve(tree, &settings, &mut tally);
        (value, start.elapsed())
    });
    let (value, elapsed) = searched
        .with_context(|| format!("cannot begin a search of a tree {} deep", tree.height()))?;
    let is_listed =
        tally.sequence.as_ref().is_none_or(|listed| listed.len() as u64 == tally.leaves);
    anyhow::ensure!(
        is_listed,
        "{algorithm} evaluates {} leaves of the tree in line {line}, and no more than {MOST_LISTED} \
         are listed; without --json they are only counted",
        tally.leaves
    );
    Ok(Solution {
        algorithm: algorithm.name(),
        value,
        proven: tally.proven,
        leaves: tally.leaves,
        distinct_leaves: tally.distinct_leaves(),
        sequence: tally.sequence,
        nodes: tally.nodes,
        open_peak: tally.open_peak,
        elapsed_ms: milliseconds(elapsed),
        line,
    })
}

/// Counts what a search does, at little cost of time.
#[derive(Debug, Default)]
struct Answering {
    /// Whether the search got done with the root, as it does not if it ends at a limit.
    proven: bool,
    leaves: u64,
    /// Whether each leaf has been evaluated.
    evaluated: Vec<bool>,
    /// The numbers of the leaves evaluated, if they are wanted.
    sequence: Option<Vec<u32>>,
    nodes: u64,
    open_peak: Option<usize>,
}

impl Answering {
    fn new(tree: &ExplicitTree, with_sequence: bool) -> Answering {
        Answering {
            evaluated: vec![false; tree.leaves() as usize],
            sequence: with_sequence.then(Vec::new),
            ..Answering::default()
        }
    }

    fn distinct_leaves(&self) -> usize {
        self.evaluated.iter().filter(|&&evaluated| evaluated).count()
    }
}

impl Observer<ExplicitTree> for Answering {
    fn enter(&mut self, _tree: &ExplicitTree, _node: &u32, _window: Window, _pass: Pass) {
        self.nodes += 1;
    }

    fn evaluate(&mut self, tree: &ExplicitTree, leaf: &u32, _value: Value) {
        let number = tree.leaf_number(*leaf);
        self.leaves += 1;
        self.evaluated[number as usize] = true;
        if let Some(sequence) = &mut self.sequence
            && sequence.len() < MOST_LISTED
        {
            sequence.push(number);
        }
    }

    fn leave(&mut self, tree: &ExplicitTree, &node: &u32, _value: Value) {
        self.proven |= node == tree.root();
    }

    fn open(&mut self, length: usize) {
        self.open_peak = self.open_peak.max(Some(length));
    }
}

/// The answer to a tree.
#[derive(Debug, Serialize)]
struct Solution {
    algorithm: &'static str,
    value: Value,
    /// Leaves evaluated, one that is evaluated again counted again.
    leaves: u64,
    distinct_leaves: usize,
    /// The numbers of the leaves evaluated, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<Vec<u32>>,
    /// Nodes entered, one that is entered again counted again.
    nodes: u64,
    /// Whether the value is the minimax value; otherwise it is what the search took it for when it
    /// reached a limit.
    proven: bool,
    /// The greatest length of the OPEN list, of an algorithm that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_peak: Option<usize>,
    elapsed_ms: f64,
    /// Where the tree begins.
    line: u64,
}

impl Solution {
    /// One line, in columns; `width` is that of the longest name.
    fn for_people(&self, width: usize) -> String {
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
