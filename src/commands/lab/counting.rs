//! What `lab solve` counts and lists of a search.

use std::collections::HashSet;

use serde::Serialize;
use shakmaty::Position as _;

use crate::engine::position::notation::format_move;
use crate::laboratory::chess::{ChessNode, ChessTree};
use crate::laboratory::{ExplicitTree, GameTree, Observer, Pass, Tally, Value, Window};

/// A tree whose leaves can be told apart and named.
pub trait Leaves: GameTree {
    /// What tells a leaf from the others.
    type Mark: Copy + Send;
    /// How a leaf is named.
    type Name: Serialize;
    /// The leaves that were evaluated.
    type Evaluated: Default + Send;
    /// More leaf evaluations than that are not listed: some algorithms need exponentially many on
    /// deep and narrow trees, and the list must not take all memory.
    const MOST_LISTED: usize;

    /// The mark of a leaf.
    fn mark(&self, leaf: &Self::Node) -> Self::Mark;

    /// The name of the leaf with this mark.
    fn name(&self, leaf: Self::Mark) -> Self::Name;

    /// Takes note of a leaf, unless it is there.
    fn note(&self, leaf: Self::Mark, evaluated: &mut Self::Evaluated);

    /// How many leaves were noted.
    fn count(evaluated: &Self::Evaluated) -> usize;
}

/// Leaves have numbers from 0, left to right.
impl Leaves for ExplicitTree {
    type Mark = u32;
    type Name = u32;
    type Evaluated = Vec<bool>;
    const MOST_LISTED: usize = 50_000_000;

    fn mark(&self, &leaf: &u32) -> u32 {
        self.leaf_number(leaf)
    }

    fn name(&self, leaf: u32) -> u32 {
        leaf
    }

    fn note(&self, leaf: u32, evaluated: &mut Vec<bool>) {
        if evaluated.is_empty() {
            evaluated.resize(self.leaves() as usize, false);
        }
        evaluated[leaf as usize] = true;
    }

    fn count(evaluated: &Vec<bool>) -> usize {
        evaluated.iter().filter(|&&evaluated| evaluated).count()
    }
}

/// Leaves have the moves that lead to them.
impl Leaves for ChessTree {
    type Mark = u64;
    type Name = String;
    type Evaluated = HashSet<u64>;
    const MOST_LISTED: usize = 5_000_000;

    fn mark(&self, leaf: &ChessNode) -> u64 {
        self.rank(leaf)
    }

    fn name(&self, leaf: u64) -> String {
        let mode = self.root().board().chess().castles().mode();
        let moves = self.line(leaf).into_iter().map(|mv| format_move(mv, mode));
        moves.collect::<Vec<_>>().join(" ")
    }

    fn note(&self, leaf: u64, evaluated: &mut HashSet<u64>) {
        evaluated.insert(leaf);
    }

    fn count(evaluated: &HashSet<u64>) -> usize {
        evaluated.len()
    }
}

/// Counts what a search does, and lists the leaves if they are wanted. Leaves are named later, so
/// that the time of a search is hardly that of its listing.
pub struct Count<T: Leaves> {
    /// Whether the search has finished the root; one that ends at a limit has not.
    pub proven: bool,
    /// What is counted of every search.
    pub tally: Tally,
    /// The leaves evaluated, in order, no more than [`Leaves::MOST_LISTED`].
    pub sequence: Option<Vec<T::Mark>>,
    evaluated: T::Evaluated,
}

impl<T: Leaves> Count<T> {
    /// Of a search that has not begun.
    pub fn new(with_sequence: bool) -> Count<T> {
        Count {
            proven: false,
            tally: Tally::default(),
            sequence: with_sequence.then(Vec::new),
            evaluated: T::Evaluated::default(),
        }
    }

    /// How many leaves were evaluated, each counted once.
    pub fn distinct_leaves(&self) -> usize {
        T::count(&self.evaluated)
    }

    /// Whether the sequence, if there is one, lacks nothing.
    pub fn is_whole(&self) -> bool {
        self.sequence.as_ref().is_none_or(|sequence| sequence.len() as u64 == self.tally.leaves)
    }
}

impl<T: Leaves> Observer<T> for Count<T> {
    fn enter(&mut self, tree: &T, node: &T::Node, window: Window, pass: Pass) {
        self.tally.enter(tree, node, window, pass);
    }

    fn evaluate(&mut self, tree: &T, leaf: &T::Node, value: Value) {
        self.tally.evaluate(tree, leaf, value);
        let mark = tree.mark(leaf);
        tree.note(mark, &mut self.evaluated);
        if let Some(sequence) = &mut self.sequence
            && sequence.len() < T::MOST_LISTED
        {
            sequence.push(mark);
        }
    }

    fn leave(&mut self, tree: &T, node: &T::Node, _value: Value) {
        self.proven |= tree.ply(node) == 0;
    }

    fn open(&mut self, length: usize) {
        <Tally as Observer<T>>::open(&mut self.tally, length);
    }
}
