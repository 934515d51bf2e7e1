//! Alpha-beta, fail-soft: a result outside the window is still a bound of the value, and often a
//! tighter one than the window's edge (Reinefeld 1983, Figure 1, after Fishburn).

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(crate) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    search(tree, window, Pass::Open, observer)
}

/// Like [`solve`], as one of several searches of the same tree.
pub(super) fn search<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    pass: Pass,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).alphabeta_soft(&tree.root(), window, pass)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    pub(super) fn alphabeta_soft(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let mut best = -INFINITY;
        for (index, child) in self.children(node).enumerate() {
            let narrowed = Window::new(window.alpha.max(best), window.beta);
            let value = -self.alphabeta_soft(&child, narrowed.flipped(), Pass::Open);
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
