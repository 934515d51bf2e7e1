//! Output of `analyse`: summaries, warnings and progress.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use shakmaty::Color;

use super::super::common::progress_bar;
use super::files::FileTotals;
use super::repertoire::RepertoireTotals;
use super::totals::{PlayerTotal, PlayerTotals, count, table, words_of_all};
use outrider_engine::text::shorten;
use outrider_tools::games::{
    AnalysisEvent, AnalysisTask, DoneGame, PlayerKey, RemovedVerdicts, SkipReason,
};

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
    begin: Instant,
    /// Results of the players in all games.
    players: PlayerTotals,
    replaced: RemovedVerdicts,
    /// Counts of the games by their repertoire, if one is given.
    repertoire: Option<RepertoireTotals>,
    /// The requested player.
    player: Option<PlayerKey>,
    /// Page of the last game.
    last_page: Option<PathBuf>,
    done: usize,
    unreadable: usize,
    without_moves: usize,
    of_others: usize,
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
            begin: Instant::now(),
            players: PlayerTotals::default(),
            replaced: RemovedVerdicts::default(),
            repertoire: task.repertoire.as_ref().map(|_| RepertoireTotals::default()),
            player: task.player.as_deref().map(PlayerKey::new),
            last_page: None,
            done: 0,
            unreadable: 0,
            without_moves: 0,
            of_others: 0,
            done_before: false,
        }
    }

    /// Progress bar of the searched positions.
    pub(super) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Returns the results of the file.
    pub(super) fn totals(self, task: &AnalysisTask) -> FileTotals {
        FileTotals {
            games: self.done,
            unreadable: self.unreadable,
            are_copied: task.output.is_some(),
            done_before: self.done_before,
            players: self.players.totals(),
        }
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
                self.warn_of_wrong_number(done);
                let is_shown = self.content == OutputContent::Summaries;
                let summaries = if is_shown { self.summaries(done) } else { String::new() };
                self.bar.set_message(format!("game {}", done.number));
                self.write_game(done.json.as_deref(), &done.text, &summaries)?;
            }
            AnalysisEvent::Skipped { reason, text, json } => {
                match reason {
                    SkipReason::NoMoves => self.without_moves += 1,
                    SkipReason::OtherPlayers => self.of_others += 1,
                }
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

    /// Reports the first move number that cannot be right. The game was analysed anyway.
    fn warn_of_wrong_number(&mut self, done: &DoneGame<'_>) {
        let Some(wrong) = done.game.wrong_number else {
            return;
        };
        let (games, line, number) = (&self.games, wrong.line, done.number);
        // A warning that cannot be written does not stop the analysis.
        self.bar
            .suspend(|| drop(writeln!(self.warnings, "{games}:{line}: game {number}: {wrong}")));
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
        let DoneGame { number, game, page, .. } = done;
        let [white, black] = Color::ALL.map(|color| shorten(game.player(color)));
        let page = page.as_ref().map_or(String::new(), |page| format!(", {}", page.display()));
        let title = format!("game {number}: {white} - {black}, {}{page}", game.result);
        let course = done.repertoire.as_ref();
        let course =
            course.map_or(String::new(), |course| format!("  {}\n", course.words(&done.game)));
        format!("{title}\n{}{course}", self.add_players(done))
    }

    /// Adds the results of a game to the totals. Returns the table of the game.
    fn add_players(&mut self, done: &DoneGame<'_>) -> String {
        self.done += 1;
        self.replaced.add(done.replaced);
        if let Some(totals) = &mut self.repertoire {
            totals.add(done, self.player.as_ref());
        }
        self.last_page.clone_from(&done.page);
        let mut rows = Vec::new();
        for color in Color::ALL {
            let Some(summary) = done.summary[color] else {
                continue;
            };
            let (name, phases) = (done.game.player(color).to_owned(), done.faults_by_phase(color));
            let total = PlayerTotal { name, summary, phases };
            self.players.add(total.clone());
            rows.push(total);
        }
        table(&rows)
    }

    /// Prints the results of all games and the names of the written files.
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
        let players = self.players.totals();
        if self.done > 1 {
            write!(self.output, "\n{} games\n{}", self.done, table(&players))?;
        }
        self.write_totals(&players)?;
        if let Some(totals) = self.repertoire.as_ref().filter(|_| self.done > 0) {
            totals.write(task.player.as_deref(), &mut *self.output)?;
        }
        self.write_copied(task)?;
        let words = replaced_words(self.replaced);
        if !words.is_empty() {
            writeln!(
                self.output,
                "{words} of other programs replaced; --keep-verdicts keeps them"
            )?;
        }
        if self.done > 0 {
            let games = count(self.done, "game", "games");
            writeln!(self.output, "Analysed {games} in {}", duration(self.begin.elapsed()))?;
        }
        if let Some(path) = &output {
            writeln!(self.output, "{path} was written")?;
        }
        let overview = task.overview(self.done).filter(|_| self.done > 0);
        match overview.or(self.last_page.take()) {
            Some(page) => writeln!(self.output, "Open {} next", page.display()),
            None => Ok(()),
        }
    }

    /// Prints where the faults happened and which chances were missed: of the requested player, of two
    /// players each, or of all players together.
    fn write_totals(&mut self, players: &[PlayerTotal]) -> io::Result<()> {
        let is_requested = |total: &&PlayerTotal| {
            self.player.as_ref().is_none_or(|player| *player == PlayerKey::new(&total.name))
        };
        let shown: Vec<_> = players.iter().filter(is_requested).cloned().collect();
        if shown.len() > 2 {
            return writeln!(self.output, "All players: {}", words_of_all(&shown));
        }
        shown.iter().try_for_each(|total| {
            writeln!(self.output, "{}: {}", shorten(&total.name), total.words())
        })
    }

    /// Prints the numbers of games that were not analysed.
    fn write_copied(&mut self, task: &AnalysisTask) -> io::Result<()> {
        match self.without_moves {
            0 => {}
            1 => writeln!(self.output, "1 game has no moves and was copied unchanged")?,
            games => {
                writeln!(self.output, "{games} games have no moves and were copied unchanged")?
            }
        }
        let player = shorten(task.player.as_deref().unwrap_or_default());
        match self.of_others {
            0 => Ok(()),
            1 => writeln!(self.output, "1 game without {player} was copied unchanged"),
            games => {
                writeln!(self.output, "{games} games without {player} were copied unchanged")
            }
        }
    }
}

/// Formats the numbers of replaced verdicts and scores; returns an empty string if there are none.
fn replaced_words(replaced: RemovedVerdicts) -> String {
    let RemovedVerdicts { verdicts, scores } = replaced;
    let parts = [(verdicts, "verdict", "verdicts"), (scores, "score", "scores")];
    let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
    parts.map(|(number, one, many)| count(number, one, many)).collect::<Vec<_>>().join(" and ")
}

/// Formats a duration: `4.2 s`, `3:05` in minutes, or `1:02:03`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{:.1} s", time.as_secs_f64()),
        (0, _) => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}
