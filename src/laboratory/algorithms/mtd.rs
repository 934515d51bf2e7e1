//! The MTD family: a sequence of null-window searches with a memory (Plaat, Schaeffer, Pijls and de
//! Bruin 1995).
//!
//! Each pass asks if the value is at least gamma, and its fail-soft answer is a bound of the value.
//! When the bounds meet, the value is found. The memory makes this cheap: it keeps both bounds of
//! every node, including leaves, so no leaf is evaluated twice. The first gamma defines the
//! algorithm. +∞ searches downwards and evaluates the leaves of SSS*, in the same order; -∞ + 1
//! searches upwards like DUAL*; a guess, MTD(f), needs two passes if it is right.
//!
//! "Never expands more nodes than alpha-beta" is true for distinct leaves, with the full memory;
//! interior nodes are visited more often.

use std::collections::HashMap;

use crate::{Cut, GameTree, INFINITY, Observer, Pass, Value, Walk, Window};

/// MTD(+∞): searches downwards.
pub(super) fn plus_infinity<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    solve(tree, INFINITY, observer)
}

/// MTD(-∞): searches upwards.
pub(super) fn minus_infinity<T: GameTree, O: Observer<T>>(tree: &T, observer: &mut O) -> Value {
    solve(tree, -INFINITY + 1, observer)
}

/// Returns the minimax value of a tree, from the root player's side; the first pass asks if it is
/// at least `gamma`.
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    gamma: Value,
    observer: &mut O,
) -> Value {
    let root = tree.root();
    let mut search = WithMemory { walk: Walk::new(tree, observer), memory: HashMap::new() };
    let mut value = Bounds::NONE;
    let mut gamma = gamma.clamp(-INFINITY + 1, INFINITY);
    let mut pass = Pass::Scout;
    while value.lower < value.upper {
        let found = search.alphabeta(&root, Window::above(gamma - 1), pass);
        if found >= gamma {
            value.lower = found;
        } else {
            value.upper = found;
        }
        gamma = if found == value.lower { found + 1 } else { found };
        pass = Pass::ReSearch;
    }
    value.lower
}

/// Bounds of a node, from its mover's side.
#[derive(Clone, Copy)]
struct Bounds {
    lower: Value,
    upper: Value,
}

impl Bounds {
    const NONE: Bounds = Bounds { lower: -INFINITY, upper: INFINITY };

    /// Returns the result of a null-window search if the bounds decide it.
    fn answer(self, window: Window) -> Option<Value> {
        if self.lower >= window.beta {
            Some(self.lower)
        } else if self.upper <= window.alpha {
            Some(self.upper)
        } else {
            None
        }
    }
}

struct WithMemory<'a, T: GameTree, O: Observer<T>> {
    walk: Walk<'a, T, O>,
    memory: HashMap<u64, Bounds>,
}

impl<T: GameTree, O: Observer<T>> WithMemory<'_, T, O> {
    /// Fail-soft alpha-beta with a null window. Value, window and result are from the mover's side.
    fn alphabeta(&mut self, node: &T::Node, window: Window, pass: Pass) -> Value {
        self.walk.enter(node, window, pass);
        let rank = self.walk.tree.rank(node);
        let known = self.memory.get(&rank).copied().unwrap_or(Bounds::NONE);
        if let Some(value) = known.answer(window) {
            self.walk.cut(node, 0, Cut::Known);
            return self.walk.leave(node, value);
        }
        if self.walk.tree.is_leaf(node) {
            let value = self.walk.evaluate_for_mover(node);
            self.memory.insert(rank, Bounds { lower: value, upper: value });
            return self.walk.leave(node, value);
        }
        let mut best = -INFINITY;
        for (index, child) in self.walk.children(node).enumerate() {
            let value = -self.alphabeta(&child, window.flipped(), Pass::Open);
            if value > best {
                best = value;
                self.walk.improve(node, best);
            }
            if best >= window.beta {
                let bound = self.walk.for_mover(node, window.beta);
                self.walk.cut(node, index + 1, Cut::Bound(bound));
                break;
            }
        }
        let bounds = if best >= window.beta {
            Bounds { lower: best, ..known }
        } else {
            Bounds { upper: best, ..known }
        };
        self.memory.insert(rank, bounds);
        self.walk.leave(node, best)
    }
}
