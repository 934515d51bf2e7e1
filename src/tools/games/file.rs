//! A file of games analysed: what is written, and how a killed run is resumed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use thiserror::Error;

use super::{
    Analysed, PageFrame, PlayerSummary, PositionRecord, annotate, examine, is_page, is_picture,
    page, picture,
};
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
    /// A page would take the place of a file that this program did not write.
    #[error(
        "{path}: a page would be written over it, which was not made by this program: move it away, \
         or give --output in another folder",
        path = path.display()
    )]
    NoPage { path: PathBuf },
    /// The output has the name of a page.
    #[error("{path}: it is named for the games, but a page will have this name", path = path.display())]
    NamedTwice { path: PathBuf },
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
        /// Where its page is, if there is one.
        page: Option<&'a Path>,
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
    let is_drawn =
        |game: &Result<Game, GameError>| game.as_ref().is_ok_and(|game| !game.moves.is_empty());
    let drawn = (1..).zip(&games).filter(|(_, game)| is_drawn(game)).map(|(number, _)| number);
    drawn
        .filter_map(|number| task.pages(number))
        .try_for_each(|pages| pages.check(&task.output))?;
    let (journal, records) = match Journal::beside(&task.output) {
        Some(path) => {
            let (journal, records) = Journal::resume(path, &identity)?;
            (Some(journal), records)
        }
        None => (None, Vec::new()),
    };
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
    run.journal.map_or(Ok(()), Journal::remove).map_err(failed)
}

impl AnalysisTask {
    /// The pages of a game, if there is a folder for them.
    fn pages(&self, number: usize) -> Option<GamePages> {
        let named = |ending: &str| {
            self.output.with_file_name(named_after(&self.input, &format!("-{number}.{ending}")))
        };
        let pages = || GamePages { graph: named("svg"), html: named("html") };
        (!atomic_write::is_stream(&self.output)).then(pages)
    }
}

/// The name of a file that is made from one with games: without `.pgn`, and with something behind it.
/// Any other ending stays, so that files that differ in nothing else do not share what is made of them.
pub(crate) fn named_after(input: &Path, behind: &str) -> OsString {
    let is_usual = input.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let name = if is_usual { input.file_stem() } else { input.file_name() };
    let mut name = name.unwrap_or_default().to_owned();
    name.push(behind);
    name
}

/// The files that show a game.
struct GamePages {
    graph: PathBuf,
    html: PathBuf,
}

impl GamePages {
    /// Fails if one of them is the output, or is there and is no page that an earlier run wrote.
    fn check(&self, output: &Path) -> Result<(), FileError> {
        let ours = [(&self.graph, is_picture as fn(&str) -> bool), (&self.html, is_page)];
        for (path, is_ours) in ours {
            if path.file_name() == output.file_name() {
                return Err(FileError::NamedTwice { path: path.clone() });
            }
            match fs::read(path) {
                Ok(bytes) if is_ours(&String::from_utf8_lossy(&bytes)) => {}
                Ok(_) => return Err(FileError::NoPage { path: path.clone() }),
                Err(reason) if reason.kind() == io::ErrorKind::NotFound => {}
                Err(reason) => return Err(FileError::Io { path: path.clone(), reason }),
            }
        }
        Ok(())
    }
}

struct FileAnalysis<'a> {
    task: &'a AnalysisTask,
    engine: &'a mut Engine,
    on_event: &'a mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
    journal: Option<Journal>,
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
        let FileAnalysis { task, engine, journal, on_event, .. } = self;
        let mut failure = None;
        let examined = examine(game, engine, task.limit, known, &mut |ply, examined| {
            if let Some(journal) = journal {
                let record = PositionRecord::new(number, ply, &boards[ply], examined);
                let path = || Journal::beside(&task.output);
                journal.append(&record).inspect_err(|_| failure = path())?;
            }
            on_event(AnalysisEvent::Searched)
        });
        let examined = examined.map_err(|reason| match failure {
            Some(path) => FileError::Io { path, reason },
            None => FileError::Output(reason),
        })?;
        Ok(Analysed::new(game, examined))
    }

    fn draw(&mut self, number: usize, game: &Game, analysed: &Analysed) -> Result<(), FileError> {
        let pages = self.task.pages(number);
        if let Some(GamePages { graph, html }) = &pages {
            write(graph, &picture(game, analysed))?;
            write(html, &page(game, analysed, self.task.limit, &PageFrame::default()))?;
        }
        let summary = PlayerSummary::of(game, analysed);
        let page = pages.as_ref().map(|pages| pages.html.as_path());
        (self.on_event)(AnalysisEvent::Done { number, game, summary, page })
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
