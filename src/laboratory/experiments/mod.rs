//! The papers' experiments, reproduced: a function each, from a [`Plan`] to [`Findings`].
//!
//! An experiment is one file. It lists its jobs (a kind of tree and a tree's number, say), has
//! them done by [`Plan::map`], sums the results up in rows of a type of its own, and says which
//! chart is to be drawn of them. Counts depend on the seed alone; times stand in a table of their
//! own, and are measured one search at a time after the counting is done.

mod chess_algorithms;
mod chess_comparison;
mod chess_enhancements;
mod chess_searches;
mod diminishing_returns;
mod execution_time;
mod experiment;
mod kinds;
mod minimal_window_1987;
mod path_refinement;
mod plan;
mod refutation_wall;
mod reinefeld_1983;
mod scout_ratio;
mod statistics;
mod visits;

pub use experiment::{Experiment, ExperimentError, Findings};
pub use plan::{Plan, WorkProgress};

pub static EXPERIMENTS: &[Experiment] = &[
    reinefeld_1983::EXPERIMENT,
    path_refinement::EXPERIMENT,
    refutation_wall::EXPERIMENT,
    minimal_window_1987::EXPERIMENT,
    execution_time::EXPERIMENT,
    scout_ratio::EXPERIMENT,
    chess_algorithms::EXPERIMENT,
    chess_enhancements::EXPERIMENT,
    diminishing_returns::EXPERIMENT,
];

impl Experiment {
    /// The experiment of this name.
    pub fn named(name: &str) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }
}

#[cfg(test)]
mod tests;
