//! Aspiration: alpha-beta with a window around a guess of the value (Slate and Atkin 1977; Batenkov
//! 2006, 2.2.6).
//!
//! The narrower the window, the more is pruned. If the value lies in it, that is all; if the search
//! fails with value V, one more search with (V, +∞) or (-∞, V) finds it, since fail-soft V is a
//! bound of it. Nothing is remembered from one search to the next.

use super::alphabeta_soft;
use crate::{GameTree, INFINITY, LIMIT, Observer, Pass, Value, Window};

/// The minimax value of a tree, from the root player's side; the first window reaches `delta`, 1 at
/// least, to both sides of the guess.
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
