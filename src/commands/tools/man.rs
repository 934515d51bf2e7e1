//! `outrider man`: manual pages for packages, made from the text of the help. Distributions require a
//! manual page for each program (Debian Policy 12.1).

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
    /// Write a page for the program and one for each command to this folder, which is created if it does
    /// not exist [default: print the page of the program]
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
