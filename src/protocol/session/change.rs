//! Changes by options: of the settings, of the book, or of the engine itself.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::message::Message;
use super::settings::Settings;
use outrider_engine::evaluation::Network;
use outrider_engine::search::{Engine, parameters};
use outrider_engine::tablebases::Tablebases;

/// One change of the settings, the book or the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Replaces all settings at once.
    Settings(Settings),
    /// Opens the book in this file, or closes the book.
    Book(Option<PathBuf>),
    /// Changes the engine itself, as soon as it is idle.
    Engine(EngineChange),
}

/// Default size of the transposition table in megabytes.
pub(crate) const DEFAULT_TABLE_MEGABYTES: usize = 16;
/// Default number of search threads.
pub(crate) const DEFAULT_THREADS: usize = 1;

/// A change of the engine itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineChange {
    /// Replaces the transposition table by one of this size in megabytes.
    TableMegabytes(usize),
    /// Clears everything that earlier searches have learned.
    Forget,
    /// Sets the number of search threads.
    Threads(usize),
    /// Evaluates with the network in this file, or with the built-in one.
    Network(Option<PathBuf>),
    /// Uses the endgame tables in these folders, separated as in the system's lists of paths, or
    /// none.
    Tablebases(Option<String>),
    /// Sets a tunable parameter of the search.
    Parameter {
        /// Index in [`parameters::all`](outrider_engine::search::parameters::all).
        index: usize,
        /// New value.
        value: i32,
    },
}

impl EngineChange {
    /// Name of the change for messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            EngineChange::TableMegabytes(_) => "the new table size",
            EngineChange::Forget => "clearing the table and the histories",
            EngineChange::Threads(_) => "the new number of threads",
            EngineChange::Network(_) => "the new network",
            EngineChange::Tablebases(_) => "the new set of endgame tables",
            EngineChange::Parameter { .. } => "the new parameter value",
        }
    }

    /// Returns true if this change makes an earlier one pointless: both set the same thing.
    pub(super) fn replaces(&self, other: &EngineChange) -> bool {
        match (self, other) {
            (
                EngineChange::Parameter { index, .. },
                EngineChange::Parameter { index: other, .. },
            ) => index == other,
            _ => mem::discriminant(self) == mem::discriminant(other),
        }
    }

    /// Makes the change. Returns a remark about it, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot have the new value. It is then unchanged.
    pub(super) fn apply(&self, engine: &mut Engine) -> Result<Option<Message>, Message> {
        match self {
            EngineChange::TableMegabytes(megabytes) => {
                let resized = engine.resize_table(*megabytes);
                let kept = engine.table_megabytes();
                resized.map_err(|error| Message::TableRefused { error, kept })?;
                Ok(None)
            }
            EngineChange::Forget => {
                engine.new_game();
                Ok(None)
            }
            EngineChange::Threads(threads) => {
                let set = engine.set_threads(*threads);
                let kept = engine.threads();
                set.map_err(|error| Message::ThreadsRefused { error, kept })?;
                Ok(None)
            }
            EngineChange::Network(path) => set_network(engine, path.as_deref()),
            EngineChange::Tablebases(folders) => Ok(set_tablebases(engine, folders.as_deref())),
            EngineChange::Parameter { index, value } => {
                if let Some(parameter) = parameters::all().get(*index) {
                    parameter.set(*value);
                }
                Ok(None)
            }
        }
    }
}

fn set_network(engine: &mut Engine, path: Option<&Path>) -> Result<Option<Message>, Message> {
    let in_use = engine.network().checksum();
    let loaded = Network::load_or_built_in(path);
    let network = loaded.map_err(|error| Message::NetworkRefused { error, kept: in_use })?;
    if network.checksum() == in_use {
        // With the same network, the learned data stays valid.
        return Ok(None);
    }
    let message = Message::NetworkLoaded(network.to_string());
    engine.set_network(network);
    Ok(Some(message))
}

fn set_tablebases(engine: &mut Engine, folders: Option<&str>) -> Option<Message> {
    let Some(folders) = folders else {
        engine.set_tablebases(None);
        return None;
    };
    let (tablebases, faults) = Tablebases::open(folders.as_ref());
    let found = tablebases.to_string();
    engine.set_tablebases((!tablebases.is_empty()).then(|| Arc::new(tablebases)));
    let more = faults.len().saturating_sub(1);
    Some(match faults.into_iter().next() {
        Some(first) => Message::TablebasesRefused { first, more, found },
        None => Message::TablebasesFound(found),
    })
}

impl From<EngineChange> for Change {
    fn from(change: EngineChange) -> Change {
        Change::Engine(change)
    }
}
