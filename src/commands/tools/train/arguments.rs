//! Arguments of `outrider train`.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{anyhow, bail};
use clap::Args;

use crate::commands::failure::WrongInput;
use crate::commands::tools::common::{
    DamageArguments, EndgameArguments, parse_positive_share, parse_share,
};
use outrider_engine::evaluation::network::file::{BUCKETS, MAX_HIDDEN, NetworkWeights};
use outrider_tools::selfplay::{Endgames, Filter, Reader};
use outrider_tools::training::{DatasetReader, LambdaReturn, PIECE_GROUPS, TrainingConfig, UNITS};

/// Games, output and settings of a training run.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider train games --output network --superbatches 2
  outrider train games --output network --superbatches 2 --resume")]
pub(crate) struct Arguments {
    /// Files of games, as `datagen` writes them, or of samples, as `data samples` writes them
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Network file to write; FILE.checkpoint, the losses in FILE.csv and their curves in FILE.svg are
    /// written too
    #[arg(long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// Hidden units for each perspective, a multiple of 32. An engine can use only networks with as many
    /// as its built-in network
    #[arg(long, value_name = "N", default_value_t = TrainingConfig::default().hidden,
        value_parser = parse_hidden)]
    pub(super) hidden: usize,
    /// Number of sets of output weights, chosen by the number of pieces: 1, 2, 4 or 8
    #[arg(long, value_name = "N", default_value_t = TrainingConfig::default().buckets,
        value_parser = parse_buckets)]
    pub(super) buckets: usize,
    /// Superbatches of the run; after each one the loss is measured and a checkpoint is written
    #[arg(long, value_name = "N", default_value_t = TrainingConfig::default().superbatches,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) superbatches: u32,
    /// Mini-batches of a superbatch
    #[arg(long, value_name = "N", default_value_t = TrainingConfig::default().batches,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) batches: u32,
    /// Samples of a mini-batch
    #[arg(long, value_name = "N", default_value_t = TrainingConfig::default().batch,
        value_parser = parse_batch)]
    pub(super) batch: usize,
    /// Learning rate of Adam after the warm-up in the first superbatch
    #[arg(long, value_name = "R", default_value_t = TrainingConfig::default().rate,
        value_parser = parse_rate)]
    pub(super) rate: f64,
    /// Learning rate at the end; it falls along a cosine
    #[arg(long, value_name = "R", default_value_t = TrainingConfig::default().last_rate,
        value_parser = parse_rate)]
    pub(super) last_rate: f64,
    /// Weight decay (AdamW): each step reduces every weight by this fraction times the learning rate.
    /// Use more for few positions that are drawn often
    #[arg(long, value_name = "D", default_value_t = TrainingConfig::default().decay,
        value_parser = parse_decay)]
    pub(super) decay: f64,
    /// Exponent of the loss: the difference of winning chances is raised to this power
    #[arg(long, value_name = "P", default_value_t = TrainingConfig::default().exponent,
        value_parser = parse_exponent)]
    pub(super) exponent: f32,
    /// Training threads; the network does not depend on their number [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(super) threads: Option<u16>,
    /// Seed of the initial weights and of the order of the samples
    #[arg(long, value_name = "S", default_value_t = TrainingConfig::default().seed)]
    pub(super) seed: u64,
    /// Share of the game's result in the target, 0 to 1; the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = parse_share)]
    pub(super) result_share: f64,
    /// Share of the game's result at the end of the run; it changes linearly [default: the share at the
    /// start]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(super) last_result_share: Option<f64>,
    /// Replace a part of the game's result by later scores of the game (TD(λ)): weight of each ply
    /// relative to the ply before it, 0 to 1. With 1, only the result counts
    #[arg(long, value_name = "L", value_parser = parse_share, requires = "scale")]
    pub(super) lambda: Option<f64>,
    /// Weights in the loss of positions with up to 8, 16, 24 and 32 pieces [default: 1 for all]
    #[arg(long, value_name = "W8,W16,W24,W32", value_parser = parse_piece_weights)]
    pub(super) piece_weights: Option<[f32; PIECE_GROUPS]>,
    /// Leave out positions with the score of a repetition: exactly 0 and a repetition is possible
    #[arg(long)]
    pub(super) drop_repetitions: bool,
    /// Share of the positions of each file in an epoch, in the order of the files [default: 1 for each]
    #[arg(long, value_name = "SHARE,…", value_delimiter = ',', value_parser = parse_positive_share)]
    pub(super) weights: Vec<f64>,
    /// Score in centipawns with odds of winning of e (2.72) to 1 [default: the scale of the network in
    /// --from, else fitted to the games]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parse_scale)]
    pub(super) scale: Option<f32>,
    /// Start from a finished network instead of random weights. With more hidden units, the new network
    /// first values positions like that network, and its new units learn
    #[arg(long, value_name = "NETWORK")]
    pub(super) from: Option<PathBuf>,
    /// Share of the network in --from in the weights of the finished network, 0 to 1. With it, a stage on
    /// few games forgets less of what the first network knew
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share, requires = "from")]
    pub(super) from_share: f64,
    /// Compare the finished network with the scores of all games in this file; see `data validate`
    #[arg(long, value_name = "FILE")]
    pub(super) validate: Option<PathBuf>,
    /// Read the games and print the expected duration of the run; write nothing
    #[arg(long, conflicts_with = "resume")]
    pub(super) dry_run: bool,
    /// Resume the run of the checkpoint FILE.checkpoint
    #[arg(long)]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) endgames: EndgameArguments,
    #[command(flatten)]
    pub(super) damage: DamageArguments,
}

impl Arguments {
    /// Returns the configuration of the run with this scale and first network.
    pub(crate) fn config(&self, scale: f32, from: Option<&NetworkWeights>) -> TrainingConfig {
        let result_share = self.result_share as f32;
        TrainingConfig {
            hidden: self.hidden,
            buckets: self.buckets,
            superbatches: self.superbatches,
            batches: self.batches,
            batch: self.batch,
            seed: self.seed,
            rate: self.rate,
            last_rate: self.last_rate,
            decay: self.decay,
            exponent: self.exponent,
            result_share,
            last_result_share: self.last_result_share.map_or(result_share, |share| share as f32),
            piece_weights: self.piece_weights.unwrap_or([1.0; PIECE_GROUPS]),
            scale,
            from: from.map(NetworkWeights::checksum),
        }
    }

    /// Checks arguments that would otherwise fail only during or after the training.
    ///
    /// # Errors
    ///
    /// Fails if the learning rate would rise, or if the validation games cannot be read.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let Arguments { rate, last_rate, .. } = self;
        if last_rate > rate {
            let rises = format!("the learning rate would rise from {rate} to {last_rate}");
            bail!(WrongInput(format!("{rises}: give --last-rate too")));
        }
        self.validate.iter().try_for_each(|path| {
            let opened = Reader::open(path).map(drop);
            opened.map_err(|error| anyhow!("{} {error}", path.display()))
        })
    }

    /// Returns the settings of TD(λ), if requested.
    pub(super) fn lambda_return(&self) -> Option<LambdaReturn> {
        let (lambda, scale) = (self.lambda? as f32, self.scale?);
        Some(LambdaReturn { lambda, scale })
    }

    /// Loads the network to start from, if one is given.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, has more hidden units than the new network, or has another number of
    /// output buckets that is not 1.
    pub(crate) fn first_network(&self) -> anyhow::Result<Option<NetworkWeights>> {
        let Some(path) = &self.from else {
            return Ok(None);
        };
        let network = NetworkWeights::load(path)?;
        if network.hidden > self.hidden {
            bail!(
                "{}: it has {} hidden units, more than {}",
                path.display(),
                network.hidden,
                self.hidden
            );
        }
        if ![1, self.buckets].contains(&network.buckets) {
            bail!(
                "{}: it has {} output buckets, not {}",
                path.display(),
                network.buckets,
                self.buckets
            );
        }
        Ok(Some(network))
    }

    /// Creates a reader of games with results.
    pub(super) fn reader<'a>(&self, endgames: &'a Endgames) -> DatasetReader<'a> {
        DatasetReader {
            filter: Filter { repetitions: self.drop_repetitions, ..Filter::default() },
            on_damage: self.damage.on_damage(),
            ..DatasetReader::new(endgames)
        }
    }
}

/// Parses a number that satisfies a condition; otherwise returns which number is expected.
fn parse_number<N: FromStr>(
    text: &str,
    fits: impl FnOnce(&N) -> bool,
    expected: &str,
) -> Result<N, String> {
    text.parse().ok().filter(fits).ok_or_else(|| format!("expected {expected}"))
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    let fits = |&hidden: &usize| hidden > 0 && hidden.is_multiple_of(UNITS) && hidden <= MAX_HIDDEN;
    parse_number(text, fits, &format!("a multiple of {UNITS} up to {MAX_HIDDEN}"))
}

fn parse_buckets(text: &str) -> Result<usize, String> {
    parse_number(text, |buckets| BUCKETS.contains(buckets), "1, 2, 4 or 8")
}

fn parse_batch(text: &str) -> Result<usize, String> {
    parse_number(text, |batch| (1..=1 << 20).contains(batch), "a number from 1 to 1048576")
}

fn parse_rate(text: &str) -> Result<f64, String> {
    parse_number(text, |&rate| rate > 0.0 && rate <= 1.0, "a number above 0 and at most 1")
}

fn parse_decay(text: &str) -> Result<f64, String> {
    parse_number(text, |decay| (0.0..=1.0).contains(decay), "a number from 0 to 1")
}

fn parse_exponent(text: &str) -> Result<f32, String> {
    parse_number(text, |exponent| (1.5..=4.0).contains(exponent), "a number from 1.5 to 4")
}

fn parse_piece_weights(text: &str) -> Result<[f32; PIECE_GROUPS], String> {
    let weights: Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    weights
        .ok()
        .filter(|weights| weights.iter().all(|weight| (0.0..=10.0).contains(weight)))
        .filter(|weights| weights.iter().any(|&weight| weight > 0.0))
        .and_then(|weights| weights.try_into().ok())
        .ok_or(format!(
            "expected {PIECE_GROUPS} weights from 0 to 10, not all 0, separated by commas"
        ))
}

fn parse_scale(text: &str) -> Result<f32, String> {
    let scale =
        parse_number(text, |scale| (50.0..=2000.0).contains(scale), "a number from 50 to 2000");
    scale.map(f32::round)
}
