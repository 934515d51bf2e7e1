//! The transposition table of the chess experiments: all results about positions, for the whole
//! experiment.
//!
//! An engine's table has a fixed size and forgets. This one forgets nothing, so that experiments
//! measure the algorithm and not the size of a table. It keeps leaves too, so that a leaf counts
//! once even if it is visited often, as in Reinefeld's second measure (1983). Bounds are used only
//! at the same remaining depth, so a search with the table finds the same value as one without.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::tree::ChessTree;
use crate::{INFINITY, Value, Window};
use outrider_engine::position::Key;

/// Bounds of a position searched to some depth, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionBounds {
    /// Lower bound of the value.
    pub lower: Value,
    /// Upper bound of the value.
    pub upper: Value,
    /// Index of the move that was best or refuted the previous move.
    pub best: Option<u8>,
}

impl PositionBounds {
    /// Bounds of a position that was never searched.
    pub(super) const UNKNOWN: PositionBounds =
        PositionBounds { lower: -INFINITY, upper: INFINITY, best: None };

    /// Returns the result of a search with this window, if the bounds decide it.
    pub(super) fn answer(&self, window: Window) -> Option<Value> {
        if self.lower >= window.beta || self.lower == self.upper {
            Some(self.lower)
        } else if self.upper <= window.alpha {
            Some(self.upper)
        } else {
            None
        }
    }

    /// Returns the part of a window in which the value may still be.
    pub(super) fn narrow(&self, window: Window) -> Window {
        Window::new(window.alpha.max(self.lower), window.beta.min(self.upper))
    }

    /// Adds the result of a fail-soft search with this window.
    pub(super) fn update(&mut self, value: Value, window: Window) {
        if value > window.alpha {
            self.lower = self.lower.max(value);
        }
        if value < window.beta {
            self.upper = self.upper.min(value);
        }
    }
}

/// All entries, by remaining depth and position.
///
/// Two positions with the same key are taken for one. Among ten million positions, this happens
/// about once in three hundred thousand experiments.
#[derive(Debug, Default)]
pub(super) struct UnboundedTable {
    by_depth:
        [HashMap<Key, PositionBounds, BuildHasherDefault<KeyHasher>>; ChessTree::MAX_DEPTH + 1],
}

impl UnboundedTable {
    /// Returns the entry of a position with `remaining` plies left.
    pub(super) fn probe(&self, key: Key, remaining: usize) -> PositionBounds {
        self.by_depth[remaining].get(&key).copied().unwrap_or(PositionBounds::UNKNOWN)
    }

    /// Returns the best move of the deepest search of a position that was not deeper than
    /// `remaining` plies.
    pub(super) fn best_move(&self, key: Key, remaining: usize) -> Option<usize> {
        let depths = self.by_depth[..=remaining].iter().rev();
        let mut found = depths.filter_map(|entries| entries.get(&key)?.best);
        found.next().map(usize::from)
    }

    /// Stores the bounds of a position with `remaining` plies left.
    pub(super) fn store(&mut self, key: Key, remaining: usize, bounds: PositionBounds) {
        self.by_depth[remaining].insert(key, bounds);
    }

    /// Number of entries: a position counts once for each remaining depth.
    pub(super) fn len(&self) -> usize {
        self.by_depth.iter().map(HashMap::len).sum()
    }
}

/// Uses a key as its own hash, because it is random enough.
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
    fn bounds_are_known_only_at_their_own_depth() {
        let mut table = UnboundedTable::default();
        let entry = PositionBounds { lower: 3, upper: 3, best: Some(7) };
        table.store(Key(5), 2, entry);
        assert_eq!(table.probe(Key(5), 2), entry);
        assert_eq!(table.probe(Key(5), 1), PositionBounds::UNKNOWN);
        assert_eq!(table.probe(Key(5), 3), PositionBounds::UNKNOWN);
        assert_eq!(table.len(), 1);
    }

    #[test]
    fn a_best_move_is_used_at_its_depth_and_at_greater_ones() {
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
        /// After any fail-soft searches of a value, the bounds contain it, and an answer is right
        /// for its window.
        #[test]
        fn bounds_are_never_wrong(
            value in -9..10_i32,
            searches in prop::collection::vec((-10..10_i32, 1..9_i32, 0..5_i32), 0..9),
            bounds in (-10..10_i32, 1..9_i32),
        ) {
            let mut entry = PositionBounds::UNKNOWN;
            for (alpha, width, slack) in searches {
                let window = Window::new(alpha, alpha + width);
                // Outside its window a search returns any valid bound, tight or loose.
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
            let window = Window::new(bounds.0, bounds.0 + bounds.1);
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
