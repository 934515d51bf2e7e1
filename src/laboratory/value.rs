//! Values of positions, and search windows.

use std::fmt;

/// Value of a node, from the root player's side unless a function states otherwise.
pub type Value = i32;

/// Greater than every leaf value.
pub const INFINITY: Value = 2 * LIMIT;

/// Maximum leaf value; the minimum is its negative. Guesses and null windows at any value stay
/// within the range of the type.
pub const LIMIT: Value = 1_000_000_000;

/// An open interval (alpha, beta), from the root player's side unless a function states otherwise.
/// A search returns values inside it exactly, and only bounds of values outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lower bound: the maximizing side already has this.
    pub alpha: Value,
    /// Upper bound: the minimizing side already has this.
    pub beta: Value,
}

impl Window {
    /// The window that contains every value.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// Returns the window between two values.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// Returns the null window just above a value, which asks "greater than this?"
    pub const fn above(value: Value) -> Window {
        Window { alpha: value, beta: value + 1 }
    }

    /// Returns true if a value is inside, so that a search with this window finds it exactly.
    pub const fn contains(self, value: Value) -> bool {
        self.alpha < value && value < self.beta
    }

    /// Returns true if no integer is inside.
    pub const fn is_null(self) -> bool {
        self.alpha + 1 >= self.beta
    }

    /// Returns the same window from the other side.
    #[must_use]
    pub const fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", DisplayValue(self.alpha), DisplayValue(self.beta))
    }
}

/// Formats a value that may be infinite.
pub(super) struct DisplayValue(pub(super) Value);

impl fmt::Display for DisplayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            value if value <= -INFINITY => f.write_str("-∞"),
            value if value >= INFINITY => f.write_str("+∞"),
            // First null windows of MTD.
            value if value == 1 - INFINITY => f.write_str("-∞+1"),
            value if value == INFINITY - 1 => f.write_str("+∞-1"),
            value => write!(f, "{value}"),
        }
    }
}
