//! Aspiration: alpha-beta with a window around a guess of the value (Slate and Atkin 1977; Batenkov
//! 2006, 2.2.6).
//!
//! The narrower the window, the more is pruned. If the value is in the window, the search is done.
//! If the search fails with value V, one more search with (V, +∞) or (-∞, V) finds the value,
//! because fail-soft V is a bound. The second search remembers nothing of the first.

use super::alphabeta_soft;
use crate::{GameTree, INFINITY, LIMIT, Observer, Pass, Value, Window};

/// Returns the minimax value of a tree, from the root player's side. The first window is the guess
/// plus and minus `delta` (at least 1).
pub(super) fn solve<T: GameTree, O: Observer<T>>(
    tree: &T,
    guess: Value,
    delta: Value,
    observer: &mut O,
) -> Value {
    let (guess, delta) = (guess.clamp(-LIMIT, LIMIT), delta.clamp(1, LIMIT));
    let window = Window::new(guess - delta, guess + delta);
    let value = alphabeta_soft::search(tree, window, Pass::Open, observer);
    if value >= window.beta {
        let above = Window::new(value, INFINITY);
        alphabeta_soft::search(tree, above, Pass::ReSearch, observer)
    } else if value <= window.alpha {
        let below = Window::new(-INFINITY, value);
        alphabeta_soft::search(tree, below, Pass::ReSearch, observer)
    } else {
        value
    }
}
