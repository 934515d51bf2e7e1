//! The task of an analysis, and the identities by which a finished or unfinished one is recognised.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::pages::PageFiles;
use super::{AnalysisSettings, Repertoire};
use crate::{ENGINE, STANDARD_INPUT};
use outrider_engine::atomic_write;

/// PGN tag that identifies a finished analysis.
pub(crate) const ANALYSIS_ID: &str = "AnalysisId";

/// Input, settings and outputs of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisTask {
    /// Input file, or the name for it in messages.
    pub input: PathBuf,
    /// File for the annotated games, which is replaced.
    pub output: Option<PathBuf>,
    /// Location of the pages.
    pub pages: PageChoice,
    /// File that contains all pages.
    pub one_file: Option<PathBuf>,
    /// Settings of the search and of the annotations.
    pub settings: AnalysisSettings,
    /// Player whose faults alone are reported; boards are turned to this player's side.
    pub player: Option<String>,
    /// Repertoire with which the games are compared.
    pub repertoire: Option<Arc<Repertoire>>,
    /// Program and settings of the engine.
    pub engine: EngineIdentity,
    /// Analyse again even if the analysis is finished.
    pub again: bool,
    /// Report games as soon as they are done, in any order.
    pub unordered: bool,
    /// Produce a line of JSON for each game.
    pub wants_json: bool,
    /// File for the lines of JSON, if any.
    pub json: Option<PathBuf>,
}

/// Location of the pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageChoice {
    /// In the folder of the output: the page of a single game directly, pages of several games in a
    /// subfolder.
    NextToOutput,
    /// In this folder.
    Folder(PathBuf),
    /// No pages.
    None,
}

/// Everything about the engine that its results depend on. Only an equal engine resumes the work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// Git commit of the program.
    pub commit: String,
    /// Checksum of the network.
    pub network: u32,
    /// Checksum of the folder names of the endgame tables, which need not be valid UTF-8.
    pub tables: Option<u32>,
    /// Search threads per game.
    pub threads: usize,
    /// Size of the transposition table in MB.
    pub table_megabytes: usize,
}

/// Everything that the search results depend on.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct AnalysisIdentity {
    analysed_by: String,
    engine: EngineIdentity,
    limit: crate::PositionLimit,
    multi_pv: usize,
    /// Checksum and length of the input.
    input: (u32, usize),
}

impl AnalysisTask {
    pub(super) fn identity(&self, text: &str) -> AnalysisIdentity {
        AnalysisIdentity {
            analysed_by: ENGINE.to_owned(),
            engine: self.engine.clone(),
            limit: self.settings.limit,
            multi_pv: self.settings.multi_pv,
            input: (crc32fast::hash(text.as_bytes()), text.len()),
        }
    }

    /// Returns a checksum of the whole task, as eight hexadecimal digits.
    pub(super) fn id(&self, text: &str) -> String {
        let AnalysisTask { settings, player, pages, one_file, json, .. } = self;
        // File names need not be valid UTF-8. Their debug output is still distinct.
        let repertoire = self.repertoire.as_ref().map(|repertoire| repertoire.checksum());
        let task = (self.identity(text), settings, player, repertoire, pages, one_file, json);
        format!("{:08x}", crc32fast::hash(format!("{task:?}").as_bytes()))
    }

    /// Returns true if the outputs of this task exist: the annotated games, the lines of JSON and the
    /// file with all pages, as far as they are requested.
    pub(super) fn is_done(&self, text: &str) -> bool {
        let id = self.id(text);
        let has = |path: &Path, mark: &str| {
            let is_there = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains(mark);
            !atomic_write::is_stream(path) && fs::read(path).is_ok_and(is_there)
        };
        let has_json = match &self.json {
            Some(json) => has(json, &format!("\"{id}\"")),
            None => !self.wants_json,
        };
        let tag = format!("[{ANALYSIS_ID} \"{id}\"]");
        let is_stream_or_has =
            |path: &PathBuf| atomic_write::is_stream(path) || has(path, &format!("\"{id}\""));
        let has_one_file = self.one_file.as_ref().is_none_or(is_stream_or_has);
        has_json && has_one_file && self.output.as_ref().is_some_and(|output| has(output, &tag))
    }

    /// Returns true if the task writes pages.
    pub fn makes_pages(&self) -> bool {
        self.page_files(1).is_some()
    }

    /// Returns the path of the page of all games, if there is one for this number of games.
    pub fn overview(&self, games: usize) -> Option<PathBuf> {
        self.page_files(games)?.overview()
    }

    /// Returns the files of the pages for this number of games.
    pub(super) fn page_files(&self, games: usize) -> Option<PageFiles> {
        let named = |suffix: &str| derived_name(&self.input, suffix);
        let folder = match (&self.pages, &self.output) {
            (PageChoice::None, _) | (PageChoice::NextToOutput, None) => return None,
            (PageChoice::NextToOutput, Some(output)) if atomic_write::is_stream(output) => {
                return None;
            }
            (PageChoice::NextToOutput, Some(output)) if games < 2 => {
                let folder = output.parent().unwrap_or(Path::new("")).to_owned();
                return Some(PageFiles::single(folder, named("")));
            }
            (PageChoice::NextToOutput, Some(output)) => output.with_file_name(named("-pages")),
            (PageChoice::Folder(folder), _) => folder.clone(),
        };
        Some(PageFiles::many(folder, named("")))
    }
}

/// Returns a file name derived from the input: without the extension `.pgn`, with a suffix. Other
/// extensions are kept, so that inputs that differ only in the extension have different outputs.
pub fn derived_name(input: &Path, suffix: &str) -> OsString {
    if input == Path::new(STANDARD_INPUT) {
        return ["games", suffix].concat().into();
    }
    let is_usual = input.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let name = if is_usual { input.file_stem() } else { input.file_name() };
    let mut name = name.unwrap_or_default().to_owned();
    name.push(suffix);
    name
}
