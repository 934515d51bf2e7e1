//! A file of games analysed: what is written, and how a killed run is resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use thiserror::Error;

use super::{Analysed, PlayerSummary, PositionRecord, annotate, examine, page, picture};
use crate::engine::atomic_write;
use crate::engine::search::Engine;
use crate::tools::journal::{Journal, JournalError};
use crate::tools::pgn::{self, Game, GameError, GameText};
use crate::tools::{ENGINE, PositionLimit};

/// What to analyse and where the result goes.
#[derive(Clone, Debug)]
pub(crate) struct AnalysisTask {
    pub input: PathBuf,
    /// The annotated games, in the place of what is there. Pictures and pages go beside it, named
    /// after the input.
    pub output: PathBuf,
    /// How long each position is searched.
    pub limit: PositionLimit,
    /// The program's commit: only a program of the same one resumes the work.
    pub commit: String,
}

/// Why a file is not analysed to its end.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    /// A file cannot be read or written.
    #[error("{path}: {reason}", path = path.display())]
    Io { path: PathBuf, reason: io::Error },
    #[error("{path}: there is no game in it", path = path.display())]
    NoGame { path: PathBuf },
    /// There is no journal to work with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What happened could not be reported: `on_event` failed.
    #[error(transparent)]
    Output(io::Error),
}

/// What happens while a file is analysed.
#[derive(Debug)]
pub(crate) enum AnalysisEvent<'a> {
    /// The work begins: how many positions have to be searched, and how many a run before searched.
    Begin {
        positions: usize,
        known: usize,
    },
    Searched,
    Done {
        /// Which of the file, from 1.
        number: usize,
        game: &'a Game,
        summary: ByColor<Option<PlayerSummary>>,
        page: &'a Path,
    },
    /// A game cannot be read, and is written as it stands in the file.
    Unreadable {
        /// Which of the file, from 1.
        number: usize,
        error: &'a GameError,
    },
}

/// What makes two runs the same work.
#[derive(PartialEq, Serialize, Deserialize)]
struct AnalysisIdentity {
    /// Name, version and commit of the program.
    analysed_by: String,
    limit: PositionLimit,
    /// Checksum and length of the input.
    input: (u32, usize),
}

/// Analyses a file. The annotated games appear all at once at the end, the pages game by game; a
/// run that is killed is resumed by another one of the same task.
///
/// # Errors
///
/// Fails if files cannot be read or written, there is no game in the input, or the output was begun
/// by another task. Games that cannot be read are reported and do not make it fail.
pub(crate) fn analyse_file(
    task: &AnalysisTask,
    engine: &mut Engine,
    on_event: &mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
) -> Result<(), FileError> {
    let text = read_text(&task.input)?;
    let sources = pgn::games(&text);
    if sources.is_empty() {
        return Err(FileError::NoGame { path: task.input.clone() });
    }
    let games: Vec<_> = sources.iter().map(pgn::read).collect();
    let identity = AnalysisIdentity {
        analysed_by: format!("{ENGINE} {}", task.commit),
        limit: task.limit,
        input: (crc32fast::hash(text.as_bytes()), text.len()),
    };
    let (journal, records) = Journal::resume(Journal::beside(&task.output), &identity)?;
    let known: BTreeMap<_, _> =
        records.into_iter().map(|it: PositionRecord| ((it.game, it.ply), it)).collect();
    let positions = games.iter().flatten().map(|game| game.moves.len() + 1).sum();
    on_event(AnalysisEvent::Begin { positions, known: known.len() }).map_err(FileError::Output)?;
    let mut run = FileAnalysis { task, engine, on_event, journal, known };
    let mut text = String::new();
    for (number, (source, game)) in (1..).zip(sources.iter().zip(&games)) {
        text += &run.game(number, source, game)?;
    }
    let failed = |reason| FileError::Io { path: task.output.clone(), reason };
    atomic_write::replace(&task.output, text.as_bytes()).map_err(failed)?;
    let path = Journal::beside(&task.output);
    run.journal.remove().map_err(|reason| FileError::Io { path, reason })
}

struct FileAnalysis<'a> {
    task: &'a AnalysisTask,
    engine: &'a mut Engine,
    on_event: &'a mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
    journal: Journal,
    known: BTreeMap<(usize, usize), PositionRecord>,
}

impl FileAnalysis<'_> {
    /// Analyses a game and draws it; returns it as text.
    fn game(
        &mut self,
        number: usize,
        source: &GameText<'_>,
        game: &Result<Game, GameError>,
    ) -> Result<String, FileError> {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                (self.on_event)(AnalysisEvent::Unreadable { number, error })
                    .map_err(FileError::Output)?;
                return Ok(format!("{}\n\n", source.text));
            }
        };
        if game.moves.is_empty() {
            return Ok(pgn::write(game));
        }
        let analysed = self.analyse(number, game)?;
        self.draw(number, game, &analysed)?;
        Ok(pgn::write(&annotate(game, &analysed, self.task.limit)))
    }

    fn analyse(&mut self, number: usize, game: &Game) -> Result<Analysed, FileError> {
        let boards = game.positions();
        let known = boards.iter().enumerate().map(|(ply, chess)| {
            self.known.get(&(number, ply)).map(|record| record.examined(chess))
        });
        let known = known.collect();
        let path = Journal::beside(&self.task.output);
        let FileAnalysis { journal, on_event, .. } = self;
        let mut failure = None;
        let examined = examine(game, self.engine, self.task.limit, known, &mut |ply, examined| {
            let record = PositionRecord::new(number, ply, &boards[ply], examined);
            journal.append(&record).inspect_err(|_| failure = Some(path.clone()))?;
            on_event(AnalysisEvent::Searched)
        });
        let examined = examined.map_err(|reason| match failure {
            Some(path) => FileError::Io { path, reason },
            None => FileError::Output(reason),
        })?;
        Ok(Analysed::new(game, examined))
    }

    fn draw(&mut self, number: usize, game: &Game, analysed: &Analysed) -> Result<(), FileError> {
        let name = self.task.input.file_stem().unwrap_or_default().to_string_lossy();
        let beside = |ending| self.task.output.with_file_name(format!("{name}-{number}.{ending}"));
        let (graph, html) = (beside("svg"), beside("html"));
        write(&graph, &picture(game, analysed))?;
        write(&html, &page(game, analysed, self.task.limit))?;
        let summary = PlayerSummary::of(game, analysed);
        (self.on_event)(AnalysisEvent::Done { number, game, summary, page: &html })
            .map_err(FileError::Output)
    }
}

fn write(path: &Path, text: &str) -> Result<(), FileError> {
    atomic_write::replace(path, text.as_bytes())
        .map_err(|reason| FileError::Io { path: path.to_owned(), reason })
}

/// The text of a file, in UTF-8 or, as many old files are, in Latin-1.
fn read_text(path: &Path) -> Result<String, FileError> {
    let bytes = fs::read(path).map_err(|reason| FileError::Io { path: path.to_owned(), reason })?;
    let latin1 = |error: std::string::FromUtf8Error| {
        error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
    };
    Ok(String::from_utf8(bytes).unwrap_or_else(latin1))
}
