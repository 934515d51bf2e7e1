//! From passes to a value: the windows and depths of the searches of the root.

use super::method::{BaseAlgorithm, Method};
use super::search::{ChessSearch, SearchState};
use super::tree::ChessTree;
use crate::{GameTree, INFINITY, Observer, Value, Window};

/// Result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SolveResult {
    /// Minimax value of the tree, from the root player's side.
    pub value: Value,
    /// Number of searches of the root, at all depths together.
    pub passes: u32,
    /// Number of positions in the transposition table at the end.
    pub remembered: usize,
}

/// Searches a tree with a method, with an empty transposition table.
pub(crate) fn solve<O: Observer<ChessTree>>(
    tree: &ChessTree,
    method: &Method,
    observer: &mut O,
) -> SolveResult {
    let mut state = SearchState::default();
    let first = if method.iterative_deepening { 1.min(tree.height()) } else { tree.height() };
    let mut values = Vec::with_capacity(tree.height());
    let mut passes = 0;
    for depth in first..=tree.height() {
        let shallow = tree.to_depth(depth);
        let expected = expected(&values).or_else(|| tree.estimate(&tree.root()));
        let mut search = ChessSearch::new(&shallow, method, &mut state, observer);
        let mut counted = |window| {
            passes += 1;
            search.pass(window)
        };
        values.push(approach(method, expected.unwrap_or(0), &mut counted));
    }
    SolveResult {
        value: values.last().copied().unwrap_or(0),
        passes,
        remembered: state.table.len(),
    }
}

/// Returns the expected value of a search to the next depth. The evaluation favours the side that
/// moved last before the horizon, so the depth before the last one, where this was the same side,
/// is a better guess than the last.
fn expected(values: &[Value]) -> Option<Value> {
    values.len().checked_sub(2).or_else(|| values.len().checked_sub(1)).map(|index| values[index])
}

/// Returns the value, after as many passes as the method needs.
fn approach(method: &Method, expected: Value, pass: &mut impl FnMut(Window) -> Value) -> Value {
    match (method.base_algorithm, method.aspiration) {
        (BaseAlgorithm::MtdF, _) => null_windows(expected, pass),
        (BaseAlgorithm::SssStar, _) => null_windows(INFINITY, pass),
        (_, Some(width)) => aspire(expected, width, pass),
        (_, None) => pass(Window::FULL),
    }
}

/// Searches with a window around the expected value, and again on the other side of a bound that
/// failed.
fn aspire(expected: Value, width: Value, pass: &mut impl FnMut(Window) -> Value) -> Value {
    let window = Window::new(expected - width, expected + width);
    let value = pass(window);
    if value <= window.alpha {
        pass(Window::new(-INFINITY, value))
    } else if value >= window.beta {
        pass(Window::new(value, INFINITY))
    } else {
        value
    }
}

/// Makes the passes of MTD: each decides on which side of a guess the value is, and returns the
/// next guess, until lower and upper bound meet.
fn null_windows(first: Value, pass: &mut impl FnMut(Window) -> Value) -> Value {
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    let mut guess = first;
    while lower < upper {
        let beta = if guess == lower { guess + 1 } else { guess };
        guess = pass(Window::new(beta - 1, beta));
        if guess < beta {
            upper = guess;
        } else {
            lower = guess;
        }
    }
    guess
}
