//! Output of `analyse`: summaries, warnings and progress.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use shakmaty::Color;

use super::super::common::progress_bar;
use outrider_engine::text::shorten;
use outrider_tools::games::{
    AnalysisEvent, AnalysisTask, DoneGame, Fault, PHASES, PlayerKey, PlayerNames, PlayerSummary,
    RemovedVerdicts, SkipReason,
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
    players: HashMap<PlayerKey, PlayerTotal>,
    names: PlayerNames,
    replaced: RemovedVerdicts,
    /// Page of the last game.
    last_page: Option<PathBuf>,
    done: usize,
    unreadable: usize,
    without_moves: usize,
    of_others: usize,
    done_before: bool,
}

/// A player's results in all games.
struct PlayerTotal {
    /// Number of players that appeared before.
    rank: usize,
    /// A spelling of the name.
    name: String,
    summary: PlayerSummary,
    /// Faults in the opening, the middlegame and the endgame.
    phases: [usize; 3],
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
            players: HashMap::new(),
            names: PlayerNames::default(),
            replaced: RemovedVerdicts::default(),
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
        format!("{title}\n{}", self.add_players(done))
    }

    /// Adds the results of a game to the totals. Returns the table of the game.
    fn add_players(&mut self, done: &DoneGame<'_>) -> String {
        self.done += 1;
        self.replaced.add(done.replaced);
        self.last_page.clone_from(&done.page);
        let mut rows = Vec::new();
        for color in Color::ALL {
            let Some(summary) = done.summary[color] else {
                continue;
            };
            let name = done.game.player(color).to_owned();
            self.names.add(&name);
            let phases = done.faults_by_phase(color);
            let rank = self.players.len();
            let total = self.players.entry(PlayerKey::new(&name)).and_modify(|total| {
                total.summary.add(&summary);
                total.phases.iter_mut().zip(phases).for_each(|(sum, count)| *sum += count);
            });
            total.or_insert(PlayerTotal { rank, name: name.clone(), summary, phases });
            rows.push((name, summary));
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
        let mut players: Vec<_> = self.players.drain().map(|(_, total)| total).collect();
        players.sort_by_key(|total| total.rank);
        if self.done > 1 {
            let rows = players.iter().map(|total| {
                let name = self.names.usual(&total.name).to_owned();
                (name, total.summary)
            });
            let rows: Vec<_> = rows.collect();
            write!(self.output, "\n{} games\n{}", self.done, table(&rows))?;
        }
        self.write_totals(task, &players)?;
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
    fn write_totals(&mut self, task: &AnalysisTask, players: &[PlayerTotal]) -> io::Result<()> {
        let requested = task.player.as_deref().map(PlayerKey::new);
        let is_requested = |total: &&PlayerTotal| {
            requested.as_ref().is_none_or(|player| *player == PlayerKey::new(&total.name))
        };
        let shown: Vec<_> = players.iter().filter(is_requested).collect();
        if shown.len() <= 2 {
            for total in shown {
                let name = shorten(self.names.usual(&total.name));
                let words = totals_words(total.phases, total.summary.missed);
                writeln!(self.output, "{name}: {words}")?;
            }
            return Ok(());
        }
        let (mut phases, mut missed) = ([0; 3], [0; 2]);
        for total in shown {
            phases.iter_mut().zip(total.phases).for_each(|(sum, count)| *sum += count);
            missed.iter_mut().zip(total.summary.missed).for_each(|(sum, count)| *sum += count);
        }
        writeln!(self.output, "All players: {}", totals_words(phases, missed))
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

/// Formats a number with its noun.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats the faults by phase and the missed chances.
fn totals_words(phases: [usize; 3], missed: [usize; 2]) -> String {
    let faults = phases.iter().sum::<usize>();
    let places = PHASES.iter().zip(phases).filter(|(_, count)| *count > 0);
    let places: Vec<_> =
        places.map(|(phase, count)| format!("{count} in the {}", phase.to_lowercase())).collect();
    let places =
        if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    let [mates, wins] = missed;
    let missed = match (mates, wins) {
        (0, 0) => String::new(),
        (mates, 0) => format!("; missed {}", count(mates, "mate", "mates")),
        (0, wins) => format!("; missed {}", count(wins, "win", "wins")),
        (mates, wins) => {
            format!("; missed {} and {}", count(mates, "mate", "mates"), count(wins, "win", "wins"))
        }
    };
    format!("{}{places}{missed}", count(faults, "fault", "faults"))
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

/// Formats a table with one line per player.
fn table(players: &[(String, PlayerSummary)]) -> String {
    let players: Vec<_> = players.iter().map(|(name, own)| (shorten(name), own)).collect();
    let width = players.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "  {:width$}  moves  accuracy  loss  inaccuracies  mistakes  blunders  missed\n",
        "player"
    );
    for (name, summary) in players {
        let PlayerSummary { moves, accuracy, centipawn_loss, missed, .. } = summary;
        let missed = missed.iter().sum::<usize>();
        let [inaccuracies, mistakes, blunders] = Fault::ALL.map(|fault| summary.count(fault));
        text += &format!(
            "  {name:width$}  {moves:5}  {accuracy:6.1} %  {centipawn_loss:4.0}  \
             {inaccuracies:12}  {mistakes:8}  {blunders:8}  {missed:6}\n"
        );
    }
    text
}
