//! NegaScout in the form of Hsu's slides (their F4): as the figure of 1983, but a child with a
//! null-window result of beta or more refutes the node and is not searched again.
//!
//! The guard on the other side is missing here too: a child that is better than the best so far but
//! no better than alpha is searched again, with a wider window than alpha-beta's, so leaves are
//! visited that alpha-beta prunes. `depth` of the slides counts down, so `depth < 3` is the rule
//! for the two lowest levels. "m is max possible" of the slides can end a node early if values have
//! a maximum; in a tree they have none.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout_f4(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn negascout_f4(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let lowest_levels = self.is_in_the_lowest_levels(node);
        let mut best = -INFINITY;
        let mut scout_beta = window.beta;
        for (index, child) in self.children(node).enumerate() {
            let scout = Window::new(window.alpha.max(best), scout_beta);
            let pass = if scout_beta == window.beta { Pass::Open } else { Pass::Scout };
            let value = -self.negascout_f4(&child, scout.flipped(), pass);
            if value > best {
                best = if scout_beta == window.beta || lowest_levels || value >= window.beta {
                    value
                } else {
                    let opened = Window::new(value, window.beta);
                    -self.negascout_f4(&child, opened.flipped(), Pass::ReSearch)
                };
                self.improve(node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
            scout_beta = window.alpha.max(best) + 1;
        }
        self.leave(node, best)
    }
}
