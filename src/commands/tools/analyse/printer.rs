//! Output of `analyse`: summaries, warnings and progress.

use std::collections::HashMap;
use std::io::{self, Write};

use indicatif::ProgressBar;
use shakmaty::{ByColor, Color};

use super::super::common::progress_bar;
use outrider_engine::text::shorten;
use outrider_tools::games::{AnalysisEvent, AnalysisTask, DoneGame, Fault, PlayerSummary};
use outrider_tools::pgn::AnnotatedGame;

/// Content of the standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputContent {
    /// Tables of the players' results.
    Summaries,
    /// One line of JSON per game.
    Json,
    /// Annotated games.
    Games,
}

/// Prints the events of an analysis.
pub(super) struct AnalysisPrinter<'a> {
    games: String,
    content: OutputContent,
    output: &'a mut dyn Write,
    warnings: &'a mut dyn Write,
    bar: ProgressBar,
    /// Summaries of the players of all games, numbered by first appearance.
    players: HashMap<String, (usize, PlayerSummary)>,
    done: usize,
    unreadable: usize,
    without_moves: usize,
    done_before: bool,
}

impl<'a> AnalysisPrinter<'a> {
    pub(super) fn new(
        task: &AnalysisTask,
        content: OutputContent,
        output: &'a mut dyn Write,
        warnings: &'a mut dyn Write,
    ) -> AnalysisPrinter<'a> {
        AnalysisPrinter {
            games: task.input.display().to_string(),
            content,
            output,
            warnings,
            bar: progress_bar(0, "{pos}/{len} positions  {msg}"),
            players: HashMap::new(),
            done: 0,
            unreadable: 0,
            without_moves: 0,
            done_before: false,
        }
    }

    /// Progress bar of the searched positions.
    pub(super) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Number of games that could not be read.
    pub(super) fn unreadable(&self) -> usize {
        self.unreadable
    }

    pub(super) fn print(&mut self, event: &AnalysisEvent<'_>) -> io::Result<()> {
        match event {
            AnalysisEvent::DoneBefore => self.done_before = true,
            AnalysisEvent::Begin { positions, known } => {
                if *known > 0 && self.content == OutputContent::Summaries {
                    writeln!(self.output, "resumed after {known} of {positions} positions")?;
                }
                self.bar.set_length(*positions as u64);
                self.bar.set_position(*known as u64);
                self.bar.reset_eta();
            }
            AnalysisEvent::Done(done) => {
                let is_shown = self.content == OutputContent::Summaries;
                let summaries = if is_shown { self.summaries(done) } else { String::new() };
                self.bar.set_message(format!("game {}", done.number));
                self.write_game(done.json.as_deref(), &done.text, &summaries)?;
            }
            AnalysisEvent::NoMoves { text, json } => {
                self.without_moves += 1;
                self.write_game(Some(json), text, "")?;
            }
            AnalysisEvent::Unreadable { number, error, text, json } => {
                self.unreadable += 1;
                // A warning that cannot be written does not stop the analysis.
                let line = error.line();
                self.bar.suspend(|| {
                    drop(writeln!(self.warnings, "{}:{line}: game {number}: {error}", self.games));
                });
                self.write_game(Some(json), text, "")?;
            }
        }
        Ok(())
    }

    /// Prints the JSON, the game or the summaries, depending on the content of the output.
    fn write_game(&mut self, json: Option<&str>, game: &str, summaries: &str) -> io::Result<()> {
        let line = json.map(|line| format!("{line}\n")).unwrap_or_default();
        let text = match self.content {
            OutputContent::Summaries => summaries,
            OutputContent::Json => &line,
            OutputContent::Games => game,
        };
        self.bar
            .suspend(|| self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush()))
    }

    /// Formats the title and the table of a game.
    fn summaries(&mut self, done: &DoneGame<'_>) -> String {
        let DoneGame { number, game, summary, page, .. } = done;
        let [white, black] = Color::ALL.map(|color| shorten(game.player(color)));
        let page = page.as_ref().map_or(String::new(), |page| format!(", {}", page.display()));
        let title = format!("game {number}: {white} - {black}, {}{page}", game.result);
        format!("{title}\n{}", self.add_players(game, summary))
    }

    /// Adds the players of a game to the totals. Returns the table of the game.
    fn add_players(
        &mut self,
        game: &AnnotatedGame,
        summary: &ByColor<Option<PlayerSummary>>,
    ) -> String {
        self.done += 1;
        let mut rows = Vec::new();
        for color in Color::ALL {
            let Some(own) = summary[color] else {
                continue;
            };
            let name = game.player(color).to_owned();
            let number = self.players.len();
            let known = self.players.entry(name.clone()).and_modify(|(_, sum)| sum.add(&own));
            known.or_insert((number, own));
            rows.push((name, own));
        }
        table(&rows)
    }

    /// Prints the totals of the players and the names of the written files.
    pub(super) fn finish(&mut self, task: &AnalysisTask) -> io::Result<()> {
        if self.content != OutputContent::Summaries {
            return Ok(());
        }
        let output = task.output.as_ref().map(|path| path.display());
        if let (true, Some(path)) = (self.done_before, &output) {
            return writeln!(
                self.output,
                "{path} is complete for these settings and was kept; --again analyses it again"
            );
        }
        if self.done > 1 {
            let mut players: Vec<_> = self.players.drain().collect();
            players.sort_by_key(|&(_, (number, _))| number);
            let players: Vec<_> = players.into_iter().map(|(name, (_, sum))| (name, sum)).collect();
            write!(self.output, "\n{} games\n{}", self.done, table(&players))?;
        }
        match self.without_moves {
            0 => {}
            1 => writeln!(self.output, "1 game has no moves and was copied unchanged")?,
            games => {
                writeln!(self.output, "{games} games have no moves and were copied unchanged")?
            }
        }
        if let Some(page) = task.overview(self.done) {
            writeln!(self.output, "{} shows all games", page.display())?;
        }
        output.map_or(Ok(()), |path| writeln!(self.output, "{path} was written"))
    }
}

/// Formats a table with one line per player.
fn table(players: &[(String, PlayerSummary)]) -> String {
    let players: Vec<_> = players.iter().map(|(name, own)| (shorten(name), own)).collect();
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
