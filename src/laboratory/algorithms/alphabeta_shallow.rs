//! Alpha-beta without deep cut-offs: a node knows what its parent has, and nothing of what stands
//! higher up (Knuth and Moore 1975, their F1; "shallow fail hard" of Hsu's slides).
//!
//! It takes one bound in place of a window, so alpha is -∞ at every node. The leaves that full
//! alpha-beta evaluates are all among those evaluated here; the others are what deep cut-offs save.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// The minimax value of a tree, from the root player's side.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    Walk::new(tree, observer).alphabeta_shallow(&tree.root(), INFINITY)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Bound and result are the mover's.
    fn alphabeta_shallow(&mut self, node: &T::Node, bound: Value) -> Value {
        self.enter(node, Window::new(-INFINITY, bound), Pass::Open);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let mut best = -INFINITY;
        for (index, child) in self.children(node).enumerate() {
            let value = -self.alphabeta_shallow(&child, -best);
            if value > best {
                best = value;
                self.improve(node, best);
            }
            if best >= bound {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, bound)));
                break;
            }
        }
        self.leave(node, best)
    }
}
