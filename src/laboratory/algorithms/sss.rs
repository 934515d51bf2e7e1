//! SSS*, "state space search" (Stockman 1979), in the version of Marsland, Reinefeld and Schaeffer
//! (1987).
//!
//! A strategy of MAX names one move at each MAX node and has an answer to every move of MIN. Its
//! value is its worst leaf, and the value of the tree is its best strategy. A node in OPEN
//! represents all strategies that agree so far and lead through it. Its merit is an upper bound of
//! their values: the least leaf they have in common. The search always continues with the greatest
//! merit. When a strategy is complete and still first in OPEN, none can be better.
//!
//! The text orders equal merits as a queue ("behind"); SSS* may then visit leaves that alpha-beta
//! prunes. [`solve`] takes the leftmost of equal merits; its leaves are then among alpha-beta's,
//! and they are those of MTD(+∞) in the same order. [`solve_fifo`] is the printed version.
//!
//! DUAL* is the same search over the strategies of MIN (see [`dual`](super::dual)). For this reason
//! the search below has a `Side`: its merits are from this side's point of view.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::open_list::{NodeHandle, OpenList, ROOT, Status};
use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Window};

/// Returns the minimax value of a tree; of nodes with equal merits the leftmost is first.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Max, Ties::Leftmost, observer).run()
}

/// Returns the minimax value of a tree; equal merits are ordered as printed.
pub(super) fn solve_fifo<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Max, Ties::Printed, observer).run()
}

/// The player with the compared strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Max,
    Min,
}

/// Order of nodes with equal merit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The leftmost in the tree is first.
    Leftmost,
    /// The last pushed is first; but a solved leaf goes to the end of all nodes of equal merit.
    Printed,
}

/// Figure 4 of 1987, for either side.
pub(super) struct StateSpaceSearch<'a, T: GameTree, O> {
    tree: &'a T,
    observer: &'a mut O,
    side: Side,
    ties: Ties,
    open: OpenList<T::Node>,
    /// Places in OPEN that the printed order has already used.
    taken: Range<u64>,
}

impl<'a, T: GameTree, O: Observer<T>> StateSpaceSearch<'a, T, O> {
    /// Creates a search that has not begun.
    pub(super) fn new(tree: &'a T, side: Side, ties: Ties, observer: &'a mut O) -> Self {
        let open = OpenList::new(tree.root());
        let middle = u64::MAX / 2;
        StateSpaceSearch { tree, observer, side, ties, open, taken: middle..middle }
    }

    /// Returns the minimax value of the tree, from the root player's side.
    pub(super) fn run(mut self) -> Value {
        let front = self.places_in_front(1);
        self.push_live(ROOT, INFINITY, front);
        loop {
            self.observer.open(self.open.len());
            let (node, status, merit) =
                self.open.pop().expect("OPEN holds the root or something below it");
            match (status, self.open.parent(node)) {
                (Status::Live, _) => self.expand(node, merit),
                (Status::Solved, Some(parent)) => self.solve_parent(node, parent, merit),
                (Status::Solved, None) => return self.for_mover(merit),
            }
        }
    }

    /// Evaluates a live leaf. Replaces another live node by its children: by all of them if the
    /// side chooses the move, by the first if it needs an answer to each.
    fn expand(&mut self, node: NodeHandle, merit: Value) {
        let position = self.open.node(node).clone();
        let width = self.tree.width(&position);
        if width == 0 {
            let value = self.tree.value(&position);
            self.observer.evaluate(self.tree, &position, value);
            let merit = merit.min(self.for_mover(value));
            self.observer.leave(self.tree, &position, self.for_mover(merit));
            self.taken.end += 1;
            let place = self.place(&position, self.taken.end);
            return self.open.insert(node, Status::Solved, merit, place);
        }
        let alternatives = if self.has_choice(&position) { width } else { 1 };
        let front = self.places_in_front(alternatives);
        for (index, place) in (0..alternatives).zip(front..) {
            let child = self.open.add_child(node, index, self.tree.child(&position, index));
            self.push_live(child, merit, place);
        }
        self.open.reverse_last(alternatives);
    }

    /// Solves the parent of a solved node if the side chooses the move there, because nothing in
    /// OPEN has a greater merit. Otherwise continues with the next sibling, if there is one.
    fn solve_parent(&mut self, node: NodeHandle, parent: NodeHandle, merit: Value) {
        let next = self.open.index(node) + 1;
        let front = self.places_in_front(1);
        let position = self.open.node(parent);
        if !self.has_choice(position) && next < self.tree.width(position) {
            let sibling = self.tree.child(position, next);
            self.open.step_to_sibling(node, sibling);
            return self.push_live(node, merit, front);
        }
        for sibling in self.open.children(parent).filter(|&sibling| sibling != node) {
            let index = self.open.index(sibling);
            self.observer.skip(self.tree, self.open.node(parent), index, Cut::Purge);
        }
        self.open.purge(parent);
        self.push_solved(parent, merit, front);
    }

    fn push_live(&mut self, node: NodeHandle, merit: Value, printed: u64) {
        let position = self.open.node(node);
        let bound = self.for_mover(merit);
        let window = match self.side {
            Side::Max => Window::new(-INFINITY, bound),
            Side::Min => Window::new(bound, INFINITY),
        };
        self.observer.enter(self.tree, position, window, Pass::Open);
        let place = self.place(position, printed);
        self.open.push(node, Status::Live, merit, place);
    }

    fn push_solved(&mut self, node: NodeHandle, merit: Value, printed: u64) {
        let position = self.open.node(node);
        self.observer.leave(self.tree, position, self.for_mover(merit));
        let place = self.place(position, printed);
        self.open.push(node, Status::Solved, merit, place);
    }

    fn place(&self, node: &T::Node, printed: u64) -> u64 {
        match self.ties {
            Ties::Leftmost => self.tree.rank(node),
            Ties::Printed => printed,
        }
    }

    /// Returns the first of `count` places in front of all others.
    fn places_in_front(&mut self, count: usize) -> u64 {
        self.taken.start -= count as u64;
        self.taken.start
    }

    /// Returns true if it is the side's turn.
    fn has_choice(&self, node: &T::Node) -> bool {
        self.tree.is_max(node) == (self.side == Side::Max)
    }

    /// Converts a value between the root player's side and the search's side.
    fn for_mover(&self, value: Value) -> Value {
        match self.side {
            Side::Max => value,
            Side::Min => -value,
        }
    }
}
