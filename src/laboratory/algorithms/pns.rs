//! Partially informed NegaScout: the path refinement, plus the bounds that the null-window search
//! has found for the children of the node where it fails high (Marsland, Reinefeld and Schaeffer
//! 1987, "prove-best").
//!
//! If a child is better than the best so far, none of its own children was good enough for the
//! opponent: each was searched and has an upper bound. The second search takes them in the order of
//! these bounds, best first, each with a window that ends at its bound, so that it is searched only
//! once. It stops when the best value is as good as all remaining bounds. One level of bounds is
//! kept, in an array; [`ins`](super::ins) keeps all levels. The first of the children is the one on
//! the path, which continues below it.

use std::cmp::Reverse;
use std::iter;
use std::mem;

use super::negascout_path::Path;
use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).pns(&tree.root(), window, Pass::Open, Path::default())
}

/// Result of a null-window search.
struct PnsResult {
    value: Value,
    path: Path,
    /// Upper bound of each child for the mover, if the node was not refuted.
    merits: Vec<Value>,
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Searches a node, along a path if there is one. Value, window and result are from the mover's
    /// side.
    fn pns(&mut self, node: &T::Node, window: Window, pass: Pass, path: Path) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let lowest_levels = self.is_in_the_lowest_levels(node);
        let (ignored, mut order, below) = path.split(self.tree.width(node));
        self.skip(node, ignored, Cut::Known);
        let mut below = Some(below);
        let mut best = -INFINITY;
        while let Some(index) = order.next() {
            let child = self.tree.child(node, index);
            let open = Window::new(window.alpha.max(best), window.beta);
            let value = if let Some(path) = below.take() {
                -self.pns(&child, open.flipped(), Pass::Open, path)
            } else {
                let scouting = if open.is_null() { Pass::Open } else { Pass::Scout };
                let null = Window::above(open.alpha).flipped();
                let found = self.alphabeta_with_merits(&child, null, scouting);
                if open.contains(-found.value) && !lowest_levels {
                    let opened = Window::new(-found.value, window.beta);
                    -self.prove_best(&child, opened.flipped(), found)
                } else {
                    -found.value
                }
            };
            if value > best {
                best = value;
                self.improve(node, best);
            }
            if best >= window.beta {
                self.skip(node, order, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        self.leave(node, best)
    }

    /// The second search of a node that failed low for its mover.
    fn prove_best(&mut self, node: &T::Node, window: Window, found: PnsResult) -> Value {
        self.enter(node, window, Pass::ReSearch);
        let PnsResult { path, merits, .. } = found;
        if merits.is_empty() {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let (_, _, mut below) = path.split(merits.len());
        // The sort is stable: the child on the path, the leftmost of the best, stays first.
        let mut order: Vec<usize> = (0..merits.len()).collect();
        order.sort_by_key(|&index| Reverse(merits[index]));
        let mut order = order.into_iter();
        let mut best = -INFINITY;
        while let Some(index) = order.next() {
            let (alpha, merit) = (window.alpha.max(best), merits[index]);
            if alpha >= merit {
                best = best.max(merit);
                self.skip(node, iter::once(index).chain(order), Cut::Known);
                break;
            }
            let open = Window::new(alpha, window.beta.min(merit));
            let child = self.tree.child(node, index);
            let value = -self.pns(&child, open.flipped(), Pass::Open, mem::take(&mut below));
            if value > best {
                best = value;
                self.improve(node, best);
            }
            if best >= window.beta {
                self.skip(node, order, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        self.leave(node, best)
    }

    /// Fail-soft alpha-beta, which equals NegaScout in a null window; keeps path and bounds.
    fn alphabeta_with_merits(&mut self, node: &T::Node, window: Window, pass: Pass) -> PnsResult {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            let value = self.leave(node, value);
            return PnsResult { value, path: Path::default(), merits: Vec::new() };
        }
        let mut merits = Vec::new();
        let (mut best, mut best_path) = (-INFINITY, Path::default());
        for (index, child) in self.children(node).enumerate() {
            let (value, path) = self.alphabeta_with_path(&child, window.flipped(), Pass::Open);
            merits.push(-value);
            if -value > best {
                (best, best_path) = (-value, path.extended(index));
                self.improve(node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        PnsResult { value: self.leave(node, best), path: best_path, merits }
    }
}
