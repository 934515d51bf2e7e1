//! Terms of a search order in pictures and texts.

use crate::algorithms::SearchOrder;
use crate::value::DisplayValue;
use crate::{Value, Window};

impl SearchOrder {
    /// Returns the merit of a node that enters OPEN: the only side of its window that is a bound.
    pub(crate) fn merit(self, window: Window) -> Option<Value> {
        match self {
            SearchOrder::FallingMerit => Some(window.beta),
            SearchOrder::RisingMerit => Some(window.alpha),
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => None,
        }
    }

    /// Name of a window.
    pub(super) fn window_name(self) -> &'static str {
        match self {
            SearchOrder::FallingMerit | SearchOrder::RisingMerit => "Merit",
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => "Window",
        }
    }

    /// Formats a window, without the prefix.
    pub(super) fn window(self, window: Window) -> String {
        match self.merit(window) {
            Some(merit) => DisplayValue(merit).to_string(),
            None => window.to_string(),
        }
    }

    /// Prefix of a window in a picture.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            SearchOrder::FallingMerit | SearchOrder::RisingMerit => "merit ",
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => "",
        }
    }

    /// Formats a window for a picture, with the prefix.
    pub(super) fn note(self, window: Window) -> String {
        format!("{}{}", self.prefix(), self.window(window))
    }
}
