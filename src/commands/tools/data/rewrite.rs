//! `outrider data merge` and `outrider data split`: new files from the games of other files.
//!
//! Headers are copied too, so that the new file still tells how each game was made.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::Context as _;
use clap::Args;

use super::input::{GameFiles, records};
use crate::commands::tools::common::{DamageArguments, file_progress_bar, parse_share};
use crate::commands::tools::output::{check_new, check_outputs};
use outrider_engine::atomic_write;
use outrider_tools::selfplay::{Game, Record, WriteError, Writer};

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data merge monday tuesday --output games")]
pub(crate) struct MergeArguments {
    #[command(flatten)]
    games: GameFiles,
    /// New file
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "Example: outrider data split games --validation 0.02")]
pub(crate) struct SplitArguments {
    /// File of games
    file: PathBuf,
    /// Share of the games for validation, 0 to 1; equal games go to the same side
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    validation: f64,
    /// New file of training games [default: FILE.training]
    #[arg(long, value_name = "FILE")]
    training_output: Option<PathBuf>,
    /// New file of validation games [default: FILE.validation]
    #[arg(long, value_name = "FILE")]
    validation_output: Option<PathBuf>,
    #[command(flatten)]
    damage: DamageArguments,
}

/// Writes the records of all files to a new one.
pub(super) fn merge(
    arguments: &MergeArguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let mut parts = [NewFile::create(&arguments.output)?];
    let bar = file_progress_bar(&arguments.games.files);
    let mut records = arguments.games.records(&bar, warnings);
    let copied = records.try_for_each(|record| parts[0].append(&record?.1));
    bar.finish_and_clear();
    finish_parts(copied, parts, output)
}

/// Writes the games of a file to two new files, for training and for validation. A game goes to one file
/// as a whole, since its positions are very similar. The file depends only on the game, so that copies of
/// a game stay together.
pub(super) fn split(
    arguments: &SplitArguments,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let SplitArguments { file, validation: share, training_output, validation_output, damage } =
        arguments;
    let with_default = |given: &Option<PathBuf>, ending: &str| {
        given.clone().unwrap_or_else(|| file.with_added_extension(ending))
    };
    let (training, validation) =
        (with_default(training_output, "training"), with_default(validation_output, "validation"));
    check_outputs(&[&training, &validation], slice::from_ref(file))?;
    let training = NewFile::create(&training)?;
    let validation = match NewFile::create(&validation) {
        Ok(part) => part,
        Err(error) => return finish_parts(Err(error), [training], output),
    };
    let mut parts = [training, validation];
    let files = slice::from_ref(file);
    let bar = file_progress_bar(files);
    let copied = records(files, damage, &bar, warnings).try_for_each(|record| {
        let (_, record) = record?;
        match &record {
            Record::Header(_) => parts.iter_mut().try_for_each(|part| part.append(&record)),
            Record::Game(game) => parts[usize::from(split_hash(game) < *share)].append(&record),
        }
    });
    bar.finish_and_clear();
    finish_parts(copied, parts, output)
}

/// Returns a hash of the game from 0 to 1. `train` chooses its validation games by their checksum; the
/// additional byte makes this hash independent of it.
fn split_hash(game: &Game) -> f64 {
    let mut bytes = game.to_bytes();
    bytes.push(0);
    f64::from(crc32fast::hash(&bytes)) / 2_f64.powi(32)
}

/// Renames the new files to their final names. Removes them after a failure or without games, so that an
/// incomplete file is not taken for a complete one and does not block the next attempt.
fn finish_parts<const N: usize>(
    written: anyhow::Result<()>,
    parts: [NewFile; N],
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let has_games = parts.iter().any(|part| part.games > 0);
    match written.and_then(|()| has_games.then_some(()).context("there are no games to write")) {
        Ok(()) => parts.into_iter().try_for_each(|part| part.finish(output)),
        Err(error) => {
            for part in parts {
                // The first error says more than one about a file that cannot be removed.
                let _ = fs::remove_file(atomic_write::temporary_path(&part.path));
            }
            Err(error)
        }
    }
}

/// A new file and its counts. Until it is complete, it has a
/// [temporary name](atomic_write::temporary_path).
struct NewFile {
    path: PathBuf,
    writer: Writer,
    games: u64,
    positions: u64,
}

impl NewFile {
    fn create(path: &Path) -> anyhow::Result<NewFile> {
        check_new(path)?;
        let temporary = atomic_write::temporary_path(path);
        let writer = Writer::create(&temporary).inspect_err(|error| {
            if !matches!(error, WriteError::Locked) {
                // With a full disk, the file may exist already.
                let _ = fs::remove_file(&temporary);
            }
        });
        let writer = writer.with_context(|| path.display().to_string())?;
        Ok(NewFile { path: path.to_owned(), writer, games: 0, positions: 0 })
    }

    fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        if let Record::Game(game) = record {
            self.games += 1;
            self.positions += game.position_count();
        }
        self.writer.append(record).with_context(|| self.path.display().to_string())
    }

    fn finish(self, output: &mut dyn Write) -> anyhow::Result<()> {
        let NewFile { path, writer, games, positions } = self;
        let path_name = || path.display().to_string();
        writer.finish().with_context(path_name)?;
        fs::rename(atomic_write::temporary_path(&path), &path).with_context(path_name)?;
        writeln!(output, "{}: {games} games, {positions} positions", path.display())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrider_engine::position::PackedMove;
    use outrider_engine::units::Score;
    use outrider_tools::selfplay::{GameResult, ScoredMove};
    use outrider_tools::training::is_for_validation;
    use shakmaty::{Chess, Position as _};

    #[test]
    fn the_split_is_independent_of_the_validation_games_of_training() {
        let first = Chess::default().legal_moves();
        let game = |number: u32| {
            // Each game has different moves: the digits of its number in the base of the legal moves.
            let digits = (0..4).map(|digit| number as usize / first.len().pow(digit) % first.len());
            let scored =
                |digit: usize| ScoredMove { mv: PackedMove::new(first[digit]), score: Score::DRAW };
            Game {
                number,
                start: Chess::default(),
                result: GameResult::Draw,
                is_played_out: false,
                moves: digits.map(scored).collect(),
                deviations: Vec::new(),
            }
        };
        let validating = (0..30_000).map(game).filter(is_for_validation);
        let hashes: Vec<f64> = validating.map(|game| split_hash(&game)).collect();
        assert!((150..450).contains(&hashes.len()), "{}", hashes.len());
        for share in [0.02, 0.2, 0.5] {
            let below = hashes.iter().filter(|&&hash| hash < share).count() as f64;
            let expected = share * hashes.len() as f64;
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!((below - expected).abs() < 5.0 * deviation, "{below} of {}", hashes.len());
        }
    }

    #[test]
    fn the_choice_for_validation_does_not_depend_on_scores_and_labels() {
        let mv = PackedMove::new(Chess::default().legal_moves()[0]);
        let game = |score: i32, is_played_out: bool| Game {
            number: 0,
            start: Chess::default(),
            result: GameResult::Draw,
            is_played_out,
            moves: vec![ScoredMove { mv, score: Score::new(score) }],
            deviations: Vec::new(),
        };
        assert_eq!(is_for_validation(&game(10, true)), is_for_validation(&game(-30, false)));
    }
}
