//! `outrider train`: makes a network from games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::common::{EndgameArguments, parse_share, progress_bar, write_network};
use super::output::check_outputs;
use crate::commands::failure::WrongInput;
use crate::engine::evaluation::network::file::{BUCKETS, MAX_HIDDEN};
use crate::tools::selfplay::{Filter, fit_scale};
use crate::tools::training::{
    BATCH, Checkpoint, Dataset, Trainer, TrainingConfig, TrainingState, UNITS, WeightedFile,
    quantisation_error, write_losses,
};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider train games --output network --superbatches 2
  outrider train games --output network --superbatches 2 --resume")]
pub struct Arguments {
    /// RunFiles of games, as `datagen` writes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The network to write; beside it a checkpoint, the losses as CSV and their curves as SVG
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Hidden units for each perspective, a multiple of 32; the engine plays with 256
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = parse_hidden)]
    hidden: usize,
    /// Sets of output weights by the number of pieces: 1, 2, 4 or 8
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_buckets)]
    buckets: usize,
    /// Superbatches of the run; after each the loss is measured and a checkpoint written
    #[arg(long, value_name = "N", default_value_t = 80,
        value_parser = clap::value_parser!(u32).range(1..))]
    superbatches: u32,
    /// Mini-batches of a superbatch, of 16,384 samples each
    #[arg(long, value_name = "N", default_value_t = 640,
        value_parser = clap::value_parser!(u32).range(1..))]
    batches: u32,
    /// Threads to train with; the network does not depend on them [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Seed of the first weights and of the order of the samples
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Share of the game's result in the target, 0 to 1; the rest is the search's score.
    /// Of 421 thousand games 0.1 made stronger networks than 0.3
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_share)]
    result_share: f64,
    /// Share of each file's positions that an epoch draws, in the order of the files
    /// [default: 1 for each]
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',', value_parser = parse_weight)]
    weights: Vec<f64>,
    /// Centipawns by which the winning chances change from 1 to 1 to e to 1 [default: fitted to the games]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parse_scale)]
    scale: Option<f32>,
    /// Resume the run that the checkpoint beside the output is of
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    endgames: EndgameArguments,
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    let hidden: usize = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    let fits = hidden > 0 && hidden.is_multiple_of(UNITS) && hidden <= MAX_HIDDEN;
    fits.then_some(hidden).ok_or(format!("a multiple of {UNITS} up to {MAX_HIDDEN} is wanted"))
}

fn parse_buckets(text: &str) -> Result<usize, String> {
    let buckets = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    let fits = BUCKETS.contains(&buckets);
    fits.then_some(buckets).ok_or("1, 2, 4 or 8 is wanted".to_owned())
}

fn parse_weight(text: &str) -> Result<f64, String> {
    parse_share(text)
        .and_then(|share| (share > 0.0).then_some(share).ok_or("a share is above 0".to_owned()))
}

fn parse_scale(text: &str) -> Result<f32, String> {
    let scale: f32 = text.parse().map_err(|_| "a number is wanted".to_owned())?;
    let fits = (50.0..=2000.0).contains(&scale);
    fits.then_some(scale.round()).ok_or("a scale is from 50 to 2000".to_owned())
}

/// The files that a run writes.
struct RunFiles {
    network: PathBuf,
    checkpoint: PathBuf,
    table: PathBuf,
    picture: PathBuf,
}

impl RunFiles {
    fn beside(network: &Path) -> RunFiles {
        let named = |ending: &str| {
            let mut name = network.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        RunFiles {
            network: network.to_owned(),
            checkpoint: named(".checkpoint"),
            table: named(".csv"),
            picture: named(".svg"),
        }
    }

    fn all(&self) -> [&Path; 4] {
        [&self.network, &self.checkpoint, &self.table, &self.picture]
    }
}

/// What is found and done is written to `output`, what was wrong with the files to
/// `warnings`.
///
/// # Errors
///
/// Fails if the games cannot be read, nothing is left of them, a file cannot be written, or the
/// checkpoint is of another run.
pub fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let files = RunFiles::beside(&arguments.output);
    check_outputs(&files.all(), &arguments.files)?;
    let checkpoint = checkpoint(arguments, &files)?;
    let threads = arguments.threads.map_or_else(all_cores, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("no threads to train with")?;
    let dataset = read(arguments, &pool, output, warnings)?;
    let scale = match arguments.scale {
        Some(scale) => scale,
        None => fitted_scale(&dataset)?,
    };
    let config = config(arguments, scale);
    writeln!(output, "scale: {scale} centipawns")?;
    let state = match checkpoint {
        None => begin(&config, &dataset, &files)?,
        Some(checkpoint) => {
            let is_same = checkpoint.is_of(&config, dataset.checksum());
            is_same.with_context(|| files.checkpoint.display().to_string())?;
            let done = checkpoint.state.history.len();
            writeln!(output, "resumed after superbatch {done} of {}", config.superbatches)?;
            if done > 0 {
                // What was killed between its checkpoint and its record has the record now.
                write_losses(&config, &checkpoint.state.history, &files.table, &files.picture)?;
            }
            checkpoint.state
        }
    };
    let mut trainer = Trainer::new(config.clone(), &dataset, state, &pool);
    run(&mut trainer, &config, dataset.checksum(), &files, output)?;
    let model = &trainer.state().model;
    let network = model.quantised(scale as i32, describe(&config, &dataset, commit));
    let error = pool.install(|| quantisation_error(model, &network, dataset.validation()));
    writeln!(output, "{error}")?;
    write_network(&files.network, &network, output)
}

fn config(arguments: &Arguments, scale: f32) -> TrainingConfig {
    TrainingConfig {
        hidden: arguments.hidden,
        buckets: arguments.buckets,
        superbatches: arguments.superbatches,
        batches: arguments.batches,
        batch: BATCH,
        seed: arguments.seed,
        result_share: arguments.result_share as f32,
        scale,
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A run's first state, which is saved at once: where a checkpoint cannot be written, one wants to
/// know it before an hour of training.
fn begin(
    config: &TrainingConfig,
    dataset: &Dataset,
    files: &RunFiles,
) -> anyhow::Result<TrainingState> {
    let state = TrainingState::new(config);
    Checkpoint::write(&files.checkpoint, config, dataset.checksum(), &state)
        .with_context(|| files.checkpoint.display().to_string())?;
    Ok(state)
}

/// The run to resume, if `--resume` asks for one; without it an unfinished run is an error, so that it is
/// not lost silently. What can be compared before the games are read is compared here.
fn checkpoint(arguments: &Arguments, files: &RunFiles) -> anyhow::Result<Option<Checkpoint>> {
    let path = &files.checkpoint;
    let is_there = path.exists();
    if arguments.resume {
        let read = Checkpoint::read(path).and_then(|found| {
            let scale = arguments.scale.unwrap_or(found.config.scale);
            found.is_of(&config(arguments, scale), found.data)?;
            Ok(Some(found))
        });
        return read.with_context(|| path.display().to_string());
    }
    if is_there {
        let found = Checkpoint::read(path).with_context(|| path.display().to_string())?;
        let state = if found.is_complete() {
            "of a run that is complete: remove it to train anew, or give --resume to write its \
             network again"
        } else {
            "of a run that was not ended: give --resume to resume it, or remove it"
        };
        bail!("{} is there, {state}", path.display());
    }
    Ok(None)
}

fn read(
    arguments: &Arguments,
    pool: &ThreadPool,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<Dataset> {
    let Arguments { files, weights, .. } = arguments;
    if !weights.is_empty() && weights.len() != files.len() {
        let counts = format!("{} files have {} weights", files.len(), weights.len());
        bail!(WrongInput(counts));
    }
    let weights = weights.iter().copied().chain(std::iter::repeat(1.0));
    let sources: Vec<WeightedFile> = files
        .iter()
        .cloned()
        .zip(weights)
        .map(|(path, weight)| WeightedFile { path, weight })
        .collect();
    let lengths = files.iter().map(|path| path.metadata().map_or(0, |file| file.len()));
    let bar = progress_bar(lengths.sum(), "{binary_bytes} of {binary_total_bytes} of games");
    let endgames = arguments.endgames.endgames()?;
    let report = &mut |bytes| bar.set_position(bytes);
    let dataset = pool.install(|| Dataset::read(&sources, &Filter::default(), &endgames, report));
    bar.finish_and_clear();
    let dataset = dataset?;
    endgames.check()?;
    for line in dataset.warnings() {
        writeln!(warnings, "{line}")?;
    }
    let (training, validation) = (dataset.samples().len(), dataset.validation().len());
    let (games, epoch) = (dataset.games(), dataset.epoch_length());
    writeln!(output, "{games} games, {training} positions to train on, {epoch} of them an epoch")?;
    writeln!(output, "{validation} positions for validation, of other games")?;
    Ok(dataset)
}

fn fitted_scale(dataset: &Dataset) -> anyhow::Result<f32> {
    let samples = dataset.weighted_samples();
    let scale =
        fit_scale(samples.map(|(sample, weight)| (sample.score(), sample.points(), weight)));
    let scale = scale.context("no scale fits the games: give one with --scale")?;
    Ok(scale.round() as f32)
}

/// Trains to the end of the run, with a checkpoint and a line after each superbatch.
fn run(
    trainer: &mut Trainer<'_>,
    config: &TrainingConfig,
    data: u32,
    files: &RunFiles,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let done = trainer.state().history.len() as u64;
    let steps = u64::from(config.superbatches) * u64::from(config.batches);
    let bar = progress_bar(steps, "{percent} %  {msg}");
    bar.set_position(done * u64::from(config.batches));
    bar.reset_eta();
    for superbatch in done + 1..=u64::from(config.superbatches) {
        let started = Instant::now();
        let speed = |batches: u32| {
            let samples =
                f64::from(batches) / f64::from(config.batches) * config.superbatch_samples() as f64;
            samples / started.elapsed().as_secs_f64()
        };
        let losses = trainer.superbatch(&mut |batches, loss| {
            bar.inc(1);
            bar.set_message(format!("loss {loss:.6}, {:.0} positions/s", speed(batches)));
        });
        let speed = speed(config.batches);
        let line = format!(
            "superbatch {superbatch}: loss {:.6}, validation {:.6}, {speed:.0} positions/s",
            losses.training, losses.validation,
        );
        Checkpoint::write(&files.checkpoint, config, data, trainer.state())
            .with_context(|| files.checkpoint.display().to_string())?;
        write_losses(config, &trainer.state().history, &files.table, &files.picture)?;
        bar.suspend(|| writeln!(output, "{line}")).context("standard output")?;
    }
    bar.finish_and_clear();
    Ok(())
}

/// The line that the network's file carries.
fn describe(config: &TrainingConfig, dataset: &Dataset, commit: &str) -> String {
    let TrainingConfig { hidden, buckets, superbatches, seed, result_share, .. } = config;
    let samples = config.superbatch_samples() * u64::from(*superbatches);
    let samples = (samples as f64 / 1e6).round();
    let (games, positions) = (dataset.games(), dataset.samples().len());
    format!(
        "(768 -> {hidden})x2 -> {buckets}, {samples} million samples of {positions} positions of \
         {games} games, result's share {result_share}, seed {seed}, by version {} commit {commit}",
        env!("CARGO_PKG_VERSION"),
    )
}
