//! How an algorithm goes about a search, as far as pictures and words of it differ.

use crate::algorithms::SearchOrder;
use crate::value::Printed;
use crate::{Value, Window};

impl SearchOrder {
    /// The merit of a node that enters OPEN: the one side of its window that is a bound.
    pub fn merit(self, window: Window) -> Option<Value> {
        match self {
            SearchOrder::FallingMerit => Some(window.beta),
            SearchOrder::RisingMerit => Some(window.alpha),
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => None,
        }
    }

    /// What a window is called.
    pub fn name_of_window(self) -> &'static str {
        match self {
            SearchOrder::FallingMerit | SearchOrder::RisingMerit => "Merit",
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => "Window",
        }
    }

    /// A window where it is clear what it is.
    pub fn window(self, window: Window) -> String {
        match self.merit(window) {
            Some(merit) => Printed(merit).to_string(),
            None => window.to_string(),
        }
    }

    /// What stands before a window in a picture to make that clear.
    pub fn prefix(self) -> &'static str {
        match self {
            SearchOrder::FallingMerit | SearchOrder::RisingMerit => "merit ",
            SearchOrder::DepthFirst | SearchOrder::GrowingTree => "",
        }
    }

    /// A window in a picture.
    pub fn note(self, window: Window) -> String {
        format!("{}{}", self.prefix(), self.window(window))
    }
}
