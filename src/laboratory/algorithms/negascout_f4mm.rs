//! NegaScout on minimax values, with two alternating functions (Hsu's slides: F4' at MAX nodes, G4'
//! at MIN nodes).
//!
//! The slides present it as another notation of F4, but it is another algorithm: its null window is
//! at the best value so far, (m, m + 1), and F4's is at max(alpha, m). While m is below alpha it
//! asks for less than is needed, finds "better" children that do not matter, and searches them
//! again, so it visits leaves that alpha-beta prunes. This can happen at each level, so it needs
//! exponential time on some deep and narrow trees.

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).maximize(&tree.root(), window, Pass::Open)
}

/// All values and windows in this block are from the root player's side.
impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// F4', at MAX nodes.
    fn maximize(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.observer.enter(self.tree, node, window, pass);
        if self.tree.is_leaf(node) {
            return self.leaf_value(node);
        }
        let mut best = -INFINITY;
        for (index, child) in self.children(node).enumerate() {
            let first = index == 0;
            let value = if first {
                self.minimize(&child, window, Pass::Open)
            } else {
                self.minimize(&child, Window::above(best), Pass::Scout)
            };
            if value > best {
                best = if first || self.is_in_the_lowest_levels(node) || value >= window.beta {
                    value
                } else {
                    self.minimize(&child, Window::new(value, window.beta), Pass::ReSearch)
                };
                self.observer.improve(self.tree, node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(window.beta));
                break;
            }
        }
        self.observer.leave(self.tree, node, best);
        best
    }

    /// G4', at MIN nodes.
    fn minimize(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.observer.enter(self.tree, node, window, pass);
        if self.tree.is_leaf(node) {
            return self.leaf_value(node);
        }
        let mut best = INFINITY;
        for (index, child) in self.children(node).enumerate() {
            let first = index == 0;
            let value = if first {
                self.maximize(&child, window, Pass::Open)
            } else {
                self.maximize(&child, Window::above(best - 1), Pass::Scout)
            };
            if value < best {
                best = if first || self.is_in_the_lowest_levels(node) || value <= window.alpha {
                    value
                } else {
                    self.maximize(&child, Window::new(window.alpha, value), Pass::ReSearch)
                };
                self.observer.improve(self.tree, node, best);
            }
            if best <= window.alpha {
                self.cut(node, index + 1, Cut::Bound(window.alpha));
                break;
            }
        }
        self.observer.leave(self.tree, node, best);
        best
    }

    fn leaf_value(&mut self, leaf: &T::Node) -> Value {
        let value = self.evaluate(leaf);
        self.observer.leave(self.tree, leaf, value);
        value
    }
}
