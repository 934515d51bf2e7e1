//! NegaScout with the path refinement: the second search of a child first follows the path to the
//! leaf that made the null-window search fail high (Reinefeld 1983, "Refinements"; "ignore-left" in
//! Marsland, Reinefeld and Schaeffer 1987).
//!
//! On the path every second node was refuted: one of its children was good enough, and those left
//! of it were not. The second search begins with this child and skips those left of it. At the
//! nodes between, all children were searched; the second search begins with the best and continues
//! from left to right. Off the path it is plain NegaScout.
//!
//! The paper gives no code. This is one interpretation of its text, on top of the guarded form,
//! because a child that did not fail high has no such path.

use std::iter;
use std::ops::Range;

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout_path(&tree.root(), window, Pass::Open, Path::default())
}

/// Path from a child that failed high for its parent to the leftmost leaf with the value that the
/// null-window search returned. Empty if there was no such search, or if the child is a leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Index of the child at every node, the first node's last.
    steps: Vec<usize>,
    /// The first node of the path was refuted by its child on the path.
    refuted: bool,
}

impl Path {
    /// Returns the path of the parent; the path so far begins at its child `index`.
    pub(super) fn extended(mut self, index: usize) -> Path {
        self.steps.push(index);
        self
    }

    /// Splits off the first node: returns the children to skip, the order in which to search the
    /// others, and the path from the first of these on.
    pub(super) fn split(
        mut self,
        width: usize,
    ) -> (Range<usize>, impl Iterator<Item = usize> + use<>, Path) {
        let step = self.steps.pop();
        let first = step.unwrap_or(0);
        let (ignored, left) = if self.refuted { (0..first, 0..0) } else { (0..0, 0..first) };
        let order = iter::once(first).chain(left).chain(first + 1..width);
        let below = match step {
            Some(_) => Path { refuted: !self.refuted, ..self },
            None => Path::default(),
        };
        (ignored, order, below)
    }
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Searches a node, along a path if there is one. Value, window and result are from the mover's
    /// side.
    fn negascout_path(&mut self, node: &T::Node, window: Window, pass: Pass, path: Path) -> Value {
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
                -self.negascout_path(&child, open.flipped(), Pass::Open, path)
            } else {
                let scouting = if open.is_null() { Pass::Open } else { Pass::Scout };
                let null = Window::above(open.alpha).flipped();
                let (value, path) = self.alphabeta_with_path(&child, null, scouting);
                if open.contains(-value) && !lowest_levels {
                    let opened = Window::new(-value, window.beta);
                    -self.negascout_path(&child, opened.flipped(), Pass::ReSearch, path)
                } else {
                    -value
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

    /// Fail-soft alpha-beta, which equals NegaScout in a null window; also returns the path to the
    /// leaf with the value.
    pub(super) fn alphabeta_with_path(
        &mut self,
        node: &T::Node,
        window: Window,
        pass: Pass,
    ) -> (Value, Path) {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return (self.leave(node, value), Path::default());
        }
        let (mut best, mut best_path) = (-INFINITY, Path::default());
        for (index, child) in self.children(node).enumerate() {
            let (value, path) = self.alphabeta_with_path(&child, window.flipped(), Pass::Open);
            if -value > best {
                (best, best_path) = (-value, path.extended(index));
                self.improve(node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        (self.leave(node, best), best_path)
    }
}
