//! How an algorithm goes about a search, as far as pictures and words of it differ.

use crate::laboratory::algorithms::Algorithm;
use crate::laboratory::value::Bound;
use crate::laboratory::{Value, Window};

/// How an algorithm goes about a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It goes down from the root and returns, with windows.
    DepthFirst,
    /// It has an OPEN list in the order of merits, which are upper bounds and fall.
    FallingMerit,
    /// It has an OPEN list in the order of merits, which are lower bounds and rise.
    RisingMerit,
    /// It adds nodes to a tree of its own.
    Growth,
}

impl Manner {
    /// The way of an algorithm.
    pub fn of(algorithm: Algorithm) -> Manner {
        match algorithm {
            Algorithm::Sss | Algorithm::SssFifo => Manner::FallingMerit,
            Algorithm::Dual | Algorithm::DualFifo => Manner::RisingMerit,
            Algorithm::Conspiracy | Algorithm::MinMaxApproximation => Manner::Growth,
            _ => Manner::DepthFirst,
        }
    }

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
            Some(merit) => Bound(merit).to_string(),
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
