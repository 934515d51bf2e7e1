//! `outrider analyse GAMES.pgn`: annotates games and makes pages for them.

mod files;
mod printer;
mod repertoire;
mod totals;

use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::common::{LimitArguments, open_tablebases, processors};
use super::input::{check_text, open_text, read_text};
use super::output::{IgnoreBrokenPipe, check_outputs};
use crate::commands::failure::WrongInput;
use files::FileTotals;
use outrider_engine::evaluation::Network;
use outrider_engine::search::Engine;
use outrider_tools::games::{
    AnalysisEvent, AnalysisSettings, AnalysisTask, EngineIdentity, FileError, PageChoice,
    Repertoire, ShownLines, analyse_games, analyse_stream, derived_name,
};
use outrider_tools::input::decode_text;
use outrider_tools::{Journal, STANDARD_INPUT};
use printer::{AnalysisPrinter, OutputContent};
use repertoire::read_repertoire;

#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Writes the games with scores, glyphs, and a sentence and the best line at each fault. A single game gets a \
page (NAME-1.html), a picture of the winning chances (NAME-1.svg) and a page of puzzles from its faults \
(NAME-puzzles.html) in the folder of the output. Several games get a folder NAME-pages with an overview \
(index.html), a page for each game and each player, and a page of puzzles (puzzles.html). Pages replace \
only earlier pages. The games, the JSON file and the file of --one-file replace any file of that name \
except the input. The same command resumes a run that was stopped, and keeps the files of a finished run.

The file name - means the standard input. Then, as with --output -, the annotated games go to the standard \
output, or with --json - one line of JSON per game. Each game is written as soon as it is done. Input may \
be compressed with gzip or Zstandard, and may be UTF-16 with a byte-order mark.

Several files are analysed one after the other, each with its own output files; a summary of all follows. \
--output, --json and --one-file then name a folder for these files. A folder that does not exist is \
created if its name ends with a slash; one file may have such a folder too. A file that is the output of \
another one is skipped.

Examples:
  outrider analyse club.pgn --movetime 2000
  outrider analyse *.pgn --output analysed/
  outrider analyse mine.pgn --nodes 100000 --player \"Ann Other\" --repertoire openings.pgn
  outrider analyse - --nodes 4000 --json -")]
pub(crate) struct Arguments {
    /// PGN files of games: standard chess or Chess960, from any position
    #[arg(value_name = "GAMES.pgn", required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArguments,
    /// Games analysed at the same time [default: processors divided by threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Search threads per game
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Size of the transposition table in megabytes per job
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// File for the annotated games [default: NAME-analysed.pgn in the folder of the games]
    #[arg(long, value_name = "FILE.pgn")]
    output: Option<PathBuf>,
    /// Moves at which the best line is written into the games
    #[arg(long, value_name = "MOVES", value_enum, default_value_t)]
    lines: ShownLines,
    /// Number of best lines searched in each position; with 2 or more, an only good move is marked
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    multipv: u8,
    /// Keep the verdicts of other programs, which are otherwise replaced
    #[arg(long)]
    keep_verdicts: bool,
    /// Report only the faults of this player, and show the board from this player's side; "Doe, Jane"
    /// is the same as "jane doe". Games of other players are copied unchanged
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Repertoire of openings: report the first move of each game that leaves it. All games of the file
    /// with their variations belong to it
    #[arg(long, value_name = "FILE.pgn")]
    repertoire: Option<PathBuf>,
    /// Folder for the pages
    #[arg(long, value_name = "DIR", conflicts_with = "no_pages")]
    pages: Option<PathBuf>,
    /// Also write all pages into this single file, for sending
    #[arg(long, value_name = "FILE.html", conflicts_with = "no_pages")]
    one_file: Option<PathBuf>,
    /// Make no pages
    #[arg(long)]
    no_pages: bool,
    /// Also write all data of the games to this file, one line of JSON per game; with -, print only
    /// these lines, and write games and pages only with --output and --pages
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Report games as they are done instead of in their order
    #[arg(long)]
    unordered: bool,
    /// Folders of Syzygy tables
    #[arg(long, value_name = "PATH")]
    syzygy: Option<PathBuf>,
    /// Network for the evaluation [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Analyse again games that are already done
    #[arg(long)]
    again: bool,
}

impl Arguments {
    /// The input, if there is only one.
    fn input(&self) -> &Path {
        &self.games[0]
    }

    fn reads_standard_input(&self) -> bool {
        is_standard_stream(self.input())
    }

    /// Returns true if games go only from the standard input to the standard output.
    fn is_pipe(&self) -> bool {
        let to_files = self.pages.is_some() || self.one_file.is_some();
        self.reads_standard_input()
            && !to_files
            && self.output_file().is_none()
            && self.json.as_deref().is_none_or(is_standard_stream)
    }

    /// Input files besides the games.
    fn other_inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.network.iter().chain(&self.repertoire)
    }

    /// File given for the annotated games.
    fn output_file(&self) -> Option<&PathBuf> {
        self.output.as_ref().filter(|output| !is_standard_stream(output))
    }

    /// Content of the standard output.
    fn output_content(&self) -> OutputContent {
        let takes_games =
            self.output.as_deref().map_or(self.reads_standard_input(), is_standard_stream);
        if self.json.as_deref().is_some_and(is_standard_stream) {
            OutputContent::Json
        } else if takes_games {
            OutputContent::Games
        } else {
            OutputContent::Summaries
        }
    }

    /// Reads the repertoire, if one is given.
    fn read_repertoire(&self, warnings: &mut dyn Write) -> anyhow::Result<Option<Arc<Repertoire>>> {
        let path = self.repertoire.as_deref();
        path.map(|path| read_repertoire(path, warnings)).transpose()
    }

    fn task(&self, engine: EngineIdentity, repertoire: Option<Arc<Repertoire>>) -> AnalysisTask {
        let default_output = || default_output(self.input());
        let by_default =
            || (self.output_content() == OutputContent::Summaries).then(default_output);
        let pages = match &self.pages {
            _ if self.no_pages => PageChoice::None,
            Some(folder) => PageChoice::Folder(folder.clone()),
            None => PageChoice::NextToOutput,
        };
        AnalysisTask {
            input: self.input().to_owned(),
            output: self.output_file().cloned().or_else(by_default),
            pages,
            one_file: self.one_file.clone(),
            settings: AnalysisSettings {
                limit: self.limit.limit(),
                lines: self.lines,
                multi_pv: self.multipv.into(),
                keep_verdicts: self.keep_verdicts,
            },
            player: self.player.clone(),
            repertoire,
            engine,
            again: self.again,
            unordered: self.unordered,
            wants_json: self.json.is_some(),
            json: self.json.clone().filter(|_| self.output_content() != OutputContent::Json),
        }
    }

    /// Reads the games; returns an empty text if they are streamed instead.
    fn text(&self) -> anyhow::Result<String> {
        if self.is_pipe() {
            return Ok(String::new());
        }
        Ok(decode_text(read_text(self.input())?))
    }

    /// Creates one engine per job. Returns them with their identity.
    fn engines(&self, commit: &str) -> anyhow::Result<(Vec<Engine>, EngineIdentity)> {
        let threads = usize::from(self.threads);
        let jobs = self.jobs.map_or((processors() / threads).max(1), usize::from);
        let network = Network::load_or_built_in(self.network.as_deref())?;
        let tables = self.syzygy.as_deref().map(open_tablebases).transpose()?.map(Arc::new);
        let mut engines = Engine::new_many(jobs, threads, self.hash as usize)?;
        for engine in &mut engines {
            if self.network.is_some() {
                engine.set_network(Arc::clone(&network));
            }
            engine.set_tablebases(tables.clone());
        }
        let checksum = |folders: &PathBuf| crc32fast::hash(folders.as_os_str().as_encoded_bytes());
        let identity = EngineIdentity {
            commit: commit.to_owned(),
            network: network.checksum(),
            tables: self.syzygy.as_ref().map(checksum),
            threads,
            table_megabytes: self.hash as usize,
        };
        Ok((engines, identity))
    }
}

/// Returns the file for the annotated games if none is given.
fn default_output(games: &Path) -> PathBuf {
    games.with_file_name(derived_name(games, "-analysed.pgn"))
}

/// Returns true if a file name means the standard input or output.
fn is_standard_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Fails if an output file cannot be written, or is the input or the network.
fn check_files(arguments: &Arguments, task: &AnalysisTask) -> anyhow::Result<()> {
    if [&arguments.output, &arguments.json]
        .into_iter()
        .all(|file| file.as_deref().is_some_and(is_standard_stream))
    {
        let fault = "the standard output cannot take both the games and the JSON: name a file for \
                     one of them";
        return Err(WrongInput(fault.to_owned()).into());
    }
    if task.one_file.is_some() && !task.makes_pages() {
        let fault = "--one-file needs pages, but without an output file none are made: name a \
                     folder with --pages";
        return Err(WrongInput(fault.to_owned()).into());
    }
    let journal = task.output.as_deref().and_then(Journal::path_for);
    let outputs: Vec<&Path> = iter::empty()
        .chain(&task.output)
        .chain(&journal)
        .chain(&task.json)
        .chain(&task.one_file)
        .map(|path| &**path)
        .collect();
    let inputs: Vec<PathBuf> =
        iter::once(&task.input).chain(arguments.other_inputs()).cloned().collect();
    check_outputs(&outputs, &inputs)
}

/// Runs the subcommand. Writes summaries, or JSON or games if requested, to `output`, and errors in the
/// games to `warnings`.
///
/// # Errors
///
/// Fails if files cannot be read or written, or if there is not enough memory for the tables. If a game
/// cannot be read, fails after the analysis of the other games.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    if arguments.games.len() > 1 {
        return files::command(arguments, commit, output, warnings);
    }
    check_text(arguments.input())?;
    arguments.make_folders()?;
    let arguments = &arguments.clone().with_names(arguments.input());
    let repertoire = arguments.read_repertoire(warnings)?;
    analyse_file(arguments, repertoire, commit, output, warnings)?.check()
}

/// Analyses the games of the only file of the arguments.
fn analyse_file(
    arguments: &Arguments,
    repertoire: Option<Arc<Repertoire>>,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<FileTotals> {
    let (engines, identity) = arguments.engines(commit)?;
    let task = arguments.task(identity, repertoire);
    check_files(arguments, &task)?;
    let text = arguments.text()?;
    let content = arguments.output_content();
    let output: &mut dyn Write =
        if content == OutputContent::Summaries { &mut IgnoreBrokenPipe(output) } else { output };
    let mut printer = AnalysisPrinter::new(&task, content, output, warnings);
    let bar = printer.bar().clone();
    let on_event = &mut |event: AnalysisEvent<'_>| printer.print(&event);
    let result = if arguments.is_pipe() {
        // The number of positions is not known in advance.
        let on_search = || {
            bar.inc_length(1);
            bar.inc(1);
        };
        let input = open_text(arguments.input())?;
        analyse_stream(&task, input, engines, &on_search, on_event)
    } else {
        analyse_games(&task, &text, engines, &|| bar.inc(1), on_event)
    };
    bar.finish_and_clear();
    result.map_err(to_command_error)?;
    printer.finish(&task)?;
    Ok(printer.totals(&task))
}

/// Converts an error of the analysis, so that wrong input gets its own exit code.
fn to_command_error(error: FileError) -> anyhow::Error {
    match error {
        FileError::Output(error) => error.into(),
        FileError::NameConflict { .. } => WrongInput(error.to_string()).into(),
        error => error.into(),
    }
}
