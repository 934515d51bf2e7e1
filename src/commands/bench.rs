//! `outrider bench [DEPTH]`: the bench on the command line.

use std::io::Write;

use clap::Args;

use outrider_engine::bench;
use outrider_engine::evaluation::Network;
use outrider_engine::search::Control;
use outrider_engine::units::{Depth, MAX_PLY};

#[derive(Debug, Args)]
#[command(after_help = "\
Example: outrider bench 10")]
pub(crate) struct Arguments {
    /// Depth of the searches in plies
    #[arg(
        default_value_t = bench::DEFAULT_DEPTH.plies(),
        value_parser = clap::value_parser!(i32).range(1..=MAX_PLY as i64),
    )]
    depth: i32,
}

pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut written = Ok(());
    let control = Control::default();
    let (depth, network) = (Depth::new(arguments.depth), Network::built_in());
    let summary = bench::run(depth, network, &control, &mut |progress| {
        written = writeln!(output, "{progress}");
        if written.is_err() {
            control.stop();
        }
    });
    written?;
    writeln!(output, "{}", summary?)?;
    Ok(())
}
