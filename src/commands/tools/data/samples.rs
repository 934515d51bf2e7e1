//! `outrider data samples`: the positions to train with as a file, to label them by networks or another
//! program.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::super::common::{DamageArguments, EndgameArguments, file_progress_bar, parse_share};
use super::super::output::{check_new, check_outputs};
use outrider_engine::evaluation::network::Network;
use outrider_tools::selfplay::Filter;
use outrider_tools::training::{
    DatasetReader, LambdaReturn, Sample, SampleFile, Successors, WeightedFile,
};

/// Largest number of positions drawn from each position of a game.
const MAX_SUCCESSORS: f64 = 100.0;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider data samples games --output samples --lambda 0.85 --scale 134
  outrider data samples games --output more --successors 3")]
pub(crate) struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// New file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Instead of the positions of the games, write this mean number of positions after one or two random
    /// moves from each of them, with the static value as the score
    #[arg(long, value_name = "N", value_parser = parse_successors)]
    successors: Option<f64>,
    /// Seed of the random moves
    #[arg(long, value_name = "S", default_value_t = 1, requires = "successors")]
    seed: u64,
    /// Network for the static values [default: the built-in one]
    #[arg(long, value_name = "FILE", requires = "successors")]
    network: Option<PathBuf>,
    /// Replace a part of the game's result by later scores of the game, as `train` does
    #[arg(long, value_name = "L", value_parser = parse_share, requires = "scale",
        conflicts_with = "successors")]
    lambda: Option<f64>,
    /// Score in centipawns with odds of winning of e (2.72) to 1
    #[arg(long, value_name = "CENTIPAWNS", requires = "lambda",
        value_parser = clap::value_parser!(u16).range(50..=2000))]
    scale: Option<u16>,
    /// Leave out positions with the score of a repetition: exactly 0 and a repetition is possible
    #[arg(long, conflicts_with = "successors")]
    drop_repetitions: bool,
    #[command(flatten)]
    endgames: EndgameArguments,
    #[command(flatten)]
    damage: DamageArguments,
}

/// Writes the file, and its numbers of positions to `output`.
///
/// # Errors
///
/// Fails if a file cannot be read, no position passes the filter, or the new file exists or cannot be written.
pub(super) fn command(
    arguments: &Arguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let Arguments { games, output: path, successors, network, .. } = arguments;
    let read: Vec<PathBuf> = games.iter().chain(network).cloned().collect();
    check_outputs(&[path], &read)?;
    check_new(path)?;
    let network = Network::load_or_built_in(network.as_deref())?;
    let seed = arguments.seed;
    let successors = successors.map(|per_position| Successors { per_position, seed, network });
    let endgames = arguments.endgames.endgames()?;
    let lambda_return = arguments
        .lambda
        .zip(arguments.scale)
        .map(|(lambda, scale)| LambdaReturn { lambda: lambda as f32, scale: f32::from(scale) });
    let reader = DatasetReader {
        filter: Filter { repetitions: arguments.drop_repetitions, ..Filter::default() },
        lambda_return,
        successors: successors.as_ref(),
        on_damage: arguments.damage.on_damage(),
        ..DatasetReader::new(&endgames)
    };
    let sources: Vec<WeightedFile> =
        games.iter().map(|path| WeightedFile { path: path.clone(), weight: 1.0 }).collect();
    let bar = file_progress_bar(games);
    let dataset = reader.read(&sources, &mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    let dataset = dataset.map_err(DamageArguments::with_hint)?;
    endgames.check()?;
    for line in dataset.warnings() {
        writeln!(warnings, "{line}")?;
    }
    write_samples(path, dataset.samples(), dataset.validation(), output)
}

/// Writes a file of samples, and its numbers of positions to `output`.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub(super) fn write_samples(
    path: &Path,
    training: &[Sample],
    validation: &[Sample],
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let written = SampleFile::write(path, training, validation);
    written.with_context(|| path.display().to_string())?;
    let (path, training, validation) = (path.display(), training.len(), validation.len());
    writeln!(
        output,
        "{path}: {training} positions to train on, {validation} of other games for validation"
    )?;
    Ok(())
}

fn parse_successors(text: &str) -> Result<f64, String> {
    let fits = |number: &f64| *number > 0.0 && *number <= MAX_SUCCESSORS;
    let number = text.parse().ok().filter(fits);
    number.ok_or_else(|| format!("expected a number above 0, at most {MAX_SUCCESSORS}"))
}
