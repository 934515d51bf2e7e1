//! Files of games as the commands read them.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use anyhow::anyhow;
use clap::Args;

use crate::tools::selfplay::{Filter, ReadError, Reader, Record};

/// Which positions of the games are left out.
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// Leave out positions with fewer plies before them
    #[arg(long, value_name = "N", default_value_t = Filter::default().first_plies)]
    first_plies: u32,
    /// Keep positions scored as mates
    #[arg(long)]
    keep_mates: bool,
    /// Leave out positions with greater scores, in centipawns
    #[arg(long, value_name = "N", default_value_t = Filter::default().greatest_score,
        value_parser = clap::value_parser!(i32).range(0..))]
    greatest_score: i32,
    /// Leave out positions with at least this many plies since the last capture or pawn move
    #[arg(long, value_name = "N", default_value_t = Filter::default().shuffled_from)]
    shuffled_from: u32,
    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions whose best move captures or promotes
    #[arg(long)]
    keep_tactical: bool,
}

impl FilterArguments {
    pub(super) fn filter(&self) -> Filter {
        Filter {
            first_plies: self.first_plies,
            mates: !self.keep_mates,
            greatest_score: self.greatest_score,
            shuffled_from: self.shuffled_from,
            checks: !self.keep_checks,
            tactical: !self.keep_tactical,
        }
    }
}

/// The records of a file.
pub(super) fn records(path: &Path) -> anyhow::Result<Reader<BufReader<File>>> {
    Reader::open(path).map_err(|error| of_file(path, &error))
}

/// What was read, or `None` for a damaged tail, which is reported.
pub(super) fn sound(
    path: &Path,
    record: Result<Record, ReadError>,
    complaints: &mut dyn Write,
) -> anyhow::Result<Option<Record>> {
    match record {
        Ok(record) => Ok(Some(record)),
        Err(error @ ReadError::Damaged { .. }) => {
            writeln!(complaints, "{} {error}", path.display())?;
            Ok(None)
        }
        Err(error) => Err(of_file(path, &error)),
    }
}

fn of_file(path: &Path, error: &ReadError) -> anyhow::Error {
    anyhow!("{} {error}", path.display())
}
