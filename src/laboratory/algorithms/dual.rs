//! DUAL* (Marsland, Reinefeld and Schaeffer 1987, Figure 4): SSS* with the sides exchanged.
//!
//! It compares the strategies of MIN, and merits are lower bounds that grow. Since MIN must have
//! an answer to every move at the root, a MAX node, the root's children are searched one after the
//! other, each with the bound that the ones before it have set. Good move ordering at the root
//! then helps, and OPEN is shorter; in trees of odd depth DUAL* mostly beats SSS*, in trees of
//! even depth mostly not.
//!
//! The printed figure has lost the `else` between its three kinds of node (a leaf is also a MAX or
//! a MIN node), and its `purge` must remove all descendants, not only the sons. As in SSS*, the
//! printed "behind all nodes of equal merit" ([`solve_fifo`]) may visit leaves that alpha-beta
//! prunes, and taking the leftmost ([`solve`]) never does.

use super::sss::{Side, StateSpaceSearch, Ties};
use crate::{GameTree, Observer, Value};

/// The minimax value of a tree; among equal merits the leftmost node comes first.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Min, Ties::Leftmost, observer).run()
}

/// The minimax value of a tree; equal merits are ordered as printed.
pub(super) fn solve_fifo<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Min, Ties::Printed, observer).run()
}
