//! A session with the engine: the game's position, the settings, the book and the engine's tasks.
//!
//! No method waits or prints. A request is carried out at once, queued until the running task ends,
//! or refused with a [`Message`]. Tasks run on one other thread. Their [`TaskEvent`]s are passed to
//! the function given to [`Session::with_engine`].

#![forbid(unsafe_code)]

mod change;
mod message;
mod node_clock;
mod request;
mod settings;
mod task;
mod task_queue;
mod values;

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

pub use change::{Change, EngineChange};
pub(crate) use change::{DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS};
pub use message::Message;
use node_clock::NodeClock;
pub use request::Clocks;
pub use request::{PositionError, PositionRequest, SearchRequest, Start};
pub use settings::Settings;
pub use task::{FinishedTask, TaskEvent, TaskResult};
use task::{Task, TaskThread};
use task_queue::TaskQueue;
pub(crate) use values::Values;

/// Error at the start of a session.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] MemoryError),
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// The book in use.
struct OpenBook {
    path: PathBuf,
    book: Book,
}

/// A session with one engine.
pub struct Session {
    /// Last requested position, also if it was refused; `None` if the request could not be read.
    request: Option<PositionRequest>,
    /// Root position of the next search, or why the last request was refused. Shared with the searches
    /// instead of copied, since a game may be long.
    position: Result<Arc<Position>, Arc<PositionError>>,
    settings: Settings,
    /// Seed of the errors of a player of limited strength, unless a search gives another one.
    game_seed: u64,
    /// Clock of the game, if its time is measured in nodes.
    node_clock: NodeClock,
    book: Option<OpenBook>,
    tasks: TaskQueue,
}

impl Session {
    /// Creates a session with a new engine, the initial position and default settings. `on_event` is
    /// called with the events of each task, on the thread that runs it.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory or no thread can be started.
    pub(crate) fn new(
        on_event: impl Fn(TaskEvent) + Send + 'static,
    ) -> Result<Session, StartError> {
        let engine = Engine::new(DEFAULT_THREADS, DEFAULT_TABLE_MEGABYTES)?;
        Ok(Session::with_engine(engine, on_event)?)
    }

    /// Creates a session with this engine, the initial position and default settings. `on_event` is
    /// called with the events of each task, on the thread that runs it.
    ///
    /// # Errors
    ///
    /// Fails if no thread can be started.
    pub fn with_engine(
        engine: Engine,
        on_event: impl Fn(TaskEvent) + Send + 'static,
    ) -> io::Result<Session> {
        Ok(Session {
            request: Some(PositionRequest::default()),
            position: Ok(Arc::default()),
            settings: Settings::default(),
            game_seed: rand::random(),
            node_clock: NodeClock::default(),
            book: None,
            tasks: TaskQueue::new(engine, TaskThread::spawn(on_event)?),
        })
    }

    /// Root position of the next search, with its game.
    ///
    /// # Errors
    ///
    /// Fails if the last position was refused.
    pub(crate) fn position(&self) -> Result<&Arc<Position>, Message> {
        self.position.as_ref().map_err(|error| Message::NoPosition(Arc::clone(error)))
    }

    /// Network of the engine.
    pub(crate) fn network(&self) -> &Network {
        self.tasks.network()
    }

    /// Values that options have set, with the changes that wait for the end of the running task.
    pub(crate) fn values(&self) -> Values {
        Values {
            settings: self.settings,
            engine: self.tasks.values(),
            book: self.book.as_ref().map(|book| book.path.clone()),
        }
    }

    /// Current settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the position for the next searches. Returns a message if castling rights were left out.
    ///
    /// # Errors
    ///
    /// Fails if the FEN or one of the moves is invalid. Then there is no position until one is accepted,
    /// so that no answer is about an earlier one.
    pub fn set_position(&mut self, request: PositionRequest) -> Result<Option<Message>, Message> {
        let played = request.play(self.settings.chess960);
        self.request = Some(request);
        match played {
            Ok((position, message)) => {
                self.position = Ok(Arc::new(position));
                Ok(message)
            }
            Err(error) => Err(self.remove_position(error)),
        }
    }

    /// Refuses a position whose request cannot be read. Then there is no position until one is accepted.
    pub(crate) fn refuse_position(&mut self, reason: String) -> Message {
        self.request = None;
        self.remove_position(PositionError::Request(reason))
    }

    fn remove_position(&mut self, error: PositionError) -> Message {
        let error = Arc::new(error);
        self.position = Err(Arc::clone(&error));
        Message::PositionRefused(error)
    }

    /// Starts a search, or queues it if all earlier tasks have a limit or were stopped. If the last
    /// position was refused, the task ends with [`TaskResult::NoPosition`].
    ///
    /// # Errors
    ///
    /// Fails if an earlier task has no limit and was not stopped, or if too many tasks wait.
    pub fn search(&mut self, request: &SearchRequest) -> Result<Option<Message>, Message> {
        let position = match &self.position {
            Ok(position) => Arc::clone(position),
            Err(error) => {
                let (error, limits) = (Arc::clone(error), &request.limits);
                let (infinite, ponder) = (limits.infinite, limits.ponder);
                self.tasks.begin(Task::NoPosition { error, infinite, ponder })?;
                return Ok(None);
            }
        };
        let mut limits = Box::new(request.limits.clone());
        limits.clock = request.clocks.for_side(position.turn());
        let game_seed = request.game_seed.unwrap_or(self.game_seed);
        self.settings.apply_to(&mut limits, game_seed);
        let (moves, mut message) = request.legal_search_moves(position.chess());
        limits.search_moves = moves;
        // A move from a book is searched to depth 1, so that it has a line and a score.
        let mut fixed_move = self.learned_move(&position, request, game_seed);
        match self.book_move(&position, request) {
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
        let node_clock = self.node_clock.clone();
        let pause = self.settings.pause(&limits);
        self.tasks.begin(Task::Search { position, limits, node_clock, pause })?;
        Ok(message)
    }

    /// Draws a move from the book, if it is enabled and the search allows it.
    fn book_move(
        &mut self,
        position: &Position,
        request: &SearchRequest,
    ) -> io::Result<Option<BookMove>> {
        let is_enabled = self.settings.own_book && !self.settings.analyse_mode;
        match &mut self.book {
            Some(OpenBook { book, .. }) if is_enabled && request.may_use_book() => {
                book.draw(position.chess(), &mut rand::rng())
            }
            _ => Ok(None),
        }
    }

    /// Opening move of a weak player in this position, if any.
    fn learned_move(
        &self,
        position: &Position,
        request: &SearchRequest,
        game_seed: u64,
    ) -> Option<Move> {
        let elo = self.settings.strength()?;
        let plays = request.may_use_book() && self.settings.multi_pv == 1;
        plays.then(|| learned_move(position, elo, game_seed))?
    }

    /// Starts or queues a perft, under the same conditions as [`Session::search`].
    ///
    /// # Errors
    ///
    /// Fails under the same conditions as [`Session::search`], and if the last position was refused.
    pub(crate) fn perft(&mut self, depth: u32) -> Result<(), Message> {
        let board = Box::new(self.position()?.board().clone());
        self.tasks.begin(Task::Perft { board, depth })
    }

    /// Starts or queues a bench, under the same conditions as [`Session::search`]. It uses the
    /// session's network, but not its engine.
    ///
    /// # Errors
    ///
    /// Fails under the same conditions as [`Session::search`].
    pub(crate) fn bench(&mut self, depth: Depth) -> Result<(), Message> {
        let network = Arc::clone(self.tasks.network());
        self.tasks.begin(Task::Bench { depth, network })
    }

    /// Stops the running task and all waiting tasks, if there are any.
    pub fn stop(&self) {
        self.tasks.stop();
    }

    /// Stops each task that does not end soon, at the end of the session.
    pub(crate) fn shutdown(&self) {
        self.tasks.stop_long_tasks();
    }

    /// A task is running.
    pub(crate) fn is_busy(&self) -> bool {
        self.tasks.is_busy()
    }

    /// Reports that the expected move was played. Without a ponder search this has no effect.
    pub(crate) fn ponder_hit(&self) {
        self.tasks.ponder_hit();
    }

    /// Makes a change. A change of the engine waits until the running task ends.
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
            // A search takes its seed when it is requested, even if it is queued.
            self.game_seed = rand::random();
            self.node_clock = NodeClock::default();
        }
        self.tasks.change(change)
    }

    /// Takes back the engine and starts what waited for it. Must be called with each
    /// [`TaskEvent::Finished`].
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
                self.book = Some(OpenBook { path: path.clone(), book });
                Some(Message::BookLoaded { path, entries })
            }
            Err(error) => {
                let kept = self.book.as_ref().map(|book| book.path.clone());
                Some(Message::BookRefused { error, kept })
            }
        }
    }

    /// Reads the last requested game again in the castling mode of the settings, also if it was refused.
    fn reread_position(&mut self) -> Option<Message> {
        let played = self.request.as_ref()?.play(self.settings.chess960);
        match (played, &self.position) {
            (Ok((position, message)), _) => {
                self.position = Ok(Arc::new(position));
                message
            }
            (Err(error), Ok(_)) => Some(Message::PositionNotReread(error)),
            (Err(error), Err(_)) => {
                // Its refusal was reported at the request; the reason may differ now.
                self.position = Err(Arc::new(error));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
