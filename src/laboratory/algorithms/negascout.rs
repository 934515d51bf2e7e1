//! NegaScout as printed: children after the first are searched with a null window, and a second
//! time if that shows that they are better (Reinefeld 1983, Figure 2).
//!
//! Two cases need no second search: the first child, which had an open window, and the two lowest
//! levels of interior nodes, where a fail-soft value above the window is exact. `d` of the figure
//! is the greatest depth of a leaf of the whole tree.
//!
//! The figure is taken literally, and two guards are missing in it. First, a child with a
//! null-window result of beta or more is searched again, although the node is already refuted.
//! Second, a child that is better than the best so far, but no better than alpha, has not failed
//! high, and is still searched again, with (t, beta). This window is wider than alpha-beta's, so
//! leaves are visited that alpha-beta prunes. The value of the root is right all the same, but a
//! bound outside the window may be false. For this reason, do not use this form with a narrow
//! window or a transposition table. [`negascout_guarded`](super::negascout_guarded) has both
//! guards.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window. A result
/// outside the window may not be a bound of the value.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn negascout(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
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
            let value = -self.negascout(&child, scout.flipped(), pass);
            if value > best {
                best = if scout_beta == window.beta || lowest_levels {
                    value
                } else {
                    let opened = Window::new(value, window.beta);
                    -self.negascout(&child, opened.flipped(), Pass::ReSearch)
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

    /// True in the two lowest levels of interior nodes of the whole tree: the children of the node
    /// have only leaves as children, and a fail-soft value above the window is exact.
    pub(super) fn is_in_the_lowest_levels(&self, node: &T::Node) -> bool {
        self.tree.ply(node) + 2 >= self.tree.height()
    }
}
