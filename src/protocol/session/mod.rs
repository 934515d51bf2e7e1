//! One conversation with the engine: the game's position, the settings, the book, and the tasks
//! that the engine is busy with.
//!
//! Nothing here waits and nothing prints. A request is carried out at once, or queued behind the
//! task under way, or refused with a [`Message`]. Tasks run on one other thread; what happens in
//! them comes back as a [`TaskEvent`] through the function given to [`Session::new`].

#![forbid(unsafe_code)]

mod change;
mod message;
mod node_clock;
mod request;
mod settings;
mod task;
mod task_queue;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use shakmaty::Move;
use thiserror::Error;

use outrider_engine::book::{Book, BookMove};
use outrider_engine::evaluation::Network;
use outrider_engine::first_moves::learned_move;
use outrider_engine::position::Position;
use outrider_engine::search::{Engine, MemoryError};
use outrider_engine::units::Depth;

pub use change::{Change, DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS, EngineChange};
pub use message::Message;
use node_clock::NodeClock;
pub use request::Clocks;
pub use request::{PositionRequest, SearchRequest, Start};
pub use settings::Settings;
pub use task::{FinishedTask, TaskEvent, TaskResult};
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
    /// Shared with the searches that were asked for, since a game may be long.
    position: Arc<Position>,
    settings: Settings,
    /// What a player of limited strength misses follows from it, unless a search names another.
    game_seed: u64,
    /// The clock of the game, if its time is measured in nodes.
    node_clock: NodeClock,
    book: Option<Book>,
    tasks: TaskQueue,
}

impl Session {
    /// A session at the initial position, with the default settings. `on_event` is called with the
    /// events of each task, on the thread that runs it.
    ///
    /// # Errors
    ///
    /// Fails if the system has no memory or no thread left for it.
    pub(crate) fn new(
        on_event: impl Fn(TaskEvent) + Send + 'static,
    ) -> Result<Session, StartError> {
        let engine = Engine::new(DEFAULT_THREADS, DEFAULT_TABLE_MEGABYTES)?;
        Ok(Session::with_engine(engine, on_event)?)
    }

    /// A session like that of [`Session::new`], with this engine.
    ///
    /// # Errors
    ///
    /// Fails if the system has no thread left for it.
    pub fn with_engine(
        engine: Engine,
        on_event: impl Fn(TaskEvent) + Send + 'static,
    ) -> io::Result<Session> {
        Ok(Session {
            request: PositionRequest::default(),
            position: Arc::default(),
            settings: Settings::default(),
            game_seed: rand::random(),
            node_clock: NodeClock::default(),
            book: None,
            tasks: TaskQueue::new(engine, TaskThread::spawn(on_event)?),
        })
    }

    /// The position that the next search starts from, with its game.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// The network that positions are evaluated with.
    pub(crate) fn network(&self) -> &Network {
        self.tasks.network()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the position for searches to come. Returns what was left out of it.
    ///
    /// # Errors
    ///
    /// Refused, with the previous position kept, if the FEN or one of the moves is wrong.
    pub fn set_position(&mut self, request: PositionRequest) -> Result<Option<Message>, Message> {
        let (position, message) = request.play(self.settings.chess960)?;
        self.position = Arc::new(position);
        self.request = request;
        Ok(message)
    }

    /// Begins a search, or queues it behind one that was stopped.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub fn search(&mut self, request: &SearchRequest) -> Result<Option<Message>, Message> {
        let mut limits = Box::new(request.limits.clone());
        limits.clock = request.clocks.for_side(self.position.turn());
        let game_seed = request.game_seed.unwrap_or(self.game_seed);
        self.settings.apply_to(&mut limits, game_seed);
        let (moves, mut message) = request.legal_search_moves(self.position.chess());
        limits.search_moves = moves;
        // Such a move is searched a little, so that it comes with a line and a score.
        let mut fixed_move = self.learned_move(request, game_seed);
        match self.book_move(request) {
            Ok(Some(BookMove { mv, weight, total_weight })) => {
                fixed_move = Some(mv);
                message = Some(Message::BookMove { weight, sum: total_weight });
            }
            Ok(None) => {}
            Err(error) => {
                self.book = None;
                message = Some(Message::BookFailed(error));
            }
        }
        if let Some(mv) = fixed_move {
            limits.search_moves = vec![mv];
            limits.depth = Some(Depth::ONE);
        }
        let position = Arc::clone(&self.position);
        let node_clock = self.node_clock.clone();
        let pause = self.settings.pause(&limits);
        self.tasks.begin(Task::Search { position, limits, node_clock, pause })?;
        Ok(message)
    }

    /// The move that the book wants to be played, if it is asked.
    fn book_move(&mut self, request: &SearchRequest) -> io::Result<Option<BookMove>> {
        let is_enabled = self.settings.own_book && !self.settings.analyse_mode;
        match &mut self.book {
            Some(book) if is_enabled && request.may_use_book() => {
                book.draw(self.position.chess(), &mut rand::rng())
            }
            _ => Ok(None),
        }
    }

    /// The move that a weak player has learned for this position.
    fn learned_move(&self, request: &SearchRequest, game_seed: u64) -> Option<Move> {
        let elo = self.settings.strength()?;
        let plays = request.may_use_book() && self.settings.multi_pv == 1;
        plays.then(|| learned_move(&self.position, elo, game_seed))?
    }

    /// Begins to count the legal move sequences of this length, under the same conditions as
    /// [`Session::search`].
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub(crate) fn perft(&mut self, depth: u32) -> Result<(), Message> {
        let board = Box::new(self.position.board().clone());
        self.tasks.begin(Task::Perft { board, depth })
    }

    /// Begins to search the bench positions, under the same conditions as [`Session::search`].
    /// The session's network is used for it, but not its engine.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub(crate) fn bench(&mut self, depth: Depth) -> Result<(), Message> {
        let network = Arc::clone(self.tasks.network());
        self.tasks.begin(Task::Bench { depth, network })
    }

    /// Stops what is under way or waiting to be; without anything, does nothing.
    pub fn stop(&self) {
        self.tasks.stop();
    }

    /// The conversation ends: stops each task that does not end by itself.
    pub(crate) fn shutdown(&self) {
        self.tasks.stop_endless();
    }

    /// Whether a task is under way.
    pub(crate) fn is_busy(&self) -> bool {
        self.tasks.is_busy()
    }

    /// The move pondered on was played. Without a search that ponders it means nothing.
    pub(crate) fn ponder_hit(&self) {
        self.tasks.ponder_hit();
    }

    /// Makes a change, or defers it to the end of the task under way if that would be disturbed.
    pub fn change(&mut self, change: Change) -> Vec<Message> {
        match change {
            Change::Settings(settings) => self.change_settings(settings),
            Change::Book(path) => self.change_book(path).into_iter().collect(),
            Change::Engine(change) => self.change_engine(change).into_iter().collect(),
        }
    }

    fn change_settings(&mut self, settings: Settings) -> Vec<Message> {
        let before = std::mem::replace(&mut self.settings, settings);
        let mut messages = Vec::new();
        if settings.chess960 != before.chess960 {
            messages.extend(self.reread_position());
        }
        if settings.need_fresh_engine(&before) {
            messages.extend(self.change_engine(EngineChange::Forget));
        }
        if settings.nodes_per_millisecond != before.nodes_per_millisecond {
            self.node_clock = NodeClock::default();
        }
        messages
    }

    fn change_engine(&mut self, change: EngineChange) -> Option<Message> {
        if change == EngineChange::Forget {
            // The next search is given its seed when it is asked for, though it may have to wait.
            self.game_seed = rand::random();
            self.node_clock = NodeClock::default();
        }
        self.tasks.change(change)
    }

    /// To be called with each [`TaskEvent::Finished`]: goes on with what waited for the task.
    pub fn task_finished(&mut self, task: FinishedTask) -> Vec<Message> {
        self.tasks.task_finished(task.engine)
    }

    fn change_book(&mut self, path: Option<PathBuf>) -> Option<Message> {
        let Some(path) = path else {
            self.book = None;
            return None;
        };
        match Book::open(&path) {
            Ok(book) => {
                let entries = book.entries();
                self.book = Some(book);
                Some(Message::BookLoaded { path, entries })
            }
            Err(error) => Some(Message::BookRefused { error, kept: self.book.is_some() }),
        }
    }

    /// Reads the current game again, so that its castling is understood and written as chosen.
    fn reread_position(&mut self) -> Option<Message> {
        match self.request.play(self.settings.chess960) {
            Ok((position, message)) => {
                self.position = Arc::new(position);
                message
            }
            Err(message) => Some(Message::PositionNotReread(Box::new(message))),
        }
    }
}

#[cfg(test)]
mod tests;
