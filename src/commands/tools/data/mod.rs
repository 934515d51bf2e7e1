//! `outrider data`: inspects files of games, and makes new ones from them. Everything is read as a
//! stream, so that a file may be larger than the memory.

mod chances;
mod export;
mod input;
mod inspect;
mod rewrite;

use std::io::Write;

use clap::Subcommand;

use super::output::WhileRead;

/// What to do with files of games.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Count games, positions, results, scores, phases, lengths and duplicates
    Inspect(inspect::Arguments),
    /// Fit curves of the chances to win, draw and lose by score and material, and draw them
    Chances(chances::Arguments),
    /// Write the games of several files into a new one
    Merge(rewrite::MergeArguments),
    /// Split the games of a file into a training set and a validation set
    Split(rewrite::SplitArguments),
    /// Print positions as lines `FEN | score | result`, the text format of the trainer bullet: White's
    /// score in centipawns, and 1.0 for White's win, 0.5 for a draw, 0.0 for Black's win
    Export(export::Arguments),
}

/// The subcommand. Damaged tails of files are reported to `complaints`; what comes before them is
/// used.
///
/// # Errors
///
/// Fails if a file cannot be read or written.
pub fn command(
    action: &Action,
    output: &mut dyn Write,
    complaints: &mut dyn Write,
) -> anyhow::Result<()> {
    match action {
        Action::Inspect(arguments) => inspect::command(arguments, output, complaints),
        Action::Chances(arguments) => chances::command(arguments, output, complaints),
        Action::Merge(arguments) => rewrite::merge(arguments, &mut WhileRead(output), complaints),
        Action::Split(arguments) => rewrite::split(arguments, &mut WhileRead(output), complaints),
        Action::Export(arguments) => export::command(arguments, output, complaints),
    }
}
