//! `outrider average-networks`: the mean of several networks that were trained on from the same one.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::common::{load_networks, write_network};
use super::output::check_outputs;
use outrider_tools::training::average;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  outrider train games --from network --seed 2 --output second
  outrider train games --from network --seed 3 --output third
  outrider average-networks second third --output mean")]
pub(crate) struct Arguments {
    /// Networks of one size and scale, trained on from the same network
    #[arg(value_name = "NETWORK", required = true, num_args = 2..)]
    networks: Vec<PathBuf>,
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    check_outputs(&[&arguments.output], &arguments.networks)?;
    let Some(mean) = average(&load_networks(&arguments.networks)?) else {
        bail!("the networks differ in their hidden units, buckets or scale, so they have no mean");
    };
    write_network(&arguments.output, &mean, output)
}
