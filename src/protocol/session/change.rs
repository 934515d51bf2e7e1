//! What an option changes: the settings, the book, or the engine itself.

use std::path::PathBuf;

use super::settings::Settings;

/// One change of what is set or of what the engine remembers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Puts these settings in the place of those before, at once.
    Settings(Settings),
    /// Takes moves from the book in this file, or from none.
    Book(Option<PathBuf>),
    /// Changes the engine itself, which has to be idle for it.
    Engine(EngineChange),
}

/// The size of the transposition table in megabytes before another one is asked for.
pub const DEFAULT_TABLE_MEGABYTES: usize = 16;
/// The number of search threads before another one is asked for.
pub const DEFAULT_THREADS: usize = 1;

/// A change of the engine itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineChange {
    /// Replaces the transposition table by one of this size in megabytes.
    TableMegabytes(usize),
    /// Forgets everything that earlier searches have learned.
    Forget,
    /// Searches with this number of threads.
    Threads(usize),
    /// Evaluates with the network in this file, or with the one built in.
    Network(Option<PathBuf>),
    /// Asks the endgame tables in these folders, separated as the system does, or none.
    Tablebases(Option<String>),
    /// Sets a tunable number of the search.
    Parameter {
        /// Its place in [`parameters::all`](crate::engine::search::parameters::all).
        index: usize,
        /// The new value.
        value: i32,
    },
}

impl EngineChange {
    /// The name of the change in a message.
    pub fn name(&self) -> &'static str {
        match self {
            EngineChange::TableMegabytes(_) => "the new size of the table",
            EngineChange::Forget => "forgetting what was learned",
            EngineChange::Threads(_) => "the new number of threads",
            EngineChange::Network(_) => "the other network",
            EngineChange::Tablebases(_) => "the other endgame tables",
            EngineChange::Parameter { .. } => "the new value of the parameter",
        }
    }
}

impl From<EngineChange> for Change {
    fn from(change: EngineChange) -> Change {
        Change::Engine(change)
    }
}
