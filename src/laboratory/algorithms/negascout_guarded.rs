//! NegaScout that searches a child again only if its value is strictly between alpha and beta: the
//! condition that the engine itself uses.
//!
//! It is the figure of 1983, including its rule for the two lowest levels, with both guards that
//! are missing in print. A child worth beta or more refutes the node. A child that is no better
//! than alpha has not failed high, and its value is a bound that the node may return. With these
//! guards no leaf is visited that alpha-beta prunes, and a value outside the window is a true
//! bound, so this form works with any window.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout_guarded(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn negascout_guarded(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let lowest_levels = self.is_in_the_lowest_levels(node);
        let mut best = -INFINITY;
        for (index, child) in self.children(node).enumerate() {
            let open = Window::new(window.alpha.max(best), window.beta);
            let value = if index == 0 || open.is_null() {
                -self.negascout_guarded(&child, open.flipped(), Pass::Open)
            } else {
                let null = Window::above(open.alpha);
                let value = -self.negascout_guarded(&child, null.flipped(), Pass::Scout);
                if open.contains(value) && !lowest_levels {
                    let opened = Window::new(value, window.beta);
                    -self.negascout_guarded(&child, opened.flipped(), Pass::ReSearch)
                } else {
                    value
                }
            };
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
