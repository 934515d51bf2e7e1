//! Alpha-beta without deep cut-offs: a node knows the bound of its parent, but none from higher up
//! (Knuth and Moore 1975, their F1; "shallow fail hard" of Hsu's slides).
//!
//! The function takes one bound instead of a window, so alpha is -∞ at every node. It evaluates all
//! leaves that full alpha-beta evaluates, and those that deep cut-offs save.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the minimax value of a tree, from the root player's side.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    Walk::new(tree, observer).alphabeta_shallow(&tree.root(), INFINITY)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Bound and result are from the mover's side.
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
