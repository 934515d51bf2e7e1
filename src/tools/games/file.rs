//! A file of games analysed: what is written, and how a killed run is resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use thiserror::Error;

use super::{Analysed, PositionRecord, Summary, annotate, examine, page, picture};
use crate::engine::atomic_write;
use crate::engine::search::Engine;
use crate::tools::journal::{Journal, JournalError};
use crate::tools::pgn::{self, Game, GameError, Source};
use crate::tools::{ENGINE, Limit};

/// What is to be analysed and where the result goes.
#[derive(Clone, Debug)]
pub struct Task {
    /// The file of games.
    pub input: PathBuf,
    /// The annotated games, in the place of what is there. Pictures and pages go beside it, named
    /// after the input.
    pub output: PathBuf,
    /// How long each position is searched.
    pub limit: Limit,
    /// The program's commit: only a program of the same one resumes the work.
    pub commit: String,
}

/// Why a file is not analysed to its end.
#[derive(Debug, Error)]
pub enum FileError {
    /// A file cannot be read or written.
    #[error("{path}: {reason}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: io::Error,
    },
    /// There is nothing to analyse.
    #[error("{path}: there is no game in it", path = path.display())]
    NoGame {
        /// The file.
        path: PathBuf,
    },
    /// There is no journal to work with.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// What was told was not heard.
    #[error(transparent)]
    Tell(io::Error),
}

/// What is told while a file is analysed.
#[derive(Debug)]
pub enum News<'a> {
    /// The work begins: how many positions have to be searched, and how many a run before searched.
    Begin {
        /// All positions.
        positions: usize,
        /// Those that are known.
        known: usize,
    },
    /// A position was searched.
    Searched,
    /// A game is done.
    Done {
        /// Which of the file, from 1.
        number: usize,
        /// The game.
        game: &'a Game,
        /// How the players played.
        summary: ByColor<Option<Summary>>,
        /// Its page.
        page: &'a Path,
    },
    /// A game cannot be read, and is written as it stands in the file.
    Unreadable {
        /// Which of the file, from 1.
        number: usize,
        /// Why.
        error: &'a GameError,
    },
}

/// What makes two runs the same work.
#[derive(PartialEq, Serialize, Deserialize)]
struct Work {
    /// Name, version and commit of the program.
    analysed_by: String,
    limit: Limit,
    /// Checksum and length of the input.
    input: (u32, usize),
}

/// Analyses a file. The annotated games appear all at once at the end, the pages game by game; a
/// run that is killed is resumed by another one of the same task.
///
/// # Errors
///
/// Fails if files cannot be read or written, there is no game in the input, or the output was begun
/// by another task. Games that cannot be read are told and do not make it fail.
pub fn analyse_file(
    task: &Task,
    engine: &mut Engine,
    tell: &mut dyn FnMut(News<'_>) -> io::Result<()>,
) -> Result<(), FileError> {
    let text = read_text(&task.input)?;
    let sources = pgn::games(&text);
    if sources.is_empty() {
        return Err(FileError::NoGame { path: task.input.clone() });
    }
    let games: Vec<_> = sources.iter().map(pgn::read).collect();
    let work = Work {
        analysed_by: format!("{ENGINE} {}", task.commit),
        limit: task.limit,
        input: (crc32fast::hash(text.as_bytes()), text.len()),
    };
    let (journal, records) = Journal::resume(Journal::beside(&task.output), &work)?;
    let known: BTreeMap<_, _> =
        records.into_iter().map(|it: PositionRecord| ((it.game, it.ply), it)).collect();
    let positions = games.iter().flatten().map(|game| game.moves.len() + 1).sum();
    tell(News::Begin { positions, known: known.len() }).map_err(FileError::Tell)?;
    let mut run = Run { task, engine, tell, journal, known };
    let mut text = String::new();
    for (number, (source, game)) in (1..).zip(sources.iter().zip(&games)) {
        text += &run.game(number, source, game)?;
    }
    let failed = |reason| FileError::Io { path: task.output.clone(), reason };
    atomic_write::replace(&task.output, text.as_bytes()).map_err(failed)?;
    let path = Journal::beside(&task.output);
    run.journal.remove().map_err(|reason| FileError::Io { path, reason })
}

/// The work under way.
struct Run<'a> {
    task: &'a Task,
    engine: &'a mut Engine,
    tell: &'a mut dyn FnMut(News<'_>) -> io::Result<()>,
    journal: Journal,
    known: BTreeMap<(usize, usize), PositionRecord>,
}

impl Run<'_> {
    /// Analyses a game and draws it; returns it as text.
    fn game(
        &mut self,
        number: usize,
        source: &Source<'_>,
        game: &Result<Game, GameError>,
    ) -> Result<String, FileError> {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                (self.tell)(News::Unreadable { number, error }).map_err(FileError::Tell)?;
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
        let Run { journal, tell, .. } = self;
        let mut failure = None;
        let examined = examine(game, self.engine, self.task.limit, known, &mut |ply, examined| {
            let record = PositionRecord::new(number, ply, &boards[ply], examined);
            journal.append(&record).inspect_err(|_| failure = Some(path.clone()))?;
            tell(News::Searched)
        });
        let examined = examined.map_err(|reason| match failure {
            Some(path) => FileError::Io { path, reason },
            None => FileError::Tell(reason),
        })?;
        Ok(Analysed::new(game, examined))
    }

    fn draw(&mut self, number: usize, game: &Game, analysed: &Analysed) -> Result<(), FileError> {
        let name = self.task.input.file_stem().unwrap_or_default().to_string_lossy();
        let beside = |ending| self.task.output.with_file_name(format!("{name}-{number}.{ending}"));
        let (graph, html) = (beside("svg"), beside("html"));
        write(&graph, &picture(game, analysed))?;
        write(&html, &page(game, analysed, self.task.limit))?;
        let summary = Summary::of(game, analysed);
        (self.tell)(News::Done { number, game, summary, page: &html }).map_err(FileError::Tell)
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
