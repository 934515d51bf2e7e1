//! NegaScout in the form of Hsu's slides (their F4): as the figure of 1983, but a child that the
//! null window shows to be worth beta or more refutes the node and is not searched again.
//!
//! The guard on the other side is missing here too: a child that is better than the best so far but
//! no better than alpha is searched again, with a wider window than alpha-beta's, so that leaves are
//! visited that alpha-beta prunes. `depth` of the slides counts down, and so `depth < 3` is the
//! rule for the two lowest levels. "m is max possible" can end a node early where values have a
//! greatest one; in a tree any value may be outdone.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// The value of a tree if it lies in the window, from the root player's side, otherwise a bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout_f4(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are the mover's.
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
