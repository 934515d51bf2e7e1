//! The transposition table of the chess experiments: everything that a search has found out about
//! a position, for as long as the experiment lasts.
//!
//! An engine's table has a fixed size and forgets. This one forgets nothing, so that what is
//! measured is the algorithm and not the size of a table, and it keeps the leaves too, so that a
//! leaf counts once however often it is visited, as in Reinefeld's second measure (1983). What is
//! known of a position is known for one remaining depth and used at no other, so that a search
//! with the table finds the same value as one without.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::tree::ChessTree;
use crate::{INFINITY, Value, Window};
use outrider_engine::position::Key;

/// What is known of a position searched to some depth, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionBounds {
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
    /// The move that was best or refuted the move before, by its place in the order.
    pub best: Option<u8>,
}

impl PositionBounds {
    /// What is known at first.
    pub(super) const UNKNOWN: PositionBounds =
        PositionBounds { lower: -INFINITY, upper: INFINITY, best: None };

    /// The answer that a search with this window would give, if what is known suffices.
    pub(super) fn answer(&self, window: Window) -> Option<Value> {
        if self.lower >= window.beta || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper <= window.alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The part of a window in which the value may still lie.
    pub(super) fn narrow(&self, window: Window) -> Window {
        Window::new(window.alpha.max(self.lower), window.beta.min(self.upper))
    }

    /// Takes in what a fail-soft search with this window returned.
    pub(super) fn update(&mut self, value: Value, window: Window) {
        if value > window.alpha {
            self.lower = self.lower.max(value);
        }
        if value < window.beta {
            self.upper = self.upper.min(value);
        }
    }
}

/// Everything known, by remaining depth and position.
///
/// Two positions with the same key would be taken for one. Among ten million positions that
/// happens about once in three hundred thousand experiments.
#[derive(Debug, Default)]
pub(super) struct UnboundedTable {
    by_depth:
        [HashMap<Key, PositionBounds, BuildHasherDefault<KeyHasher>>; ChessTree::MAX_DEPTH + 1],
}

impl UnboundedTable {
    /// What is known of a position with `remaining` plies left.
    pub(super) fn probe(&self, key: Key, remaining: usize) -> PositionBounds {
        self.by_depth[remaining].get(&key).copied().unwrap_or(PositionBounds::UNKNOWN)
    }

    /// The best move that the deepest search of a position found, not counting those deeper than
    /// `remaining` plies.
    pub(super) fn best_move(&self, key: Key, remaining: usize) -> Option<usize> {
        let depths = self.by_depth[..=remaining].iter().rev();
        let mut found = depths.filter_map(|entries| entries.get(&key)?.best);
        found.next().map(usize::from)
    }

    /// Writes down what is known of a position with `remaining` plies left.
    pub(super) fn store(&mut self, key: Key, remaining: usize, bounds: PositionBounds) {
        self.by_depth[remaining].insert(key, bounds);
    }

    /// How many positions are known, those with different plies left counted each.
    pub(super) fn len(&self) -> usize {
        self.by_depth.iter().map(HashMap::len).sum()
    }
}

/// A key is random enough to be its own hash.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_known_at_one_depth_is_not_known_at_another() {
        let mut table = UnboundedTable::default();
        let entry = PositionBounds { lower: 3, upper: 3, best: Some(7) };
        table.store(Key(5), 2, entry);
        assert_eq!(table.probe(Key(5), 2), entry);
        assert_eq!(table.probe(Key(5), 1), PositionBounds::UNKNOWN);
        assert_eq!(table.probe(Key(5), 3), PositionBounds::UNKNOWN);
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn a_best_move_is_good_at_the_same_depth_and_above_it() {
        let mut table = UnboundedTable::default();
        for (remaining, best) in [(2, 7), (4, 9)] {
            table.store(
                Key(5),
                remaining,
                PositionBounds { best: Some(best), ..PositionBounds::UNKNOWN },
            );
        }
        assert_eq!(table.best_move(Key(5), 1), None);
        assert_eq!(table.best_move(Key(5), 3), Some(7));
        assert_eq!(table.best_move(Key(5), 4), Some(9));
        assert_eq!(table.best_move(Key(6), 4), None);
    }

    proptest! {
        /// Whatever fail-soft searches of a value were made, the bounds hold it, and an answer
        /// says of it what the window asks.
        #[test]
        fn bounds_never_lie(
            value in -9..10_i32,
            searches in prop::collection::vec((-10..10_i32, 1..9_i32, 0..5_i32), 0..9),
            asked in (-10..10_i32, 1..9_i32),
        ) {
            let mut entry = PositionBounds::UNKNOWN;
            for (alpha, width, slack) in searches {
                let window = Window::new(alpha, alpha + width);
                // What a search returns outside its window is a bound, however loose.
                let returned = if value <= window.alpha {
                    (value + slack).min(window.alpha)
                } else if value >= window.beta {
                    (value - slack).max(window.beta)
                } else {
                    value
                };
                entry.update(returned, window);
                prop_assert!(entry.lower <= value && value <= entry.upper);
            }
            let window = Window::new(asked.0, asked.0 + asked.1);
            match entry.answer(window) {
                Some(answer) if answer <= window.alpha => prop_assert!(value <= answer),
                Some(answer) if answer >= window.beta => prop_assert!(value >= answer),
                Some(answer) => prop_assert_eq!(answer, value),
                None => {
                    let narrowed = entry.narrow(window);
                    prop_assert!(narrowed.alpha < narrowed.beta);
                }
            }
        }
    }
}
