//! Commands that make and read files.

pub(super) mod analyse;
pub(super) mod average_networks;
pub(super) mod common;
pub(super) mod completions;
pub(super) mod data;
pub(super) mod datagen;
pub(super) mod epd;
pub(super) mod input;
pub(super) mod man;
pub(super) mod material_network;
pub(super) mod output;
pub(super) mod train;

use std::io::Write;

use clap::Subcommand;

use output::IgnoreBrokenPipe;

/// The commands that make and read files.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve test suites (EPD with bm, am, dm or c0) and evaluate plain positions; print each answer and
    /// the number of correct ones
    Epd(epd::Arguments),
    /// Annotate games with scores, glyphs, and the best line at each fault; make pages for them
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    /// Play self-play games for training, and write them to a file
    Datagen(datagen::Arguments),
    /// Inspect files of self-play games, and make new files from them
    #[command(subcommand)]
    Data(data::DataAction),
    /// Train a network with self-play games
    Train(train::Arguments),
    /// Write the mean of several networks that were trained on from the same one
    AverageNetworks(average_networks::Arguments),
    /// Write a network that knows only material, to start a chain of self-play and training
    MaterialNetwork(material_network::Arguments),
    /// Print the script for a shell to complete commands and options
    Completions(completions::Arguments),
    /// Print the manual page, or write the pages of all commands to a folder
    Man(man::Arguments),
}

impl Command {
    /// Runs the command. Writes results to `output` and warnings to `warnings`.
    pub(crate) fn execute(
        &self,
        commit: &str,
        output: &mut dyn Write,
        warnings: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match self {
            Command::Epd(arguments) if arguments.writes_files() => {
                epd::command(arguments, commit, &mut IgnoreBrokenPipe(output), warnings)
            }
            Command::Epd(arguments) => epd::command(arguments, commit, output, warnings),
            Command::Analyse(arguments) => analyse::command(arguments, commit, output, warnings),
            Command::Datagen(arguments) => {
                datagen::command(arguments, commit, &mut IgnoreBrokenPipe(output), warnings)
            }
            Command::Data(action) => data::command(action, commit, output, warnings),
            Command::Train(arguments) => {
                train::command(arguments, commit, &mut IgnoreBrokenPipe(output), warnings)
            }
            Command::AverageNetworks(arguments) => average_networks::command(arguments, output),
            Command::MaterialNetwork(arguments) => material_network::command(arguments, output),
            Command::Completions(arguments) => completions::command(arguments, output),
            Command::Man(arguments) => man::command(arguments, output),
        }
    }
}
