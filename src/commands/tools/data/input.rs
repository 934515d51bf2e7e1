//! Files of games as the commands read them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context as _, anyhow};
use clap::Args;

use super::super::common::{DamageArguments, KEEP_GOING_HINT};
use crate::tools::selfplay::{
    Endgames, Filter, LabelledPosition, OnDamage, ReadError, Record, SoundRecords,
};

/// Files of games, and what to do where they are damaged.
#[derive(Debug, Args)]
pub(super) struct GameFiles {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    damage: DamageArguments,
}

impl GameFiles {
    /// The files as they were named, in one line.
    pub(super) fn names(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }

    /// The sound records of all files.
    pub(super) fn records<'a>(&'a self, warnings: &'a mut dyn Write) -> Records<'a> {
        records(&self.files, &self.damage, warnings)
    }

    /// The positions of the games that the filter keeps, with results corrected where the endgame
    /// is known.
    pub(super) fn positions<'a>(
        &'a self,
        filter: &'a Filter,
        endgames: &'a Endgames,
        warnings: &'a mut dyn Write,
    ) -> impl Iterator<Item = anyhow::Result<LabelledPosition>> {
        let all = self.records(warnings).flat_map(|record| match record {
            Ok((_, Record::Header(_))) => Vec::new(),
            Ok((path, Record::Game(game))) => game
                .replay_knowing(endgames)
                .map(|position| position.with_context(|| path.display().to_string()))
                .collect(),
            Err(error) => vec![Err(error)],
        });
        all.filter(|position| position.as_ref().map_or(true, |position| filter.keeps(position)))
    }
}

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
    /// Leave out positions with the score of a repetition: exactly 0 where one is possible
    #[arg(long)]
    drop_repetitions: bool,
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
            repetitions: self.drop_repetitions,
        }
    }
}

/// The records of files of games, one file after the other.
pub(super) struct Records<'a> {
    files: slice::Iter<'a, PathBuf>,
    on_damage: OnDamage,
    open: Option<(&'a Path, SoundRecords)>,
    warnings: &'a mut dyn Write,
}

/// The sound records of these files, each with its file. Damage that was passed over is reported to
/// `warnings` at the end of a file; any other error ends the reading.
pub(super) fn records<'a>(
    files: &'a [PathBuf],
    damage: &DamageArguments,
    warnings: &'a mut dyn Write,
) -> Records<'a> {
    Records { files: files.iter(), on_damage: damage.on_damage(), open: None, warnings }
}

impl<'a> Iterator for Records<'a> {
    type Item = anyhow::Result<(&'a Path, Record)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some((path, records)) = &mut self.open else {
                let path = self.files.next()?;
                match SoundRecords::open(path, self.on_damage) {
                    Ok(records) => self.open = Some((path, records)),
                    Err(error) => return Some(Err(of_file(path, &error))),
                }
                continue;
            };
            match records.next() {
                None => {
                    if let Some(damage) = records.damage()
                        && let Err(error) = writeln!(self.warnings, "{} {damage}", path.display())
                    {
                        return Some(Err(error.into()));
                    }
                    self.open = None;
                }
                Some(Ok(record)) => return Some(Ok((path, record))),
                Some(Err(error)) => return Some(Err(of_file(path, &error))),
            }
        }
    }
}

fn of_file(path: &Path, error: &ReadError) -> anyhow::Error {
    let hint = if matches!(error, ReadError::Damaged { .. }) { KEEP_GOING_HINT } else { "" };
    anyhow!("{} {error}{hint}", path.display())
}
