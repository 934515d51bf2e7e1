//! `outrider lab`: the tree laboratory's commands.

mod experiment;

use std::io::Write;

use clap::Subcommand;

/// What to do in the laboratory.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Run an experiment of the papers again; write its table and chart
    Experiment(experiment::Arguments),
}

/// The subcommand. The result is written to `output`.
///
/// # Errors
///
/// Fails if the task fails.
pub fn command(action: &Action, output: &mut dyn Write) -> anyhow::Result<()> {
    match action {
        Action::Experiment(arguments) => experiment::command(arguments, output),
    }
}
