//! DUAL* (Marsland, Reinefeld and Schaeffer 1987, Figure 4): SSS* with the sides exchanged.
//!
//! It compares the strategies of MIN, and merits are lower bounds that rise. MIN must have an
//! answer to every move at the root, a MAX node, so the root's children are searched one after the
//! other, each with the bound set by the ones before it. Good move ordering at the root therefore
//! helps, and OPEN is shorter. DUAL* mostly beats SSS* in trees of odd depth, but mostly not in
//! trees of even depth.
//!
//! The printed figure lacks the `else` between its three kinds of node (a leaf is also a MAX or a
//! MIN node), and its `purge` must remove all descendants, not only the sons. As in SSS*, the
//! printed rule "behind all nodes of equal merit" ([`solve_fifo`]) may visit leaves that alpha-beta
//! prunes. Taking the leftmost ([`solve`]) never does.

use super::sss::{Side, StateSpaceSearch, Ties};
use crate::{GameTree, Observer, Value};

/// Returns the minimax value of a tree; of nodes with equal merits the leftmost is first.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Min, Ties::Leftmost, observer).run()
}

/// Returns the minimax value of a tree; equal merits are ordered as printed.
pub(super) fn solve_fifo<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Min, Ties::Printed, observer).run()
}
