//! Analysis of a file of games on several threads, its outputs, and the resumption of a killed run.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use shakmaty::{ByColor, Color};

use super::examine::position_at;
use super::pages::{PageFiles, write};
use super::puzzles::{Puzzle, alternatives, puzzles};
use super::record::{AnalysisRecord, KnownGames, PositionRecord};
use super::skipped::{check_player, report_unanalysed};
use super::verdicts::{RemovedVerdicts, without_verdicts};
use super::{
    AnalysedGame, AnalysisTask, FileError, Finding, GameReport, PlayerSummary, RepertoireCourse,
    ReportedSides, SkipReason, analyse, annotate, game_line,
};
use crate::Journal;
use crate::pgn::{self, AnnotatedGame, GameError, GameText};
use crate::workers::{self, Queue};
use outrider_engine::search::{Control, Engine};

/// Events during the analysis of a file.
#[derive(Debug)]
pub enum AnalysisEvent<'a> {
    /// The analysis was finished by an earlier run; its outputs are kept. Games that cannot be read are
    /// reported before.
    DoneBefore,
    /// The analysis begins.
    Begin {
        /// Number of positions in the games.
        positions: usize,
        /// Number of positions that an earlier run has searched.
        known: usize,
    },
    /// A game was analysed.
    Done(&'a DoneGame<'a>),
    /// A game is not analysed; it is written unchanged.
    Skipped {
        /// Why it is not analysed.
        reason: SkipReason,
        /// The game as PGN.
        text: &'a str,
        /// Line of JSON for the game.
        json: &'a str,
    },
    /// A game cannot be read; its text is copied.
    Unreadable {
        /// Number of the game in the file, from 1.
        number: usize,
        /// The reason, with the line of the input.
        error: &'a GameError,
        /// Text of the game, unchanged.
        text: &'a str,
        /// Line of JSON for the game.
        json: &'a str,
    },
}

/// A game that was analysed.
#[derive(Debug)]
pub struct DoneGame<'a> {
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// The game as it was read.
    pub game: Cow<'a, AnnotatedGame>,
    /// Summary of each player; `None` for a player without a move.
    pub summary: ByColor<Option<PlayerSummary>>,
    /// Path of its page, if there is one.
    pub page: Option<PathBuf>,
    /// Annotated game as PGN.
    pub text: String,
    /// Line of JSON, if requested.
    pub json: Option<String>,
    /// Numbers of verdicts and scores of other programs that were replaced.
    pub replaced: RemovedVerdicts,
    /// Course of the game in the requested repertoire, if the game has a position of it.
    pub repertoire: Option<RepertoireCourse>,
    report: GameReport,
}

impl DoneGame<'_> {
    /// Returns the number of faults of a side in each phase, in the order of [`PHASES`](super::PHASES).
    pub fn faults_by_phase(&self, color: Color) -> [usize; 3] {
        let phases = self.report.sides[color].as_ref().map(|side| side.phases);
        phases.map_or([0; 3], |phases| phases.map(|phase| phase.faults.iter().sum()))
    }
}

/// Analyses the games of a text. Pages are written game by game; the annotated games are written at the
/// end, in one step. A killed run is resumed by the next run of the same task. Each engine analyses one
/// game at a time; `on_search` is called on its thread after each position. Events are in the order of the
/// games, unless the task is `unordered`.
///
/// # Errors
///
/// Fails if a file cannot be written, the text contains no game or none of the requested player, an output
/// would overwrite another file, or the journal belongs to another task. Games that cannot be read are
/// reported as events and are not errors.
pub fn analyse_games(
    task: &AnalysisTask,
    text: &str,
    engines: Vec<Engine>,
    on_search: &(dyn Fn() + Sync),
    on_event: &mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
) -> Result<(), FileError> {
    let sources = pgn::games(text);
    if sources.is_empty() {
        return Err(FileError::NoGame { path: task.input.clone() });
    }
    let games: Vec<_> = sources.iter().map(pgn::read).collect();
    check_player(task, games.iter().flatten())?;
    let to_analyse: Vec<usize> = (0..games.len())
        .filter(|&index| {
            games[index].as_ref().is_ok_and(|game| SkipReason::of(task, game).is_none())
        })
        .collect();
    let positions =
        to_analyse.iter().flat_map(|&index| &games[index]).map(|game| game.moves.len() + 1).sum();
    let pages = pages_of(task, &games, &to_analyse);
    let has_pages = pages.as_ref().is_none_or(PageFiles::are_there);
    if !task.again && has_pages && task.is_done(text) {
        remove_whole_journal(task, text, positions)?;
        let unreadable =
            (1..).zip(sources.iter().zip(&games)).filter(|(_, (_, game))| game.is_err());
        for (number, (source, game)) in unreadable {
            report_unanalysed(task, number, source.text, game, on_event)?;
        }
        return on_event(AnalysisEvent::DoneBefore).map_err(FileError::Output);
    }
    check_pages(task, pages.as_ref())?;
    let (journal, known) = open_journal(task, text)?;
    on_event(AnalysisEvent::Begin { positions, known: known.positions() })
        .map_err(FileError::Output)?;
    if let Some(pages) = &pages {
        pages.make_folder()?;
    }
    let run = GamesRun {
        task,
        id: task.id(text),
        pages: pages.as_ref(),
        journal: Mutex::new(journal),
        known,
        on_search,
        control: Control::default(),
    };
    let mut collector = ResultCollector {
        task,
        sources: &sources,
        games: &games,
        texts: vec![None; games.len()],
        json: String::new(),
        due: Queue::new(0, !task.unordered),
        reports: Vec::new(),
        on_event,
    };
    collector.begin()?;
    let jobs = to_analyse.iter().copied();
    let work = |engine: &mut Engine, index: usize| {
        let game = games[index].as_ref().ok()?;
        run.game(engine, index + 1, Cow::Borrowed(game)).transpose()
    };
    workers::run(engines, jobs, &run.control, work, |done| collector.take(done?))?;
    collector.write(pages.as_ref(), &run.id)?;
    let journal = run.journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(journal.map_or(Ok(()), Journal::remove)?)
}

/// Returns the files of the pages of these games, if the task writes pages.
fn pages_of(
    task: &AnalysisTask,
    games: &[Result<AnnotatedGame, GameError>],
    to_analyse: &[usize],
) -> Option<PageFiles> {
    let numbered = |&index: &usize| Some((index + 1, games[index].as_ref().ok()?));
    let pages = task.page_files(to_analyse.len())?;
    Some(pages.with_games(to_analyse.iter().filter_map(numbered)))
}

/// Fails if a page would overwrite another output or a file that this program did not write.
fn check_pages(task: &AnalysisTask, pages: Option<&PageFiles>) -> Result<(), FileError> {
    let Some(pages) = pages else {
        return Ok(());
    };
    let journal = task.output.as_deref().and_then(Journal::path_for);
    let others = [&task.output, &journal, &task.json, &task.one_file];
    let others: Vec<&Path> = others.into_iter().filter_map(|path| path.as_deref()).collect();
    pages.check(&others)
}

/// Opens the journal, if the output has one, and returns the results in it.
fn open_journal(
    task: &AnalysisTask,
    text: &str,
) -> Result<(Option<Journal>, KnownGames), FileError> {
    let Some(path) = task.output.as_deref().and_then(Journal::path_for) else {
        return Ok((None, KnownGames::default()));
    };
    let (journal, records) = Journal::resume(path, &task.identity(text))?;
    Ok((Some(journal), records.into_iter().collect()))
}

/// Removes a complete journal that a run left when it was killed after writing its output. An incomplete
/// journal and one of other work are kept.
fn remove_whole_journal(
    task: &AnalysisTask,
    text: &str,
    positions: usize,
) -> Result<(), FileError> {
    let path = task.output.as_deref().and_then(Journal::path_for);
    if path.is_some_and(|path| path.exists())
        && let Ok((Some(journal), known)) = open_journal(task, text)
        && known.positions() == positions
    {
        journal.remove()?;
    }
    Ok(())
}

/// State shared by the threads.
pub(super) struct GamesRun<'a> {
    task: &'a AnalysisTask,
    /// See [`AnalysisTask::id`].
    id: String,
    pages: Option<&'a PageFiles>,
    journal: Mutex<Option<Journal>>,
    known: KnownGames,
    on_search: &'a (dyn Fn() + Sync),
    pub(super) control: Control,
}

impl<'a> GamesRun<'a> {
    /// Creates a run that writes no files.
    pub(super) fn without_files(
        task: &'a AnalysisTask,
        on_search: &'a (dyn Fn() + Sync),
    ) -> GamesRun<'a> {
        GamesRun {
            task,
            id: task.id(""),
            pages: None,
            journal: Mutex::new(None),
            known: KnownGames::default(),
            on_search,
            control: Control::default(),
        }
    }

    /// Analyses a game and writes its page. Returns `None` if the run was stopped.
    pub(super) fn game<'g>(
        &self,
        engine: &mut Engine,
        number: usize,
        game: Cow<'g, AnnotatedGame>,
    ) -> Result<Option<DoneGame<'g>>, FileError> {
        let Some(mut analysed) = self.analyse(engine, number, &game)? else {
            return Ok(None);
        };
        let (game, replaced) = self.cleaned(game);
        analysed.reported = ReportedSides::of(self.task.player.as_deref(), &game);
        let repertoire = self.task.repertoire.as_ref();
        analysed.repertoire = repertoire.and_then(|repertoire| repertoire.follow(&game));
        let settings = self.task.settings;
        let page = self.pages.map(|pages| pages.page(number));
        let mut report = GameReport::new(number, &game, &analysed, page.as_deref());
        report.puzzles = self.puzzles(engine, number, &game, &analysed, &report.page)?;
        if let Some(pages) = self.pages {
            report.name_players(|name| pages.usual_name(name).to_owned());
        }
        if self.control.is_stopped() {
            return Ok(None);
        }
        if let Some(pages) = self.pages {
            pages.write(number, &game, &analysed, settings, !report.puzzles.is_empty())?;
        }
        let mut annotated = annotate(&game, &analysed, settings);
        annotated.set_tag(super::ANALYSIS_ID, self.id.clone());
        let id = self.task.json.is_some().then_some(&*self.id);
        Ok(Some(DoneGame {
            number,
            summary: PlayerSummary::by_color(&game, &analysed),
            page,
            text: pgn::write(&annotated),
            json: self.task.wants_json.then(|| game_line(number, &game, &analysed, replaced, id)),
            replaced,
            repertoire: analysed.repertoire,
            report,
            game,
        }))
    }

    /// Removes the verdicts of earlier analyses, so that pages do not show them either.
    fn cleaned<'g>(
        &self,
        game: Cow<'g, AnnotatedGame>,
    ) -> (Cow<'g, AnnotatedGame>, RemovedVerdicts) {
        let (cleaned, removed) = without_verdicts(&game, self.task.settings.keep_verdicts);
        match cleaned {
            Cow::Owned(cleaned) => (Cow::Owned(cleaned), removed),
            Cow::Borrowed(_) => (game, removed),
        }
    }

    /// Returns the puzzles of a game, after a search of their moves. Without pages there are none.
    fn puzzles(
        &self,
        engine: &mut Engine,
        number: usize,
        game: &AnnotatedGame,
        analysed: &AnalysedGame,
        page: &str,
    ) -> Result<Vec<Puzzle>, FileError> {
        if self.pages.is_none() {
            return Ok(Vec::new());
        }
        let limit = self.task.settings.limit;
        // Clears the hash table, so that a resumed run finds the same puzzles.
        engine.new_game();
        puzzles(game, analysed, page, &mut |ply| {
            let position = position_at(game, ply);
            let chess = position.chess();
            if let Some(known) = self.known.puzzle(number, ply, chess) {
                return Ok(known);
            }
            let found = alternatives(&position, engine, limit, &self.control)?;
            if !self.control.is_stopped() {
                self.keep(&AnalysisRecord::puzzle(number, ply, chess, &found))?;
            }
            Ok(found)
        })
    }

    /// Appends a record to the journal, if there is one.
    fn keep(&self, record: &AnalysisRecord) -> Result<(), FileError> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(journal) = &mut *journal {
            journal.append(record)?;
        }
        Ok(())
    }

    fn analyse(
        &self,
        engine: &mut Engine,
        number: usize,
        game: &AnnotatedGame,
    ) -> Result<Option<AnalysedGame>, FileError> {
        let boards = game.positions();
        let known = self.known.game(number, &boards);
        let mut on_found = |found: Finding<'_>| match found {
            Finding::Position(ply, examined) => {
                let record = PositionRecord::new(number, ply, &boards[ply], examined);
                self.keep(&AnalysisRecord::Position(record))?;
                (self.on_search)();
                Ok(())
            }
            Finding::Reason(ply, proven) => {
                self.keep(&AnalysisRecord::Reason { game: number, ply, proven })
            }
        };
        analyse(game, engine, self.task.settings, known, &self.control, &mut on_found)
    }
}

/// Reports the results of the games and collects the texts to write.
struct ResultCollector<'a, 'b> {
    task: &'a AnalysisTask,
    sources: &'a [GameText<'a>],
    games: &'a [Result<AnnotatedGame, GameError>],
    texts: Vec<Option<String>>,
    /// Lines of JSON, if they go to a file.
    json: String,
    /// Games to report, by index; `None` for games that are not analysed.
    due: Queue<(usize, Option<DoneGame<'a>>)>,
    reports: Vec<GameReport>,
    on_event: &'b mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
}

impl<'a> ResultCollector<'a, '_> {
    /// Queues the games that need no analysis, and reports those whose turn it is.
    fn begin(&mut self) -> Result<(), FileError> {
        let analysed = |index: usize| {
            self.games[index].as_ref().is_ok_and(|game| SkipReason::of(self.task, game).is_none())
        };
        for index in (0..self.games.len()).filter(|&index| !analysed(index)) {
            self.due.push(index, (index, None));
        }
        self.report_due()
    }

    fn take(&mut self, done: DoneGame<'a>) -> Result<ControlFlow<()>, FileError> {
        let index = done.number - 1;
        self.due.push(index, (index, Some(done)));
        self.report_due()?;
        Ok(ControlFlow::Continue(()))
    }

    fn report_due(&mut self) -> Result<(), FileError> {
        while let Some((index, done)) = self.due.pop() {
            match done {
                Some(done) => self.report(done)?,
                None => self.report_unanalysed(index)?,
            }
        }
        Ok(())
    }

    fn report(&mut self, done: DoneGame<'a>) -> Result<(), FileError> {
        (self.on_event)(AnalysisEvent::Done(&done)).map_err(FileError::Output)?;
        self.reports.push(done.report);
        self.keep(done.number, done.text, done.json);
        Ok(())
    }

    fn report_unanalysed(&mut self, index: usize) -> Result<(), FileError> {
        let (number, source) = (index + 1, self.sources[index].text);
        let (text, json) =
            report_unanalysed(self.task, number, source, &self.games[index], &mut *self.on_event)?;
        self.keep(number, text, Some(json));
        Ok(())
    }

    fn keep(&mut self, number: usize, text: String, json: Option<String>) {
        if self.task.output.is_some() {
            self.texts[number - 1] = Some(text);
        }
        if let Some(line) = json.filter(|_| self.task.json.is_some()) {
            self.json += &line;
            self.json.push('\n');
        }
    }

    /// Writes the pages that need all games, the lines of JSON, and the annotated games. The annotated
    /// games are written last, since their tag tells a later run that all outputs exist.
    fn write(mut self, pages: Option<&PageFiles>, id: &str) -> Result<(), FileError> {
        self.reports.sort_by_key(|report| report.number);
        if let Some(pages) = pages {
            pages.write_overview(&self.reports)?;
            if let Some(path) = &self.task.one_file {
                pages.write_bundle(path, id, &self.reports)?;
            }
        }
        if let Some(path) = &self.task.json {
            write(path, &self.json)?;
        }
        match &self.task.output {
            Some(path) => write(path, &self.texts.into_iter().flatten().collect::<String>()),
            None => Ok(()),
        }
    }
}
