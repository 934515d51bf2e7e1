//! Alpha-beta, fail-hard: returns the value, clamped to the window (Knuth and Moore 1975, their F2;
//! "general fail hard" of Hsu's slides).
//!
//! If all children of a node are below alpha, the result is alpha, and how far below is not known.
//! Otherwise it is the same as [`alphabeta_soft`](super::alphabeta_soft). With the full window both
//! evaluate the same leaves.

use crate::{Cut, GameTree, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, clamped to the window.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).alphabeta_hard(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn alphabeta_hard(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value.clamp(window.alpha, window.beta));
        }
        let mut best = window.alpha;
        for (index, child) in self.children(node).enumerate() {
            let narrowed = Window::new(best, window.beta);
            let value = -self.alphabeta_hard(&child, narrowed.flipped(), Pass::Open);
            if value > best {
                best = value;
                self.improve(node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        self.leave(node, best)
    }
}
