//! `outrider data validate`: compares a network with the scores of games that it was not trained on.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::super::common::{DamageArguments, EndgameArguments, file_progress_bar};
use super::input::FilterArguments;
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_tools::selfplay::fit_scale;
use outrider_tools::training::{DatasetReader, Validation};

/// The network, the games and their filter.
#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data validate long-searches --network network")]
pub(crate) struct Arguments {
    /// File of games that the network was not trained on, preferably with long searches
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Network to check
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    endgames: EndgameArguments,
    #[command(flatten)]
    damage: DamageArguments,
}

/// Prints the loss, overall and by number of pieces.
///
/// # Errors
///
/// Fails if a file cannot be read or no position passes the filter.
pub(crate) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let (filter, endgames) = (arguments.filter.filter(), arguments.endgames.endgames()?);
    let network = NetworkWeights::load(&arguments.network)?;
    let on_damage = arguments.damage.on_damage();
    let reader = DatasetReader { filter, on_damage, ..DatasetReader::new(&endgames) };
    let found = compare(&network, &arguments.games, reader)?;
    endgames.check()?;
    Ok(found.write(output, warnings)?)
}

/// Result of a comparison.
pub(in crate::commands) struct ValidationReport {
    losses: String,
    warnings: Vec<String>,
}

impl ValidationReport {
    /// Writes the losses to `output` and the damage of the file to `warnings`.
    pub(in crate::commands) fn write(
        &self,
        output: &mut dyn Write,
        warnings: &mut dyn Write,
    ) -> io::Result<()> {
        self.warnings.iter().try_for_each(|line| writeln!(warnings, "{line}"))?;
        writeln!(output, "{}", self.losses)
    }
}

/// Compares the network with the scores of these games, on a scale fitted to the games. Uses the threads
/// of the current pool.
///
/// # Errors
///
/// Fails if the file cannot be read or no position passes the filter.
pub(in crate::commands) fn compare(
    network: &NetworkWeights,
    games: &Path,
    reader: DatasetReader<'_>,
) -> anyhow::Result<ValidationReport> {
    let bar = file_progress_bar(&[games.to_owned()]);
    let read = reader.read_all(games, &mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    let (samples, warnings) = read.map_err(DamageArguments::with_hint)?;
    let scores = samples.iter().filter_map(|sample| Some((sample.score(), sample.points()?, 1.0)));
    let scale = fit_scale(scores);
    let scale = scale.with_context(|| format!("{}: no scale fits the games", games.display()))?;
    let scale = scale.round() as f32;
    let validation = Validation::new(network, &samples, scale);
    Ok(ValidationReport {
        losses: format!("{}, scale {scale}: {validation}", games.display()),
        warnings,
    })
}
