//! `outrider analyse GAMES.pgn`: annotates games and makes pages of them.

mod printer;

use std::io::{self, BufReader, Read as _, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;

use super::common::{LimitArguments, open_tablebases, processors};
use super::output::{IgnoreBrokenPipe, check_outputs};
use crate::commands::failure::WrongInput;
use outrider_engine::evaluation::Network;
use outrider_engine::search::Engine;
use outrider_tools::games::{
    AnalysisEvent, AnalysisSettings, AnalysisTask, EngineIdentity, FileError, PageChoice,
    ShownLines, analyse_games, analyse_stream, derived_name, games_text, read_games,
};
use outrider_tools::{Journal, STANDARD_INPUT};
use printer::{AnalysisPrinter, OutputContent};

#[derive(Debug, Args)]
#[command(after_help = "\
Writes the games with scores, glyphs, a sentence and the best line at each fault. One game gets a page \
(NAME-1.html), a picture of the winning chances (NAME-1.svg) and a page that asks again where somebody \
went wrong (NAME-puzzles.html) beside the output; several get a folder NAME-pages with a page of all \
(index.html), one of each game, one of each player, and one of the puzzles (puzzles.html). Pages replace \
earlier pages only; the games, the lines of JSON and the file of --one-file replace whatever has their \
name, unless it is the input. A run that was stopped is resumed when the same command is given again; \
one that was finished is kept.

A file - stands for the standard input; then, as with --output -, the annotated games go to the \
standard output, or with --json - a line of JSON a game, as soon as it is done.

Examples:
  outrider analyse club.pgn --movetime 2000
  outrider analyse mine.pgn --nodes 100000 --player \"Ann Other\"
  outrider analyse - --nodes 4000 --json -")]
pub(crate) struct Arguments {
    /// A file of games in PGN; standard chess or Chess960, from any position
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    #[command(flatten)]
    limit: LimitArguments,
    /// Games analysed at the same time [default: processors divided by threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,
    /// Search threads a game
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Size of the transposition table in megabytes, for each job
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// The file for the annotated games [default: NAME-analysed.pgn beside the games]
    #[arg(long, value_name = "FILE.pgn")]
    output: Option<PathBuf>,
    /// Where the best line is written into the games
    #[arg(long, value_name = "MOVES", value_enum, default_value_t)]
    lines: ShownLines,
    /// Best lines searched in each position; with 2 or more, a move that was the only good one is marked
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    multipv: u8,
    /// Report only this player's faults, and turn the board to this side
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The folder for the pages
    #[arg(long, value_name = "DIR", conflicts_with = "no_pages")]
    pages: Option<PathBuf>,
    /// Also put all pages into this file, to be sent to somebody
    #[arg(long, value_name = "FILE.html", conflicts_with = "no_pages")]
    one_file: Option<PathBuf>,
    /// Make no pages
    #[arg(long)]
    no_pages: bool,
    /// Also write all about each game to this file, a line of JSON a game; with -, print these lines
    /// alone, and write games and pages only where --output or --pages says
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Report games as they are done, not in their order
    #[arg(long)]
    unordered: bool,
    /// Folders of Syzygy tables
    #[arg(long, value_name = "PATH")]
    syzygy: Option<PathBuf>,
    /// The network that evaluates [default: the one built in]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Analyse again what is done already
    #[arg(long)]
    again: bool,
}

impl Arguments {
    fn reads_standard_input(&self) -> bool {
        is_standard_stream(&self.games)
    }

    /// Whether the games go from the standard input to the standard output and nowhere else.
    fn is_pipe(&self) -> bool {
        let to_files = self.pages.is_some() || self.one_file.is_some();
        self.reads_standard_input()
            && !to_files
            && self.output_file().is_none()
            && self.json.as_deref().is_none_or(is_standard_stream)
    }

    /// The file that is named for the annotated games.
    fn output_file(&self) -> Option<&PathBuf> {
        self.output.as_ref().filter(|output| !is_standard_stream(output))
    }

    /// What goes to the standard output.
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

    fn task(&self, engine: EngineIdentity) -> AnalysisTask {
        let default_output =
            || self.games.with_file_name(derived_name(&self.games, "-analysed.pgn"));
        let by_default =
            || (self.output_content() == OutputContent::Summaries).then(default_output);
        let pages = match &self.pages {
            _ if self.no_pages => PageChoice::None,
            Some(folder) => PageChoice::Folder(folder.clone()),
            None => PageChoice::NextToOutput,
        };
        AnalysisTask {
            input: self.games.clone(),
            output: self.output_file().cloned().or_else(by_default),
            pages,
            one_file: self.one_file.clone(),
            settings: AnalysisSettings {
                limit: self.limit.limit(),
                lines: self.lines,
                multi_pv: self.multipv.into(),
            },
            player: self.player.clone(),
            engine,
            again: self.again,
            unordered: self.unordered,
            wants_json: self.json.is_some(),
            json: self.json.clone().filter(|_| self.output_content() != OutputContent::Json),
        }
    }

    /// The games, unless they are read as they come.
    fn text(&self) -> anyhow::Result<String> {
        if self.is_pipe() {
            return Ok(String::new());
        }
        if !self.reads_standard_input() {
            return Ok(read_games(&self.games)?);
        }
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read the standard input")?;
        Ok(games_text(bytes))
    }

    /// The engines, one for each game that is analysed at the same time, and what they are.
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

/// Whether a file stands for the standard input or output.
fn is_standard_stream(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Fails if a file that is asked for cannot be made, or is the input or the network.
fn check_files(arguments: &Arguments, task: &AnalysisTask) -> anyhow::Result<()> {
    if [&arguments.output, &arguments.json]
        .into_iter()
        .all(|it| it.as_deref().is_some_and(is_standard_stream))
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
        .map(|it| &**it)
        .collect();
    let inputs: Vec<PathBuf> = iter::once(&task.input).chain(&arguments.network).cloned().collect();
    check_outputs(&outputs, &inputs)
}

/// Summaries are written to `output`, or what was asked for instead; what is wrong with the games to
/// `warnings`.
///
/// # Errors
///
/// Fails if files cannot be read or written, if a game cannot be read, after analysing the others,
/// or if there is no memory for the tables.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let (engines, identity) = arguments.engines(commit)?;
    let task = arguments.task(identity);
    check_files(arguments, &task)?;
    let text = arguments.text()?;
    let content = arguments.output_content();
    let output: &mut dyn Write =
        if content == OutputContent::Summaries { &mut IgnoreBrokenPipe(output) } else { output };
    let mut printer = AnalysisPrinter::new(&task, content, output, warnings);
    let bar = printer.bar().clone();
    let on_event = &mut |event: AnalysisEvent<'_>| printer.print(&event);
    let result = if arguments.is_pipe() {
        // How many will come is not known.
        let on_search = || {
            bar.inc_length(1);
            bar.inc(1);
        };
        analyse_stream(&task, BufReader::new(io::stdin()), engines, &on_search, on_event)
    } else {
        analyse_games(&task, &text, engines, &|| bar.inc(1), on_event)
    };
    bar.finish_and_clear();
    result.map_err(to_command_error)?;
    printer.finish(&task)?;
    let are_copied = task.output.is_some();
    match printer.unreadable() {
        0 => Ok(()),
        1 if are_copied => bail!("1 game could not be read and was copied unchanged"),
        1 => bail!("1 game could not be read"),
        games if are_copied => bail!("{games} games could not be read and were copied unchanged"),
        games => bail!("{games} games could not be read"),
    }
}

/// The failure of the command that an error is, by its cause.
fn to_command_error(error: FileError) -> anyhow::Error {
    match error {
        FileError::Output(error) => error.into(),
        FileError::NoGame { .. } | FileError::NameConflict { .. } | FileError::NoPlayer { .. } => {
            WrongInput(error.to_string()).into()
        }
        error => error.into(),
    }
}
