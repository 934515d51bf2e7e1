//! Principal variation search as printed in Wikipedia's article *NegaScout* (an undated copy; the
//! article is now called *Principal variation search*), with the `else` before its third recursive
//! call restored.
//!
//! Without this `else` every child after the first is searched once more with the full window; the
//! value stays right, but more leaves are evaluated. The function never returns less than alpha: it
//! is fail-hard at the lower end, so a child that fails high is searched again from alpha + 1, not
//! from the tighter value that a fail-soft search would have found. The value of a leaf is returned
//! unclamped. The article also says that in a null window "alpha and beta are equal"; its code is
//! right: beta is alpha + 1.

use crate::{Cut, GameTree, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).wiki_pvs(&tree.root(), window, Pass::Open)
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Value, window and result are from the mover's side.
    fn wiki_pvs(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let Window { mut alpha, beta } = window;
        for (index, child) in self.children(node).enumerate() {
            let open = Window::new(alpha, beta);
            let score = if index == 0 {
                -self.wiki_pvs(&child, open.flipped(), Pass::Open)
            } else {
                let null = Window::above(alpha);
                let scouting = if open.is_null() { Pass::Open } else { Pass::Scout };
                let score = -self.wiki_pvs(&child, null.flipped(), scouting);
                if open.contains(score) {
                    let opened = Window::new(score, beta);
                    -self.wiki_pvs(&child, opened.flipped(), Pass::ReSearch)
                } else {
                    score
                }
            };
            if score > alpha {
                alpha = score;
                self.improve(node, alpha);
            }
            if alpha >= beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, beta)));
                break;
            }
        }
        self.leave(node, alpha)
    }
}
