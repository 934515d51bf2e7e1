//! `outrider analyse GAME.pgn`: annotates games and makes a page of each.

use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::bail;
use clap::Args;
use indicatif::ProgressBar;
use shakmaty::{ByColor, Color};

use super::common::progress_bar;
use super::output::check_outputs;
use crate::commands::failure::WrongInput;
use crate::engine::search::Engine;
use crate::tools::games::{
    AnalysisEvent, AnalysisTask, Fault, FileError, PlayerSummary, analyse_file, named_after,
};
use crate::tools::pgn::Game;
use crate::tools::{Journal, PositionLimit};

#[derive(Debug, Args)]
#[command(after_help = "\
Writes the games with scores, best lines and glyphs to the output, and beside it for each game a \
page (NAME-1.html) and a picture of the winning chances (NAME-1.svg); nothing but earlier pages is \
written over. A run that was stopped is resumed when the same command is given again. Where the \
output is a pipe there are no pages, and nothing to resume.

Example: outrider analyse club.pgn --movetime 2000 --threads 4")]
pub(crate) struct Arguments {
    /// A file of games in PGN; standard chess or Chess960, from any position
    #[arg(value_name = "GAME.pgn")]
    games: PathBuf,
    #[command(flatten)]
    limit: PositionLimit,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Size of the transposition table in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// The file for the annotated games [default: GAME-analysed.pgn beside the games]
    #[arg(long, value_name = "FILE.pgn")]
    output: Option<PathBuf>,
}

impl Arguments {
    fn task(&self, commit: &str) -> AnalysisTask {
        let beside = || self.games.with_file_name(named_after(&self.games, "-analysed.pgn"));
        AnalysisTask {
            input: self.games.clone(),
            output: self.output.clone().unwrap_or_else(beside),
            limit: self.limit,
            commit: commit.to_owned(),
        }
    }
}

/// Summaries are written to `output`, what is wrong with the games to `warnings`.
///
/// # Errors
///
/// Fails if files cannot be read or written, if a game cannot be read, after analysing the others,
/// or if there is no memory for the table.
pub(crate) fn command(
    arguments: &Arguments,
    commit: &str,
    output: &mut dyn Write,
    warnings: &mut dyn Write,
) -> anyhow::Result<()> {
    let task = arguments.task(commit);
    let journal = Journal::beside(&task.output);
    let outputs: Vec<&Path> = iter::once(&*task.output).chain(journal.as_deref()).collect();
    check_outputs(&outputs, slice::from_ref(&task.input))?;
    let mut engine = Engine::new(arguments.threads.into(), arguments.hash as usize)?;
    let mut printer = AnalysisPrinter {
        games: arguments.games.display().to_string(),
        output,
        warnings,
        bar: ProgressBar::hidden(),
        players: Vec::new(),
        done: 0,
        unreadable: 0,
    };
    let result = analyse_file(&task, &mut engine, &mut |event| printer.print(&event));
    printer.bar.finish_and_clear();
    match result {
        Err(FileError::Output(error)) => return Err(error.into()),
        Err(error @ (FileError::NoGame { .. } | FileError::NamedTwice { .. })) => {
            return Err(WrongInput(error.to_string()).into());
        }
        result => result?,
    }
    printer.finish()?;
    writeln!(printer.output, "{} was written", task.output.display())?;
    match printer.unreadable {
        0 => Ok(()),
        1 => bail!("1 game could not be read and was copied as it is"),
        games => bail!("{games} games could not be read and were copied as they are"),
    }
}

/// Prints what happens while the games are analysed.
struct AnalysisPrinter<'a> {
    games: String,
    output: &'a mut dyn Write,
    warnings: &'a mut dyn Write,
    bar: ProgressBar,
    /// The players of all games with how they played.
    players: Vec<(String, PlayerSummary)>,
    done: usize,
    unreadable: usize,
}

impl AnalysisPrinter<'_> {
    fn print(&mut self, event: &AnalysisEvent<'_>) -> io::Result<()> {
        match event {
            AnalysisEvent::Begin { positions, known } => {
                if *known > 0 {
                    writeln!(self.output, "resumed after {known} of {positions} positions")?;
                }
                self.bar = progress_bar(*positions as u64, "{pos}/{len} positions  {msg}");
                self.bar.set_position(*known as u64);
                self.bar.reset_eta();
            }
            AnalysisEvent::Searched => self.bar.inc(1),
            AnalysisEvent::Done { number, game, summary, page } => {
                let [white, black] = Color::ALL.map(|color| game.player(color));
                let page = page.map_or(String::new(), |page| format!(", {}", page.display()));
                let title = format!("game {number}: {white} - {black}, {}{page}", game.result);
                let table = self.add_players(game, summary);
                self.bar.set_message(format!("game {number}"));
                self.bar.suspend(|| write!(self.output, "{title}\n{table}"))?;
            }
            AnalysisEvent::Unreadable { number, error } => {
                self.unreadable += 1;
                // A warning that cannot be written is no reason to stop.
                let line = error.line();
                self.bar.suspend(|| {
                    drop(writeln!(self.warnings, "{}:{line}: game {number}: {error}", self.games));
                });
            }
        }
        Ok(())
    }

    /// Adds the players of a game to all; returns the game's table.
    fn add_players(&mut self, game: &Game, summary: &ByColor<Option<PlayerSummary>>) -> String {
        self.done += 1;
        let mut rows = Vec::new();
        for color in Color::ALL {
            let Some(own) = summary[color] else {
                continue;
            };
            let name = game.player(color).to_owned();
            match self.players.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => sum.add(&own),
                None => self.players.push((name.clone(), own)),
            }
            rows.push((name, own));
        }
        table(&rows)
    }

    /// Prints how the players played in all games together.
    fn finish(&mut self) -> io::Result<()> {
        if self.done > 1 {
            write!(self.output, "\n{} games\n{}", self.done, table(&self.players))?;
        }
        Ok(())
    }
}

/// A line a player, in columns.
fn table(players: &[(String, PlayerSummary)]) -> String {
    let width = players.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text =
        format!("  {:width$}  moves  accuracy  loss  inaccuracies  mistakes  blunders\n", "player");
    for (name, summary) in players {
        let PlayerSummary { moves, accuracy, centipawn_loss, .. } = summary;
        let [inaccuracies, mistakes, blunders] = Fault::ALL.map(|fault| summary.count(fault));
        text += &format!(
            "  {name:width$}  {moves:5}  {accuracy:6.1} %  {centipawn_loss:4.0}  \
             {inaccuracies:12}  {mistakes:8}  {blunders:8}\n"
        );
    }
    text
}
