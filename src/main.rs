//! The `outrider` program.

#![forbid(unsafe_code)]

use clap::Parser as _;
use outrider::commands::Cli;

fn main() -> anyhow::Result<()> {
    Cli::parse().run()
}
