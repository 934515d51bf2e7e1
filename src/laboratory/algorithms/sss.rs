//! SSS*, "state space search" (Stockman 1979), as Marsland, Reinefeld and Schaeffer (1987) have it.
//!
//! A strategy of MAX names one move at each MAX node and has an answer to every move of MIN; it is
//! worth its worst leaf, and the tree is worth its best strategy. A node in OPEN stands for all
//! strategies that agree so far and go on through it, and its merit is an upper bound of what they
//! are worth: the least leaf they have in common. The search always goes on with the greatest
//! merit. Once a strategy is complete and still in front, none can be better.
//!
//! The text orders equal merits "behind", as a queue; then SSS* may visit leaves that alpha-beta
//! prunes. [`solve`] takes the leftmost of equal merits; then its leaves are among alpha-beta's,
//! and they are MTD(+∞)'s in the same order. [`solve_fifo`] is the printed one.
//!
//! DUAL* is the same search over the strategies of MIN (see [`dual`](super::dual)), which is why
//! the search below knows a `Side`: merits in it are from that side's point of view.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::open_list::{HeldNode, OpenList, ROOT, Status};
use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Window};

/// The minimax value of a tree; among equal merits the leftmost node comes first.
pub(super) fn solve<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Max, Ties::Leftmost, observer).run()
}

/// The minimax value of a tree; equal merits are ordered as printed.
pub(super) fn solve_fifo<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    StateSpaceSearch::new(tree, Side::Max, Ties::Printed, observer).run()
}

/// The player whose strategies are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Max,
    Min,
}

/// Which of several nodes of equal merit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The leftmost in the tree.
    Leftmost,
    /// The one pushed last; but a leaf, when it is solved, goes behind all nodes of equal merit.
    Printed,
}

/// Figure 4 of 1987, for either side.
pub(super) struct StateSpaceSearch<'a, T: GameTree, O> {
    tree: &'a T,
    observer: &'a mut O,
    side: Side,
    ties: Ties,
    open: OpenList<T::Node>,
    /// The places in OPEN that printed ties have given away.
    taken: Range<u64>,
}

impl<'a, T: GameTree, O: Observer<T>> StateSpaceSearch<'a, T, O> {
    /// A search that has not begun.
    pub(super) fn new(tree: &'a T, side: Side, ties: Ties, observer: &'a mut O) -> Self {
        let open = OpenList::new(tree.root());
        let middle = u64::MAX / 2;
        StateSpaceSearch { tree, observer, side, ties, open, taken: middle..middle }
    }

    /// The minimax value of the tree, from the root player's side.
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

    /// A live leaf is evaluated. Another live node gives way to its children: to all of them where
    /// the choice is the side's, to the first where the side must have an answer to each.
    fn expand(&mut self, node: HeldNode, merit: Value) {
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

    /// A solved node solves its parent if the choice there is the side's, for nothing in OPEN has
    /// a greater merit. If it is not, the strategy has to stand up to the next sibling first.
    fn solve_parent(&mut self, node: HeldNode, parent: HeldNode, merit: Value) {
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

    fn push_live(&mut self, node: HeldNode, merit: Value, printed: u64) {
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

    fn push_solved(&mut self, node: HeldNode, merit: Value, printed: u64) {
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

    /// The first of some places in front of all others.
    fn places_in_front(&mut self, count: usize) -> u64 {
        self.taken.start -= count as u64;
        self.taken.start
    }

    /// Whether it is the side's turn.
    fn has_choice(&self, node: &T::Node) -> bool {
        self.tree.is_max(node) == (self.side == Side::Max)
    }

    /// Turns a value from the root player's side to the side's, or back.
    fn for_mover(&self, value: Value) -> Value {
        match self.side {
            Side::Max => value,
            Side::Min => -value,
        }
    }
}
