//! `outrider lab`: the tree laboratory's commands.

mod arguments;
mod counting;
mod draw;
mod experiment;
mod solve;

use std::io::Write;

use clap::Subcommand;

/// The commands of the laboratory.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run, draw and measure the search algorithms of the papers
    #[command(subcommand)]
    Lab(LabAction),
}

/// What to do in the laboratory.
#[derive(Debug, Subcommand)]
pub(crate) enum LabAction {
    /// Solve trees that are written in brackets, or that of a chess position; print value, leaves
    /// and time
    Solve(solve::Arguments),
    /// Draw how a tree or a chess position is searched: as a picture, for a terminal, or as a page
    /// that plays it
    Draw(draw::Arguments),
    /// Run an experiment of the papers again; write its table and chart
    Experiment(experiment::Arguments),
}

impl Command {
    /// Carries it out. Results are written to `output`.
    ///
    /// # Errors
    ///
    /// Fails if the task fails.
    pub(crate) fn execute(&self, output: &mut dyn Write) -> anyhow::Result<()> {
        let Command::Lab(action) = self;
        match action {
            LabAction::Solve(arguments) => solve::command(arguments, output),
            LabAction::Draw(arguments) => draw::command(arguments, output),
            LabAction::Experiment(arguments) => experiment::command(arguments, output),
        }
    }
}
