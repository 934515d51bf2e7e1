//! `outrider completions`: scripts for shells that complete commands and options.

use std::io::Write;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::commands::Cli;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider completions bash > ~/.local/share/bash-completion/completions/outrider
  outrider completions zsh > ~/.zfunc/_outrider
  outrider completions fish > ~/.config/fish/completions/outrider.fish")]
pub(crate) struct Arguments {
    /// Shell to print the script for
    shell: Shell,
}

pub(crate) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "outrider", &mut script);
    output.write_all(&script)?;
    Ok(())
}
