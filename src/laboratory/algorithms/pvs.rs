//! Principal variation search with two functions: one for the nodes that may be on the principal
//! variation, and plain alpha-beta with a null window for all others (Campbell and Marsland 1983,
//! after Fishburn's "calphabeta").
//!
//! With a null window alpha-beta and NegaScout are the same, so this is NegaScout without the rule
//! for the two lowest levels: even a leaf that is better than its left siblings is evaluated a
//! second time.

use crate::{Cut, GameTree, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).pvs(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn pvs(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        let mut children = self.children(node).enumerate();
        let Some((_, first)) = children.next() else {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        };
        let mut best = -self.pvs(&first, window.flipped(), Pass::Open);
        self.improve(node, best);
        for (index, child) in children {
            if best >= window.beta {
                self.cut(node, index, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
            let open = Window::new(window.alpha.max(best), window.beta);
            let null = Window::above(open.alpha);
            let scouting = if open.is_null() { Pass::Open } else { Pass::Scout };
            let mut value = -self.alphabeta_soft(&child, null.flipped(), scouting);
            if open.contains(value) {
                let opened = Window::new(value, window.beta);
                value = -self.pvs(&child, opened.flipped(), Pass::ReSearch);
            }
            if value > best {
                best = value;
                self.improve(node, best);
            }
        }
        self.leave(node, best)
    }
}
