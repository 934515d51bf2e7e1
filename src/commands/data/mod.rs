//! `outrider data`: looks into files of games, and makes other files from them. Everything is read
//! as a stream, so that a file may be larger than the memory.

mod chances;
mod export;
mod inspect;
mod rewrite;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};

use super::common::endgames;
use crate::data::{Filter, ReadError, Reader, Record};

/// What to do with files of games.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Count games, positions, results, scores, phases, lengths and duplicates
    Inspect {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Which positions count as kept
        #[command(flatten)]
        filter: FilterArguments,
        /// Directory of Syzygy tables that correct results, besides the bare-king rule
        #[arg(long, value_name = "PATH")]
        syzygy: Option<PathBuf>,
    },
    /// Fit curves of the chances to win, draw and lose by score and material, and draw them
    Chances {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The picture, in SVG
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
        /// Directory of Syzygy tables that correct results, besides the bare-king rule
        #[arg(long, value_name = "PATH")]
        syzygy: Option<PathBuf>,
    },
    /// Write the games of several files into a new one
    Merge {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The new file
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Divide the games of a file into some to learn from and some to check the result with
    Split {
        /// File of games
        file: PathBuf,
        /// Share of the games to check with, 0 to 1; the same game always falls on the same side
        #[arg(long, value_name = "SHARE", value_parser = super::common::parse_share)]
        validation: f64,
        /// The new file of games to learn from [default: FILE.training]
        #[arg(long, value_name = "FILE")]
        training_output: Option<PathBuf>,
        /// The new file of games to check with [default: FILE.validation]
        #[arg(long, value_name = "FILE")]
        validation_output: Option<PathBuf>,
    },
    /// Print positions as lines `FEN | score | result`, score and result as the side to move sees
    /// them
    Export {
        /// Files of games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print so many positions at most
        #[arg(long, value_name = "N")]
        text: u64,
        /// Which positions are printed
        #[command(flatten)]
        filter: FilterArguments,
        /// Directory of Syzygy tables that correct results, besides the bare-king rule
        #[arg(long, value_name = "PATH")]
        syzygy: Option<PathBuf>,
    },
}

/// Which positions are left out.
#[derive(Debug, Args)]
pub struct FilterArguments {
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
    /// Leave out positions with so many plies since the last capture or pawn move, where scores
    /// fade with their number
    #[arg(long, value_name = "N", default_value_t = Filter::default().faded_from)]
    faded_from: u32,
    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions whose best move captures or promotes
    #[arg(long)]
    keep_tactical: bool,
}

impl FilterArguments {
    fn filter(&self) -> Filter {
        Filter {
            first_plies: self.first_plies,
            mates: !self.keep_mates,
            greatest_score: self.greatest_score,
            faded_from: self.faded_from,
            checks: !self.keep_checks,
            tactical: !self.keep_tactical,
        }
    }
}

/// The subcommand. Damaged tails of files are reported to `complaints`; what comes before them is
/// used.
///
/// # Errors
///
/// Fails if a file cannot be read or written.
pub fn command(
    action: &Action,
    output: &mut dyn Write,
    complaints: &mut dyn Write,
) -> anyhow::Result<()> {
    match action {
        Action::Inspect { files, filter, syzygy } => {
            let endgames = endgames(syzygy.as_deref())?;
            inspect::command(files, &filter.filter(), &endgames, output, complaints)
        }
        Action::Chances { files, output: picture, syzygy } => {
            let endgames = endgames(syzygy.as_deref())?;
            chances::command(files, picture, &endgames, output, complaints)
        }
        Action::Merge { files, output: merged } => {
            rewrite::merge(files, merged, output, complaints)
        }
        Action::Split { file, validation, training_output, validation_output } => {
            let beside = |part: &str| PathBuf::from(format!("{}.{part}", file.display()));
            let training = training_output.clone().unwrap_or_else(|| beside("training"));
            let checking = validation_output.clone().unwrap_or_else(|| beside("validation"));
            rewrite::split(file, *validation, [&training, &checking], output, complaints)
        }
        Action::Export { files, text, filter, syzygy } => {
            let endgames = endgames(syzygy.as_deref())?;
            export::command(files, *text, &filter.filter(), &endgames, output, complaints)
        }
    }
}

/// The records of a file.
fn records(path: &Path) -> anyhow::Result<Reader<BufReader<File>>> {
    Reader::open(path).map_err(|error| of_file(path, &error))
}

/// What was read, or `None` for a damaged tail, which is reported.
fn sound(
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
