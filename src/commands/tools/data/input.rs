//! Input of the `data` commands: files of games and filters.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context as _, anyhow};
use clap::Args;
use indicatif::ProgressBar;

use super::super::common::{DamageArguments, KEEP_GOING_HINT};
use outrider_tools::selfplay::{
    Endgames, Filter, LabelledPosition, OnDamage, ReadError, Record, ValidRecords,
};

/// Arguments for files of games.
#[derive(Debug, Args)]
pub(super) struct GameFiles {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    damage: DamageArguments,
}

impl GameFiles {
    /// Names of the files, in one line.
    pub(super) fn names(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        names.join(", ")
    }

    /// Reads the sound records of all files. The bar shows the progress.
    pub(super) fn records<'a>(
        &'a self,
        bar: &'a ProgressBar,
        warnings: &'a mut dyn Write,
    ) -> Records<'a> {
        records(&self.files, &self.damage, bar, warnings)
    }

    /// Reads the positions that pass the filter, with results corrected by known endgames.
    pub(super) fn positions<'a>(
        &'a self,
        filter: &'a Filter,
        endgames: &'a Endgames,
        bar: &'a ProgressBar,
        warnings: &'a mut dyn Write,
    ) -> impl Iterator<Item = anyhow::Result<LabelledPosition>> {
        let all = self.records(bar, warnings).flat_map(|record| match record {
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

/// Arguments for the filter of positions.
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// Leave out positions in the first N plies
    #[arg(long, value_name = "N", default_value_t = Filter::default().first_plies)]
    first_plies: u32,
    /// Keep positions with mate scores
    #[arg(long)]
    keep_mates: bool,
    /// Leave out positions with greater scores, in centipawns
    #[arg(long, value_name = "N", default_value_t = Filter::default().max_score,
        value_parser = clap::value_parser!(i32).range(0..))]
    greatest_score: i32,
    /// Leave out positions with at least this many plies since the last capture or pawn move
    #[arg(long, value_name = "N", default_value_t = Filter::default().shuffled_from)]
    shuffled_from: u32,
    /// Keep positions in check
    #[arg(long)]
    keep_checks: bool,
    /// Keep positions with a capture or promotion as the best move
    #[arg(long)]
    keep_tactical: bool,
    /// Leave out positions with the score of a repetition: exactly 0 and a repetition is possible
    #[arg(long)]
    drop_repetitions: bool,
}

impl FilterArguments {
    pub(super) fn filter(&self) -> Filter {
        Filter {
            first_plies: self.first_plies,
            mates: !self.keep_mates,
            max_score: self.greatest_score,
            shuffled_from: self.shuffled_from,
            checks: !self.keep_checks,
            tactical: !self.keep_tactical,
            repetitions: self.drop_repetitions,
        }
    }
}

/// Iterator over the records of several files of games.
pub(super) struct Records<'a> {
    files: slice::Iter<'a, PathBuf>,
    on_damage: OnDamage,
    open: Option<(&'a Path, ValidRecords)>,
    bar: &'a ProgressBar,
    /// Number of bytes in the files before the open one.
    before: u64,
    warnings: &'a mut dyn Write,
}

/// Reads the sound records of these files, each with its file. The bar shows the progress. Skipped damage
/// is reported to `warnings` at the end of a file; any other error ends the iteration.
pub(super) fn records<'a>(
    files: &'a [PathBuf],
    damage: &DamageArguments,
    bar: &'a ProgressBar,
    warnings: &'a mut dyn Write,
) -> Records<'a> {
    let (files, on_damage) = (files.iter(), damage.on_damage());
    Records { files, on_damage, open: None, bar, before: 0, warnings }
}

impl<'a> Iterator for Records<'a> {
    type Item = anyhow::Result<(&'a Path, Record)>;

    fn next(&mut self) -> Option<Self::Item> {
        let Records { files, on_damage, open, bar, before, warnings } = self;
        loop {
            let Some((path, records)) = open else {
                let path = files.next()?;
                match ValidRecords::open(path, *on_damage) {
                    Ok(records) => *open = Some((path, records)),
                    Err(error) => return Some(Err(error_in_file(path, &error))),
                }
                continue;
            };
            let record = records.next();
            bar.set_position(*before + records.offset());
            match record {
                None => {
                    if let Some(damage) = records.damage()
                        && let Err(error) =
                            bar.suspend(|| writeln!(warnings, "{} {damage}", path.display()))
                    {
                        return Some(Err(error.into()));
                    }
                    *before += records.offset();
                    *open = None;
                }
                Some(Ok(record)) => return Some(Ok((path, record))),
                Some(Err(error)) => return Some(Err(error_in_file(path, &error))),
            }
        }
    }
}

fn error_in_file(path: &Path, error: &ReadError) -> anyhow::Error {
    let hint = if matches!(error, ReadError::Damaged { .. }) { KEEP_GOING_HINT } else { "" };
    anyhow!("{} {error}{hint}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tools::common::file_progress_bar;

    #[test]
    fn the_progress_bar_is_full_when_all_files_are_read() {
        let files = [1, 2].map(|version| {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            root.join(format!("tests/suite/files/games-of-version-{version}"))
        });
        let lengths = files.each_ref().map(|path| path.metadata().unwrap().len());
        let mut warnings = Vec::new();
        let (bar, damage) = (file_progress_bar(&files), DamageArguments::default());
        let mut records = records(&files, &damage, &bar, &mut warnings);
        assert!(records.next().is_some_and(|record| record.is_ok()));
        assert!((1..lengths[0]).contains(&bar.position()), "{}", bar.position());
        assert!(records.all(|record| record.is_ok()));
        assert_eq!(bar.position(), lengths.iter().sum::<u64>());
        assert_eq!(bar.length(), Some(bar.position()));
    }
}
