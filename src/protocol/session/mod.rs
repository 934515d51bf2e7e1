//! One conversation with the engine: the game's position, the settings, the book, and the tasks
//! that the engine is busy with.
//!
//! Nothing here waits and nothing prints. A request is carried out at once, or queued behind the
//! task that is under way, or refused with a [`Note`]; what a task reports comes back as [`News`]
//! through the function given to [`Session::new`]. The tasks run on one other thread.

#![forbid(unsafe_code)]

mod change;
mod note;
mod request;
mod settings;
mod task;
mod task_queue;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::engine::book::{Book, BookMove};
use crate::engine::evaluation::Network;
use crate::engine::position::Position;
use crate::engine::search::{Engine, MemoryError};
use crate::engine::units::Depth;

pub use change::{Change, DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS, EngineChange};
pub use note::Note;
pub use request::{PositionRequest, SearchRequest, Start};
pub use settings::Settings;
pub use task::{Ending, News, TaskResult};
use task::{Task, TaskThread};
use task_queue::TaskQueue;

/// Why a session could not begin.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] MemoryError),
    /// The system gives no thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// The state of one conversation.
pub struct Session {
    request: PositionRequest,
    position: Position,
    settings: Settings,
    /// What a player of limited strength misses follows from it.
    game_seed: u64,
    book: Option<Book>,
    tasks: TaskQueue,
}

impl Session {
    /// A session at the initial position, with the default settings. `tell` is called with the
    /// news of each task, on the thread that runs it.
    ///
    /// # Errors
    ///
    /// Fails if the system has no memory or no thread left for it.
    pub fn new(tell: impl Fn(News) + Send + 'static) -> Result<Session, StartError> {
        let engine = Engine::new(DEFAULT_THREADS, DEFAULT_TABLE_MEGABYTES)?;
        Ok(Session {
            request: PositionRequest::default(),
            position: Position::default(),
            settings: Settings::default(),
            game_seed: rand::random(),
            book: None,
            tasks: TaskQueue::new(engine, TaskThread::spawn(tell)?),
        })
    }

    /// The position that the next search starts from, with its game.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The network that positions are evaluated with.
    pub fn network(&self) -> &Network {
        self.tasks.network()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the position for searches to come. Returns what was left out of it.
    ///
    /// # Errors
    ///
    /// Refused, with the previous position kept, if the FEN or one of the moves is wrong.
    pub fn set_position(&mut self, request: PositionRequest) -> Result<Option<Note>, Note> {
        let (position, note) = request.play(self.settings.chess960)?;
        self.position = position;
        self.request = request;
        Ok(note)
    }

    /// Begins a search, or queues it behind one that was stopped. Returns a remark on how the
    /// request was understood.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub fn search(&mut self, request: &SearchRequest) -> Result<Option<Note>, Note> {
        let mut limits = Box::new(request.limits.clone());
        limits.clock = request.clocks.of(self.position.turn());
        self.settings.complete(&mut limits, self.game_seed);
        let (moves, mut note) = request.legal_search_moves(self.position.chess());
        limits.search_moves = moves;
        if let Some(BookMove { mv, weight, of }) = self.book_move(request) {
            // The move of the book is searched a little, so that it comes with a line and a score.
            limits.search_moves = vec![mv];
            limits.depth = Some(Depth::ONE);
            note = Some(Note::FromBook { weight, of });
        }
        let position = Arc::new(self.position.clone());
        self.tasks.begin("go", Task::Search { position, limits })?;
        Ok(note)
    }

    /// The move that the book wants to be played, if it is asked.
    fn book_move(&self, request: &SearchRequest) -> Option<BookMove> {
        let settings = &self.settings;
        let book = self.book.as_ref().filter(|_| settings.own_book && !settings.analyse_mode)?;
        request.may_use_book().then(|| book.draw(self.position.chess(), &mut rand::rng()))?
    }

    /// Begins to count the legal move sequences of this length, under the same conditions as
    /// [`Session::search`].
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub fn perft(&mut self, depth: u32) -> Result<(), Note> {
        let board = Box::new(self.position.board().clone());
        self.tasks.begin("perft", Task::Perft { board, depth })
    }

    /// Begins to search the bench positions, under the same conditions as [`Session::search`].
    /// The session's network is used for it, but not its engine.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub fn bench(&mut self, depth: Depth) -> Result<(), Note> {
        let network = Arc::clone(self.tasks.network());
        self.tasks.begin("bench", Task::Bench { depth, network })
    }

    /// Stops what is under way or waiting to be; without anything, does nothing.
    pub fn stop(&self) {
        self.tasks.stop();
    }

    /// The conversation ends: stops each task, under way or waiting, that does not end by itself.
    pub fn wind_up(&self) {
        self.tasks.stop_endless();
    }

    /// Whether a task is under way.
    pub fn is_busy(&self) -> bool {
        self.tasks.is_busy()
    }

    /// The move pondered on was played. Without a search that ponders it means nothing.
    pub fn ponder_hit(&self) {
        self.tasks.ponder_hit();
    }

    /// Makes a change, or puts it off until the task under way has ended if that would be
    /// disturbed. Returns what is to be said about it.
    pub fn change(&mut self, change: Change) -> Vec<Note> {
        match change {
            Change::Settings(settings) => self.change_settings(settings),
            Change::Book(path) => self.change_book(path).into_iter().collect(),
            Change::Engine(change) => self.change_engine(change).into_iter().collect(),
        }
    }

    fn change_settings(&mut self, settings: Settings) -> Vec<Note> {
        let before = std::mem::replace(&mut self.settings, settings);
        let mut notes = Vec::new();
        if settings.chess960 != before.chess960 {
            notes.extend(self.reread_position());
        }
        if settings.need_fresh_engine(&before) {
            notes.extend(self.change_engine(EngineChange::Forget));
        }
        notes
    }

    fn change_engine(&mut self, change: EngineChange) -> Option<Note> {
        if change == EngineChange::Forget {
            // A `go` that comes next reads the seed at once, though both may have to wait.
            self.game_seed = rand::random();
        }
        self.tasks.change(change)
    }

    /// Takes the engine back after a task and goes on with what waited for that. Returns what is
    /// to be said about it. To be called after the ending was reported.
    pub fn take_back(&mut self, ending: Ending) -> Vec<Note> {
        self.tasks.take_back(ending.engine)
    }

    fn change_book(&mut self, path: Option<PathBuf>) -> Option<Note> {
        let Some(path) = path else {
            self.book = None;
            return None;
        };
        match Book::load(&path) {
            Ok(book) => {
                let entries = book.entries();
                self.book = Some(book);
                Some(Note::BookLoaded { path, entries })
            }
            Err(error) => Some(Note::BookRefused { error, kept: self.book.is_some() }),
        }
    }

    /// Reads the current game anew, so that its castling is understood and written as chosen.
    fn reread_position(&mut self) -> Option<Note> {
        match self.request.play(self.settings.chess960) {
            Ok((position, note)) => {
                self.position = position;
                note
            }
            Err(note) => Some(Note::PositionNotReread(Box::new(note))),
        }
    }
}

#[cfg(test)]
mod tests;
