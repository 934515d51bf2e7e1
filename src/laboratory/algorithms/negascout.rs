//! NegaScout as printed: children after the first are scouted with a null window, and searched
//! again when that says they are better (Reinefeld 1983, Figure 2).
//!
//! Two cases need no second search: the first child, whose window was open, and the two lowest
//! levels of interior nodes, where a fail-soft value above the window is exact. `d` of the figure is
//! the greatest depth of a leaf of the whole tree.
//!
//! The figure is taken literally, and it lacks two guards. A child that the null window shows to
//! be worth beta or more is searched again, though the node is refuted already. And a child that is
//! better than the best so far, yet no better than alpha, has not failed high; still it is searched
//! again, with (t, beta), which is wider than alpha-beta's window, so leaves are visited that
//! alpha-beta prunes. The value of the root is right all the same, but a bound outside the window
//! may be false, for which reason this form must not be given a narrow window or a transposition
//! table. [`negascout_guarded`](super::negascout_guarded) has both guards.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// The value of a tree if it lies in the window, from the root player's side; what is returned for
/// a value outside may be no bound of it.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).negascout(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are the mover's.
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

    /// Whether a node stands in the two lowest levels of interior nodes of the whole tree: its
    /// children have no children but leaves, and a fail-soft value better than its window's is
    /// exact.
    pub(super) fn is_in_the_lowest_levels(&self, node: &T::Node) -> bool {
        self.tree.ply(node) + 2 >= self.tree.height()
    }
}
