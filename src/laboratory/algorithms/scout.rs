//! SCOUT: before a child is searched, a TEST asks if it is better than the best so far (Pearl 1980;
//! Hsu's slides).
//!
//! The TEST is a boolean search, cheaper than a search for a value. Most children fail it and are
//! never searched. A child that passes is searched in full, and this second search knows nothing of
//! the first: taken literally, as here, even a leaf that passes its TEST is evaluated a second
//! time. SCOUT has no window, so the bounds of nodes higher up save nothing, and it may visit
//! leaves that alpha-beta prunes.

use crate::{Cut, GameTree, Observer, Pass, Value, Walk, Window};

/// Returns the minimax value of a tree, from the root player's side.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    Walk::new(tree, observer).scout(&tree.root(), Pass::Open)
}

/// Question of a TEST about a node; values are from the root player's side.
#[derive(Clone, Copy)]
enum Test {
    /// Is its value greater than this?
    Above(Value),
    /// Is its value less than this?
    Below(Value),
}

impl Test {
    fn window(self) -> Window {
        match self {
            Test::Above(value) => Window::above(value),
            Test::Below(value) => Window::above(value - 1),
        }
    }

    fn is_passed_by(self, value: Value) -> bool {
        match self {
            Test::Above(bound) => value > bound,
            Test::Below(bound) => value < bound,
        }
    }

    /// Returns the bound of the node's value that follows from the answer.
    fn bound(self, passed: bool) -> Value {
        match self {
            Test::Above(value) => value + Value::from(passed),
            Test::Below(value) => value - Value::from(passed),
        }
    }
}

impl<T: GameTree, O: Observer<T>> Walk<'_, T, O> {
    /// Returns the value of a node, from the root player's side.
    fn scout(&mut self, node: &T::Node, pass: Pass) -> Value {
        self.enter(node, Window::FULL, pass);
        let mut children = self.children(node);
        let Some(first) = children.next() else {
            let value = self.evaluate(node);
            self.observer.leave(self.tree, node, value);
            return value;
        };
        let mut best = self.scout(&first, Pass::Open);
        self.observer.improve(self.tree, node, best);
        for child in children {
            let better = if self.tree.is_max(node) { Test::Above(best) } else { Test::Below(best) };
            if self.test(&child, better, Pass::Scout) {
                best = self.scout(&child, Pass::ReSearch);
                self.observer.improve(self.tree, node, best);
            }
        }
        self.observer.leave(self.tree, node, best);
        best
    }

    /// Returns true if the node passes the test.
    fn test(&mut self, node: &T::Node, test: Test, pass: Pass) -> bool {
        self.observer.enter(self.tree, node, test.window(), pass);
        let passed = if self.tree.is_leaf(node) {
            let value = self.evaluate(node);
            test.is_passed_by(value)
        } else {
            // The side that wants "yes" needs one child that says yes, the other side one that says
            // no.
            let decisive = self.tree.is_max(node) == matches!(test, Test::Above(_));
            let decided = self
                .children(node)
                .position(|child| self.test(&child, test, Pass::Open) == decisive);
            if let Some(index) = decided {
                self.cut(node, index + 1, Cut::Test);
            }
            decided.is_some() == decisive
        };
        self.observer.leave(self.tree, node, test.bound(passed));
        passed
    }
}
