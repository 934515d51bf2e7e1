//! One conversation with the engine: the game's position, the settings, and the engine itself or
//! the task that it is busy with.
//!
//! Nothing here waits and nothing prints. A request is carried out at once, or queued behind the
//! task that is under way, or refused with a [`Note`]; what a task reports comes back as [`News`]
//! through the function given to [`Session::new`]. The tasks run on one other thread.
//!
//! The queue keeps the order in which things were asked for, so that `stop`, `ucinewgame`,
//! `position` and `go`, sent without waiting for the answer in between, mean what they say.

#![forbid(unsafe_code)]

mod change;
mod note;
mod request;
mod settings;
mod task;

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Move};
use thiserror::Error;

use crate::engine::book::{Book, BookMove};
use crate::engine::evaluation::Network;
use crate::engine::evaluation::network::file::NetworkFileError;
use crate::engine::position::Position;
use crate::engine::position::notation::{
    MoveError, castling_left_out, format_fen, parse_fen, parse_move,
};
use crate::engine::search::{Control, Engine, MemoryError, parameters};
use crate::engine::tablebases::Tablebases;
use crate::engine::units::Depth;

pub use change::{Change, DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS, EngineChange};
pub use note::Note;
pub use request::{PositionRequest, SearchRequest, Start};
pub use settings::Settings;
pub use task::{Ending, News, TaskResult};
use task::{Task, TaskThread};

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
    network: Arc<Network>,
    book: Option<Book>,
    /// Here while nothing runs, with the task while something does.
    engine: Option<Engine>,
    thread: TaskThread,
    running: Option<Running>,
    queue: VecDeque<Waiting>,
}

/// What is known of the task under way.
struct Running {
    name: &'static str,
    ends_by_itself: bool,
    control: Arc<Control>,
}

/// What waits for the end of the task under way.
enum Waiting {
    Change(EngineChange),
    Task(Task, Arc<Control>),
}

impl Session {
    /// A session at the initial position, with the default settings. `tell` is called with the
    /// news of each task, on the thread that runs it.
    ///
    /// # Errors
    ///
    /// Fails if the system has no memory or no thread left for it.
    pub fn new(tell: impl Fn(News) + Send + 'static) -> Result<Session, StartError> {
        Ok(Session {
            request: PositionRequest::default(),
            position: Position::default(),
            network: Network::built_in(),
            book: None,
            game_seed: rand::random(),
            engine: Some(Engine::new(DEFAULT_THREADS, DEFAULT_TABLE_MEGABYTES)?),
            settings: Settings::default(),
            thread: TaskThread::spawn(tell)?,
            running: None,
            queue: VecDeque::new(),
        })
    }

    /// The position that the next search starts from, with its game.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The network that positions are evaluated with.
    pub fn network(&self) -> &Network {
        &self.network
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
        let (position, note) = play_game(&request, self.settings.chess960)?;
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
        let chess = self.position.chess();
        let (moves, mut note) = read_search_moves(chess, &request.search_moves);
        limits.search_moves = moves;
        if let Some(BookMove { mv, weight, of }) = self.book_move(request) {
            // The move of the book is searched a little, so that it comes with a line and a score.
            limits.search_moves = vec![mv];
            limits.depth = Some(Depth::ONE);
            note = Some(Note::FromBook { weight, of });
        }
        let position = Arc::new(self.position.clone());
        self.begin("go", Task::Search { position, limits })?;
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
        self.begin("perft", Task::Perft { board, depth })
    }

    /// Begins to search the bench positions, under the same conditions as [`Session::search`].
    /// The session's network is used for it, but not its engine.
    ///
    /// # Errors
    ///
    /// Refused while a task is under way that was not stopped.
    pub fn bench(&mut self, depth: Depth) -> Result<(), Note> {
        self.begin("bench", Task::Bench { depth, network: Arc::clone(&self.network) })
    }

    /// Stops what is under way or waiting to be; without anything, does nothing.
    pub fn stop(&self) {
        self.controls().for_each(|control| control.stop());
    }

    /// The conversation ends: stops each task, under way or waiting, that does not end by itself.
    pub fn wind_up(&self) {
        let running = self.running.iter().filter(|running| !running.ends_by_itself);
        running.for_each(|running| running.control.stop());
        for waiting in &self.queue {
            if let Waiting::Task(task, control) = waiting
                && !task.ends_by_itself()
            {
                control.stop();
            }
        }
    }

    /// Whether a task is under way.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// The move pondered on was played. Without a search that ponders it means nothing.
    pub fn ponder_hit(&self) {
        if let Some(control) = self.controls().last() {
            control.ponder_hit();
        }
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
        let Some(running) = &self.running else {
            return self.apply(&change);
        };
        let note = Note::Deferred { change: change.name(), running: running.name };
        self.queue.push_back(Waiting::Change(change));
        Some(note)
    }

    /// Takes the engine back after a task and goes on with what waited for that. Returns what is
    /// to be said about it. To be called after the ending was reported.
    pub fn take_back(&mut self, ending: Ending) -> Vec<Note> {
        self.engine = Some(ending.engine);
        self.running = None;
        let mut notes = Vec::new();
        while self.running.is_none()
            && let Some(waiting) = self.queue.pop_front()
        {
            match waiting {
                Waiting::Change(change) => notes.extend(self.apply(&change)),
                Waiting::Task(task, control) => self.start(task, control),
            }
        }
        notes
    }

    fn begin(&mut self, request: &'static str, task: Task) -> Result<(), Note> {
        if let Some(running) = self.running_unstopped() {
            return Err(Note::Busy { refused: request, running });
        }
        let control = Arc::new(Control::default());
        if self.running.is_some() {
            self.queue.push_back(Waiting::Task(task, control));
        } else {
            self.start(task, control);
        }
        Ok(())
    }

    fn start(&mut self, task: Task, control: Arc<Control>) {
        if let Some(engine) = self.engine.take() {
            self.running = Some(Running {
                name: task.name(),
                ends_by_itself: task.ends_by_itself(),
                control: Arc::clone(&control),
            });
            self.thread.start(engine, task, control);
        }
    }

    /// The controls of the task under way and of those that wait, in their order.
    fn controls(&self) -> impl Iterator<Item = &Control> {
        let waiting = self.queue.iter().filter_map(|waiting| match waiting {
            Waiting::Task(_, control) => Some(&**control),
            Waiting::Change(_) => None,
        });
        self.running.iter().map(|running| &*running.control).chain(waiting)
    }

    /// The name of a task that would hold up another one for as long as it likes.
    fn running_unstopped(&self) -> Option<&'static str> {
        let running = self.running.as_ref()?;
        self.controls().any(|control| !control.is_stopped()).then_some(running.name)
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

    fn apply(&mut self, change: &EngineChange) -> Option<Note> {
        let engine = self.engine.as_mut()?;
        match *change {
            EngineChange::Network(ref path) => {
                match path.as_deref().map_or(Ok(Network::built_in()), load_network) {
                    Ok(network) if network.checksum() != self.network.checksum() => {
                        engine.set_network(Arc::clone(&network));
                        self.network = network;
                        return Some(Note::NetworkLoaded(self.network.to_string()));
                    }
                    Ok(_) => {}
                    Err(error) => {
                        let kept = self.network.checksum();
                        return Some(Note::NetworkRefused { error, kept });
                    }
                }
            }
            EngineChange::TableMegabytes(megabytes) => {
                let refused = engine.resize_table(megabytes).err()?;
                return Some(Note::TableRefused { error: refused, kept: engine.table_megabytes() });
            }
            EngineChange::Threads(threads) => {
                let refused = engine.set_threads(threads).err()?;
                return Some(Note::ThreadsRefused { error: refused, kept: engine.threads() });
            }
            EngineChange::Forget => engine.new_game(),
            EngineChange::Tablebases(ref folders) => {
                let (tablebases, note) = folders.as_deref().map_or((None, None), open_tablebases);
                engine.set_tablebases(tablebases);
                return note;
            }
            EngineChange::Parameter { index, value } => {
                if let Some(parameter) = parameters::all().get(index) {
                    parameter.set(value);
                }
            }
        }
        None
    }

    /// Reads the current game anew, so that its castling is understood and written as chosen.
    fn reread_position(&mut self) -> Option<Note> {
        match play_game(&self.request, self.settings.chess960) {
            Ok((position, note)) => {
                self.position = position;
                note
            }
            Err(note) => Some(Note::PositionNotReread(Box::new(note))),
        }
    }
}

impl Drop for Session {
    /// No one listens any more, so a search that went on would be of no use.
    fn drop(&mut self) {
        self.stop();
    }
}

/// The endgame tables in these folders, if there are some, with what is to be said about them.
fn open_tablebases(folders: &str) -> (Option<Arc<Tablebases>>, Option<Note>) {
    let (tablebases, faults) = Tablebases::open(folders.as_ref());
    let found = tablebases.to_string();
    let tablebases = (!tablebases.is_empty()).then(|| Arc::new(tablebases));
    let more = faults.len().saturating_sub(1);
    let note = match faults.into_iter().next() {
        Some(first) => Note::TablebasesRefused { first, more, found },
        None => Note::TablebasesFound(found),
    };
    (tablebases, Some(note))
}

fn load_network(path: &Path) -> Result<Arc<Network>, NetworkFileError> {
    Network::load(path).map(Arc::new)
}

/// Plays the game; returns with the position what was left out of its start.
fn play_game(request: &PositionRequest, chess960: bool) -> Result<(Position, Option<Note>), Note> {
    let mode = CastlingMode::from_chess960(chess960);
    let (start, note) = match &request.start {
        Start::Fen(fen) => {
            let chess = parse_fen(fen, mode)?;
            let left_out = castling_left_out(fen, &chess);
            (chess, left_out.map(|(given, kept)| Note::CastlingLeftOut { given, kept }))
        }
        Start::Initial if chess960 => (parse_fen(&format_fen(&Chess::default()), mode)?, None),
        Start::Initial => (Chess::default(), None),
    };
    let mut position = Position::new(start);
    for (index, text) in request.moves.iter().enumerate() {
        let mv = parse_move(position.chess(), text)
            .map_err(|error| Note::MoveRefused { number: index + 1, error })?;
        position.push(mv);
    }
    Ok((position, note))
}

/// The legal ones of the moves to search, each once, with a note on the others.
fn read_search_moves(chess: &Chess, texts: &[String]) -> (Vec<Move>, Option<Note>) {
    let mut moves = Vec::new();
    let mut wrong: Vec<MoveError> = Vec::new();
    for text in texts {
        match parse_move(chess, text) {
            Ok(mv) if !moves.contains(&mv) => moves.push(mv),
            Ok(_) => {}
            Err(error) => wrong.push(error),
        }
    }
    let left_out = wrong.len();
    let note = wrong.into_iter().next().map(|first| {
        if moves.is_empty() {
            Note::SearchMovesIgnored { first }
        } else {
            Note::SearchMovesLeftOut { first, left_out }
        }
    });
    (moves, note)
}

#[cfg(test)]
mod tests;
