//! Informed NegaScout: everything that the null-window search finds is kept, at all levels of the
//! subtree, and guides the second search (Marsland, Reinefeld and Schaeffer 1987, Figure 3).
//!
//! There are two kinds of nodes in the subtree. At a refuted node ("ignore-left") one child was
//! good enough: the second search begins with this child and skips those left of it. At the other
//! nodes ("prove-best") all children were searched and have upper bounds. The second search takes
//! them in the order of these bounds, best first, each with a window that ends at its bound, and
//! stops when the best value is as good as all remaining bounds.
//!
//! Taken literally, the figure returns wrong values. It never fills `merit[]`, reads `merit[w +
//! 1]`, and lets a merit widen the window beyond beta. Its `resflag` also turns off the prove-best
//! test at a refuted node, where the children with merit -∞ are to be skipped. And it gives the
//! second child of such a node a window open to +∞, and later treats the results as those of a null
//! window. Here the test uses `research`, and the right siblings at a refuted node get the null
//! window. The figure's SaveInfo and GetInfo are replaced by a value that one search returns and
//! the second one takes.

use std::cmp::Reverse;
use std::iter;

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// Returns the value of a tree, from the root player's side, if it is in the window, otherwise a
/// bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).ins(&tree.root(), window, Pass::Open, None)
}

/// Result of a null-window search of a node.
struct InsResult {
    /// Value or bound of the node, from its mover's side.
    value: Value,
    children: SearchedChildren,
}

enum SearchedChildren {
    Leaf,
    /// A child refuted the node: its index and its own result.
    IgnoreLeft(usize, Box<InsResult>),
    /// No child refuted the node: the results of all children.
    ProveBest(Vec<InsResult>),
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Searches a node; `known` is the result of an earlier search of it. Value, window and result
    /// are from the mover's side.
    fn ins(
        &mut self,
        node: &T::Node,
        window: Window,
        pass: Pass,
        known: Option<SearchedChildren>,
    ) -> Value {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return self.leave(node, value);
        }
        let best = match known {
            Some(SearchedChildren::ProveBest(children)) => {
                self.best_by_merit(node, window, children)
            }
            Some(SearchedChildren::IgnoreLeft(first, found)) => {
                self.skip(node, 0..first, Cut::Known);
                self.best_from(node, window, first, Some(found.children))
            }
            Some(SearchedChildren::Leaf) | None => self.best_from(node, window, 0, None),
        };
        self.leave(node, best)
    }

    /// Returns the value of the best child, starting at the child `first`, about which something
    /// may be known.
    fn best_from(
        &mut self,
        node: &T::Node,
        window: Window,
        first: usize,
        mut known: Option<SearchedChildren>,
    ) -> Value {
        let lowest_levels = self.is_in_the_lowest_levels(node);
        let mut best = -INFINITY;
        for index in first..self.tree.width(node) {
            let child = self.tree.child(node, index);
            let open = Window::new(window.alpha.max(best), window.beta);
            let value = if index == first {
                -self.ins(&child, open.flipped(), Pass::Open, known.take())
            } else {
                let scouting = if open.is_null() { Pass::Open } else { Pass::Scout };
                let null = Window::above(open.alpha).flipped();
                let InsResult { value, children } =
                    self.alphabeta_informing(&child, null, scouting);
                if open.contains(-value) && !lowest_levels {
                    let opened = Window::new(-value, window.beta);
                    -self.ins(&child, opened.flipped(), Pass::ReSearch, Some(children))
                } else {
                    -value
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
        best
    }

    /// Returns the value of the best child if upper bounds of all children are known. Each is
    /// searched once, because it cannot be worth more than the end of its window.
    fn best_by_merit(&mut self, node: &T::Node, window: Window, known: Vec<InsResult>) -> Value {
        // Values of children are from their mover's side; negated, they are the parent's.
        let mut order: Vec<(usize, InsResult)> = known.into_iter().enumerate().collect();
        order.sort_by_key(|(_, found)| Reverse(-found.value));
        let mut order = order.into_iter();
        let mut best = -INFINITY;
        while let Some((index, found)) = order.next() {
            let (alpha, merit) = (window.alpha.max(best), -found.value);
            if alpha >= merit {
                best = best.max(merit);
                let rest = order.map(|(index, _)| index);
                self.skip(node, iter::once(index).chain(rest), Cut::Known);
                break;
            }
            let open = Window::new(alpha, window.beta.min(merit));
            let child = self.tree.child(node, index);
            let value = -self.ins(&child, open.flipped(), Pass::Open, Some(found.children));
            if value > best {
                best = value;
                self.improve(node, best);
            }
            if best >= window.beta {
                let rest = order.map(|(index, _)| index);
                self.skip(node, rest, Cut::Bound(self.for_mover(node, window.beta)));
                break;
            }
        }
        best
    }

    /// Fail-soft alpha-beta, which equals NegaScout in a null window; keeps all results.
    fn alphabeta_informing(&mut self, node: &T::Node, window: Window, pass: Pass) -> InsResult {
        self.enter(node, window, pass);
        if self.tree.is_leaf(node) {
            let value = self.evaluate_for_mover(node);
            return InsResult { value: self.leave(node, value), children: SearchedChildren::Leaf };
        }
        let mut best = -INFINITY;
        let mut results = Vec::new();
        for (index, child) in self.children(node).enumerate() {
            let found = self.alphabeta_informing(&child, window.flipped(), Pass::Open);
            if -found.value > best {
                best = -found.value;
                self.improve(node, best);
            }
            if best >= window.beta {
                self.cut(node, index + 1, Cut::Bound(self.for_mover(node, window.beta)));
                let children = SearchedChildren::IgnoreLeft(index, Box::new(found));
                return InsResult { value: self.leave(node, best), children };
            }
            results.push(found);
        }
        InsResult { value: self.leave(node, best), children: SearchedChildren::ProveBest(results) }
    }
}
