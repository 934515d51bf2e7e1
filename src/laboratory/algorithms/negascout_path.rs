//! NegaScout with the path refinement: the second search of a child first goes down the path to the
//! leaf that made the scouting fail high (Reinefeld 1983, "Refinements"; "ignore-left" in Marsland,
//! Reinefeld and Schaeffer 1987).
//!
//! On the path every second node was refuted: there one child was good enough, and those left of it
//! were not. The second search begins with that child and leaves those left of it out. At the nodes
//! between, all children had been searched; it begins with the best of them and goes on from left
//! to right. Off the path it is plain NegaScout.
//!
//! The paper gives no code; this is one reading of its words, on top of the guarded form, since a
//! child that did not fail high has no such path.

use std::iter;
use std::ops::Range;

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// The value of a tree if it lies in the window, from the root player's side, otherwise a bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout_path(&tree.root(), window, Pass::Open, Path::default())
}

/// The way from a child that failed high for its parent down to the leftmost leaf whose value
/// the null window search returned; empty if there was no such search, or from a leaf.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The number of the child at every node, the first node's last.
    steps: Vec<usize>,
    /// Whether the node where the path begins was refuted by its child on it.
    refuted: bool,
}

impl Path {
    /// The path from the parent, of whose children the path so far begins at this one.
    pub(super) fn prolonged(mut self, index: usize) -> Path {
        self.steps.push(index);
        self
    }

    /// What the path means for its first node: the children to leave out, the order in which to take the
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
    /// Searches a node, down a path if there is one. Value, window and result are the mover's.
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

    /// Fail-soft alpha-beta, which NegaScout is in a null window, with the path to the leaf whose
    /// value it returns.
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
                (best, best_path) = (-value, path.prolonged(index));
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
