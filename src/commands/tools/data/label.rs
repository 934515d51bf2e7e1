//! `outrider data label`: the mean value of several networks as the label of samples.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;

use super::super::common::{load_networks, parse_share, progress_bar};
use super::super::output::{check_new, check_outputs};
use super::samples::write_samples;
use outrider_tools::training::{Ensemble, SampleFile};

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  outrider data samples games --output samples --lambda 0.85 --scale 134
  outrider data label samples --networks first second --weight 0.7 --scale 134 --output labelled
  outrider train labelled --scale 134 --output network")]
pub(crate) struct Arguments {
    /// File of `data samples`
    #[arg(value_name = "FILE")]
    samples: PathBuf,
    /// Networks of any size, best trained from different random weights
    #[arg(long, value_name = "NETWORK", required = true, num_args = 1..)]
    networks: Vec<PathBuf>,
    /// Share of the mean value in the new score, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = parse_share)]
    weight: f64,
    /// Score in centipawns with odds of winning of e (2.72) to 1
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(50..=2000))]
    scale: u16,
    /// New file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the file, and its numbers of positions to `output`. The positions for validation get the label too.
///
/// # Errors
///
/// Fails if a file cannot be read, or the new file exists or cannot be written.
pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { samples: source, networks, output: path, .. } = arguments;
    let read: Vec<PathBuf> = networks.iter().chain([source]).cloned().collect();
    check_outputs(&[path], &read)?;
    check_new(path)?;
    let networks = load_networks(networks)?;
    if source.is_file() && !SampleFile::is_at(source) {
        bail!("{} is not a file of samples; `outrider data samples` writes them", source.display());
    }
    let SampleFile { mut training, mut validation } =
        SampleFile::read(source).with_context(|| source.display().to_string())?;
    let ensemble =
        Ensemble { networks: &networks, weight: arguments.weight, scale: arguments.scale.into() };
    let bar = progress_bar((training.len() + validation.len()) as u64, "{pos} of {len} positions");
    for samples in [&mut training, &mut validation] {
        ensemble.label(samples, || bar.inc(1));
    }
    bar.finish_and_clear();
    write_samples(path, &training, &validation, output)
}
