//! The definition of a tree's value, computed literally: every leaf is evaluated.

use crate::{GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the minimax value of a tree, from the root player's side.
pub(crate) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    Walk::new(tree, observer).minimax(&tree.root())
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    fn minimax(&mut self, node: &T::Node) -> Value {
        self.enter(node, Window::FULL, Pass::Open);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let mut best = -INFINITY;
        for child in self.children(node) {
            let value = -self.minimax(&child);
            if value > best {
                best = value;
                self.improve(node, best);
            }
        }
        self.leave(node, best)
    }
}
