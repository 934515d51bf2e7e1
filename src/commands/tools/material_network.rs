//! `outrider material-network`: a network that knows only material, to start a chain of self-play and
//! training.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::common::write_network;
use super::output::check_outputs;
use outrider_engine::evaluation::network::file::NetworkWeights;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider material-network --output material
  outrider datagen --network material --output games --minutes 30")]
pub(crate) struct Arguments {
    /// Network file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    check_outputs(&[&arguments.output], &[])?;
    write_network(&arguments.output, &NetworkWeights::material(), output)
}
