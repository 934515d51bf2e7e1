//! Values of positions and the windows in which they are sought.

use std::fmt;

/// The value of a node, from the root player's side unless a function says otherwise.
pub type Value = i32;

/// Greater than every value of a leaf.
pub const INFINITY: Value = 2 * LIMIT;

/// The greatest value of a leaf; the least is its negative. Guesses and null windows beside any
/// value stay in the range of the type.
pub const LIMIT: Value = 1_000_000_000;

/// An open interval (alpha, beta) from the side of the root player, or of the one that a function
/// names: a search finds a value inside it exactly, and of one outside only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the maximizing side has already, the lower bound.
    pub alpha: Value,
    /// What the minimizing side has already, the upper bound.
    pub beta: Value,
}

impl Window {
    /// The window that excludes nothing.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The window between two values.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The window that no integer lies in, just above a value: it asks "more than that?"
    pub const fn above(value: Value) -> Window {
        Window { alpha: value, beta: value + 1 }
    }

    /// Whether a value lies in it, so that a search with this window finds it exactly.
    pub const fn contains(self, value: Value) -> bool {
        self.alpha < value && value < self.beta
    }

    /// Whether no integer lies in it.
    pub const fn is_null(self) -> bool {
        self.alpha + 1 >= self.beta
    }

    /// The same window seen by the other side.
    #[must_use]
    pub const fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", Printed(self.alpha), Printed(self.beta))
    }
}

/// A value that may be infinite, as text.
pub(super) struct Printed(pub(super) Value);

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            value if value <= -INFINITY => f.write_str("-∞"),
            value if value >= INFINITY => f.write_str("+∞"),
            // The null windows with which MTD begins.
            value if value == 1 - INFINITY => f.write_str("-∞+1"),
            value if value == INFINITY - 1 => f.write_str("+∞-1"),
            value => write!(f, "{value}"),
        }
    }
}
