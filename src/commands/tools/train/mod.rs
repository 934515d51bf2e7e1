//! `outrider train`: trains a network with games.

mod arguments;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::common::{DamageArguments, file_progress_bar, processors, progress_bar, write_network};
use super::data::validate;
use super::output::check_outputs;
use crate::commands::failure::WrongInput;
use outrider_engine::atomic_write::WriteLock;
use outrider_engine::evaluation::network::file::NetworkWeights;
use outrider_tools::selfplay::fit_scale;
use outrider_tools::training::{
    Checkpoint, Dataset, DatasetReader, FITTING_SAMPLES, Model, Trainer, TrainingConfig,
    TrainingState, WeightedFile, fit_outputs, quantisation_error, write_losses,
};

pub(crate) use arguments::Arguments;

/// Number of mini-batches from which a dry run estimates the duration.
const DRY_RUN_BATCHES: u32 = 20;
/// Samples drawn per sample used to fit the rounded outputs. Some output buckets have few positions, and
/// there must be enough for these too.
const SAMPLES_PER_FITTED_SAMPLE: usize = 16;

/// Output files of a run.
struct RunFiles {
    network: PathBuf,
    checkpoint: PathBuf,
    table: PathBuf,
    picture: PathBuf,
}

impl RunFiles {
    fn for_network(network: &Path) -> RunFiles {
        let with_suffix = |suffix: &str| {
            let mut name = network.as_os_str().to_owned();
            name.push(suffix);
            PathBuf::from(name)
        };
        RunFiles {
            network: network.to_owned(),
            checkpoint: with_suffix(".checkpoint"),
            table: with_suffix(".csv"),
            picture: with_suffix(".svg"),
        }
    }

    fn all(&self) -> [&Path; 4] {
        [&self.network, &self.checkpoint, &self.table, &self.picture]
    }
}

/// Runs the subcommand. Writes results to `output`, and damage of files to `warnings`.
///
/// # Errors
///
/// Fails if the games cannot be read or no position passes the filter, if a file cannot be written, if
/// another process works on the same run, if the checkpoint belongs to another run, or if the loss is
/// NaN.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let files = RunFiles::for_network(&arguments.output);
    check_outputs(&files.all(), &inputs(arguments))?;
    arguments.check()?;
    let first_network = arguments.first_network()?;
    let lock = lock(arguments)?;
    let checkpoint = if arguments.dry_run {
        None
    } else {
        checkpoint_to_resume(arguments, first_network.as_ref(), &files)?
    };
    let threads = arguments.threads.map_or_else(processors, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("cannot start the training threads")?;
    let dataset = read(arguments, &pool, output, warnings)?;
    let scale = match (arguments.scale, &first_network) {
        (Some(scale), _) => scale,
        // Its output weights are whole numbers up to 127; with a smaller scale some would not fit.
        (None, Some(network)) => network.scale as f32,
        (None, None) => fitted_scale(&dataset)?,
    };
    let config = arguments.config(scale, first_network.as_ref());
    writeln!(output, "scale: {scale} centipawns")?;
    if arguments.dry_run {
        return dry_run(&config, &dataset, &pool, output);
    }
    let state = match checkpoint {
        None => new_state(&config, first_network.as_ref(), &dataset, &files)?,
        Some(checkpoint) => resumed_state(checkpoint, &config, &dataset, &files, output)?,
    };
    let mut trainer = Trainer::new(config.clone(), &dataset, state, &pool);
    run(&mut trainer, &config, dataset.checksum(), &files, output)?;
    let model = mix_first_network(
        trainer.state().model.clone(),
        arguments,
        &config,
        first_network.as_ref(),
    );
    let description = describe(arguments, &config, &dataset, commit);
    let network = quantise(&model, &config, &dataset, description, &pool, output)?;
    drop(lock);
    write_network(&files.network, &network, output)?;
    // This comes last, since an error in these games must not lose the network.
    check_network(&network, arguments, &pool, output, warnings)
}

/// Compares the finished network with the games of `--validate`.
fn check_network(
    network: &NetworkWeights,
    arguments: &Arguments,
    pool: &ThreadPool,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let Some(games) = &arguments.validate else {
        return Ok(());
    };
    let endgames = arguments.endgames.endgames()?;
    let reader = arguments.reader(&endgames);
    let compared = pool.install(|| validate::compare(network, games, reader))?;
    endgames.check()?;
    Ok(compared.write(output, warnings)?)
}

/// Locks the output, so that no second process trains the same network.
fn lock(arguments: &Arguments) -> anyhow::Result<Option<WriteLock>> {
    if arguments.dry_run {
        return Ok(None);
    }
    WriteLock::acquire(&arguments.output).with_context(|| arguments.output.display().to_string())
}

/// Input files.
fn inputs(arguments: &Arguments) -> Vec<PathBuf> {
    let Arguments { files, from, validate, .. } = arguments;
    files.iter().chain(from).chain(validate).cloned().collect()
}

/// Mixes the share of `--from-share` of the first network into the model.
fn mix_first_network(
    mut model: Model,
    arguments: &Arguments,
    config: &TrainingConfig,
    first_network: Option<&NetworkWeights>,
) -> Model {
    if let Some(first) = first_network
        && arguments.from_share > 0.0
    {
        let first = TrainingState::from_network(config, first).model;
        model.mix(&first, arguments.from_share as f32);
    }
    model
}

/// Converts the model to the whole numbers that the engine uses. Prints the loss of accuracy.
fn quantise(
    model: &Model,
    config: &TrainingConfig,
    dataset: &Dataset,
    description: String,
    pool: &ThreadPool,
    output: &mut dyn Write,
) -> anyhow::Result<NetworkWeights> {
    let mut network = model.quantised(config.scale as i32, description);
    let samples =
        dataset.drawn(config.seed, SAMPLES_PER_FITTED_SAMPLE * FITTING_SAMPLES * config.buckets);
    let error = pool.install(|| {
        fit_outputs(model, &mut network, &samples);
        quantisation_error(config, model, &network, dataset.validation())
    });
    writeln!(output, "{error}")?;
    Ok(network)
}

/// Prints the duration of a run, estimated from its first steps.
fn dry_run(
    config: &TrainingConfig,
    dataset: &Dataset,
    pool: &ThreadPool,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let short = TrainingConfig { superbatches: 1, batches: DRY_RUN_BATCHES, ..config.clone() };
    let mut trainer = Trainer::new(short.clone(), dataset, TrainingState::new(&short), pool);
    let started = Instant::now();
    let mut steps = Duration::ZERO;
    trainer.superbatch(&mut |_, _| steps = started.elapsed())?;
    let validation = started.elapsed() - steps;
    let samples = config.steps() * config.batch as u64;
    let seconds = steps.as_secs_f64() * config.steps() as f64 / f64::from(DRY_RUN_BATCHES)
        + validation.as_secs_f64() * f64::from(config.superbatches);
    let epochs = samples as f64 / dataset.epoch_length() as f64;
    writeln!(
        output,
        "the run would draw {samples} samples, {epochs:.1} epochs, in about {:.1} minutes; nothing was \
         written",
        seconds / 60.0
    )?;
    Ok(())
}

/// Creates the first state of a run and saves it at once, so that a checkpoint that cannot be written
/// is noticed before the training.
fn new_state(
    config: &TrainingConfig,
    first_network: Option<&NetworkWeights>,
    dataset: &Dataset,
    files: &RunFiles,
) -> anyhow::Result<TrainingState> {
    let state = first_network.map_or_else(
        || TrainingState::new(config),
        |network| TrainingState::from_network(config, network),
    );
    Checkpoint::write(&files.checkpoint, config, dataset.checksum(), &state)
        .with_context(|| files.checkpoint.display().to_string())?;
    Ok(state)
}

/// Returns the state of a resumed run.
fn resumed_state(
    checkpoint: Checkpoint,
    config: &TrainingConfig,
    dataset: &Dataset,
    files: &RunFiles,
    output: &mut dyn Write,
) -> anyhow::Result<TrainingState> {
    let is_same = checkpoint.check_run(config, dataset.checksum());
    is_same.with_context(|| files.checkpoint.display().to_string())?;
    let done = checkpoint.state.history.len();
    writeln!(output, "resumed after superbatch {done} of {}", config.superbatches)?;
    if done > 0 {
        // A run killed between its checkpoint and its table of losses lacks the last row.
        write_losses(config, &checkpoint.state.history, &files.table, &files.picture)?;
    }
    Ok(checkpoint.state)
}

/// Reads the checkpoint of the run to resume, with `--resume`. Without it, an existing checkpoint is an
/// error, so that no run is lost silently. Everything that can be compared before the games are read is
/// compared here.
fn checkpoint_to_resume(
    arguments: &Arguments,
    first_network: Option<&NetworkWeights>,
    files: &RunFiles,
) -> anyhow::Result<Option<Checkpoint>> {
    let path = &files.checkpoint;
    let is_there = path.exists();
    if arguments.resume {
        let read = Checkpoint::read(path).and_then(|found| {
            let scale = arguments.scale.unwrap_or(found.config.scale);
            found.check_run(&arguments.config(scale, first_network), found.data)?;
            Ok(Some(found))
        });
        return read.with_context(|| path.display().to_string());
    }
    if is_there {
        let found = Checkpoint::read(path).with_context(|| path.display().to_string())?;
        let state = if found.is_complete() {
            "complete: remove it to train again, or give --resume to write the network again"
        } else {
            "unfinished: give --resume to resume it, or remove it"
        };
        bail!("{} exists, and its run is {state}", path.display());
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
        let counts = format!("there are {} files but {} weights", files.len(), weights.len());
        bail!(WrongInput(counts));
    }
    let weights = weights.iter().copied().chain(std::iter::repeat(1.0));
    let sources: Vec<WeightedFile> = files
        .iter()
        .cloned()
        .zip(weights)
        .map(|(path, weight)| WeightedFile { path, weight })
        .collect();
    let bar = file_progress_bar(files);
    let endgames = arguments.endgames.endgames()?;
    let report = &mut |bytes| bar.set_position(bytes);
    let lambda_return = arguments.lambda_return();
    let reader = DatasetReader { lambda_return, ..arguments.reader(&endgames) };
    let dataset = pool.install(|| reader.read(&sources, report));
    bar.finish_and_clear();
    let dataset = dataset.map_err(DamageArguments::with_hint)?;
    endgames.check()?;
    for line in dataset.warnings() {
        writeln!(warnings, "{line}")?;
    }
    let (training, validation) = (dataset.samples().len(), dataset.validation().len());
    let (games, epoch) = (dataset.games(), dataset.epoch_length());
    if games > 0 {
        write!(output, "{games} games, ")?;
    }
    writeln!(output, "{training} positions to train on, {epoch} of them per epoch")?;
    writeln!(output, "{validation} positions for validation, from other games")?;
    Ok(dataset)
}

fn fitted_scale(dataset: &Dataset) -> anyhow::Result<f32> {
    let samples = dataset.weighted_samples();
    let scale = fit_scale(
        samples.filter_map(|(sample, weight)| Some((sample.score(), sample.points()?, weight))),
    );
    let scale = scale.context("no scale fits the games: give one with --scale")?;
    Ok(scale.round() as f32)
}

/// Trains to the end of the run. Writes a checkpoint and a line after each superbatch.
fn run(
    trainer: &mut Trainer<'_>,
    config: &TrainingConfig,
    data: u32,
    files: &RunFiles,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let done = trainer.state().history.len() as u64;
    let bar = progress_bar(config.steps(), "{percent} %  {msg}");
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
        let losses = losses.map_err(|error| {
            let (kept, before) = (files.checkpoint.display(), superbatch - 1);
            anyhow!("{error}; {kept} keeps the state after superbatch {before}")
        })?;
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

/// Returns the description that is stored in the network file.
fn describe(
    arguments: &Arguments,
    config: &TrainingConfig,
    dataset: &Dataset,
    commit: &str,
) -> String {
    let TrainingConfig { batch, seed, result_share, last_result_share, .. } = config;
    let architecture = config.architecture();
    let samples = ((config.steps() * *batch as u64) as f64 / 1e6).round();
    let positions = dataset.samples().len();
    let games = match dataset.games() {
        0 => String::new(),
        games => format!(" of {games} games"),
    };
    let from = config.from.map_or(String::new(), |checksum| format!(" from {checksum:08x}"));
    let share = arguments.from_share;
    let is_mixed = config.from.is_some() && share > 0.0;
    let mixed = if is_mixed { format!(", {share} of it the first network") } else { String::new() };
    let later = arguments.lambda.map(|lambda| format!(", later scores counted by λ {lambda}"));
    format!(
        "{architecture}{from}, {samples} million samples of \
         {positions} positions{games}, mini-batches of {batch}, rate {} to {}, decay {}, exponent {}, result's share \
         {result_share} to {last_result_share}, seed {seed}, by version {} commit {commit}{mixed}{}",
        config.rate,
        config.last_rate,
        config.decay,
        config.exponent,
        env!("CARGO_PKG_VERSION"),
        later.unwrap_or_default(),
    )
}
