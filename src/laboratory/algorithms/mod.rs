//! The algorithms, a file each, and the table of their names.

mod alphabeta_soft;
mod minimax;

use super::observer::Observer;
use super::tree::GameTree;
use super::value::{Value, Window};

/// An algorithm that can be chosen by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every leaf.
    Minimax,
    /// Fail-soft alpha-beta (Reinefeld 1983, Figure 1).
    AlphaBetaSoft,
}

impl Algorithm {
    /// The minimax value of a tree, from the root player's side.
    pub fn solve<T: GameTree, O: Observer<T>>(self, tree: &T, observer: &mut O) -> Value {
        match self {
            Algorithm::Minimax => minimax::solve(tree, observer),
            Algorithm::AlphaBetaSoft => alphabeta_soft::solve(tree, Window::FULL, observer),
        }
    }
}
