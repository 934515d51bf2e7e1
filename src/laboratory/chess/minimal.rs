//! The smallest tree that any search must visit: the two proofs of a tree's value.
//!
//! A proof that the value is at least v needs one move in each position of the side that claims it
//! and all moves in each position of the other. A proof that it is at most v is the same with the
//! sides exchanged (Knuth and Moore 1975). The two proofs share one leaf. On a uniform tree of
//! width w and depth d they have w^ceil(d/2) + w^floor(d/2) - 1 leaves. A chess tree is not
//! uniform, and if several moves refute, only a full search could tell which of them needs the
//! smallest proof. The proofs counted here are those that alpha-beta finds, so the smallest minimal
//! tree may be smaller (Plaat, Schaeffer, Pijls and de Bruin 1996).

use std::collections::HashMap;

use super::method::{BaseAlgorithm, Method, TableUse};
use super::search::{ChessSearch, SearchState};
use super::table::UnboundedTable;
use super::tree::{ChessNode, ChessTree};
use crate::{GameTree, Value, Window};
use outrider_engine::position::Key;

/// Size of the two proofs of a tree's value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MinimalTree {
    /// Number of leaves, repeated positions counted each time: the minimum for a search without a
    /// table.
    pub leaves: u64,
    /// Number of different leaves: the minimum for a search with a table.
    pub positions: u64,
    /// Mean number of legal moves in the positions above the horizon.
    pub mean_width: f64,
}

impl MinimalTree {
    /// Minimum number of leaves of a uniform tree with the mean width and this depth.
    pub(crate) fn uniform_leaves(&self, depth: usize) -> f64 {
        let power = |plies: usize| self.mean_width.powi(plies as i32);
        power(depth.div_ceil(2)) + power(depth / 2) - 1.0
    }
}

/// Measures the two proofs of a tree's known value.
pub(crate) fn minimal_tree(tree: &ChessTree, value: Value) -> MinimalTree {
    let at_least = Proof::measure(tree, value, true);
    let at_most = Proof::measure(tree, value, false);
    let mut positions = at_least.sizes;
    positions.extend(&at_most.sizes);
    let leaves = positions.values().filter(|size| size.width == 0).count();
    let above: Vec<usize> = positions.values().map(|size| size.width).filter(|&w| w > 0).collect();
    MinimalTree {
        leaves: at_least.leaves + at_most.leaves - 1,
        positions: leaves as u64,
        mean_width: above.iter().sum::<usize>() as f64 / above.len().max(1) as f64,
    }
}

/// One of the two proofs.
struct Proof<'a> {
    tree: &'a ChessTree,
    table: UnboundedTable,
    /// True for the proof that the value is at least `value`, false for at most.
    at_least: bool,
    /// Sizes counted so far, by position and remaining depth.
    sizes: HashMap<(Key, usize), ProofSize>,
    leaves: u64,
}

#[derive(Clone, Copy)]
struct ProofSize {
    leaves: u64,
    /// Number of legal moves, 0 for a leaf.
    width: usize,
}

impl<'a> Proof<'a> {
    fn measure(tree: &'a ChessTree, value: Value, at_least: bool) -> Proof<'a> {
        let window = if at_least { Window::above(value - 1) } else { Window::above(value) };
        let method = Method::bare(BaseAlgorithm::AlphaBeta).with(TableUse::Bounds);
        let mut state = SearchState::default();
        ChessSearch::new(tree, &method, &mut state, &mut ()).pass(window);
        let table = state.table;
        let mut proof = Proof { tree, table, at_least, sizes: HashMap::new(), leaves: 0 };
        proof.leaves = proof.count(&tree.root());
        proof
    }

    /// Counts the leaves of the proof in the subtree of a node.
    fn count(&mut self, node: &ChessNode) -> u64 {
        let remaining = self.tree.remaining(node);
        let key = (node.key(), remaining);
        if let Some(counted) = self.sizes.get(&key) {
            return counted.leaves;
        }
        let width = self.tree.width(node);
        let claims = self.tree.is_max(node) == self.at_least;
        let leaves = match self.table.probe(node.key(), remaining).best {
            _ if width == 0 => 1,
            Some(best) if claims => self.count(&self.tree.child(node, usize::from(best))),
            _ => (0..width).map(|index| self.count(&self.tree.child(node, index))).sum(),
        };
        self.sizes.insert(key, ProofSize { leaves, width });
        leaves
    }
}
