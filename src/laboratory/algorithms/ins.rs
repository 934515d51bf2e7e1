//! Informed NegaScout: whatever the null window search finds out is kept, at all levels of the
//! subtree, and guides the second search (Marsland, Reinefeld and Schaeffer 1987, Figure 3).
//!
//! The nodes of the subtree are of two kinds. At a refuted one ("ignore-left") one child was good
//! enough: the second search begins with it, and leaves those left of it out. At the others
//! ("prove-best") all children were searched and have upper bounds: it takes them by these bounds,
//! the best first, each with a window that ends at its bound, and stops when what it has is as good
//! as all bounds that are left.
//!
//! The figure, taken literally, returns wrong values, and not only because it never fills
//! `merit[]`, reads `merit[w + 1]`, and lets a merit widen the window beyond beta. Its `resflag`
//! turns off the prove-best test at a refuted node, where the children to be left out are those with
//! merit -∞; and it gives the second child of such a node a window open to +∞, whose findings are
//! later taken for those of a null window. Here the test goes by `research`, and the right siblings
//! at a refuted node get the null window. In place of the figure's SaveInfo and GetInfo the findings
//! are a value, which a search returns and the second one takes.

use std::cmp::Reverse;
use std::iter;

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// The value of a tree if it lies in the window, from the root player's side, otherwise a bound.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    window: Window,
    observer: &mut O,
) -> Value {
    Walk::new(tree, observer).ins(&tree.root(), window, Pass::Open, None)
}

/// What a null window search has found out about a node.
struct InsResult {
    /// Its value or bound, from its mover's side.
    value: Value,
    children: SearchedChildren,
}

enum SearchedChildren {
    Leaf,
    /// A child refuted the node: its index and what is known of it.
    IgnoreLeft(usize, Box<InsResult>),
    /// No child did: what is known of each.
    ProveBest(Vec<InsResult>),
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Searches a node, for the second time if something is known of it. Value, window and result
    /// are the mover's.
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

    /// The value of the best child from the first one on, of which something may be known.
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

    /// The value of the best child, of all of which upper bounds are known. Each is searched once,
    /// as it cannot be worth more than its window reaches.
    fn best_by_merit(&mut self, node: &T::Node, window: Window, known: Vec<InsResult>) -> Value {
        // To the children's parent, what is negative for them is positive.
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

    /// Fail-soft alpha-beta, which NegaScout is in a null window, with all that it finds out.
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
