//! The commands of a feature that this build lacks: none.

use std::io::Write;

use clap::Subcommand;

/// No command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {}

impl Command {
    /// Is never called.
    pub(crate) fn execute(
        &self,
        _commit: &str,
        _output: &mut dyn Write,
        _warnings: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match *self {}
    }
}
