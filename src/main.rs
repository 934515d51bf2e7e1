//! The `outrider` program.

#![forbid(unsafe_code)]

use outrider::commands::Cli;

fn main() -> anyhow::Result<()> {
    Cli::from_arguments().run()
}
