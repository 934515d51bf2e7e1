//! `outrider data`: inspects files of games, and makes new files from them. Files are streamed, so they
//! may be larger than the memory; `samples` and `label` alone keep their positions there.

mod export;
mod input;
mod inspect;
mod label;
mod relabel;
mod rewrite;
mod samples;
pub(super) mod validate;
mod wdl;

use std::io::Write;

use clap::Subcommand;

use super::output::IgnoreBrokenPipe;

/// The commands for files of games.
#[derive(Debug, Subcommand)]
pub(crate) enum DataAction {
    /// Count games, positions, results, scores, phases, lengths and duplicates
    Inspect(inspect::Arguments),
    /// Fit the chances to win, draw and lose (WDL) by score and material, and draw the curves
    // The former name is still used in records of measurements.
    #[command(alias = "chances")]
    Wdl(wdl::Arguments),
    /// Compare the values of a network with the scores of games that it was not trained on
    Validate(validate::Arguments),
    /// Write games to a new file with the scores of a new search
    Relabel(relabel::Arguments),
    /// Write the positions to train with to a file, to label them by networks or another program
    Samples(samples::Arguments),
    /// Mix the mean value of several networks into the scores of a file of `samples`
    Label(label::Arguments),
    /// Write the games of several files to a new one
    Merge(rewrite::MergeArguments),
    /// Split the games of a file into a training set and a validation set
    Split(rewrite::SplitArguments),
    /// Print positions as lines `FEN | score | result`, the text format of the trainer bullet: White's
    /// score in centipawns, and 1.0 for a win of White, 0.5 for a draw, 0.0 for a win of Black
    Export(export::Arguments),
}

/// Runs the command. Uses the sound games of damaged files, and reports the damage to `warnings`.
pub(crate) fn command(
    action: &DataAction,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    match action {
        DataAction::Inspect(arguments) => inspect::command(arguments, output, warnings),
        DataAction::Wdl(arguments) => wdl::command(arguments, output, warnings),
        DataAction::Validate(arguments) => validate::command(arguments, output, warnings),
        DataAction::Relabel(arguments) => {
            relabel::command(arguments, commit, &mut IgnoreBrokenPipe(output), warnings)
        }
        DataAction::Samples(arguments) => {
            samples::command(arguments, &mut IgnoreBrokenPipe(output), warnings)
        }
        DataAction::Label(arguments) => label::command(arguments, &mut IgnoreBrokenPipe(output)),
        DataAction::Merge(arguments) => {
            rewrite::merge(arguments, &mut IgnoreBrokenPipe(output), warnings)
        }
        DataAction::Split(arguments) => {
            rewrite::split(arguments, &mut IgnoreBrokenPipe(output), warnings)
        }
        DataAction::Export(arguments) => export::command(arguments, output, warnings),
    }
}
