//! `outrider man`: the manual pages, for packages. Distributions ask for one of each program (Debian
//! Policy 12.1); a release has them, made from the same text as the help.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _};
use clap_mangen::Man;

use crate::commands::Cli;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  outrider man | man -l -
  outrider man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write a page for the program and one for each command to this folder, which is made if it is
    /// not there [default: print the program's page]
    folder: Option<PathBuf>,
}

pub(crate) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    match &arguments.folder {
        Some(folder) => {
            let cannot_write = || format!("cannot write to {}", folder.display());
            fs::create_dir_all(folder).with_context(cannot_write)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot_write)
        }
        None => Ok(Man::new(Cli::command()).render(&mut &mut *output)?),
    }
}
