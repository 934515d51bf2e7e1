//! How an algorithm goes about a search, as far as pictures and words of it differ.

use crate::laboratory::algorithms::Manner;
use crate::laboratory::value::Printed;
use crate::laboratory::{Value, Window};

impl Manner {
    /// The merit of a node that enters OPEN: the one side of its window that is a bound.
    pub fn merit(self, window: Window) -> Option<Value> {
        match self {
            Manner::FallingMerit => Some(window.beta),
            Manner::RisingMerit => Some(window.alpha),
            Manner::DepthFirst | Manner::Growth => None,
        }
    }

    /// What a window is called.
    pub fn name_of_window(self) -> &'static str {
        match self {
            Manner::FallingMerit | Manner::RisingMerit => "Merit",
            Manner::DepthFirst | Manner::Growth => "Window",
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
            Manner::FallingMerit | Manner::RisingMerit => "merit ",
            Manner::DepthFirst | Manner::Growth => "",
        }
    }

    /// A window in a picture.
    pub fn note(self, window: Window) -> String {
        format!("{}{}", self.prefix(), self.window(window))
    }
}
