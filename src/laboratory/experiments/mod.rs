//! Reproductions of the papers' experiments: one function each, from a [`Plan`] to [`Findings`].
//!
//! An experiment is one file. It lists its jobs (such as a kind of tree and a tree's number), runs
//! them with `Plan::map`, sums up the results in its own type of rows, and defines a chart.
//! Counts depend only on the seed. Times have their own table; they are measured one search at a
//! time after the counting.

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

/// All experiments.
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
    /// Returns the experiment with this name.
    pub fn named(name: &str) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|experiment| experiment.name == name)
    }
}

#[cfg(test)]
mod tests;
