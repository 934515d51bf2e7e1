//! The values that are in use: those that a refused value leaves as they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::change::{DEFAULT_TABLE_MEGABYTES, DEFAULT_THREADS, EngineChange};
use super::settings::Settings;
use outrider_engine::search::Engine;

/// All values of a session that options set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Values {
    pub settings: Settings,
    pub engine: EngineValues,
    /// File of the book in use.
    pub book: Option<PathBuf>,
}

/// Values of the engine itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineValues {
    pub table_megabytes: usize,
    pub threads: usize,
    /// File of the network in use; `None` for the built-in one.
    pub network: Option<PathBuf>,
    /// Folders of endgame tables as they were given.
    pub tablebases: Option<String>,
    /// Parameters of the search that were set, by index.
    pub parameters: BTreeMap<usize, i32>,
}

impl Default for EngineValues {
    fn default() -> EngineValues {
        EngineValues {
            table_megabytes: DEFAULT_TABLE_MEGABYTES,
            threads: DEFAULT_THREADS,
            network: None,
            tablebases: None,
            parameters: BTreeMap::new(),
        }
    }
}

impl EngineValues {
    /// Returns the values of an engine that no option has changed.
    pub(super) fn of(engine: &Engine) -> EngineValues {
        EngineValues {
            table_megabytes: engine.table_megabytes(),
            threads: engine.threads(),
            ..EngineValues::default()
        }
    }

    /// Updates the value that a change has set.
    pub(crate) fn set(&mut self, change: &EngineChange) {
        match change {
            EngineChange::TableMegabytes(megabytes) => self.table_megabytes = *megabytes,
            EngineChange::Threads(threads) => self.threads = *threads,
            EngineChange::Network(path) => self.network.clone_from(path),
            EngineChange::Tablebases(folders) => self.tablebases.clone_from(folders),
            EngineChange::Parameter { index, value } => {
                self.parameters.insert(*index, *value);
            }
            EngineChange::Forget => {}
        }
    }
}
