//! Several files of games, each analysed as if it were the only one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};

use anyhow::{Context as _, bail};

use super::super::input::{check_text, read_text};
use super::super::output::{IgnoreBrokenPipe, check_outputs};
use super::printer::OutputContent;
use super::totals::{PlayerTotal, PlayerTotals, count, table};
use super::{Arguments, analyse_file, default_output, is_standard_stream};
use crate::commands::failure::WrongInput;
use outrider_tools::Journal;
use outrider_tools::games::derived_name;

/// Start of the tag in games that this program has analysed.
const ANALYSED: &[u8] = b"[AnalysisId \"";

/// Results of a file.
#[derive(Default)]
pub(super) struct FileTotals {
    /// Number of games that were analysed.
    pub games: usize,
    /// Number of games that could not be read.
    pub unreadable: usize,
    /// Games that could not be read are in the output.
    pub are_copied: bool,
    /// The file was analysed by an earlier run.
    pub done_before: bool,
    /// Players in the order of their first games.
    pub players: Vec<PlayerTotal>,
}

impl FileTotals {
    /// Fails if games could not be read.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        match self.unreadable {
            0 => Ok(()),
            1 if self.are_copied => bail!("1 game could not be read and was copied unchanged"),
            1 => bail!("1 game could not be read"),
            games if self.are_copied => {
                bail!("{games} games could not be read and were copied unchanged")
            }
            games => bail!("{games} games could not be read"),
        }
    }
}

/// Results of all files.
#[derive(Default)]
struct AllTotals {
    /// Number of files whose games were analysed.
    files: usize,
    done_before: usize,
    failed: usize,
    /// Results of the games; the players are in `players`.
    games: FileTotals,
    players: PlayerTotals,
}

impl AllTotals {
    /// Reports and counts a file that could not be analysed.
    fn fail(&mut self, error: &anyhow::Error, warnings: &mut dyn Write) {
        // A warning that cannot be written does not stop the analysis.
        drop(writeln!(warnings, "{error:#}"));
        self.failed += 1;
    }

    fn add(&mut self, file: FileTotals) {
        self.games.unreadable += file.unreadable;
        self.games.are_copied = file.are_copied;
        if file.done_before {
            self.done_before += 1;
            return;
        }
        self.files += 1;
        self.games.games += file.games;
        file.players.into_iter().for_each(|total| self.players.add(total));
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let files = |number| count(number, "file", "files");
        let games = count(self.games.games, "game", "games");
        write!(output, "\nall: {}, {games}", files(self.files))?;
        if self.done_before > 0 {
            write!(output, "; {} done before", files(self.done_before))?;
        }
        if self.failed > 0 {
            write!(output, "; {} failed", files(self.failed))?;
        }
        writeln!(output)?;
        let players = self.players.totals();
        if !players.is_empty() {
            write!(output, "{}", table(&players))?;
        }
        Ok(())
    }
}

/// Analyses the files one after the other and prints a summary. A file that cannot be read or analysed
/// does not keep the others from being analysed.
///
/// # Errors
///
/// Fails if the arguments do not fit several files, an output cannot be written, or, after the other
/// files are done, if files or games could not be read.
pub(super) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    check_arguments(arguments)?;
    let mut totals = AllTotals::default();
    let mut tasks = Vec::new();
    for path in &arguments.games {
        match check_text(path) {
            Ok(()) => tasks.push(arguments.alone(path)),
            Err(error) => totals.fail(&error, warnings),
        }
    }
    let (tasks, skipped) = without_own_outputs(tasks)?;
    for path in skipped {
        let path = path.display();
        drop(writeln!(warnings, "{path}: skipped, as it is the output for another file"));
    }
    arguments.make_folders()?;
    check_files(arguments, &tasks)?;
    let repertoire = arguments.read_repertoire(warnings)?;
    for task in &tasks {
        if task.output_content() == OutputContent::Summaries {
            writeln!(IgnoreBrokenPipe(output), "\n{}", task.input().display())?;
        }
        match analyse_file(task, repertoire.clone(), commit, output, warnings) {
            Ok(file) => totals.add(file),
            Err(error) if is_closed_output(&error) => return Err(error),
            Err(error) => totals.fail(&error, warnings),
        }
    }
    if tasks.iter().any(|task| task.output_content() == OutputContent::Summaries) {
        totals.write(&mut IgnoreBrokenPipe(output))?;
    }
    match totals.failed {
        0 => totals.games.check(),
        failed => bail!("{failed} of {} files could not be analysed", arguments.games.len()),
    }
}

impl Arguments {
    /// Returns the arguments for one of several files.
    fn alone(&self, path: &Path) -> Arguments {
        let in_folder = |folder: &PathBuf| folder.join(derived_name(path, "-pages"));
        let pages = self.pages.as_ref().map(in_folder);
        Arguments { games: vec![path.to_owned()], pages, ..self.clone() }.with_names(path)
    }

    /// Returns the arguments with file names for a file of games in place of folders. The standard input
    /// has no name.
    pub(super) fn with_names(self, path: &Path) -> Arguments {
        if is_standard_stream(path) {
            return self;
        }
        let named = |output: Option<PathBuf>, suffix: &str| {
            output.map(|output| match is_folder(&output) {
                true => output.join(derived_name(path, suffix)),
                false => output,
            })
        };
        Arguments {
            output: named(self.output, "-analysed.pgn"),
            json: named(self.json, ".jsonl"),
            one_file: named(self.one_file, ".html"),
            ..self
        }
    }

    /// Creates the folders that are named as outputs and do not exist yet. The standard input, which
    /// has no name, needs none.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be created.
    pub(super) fn make_folders(&self) -> anyhow::Result<()> {
        let has_name = !is_standard_stream(self.input());
        for folder in [&self.output, &self.json, &self.one_file].into_iter().flatten() {
            if has_name && is_folder(folder) {
                let cannot = || format!("cannot create {}", folder.display());
                fs::create_dir_all(folder).with_context(cannot)?;
            }
        }
        Ok(())
    }

    /// The file for the annotated games, if they go to a file.
    fn annotated(&self) -> Option<PathBuf> {
        let by_default = || {
            (self.output_content() == OutputContent::Summaries)
                .then(|| default_output(self.input()))
        };
        self.output_file().cloned().or_else(by_default)
    }
}

/// Returns true if a path is a folder, or ends with a slash, as the path of a folder to be created.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(is_separator)
}

/// Fails if the arguments do not fit several files.
fn check_arguments(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.games.iter().any(|path| is_standard_stream(path)) {
        let fault = "the standard input (-) cannot be analysed together with files";
        return Err(WrongInput(fault.to_owned()).into());
    }
    let outputs = [
        ("--output", &arguments.output),
        ("--json", &arguments.json),
        ("--one-file", &arguments.one_file),
    ];
    for (option, path) in outputs {
        let is_file = |path: &&PathBuf| !is_standard_stream(path) && !is_folder(path);
        if let Some(path) = path.as_ref().filter(is_file) {
            let fault = format!(
                "{option} {}: with several files of games this must be a folder; end it with a slash \
                 to create it",
                path.display()
            );
            return Err(WrongInput(fault).into());
        }
    }
    Ok(())
}

/// Divides the tasks into those to be done and the inputs that are outputs of other tasks, which the
/// pattern `*.pgn` matches after a first run.
fn without_own_outputs(tasks: Vec<Arguments>) -> anyhow::Result<(Vec<Arguments>, Vec<PathBuf>)> {
    let outputs: Vec<PathBuf> = tasks
        .iter()
        .filter_map(Arguments::annotated)
        .flat_map(|path| path.canonicalize())
        .collect();
    let (mut kept, mut skipped) = (Vec::new(), Vec::new());
    for task in tasks {
        let is_output = task.input().canonicalize().is_ok_and(|path| outputs.contains(&path));
        // A file of this name that was made by somebody else is not overwritten.
        if is_output && contains(&read_text(task.input())?, ANALYSED) {
            skipped.push(task.input().to_owned());
        } else {
            kept.push(task);
        }
    }
    Ok((kept, skipped))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Fails if an output of any file cannot be written, is an input, or is the output of two files.
fn check_files(arguments: &Arguments, tasks: &[Arguments]) -> anyhow::Result<()> {
    let mut outputs: Vec<PathBuf> = Vec::new();
    for task in tasks {
        let annotated = task.annotated();
        // A clash of two outputs names the file that the user knows, not its journal.
        let journal = annotated.as_deref().and_then(Journal::path_for);
        outputs.extend(annotated);
        outputs.extend(journal);
        let others = [&task.json, &task.one_file].into_iter().flatten();
        outputs.extend(others.filter(|path| !is_standard_stream(path)).cloned());
    }
    let outputs: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
    let inputs: Vec<PathBuf> = tasks.iter().flat_map(|task| &task.games).cloned().collect();
    let inputs: Vec<PathBuf> =
        inputs.into_iter().chain(arguments.other_inputs().cloned()).collect();
    check_outputs(&outputs, &inputs)
}

fn is_closed_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
