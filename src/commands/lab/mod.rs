//! `outrider lab`: the commands of the laboratory.

mod arguments;
mod counting;
mod draw;
mod experiment;
mod solve;

use std::io::Write;

use clap::Subcommand;

/// The subcommand of the laboratory.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run, draw and measure the search algorithms of the papers
    #[command(subcommand)]
    Lab(LabAction),
}

/// The commands of the laboratory.
#[derive(Debug, Subcommand)]
pub(crate) enum LabAction {
    /// Solve trees in brackets, or the tree of a chess position; print value, leaves and time
    Solve(solve::Arguments),
    /// Draw the search of a tree or a chess position as a picture, as text for a terminal, or as a page
    /// that plays it
    Draw(draw::Arguments),
    /// Repeat an experiment of the papers; write its table and chart
    Experiment(experiment::Arguments),
}

impl Command {
    /// Runs the command. Writes results to `output`.
    ///
    /// # Errors
    ///
    /// Returns the error of the command.
    pub(crate) fn execute(&self, output: &mut dyn Write) -> anyhow::Result<()> {
        let Command::Lab(action) = self;
        match action {
            LabAction::Solve(arguments) => solve::command(arguments, output),
            LabAction::Draw(arguments) => draw::command(arguments, output),
            LabAction::Experiment(arguments) => experiment::command(arguments, output),
        }
    }
}
