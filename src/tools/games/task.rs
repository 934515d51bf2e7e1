//! What is asked of an analysis, and by what a finished or unfinished one is known again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::AnalysisSettings;
use super::pages::PageFiles;
use crate::{ENGINE, STANDARD_INPUT};
use outrider_engine::atomic_write;

/// The tag by which an analysis that was finished is known again.
pub(crate) const ANALYSIS_ID: &str = "AnalysisId";

/// What to analyse and where the result goes.
#[derive(Clone, Debug)]
pub struct AnalysisTask {
    /// The file of the games, or what stands for it in messages.
    pub input: PathBuf,
    /// The annotated games, in the place of what is there.
    pub output: Option<PathBuf>,
    /// Location of the pages.
    pub pages: PageChoice,
    /// The file for all pages in one.
    pub one_file: Option<PathBuf>,
    /// Settings of the search and of the annotations.
    pub settings: AnalysisSettings,
    /// Whose games these are: only this player's faults are reported, and boards are turned.
    pub player: Option<String>,
    /// The program and what it searches with.
    pub engine: EngineIdentity,
    /// Analyse again what is done already.
    pub again: bool,
    /// Report games as they are done, not in their order.
    pub unordered: bool,
    /// Produce a line of JSON for each game.
    pub wants_json: bool,
    /// The file for the lines of JSON, if they go to one.
    pub json: Option<PathBuf>,
}

/// Where the pages go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageChoice {
    /// That of a single game beside the output, those of several into a folder there.
    Beside,
    /// Into this folder.
    Folder(PathBuf),
    /// No pages.
    None,
}

/// What makes an engine find the same again: only the same program resumes its work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// Git commit of the program.
    pub commit: String,
    /// Of the network, the checksum.
    pub network: u32,
    /// Of the folders of endgame tables, the checksum of their names, which need not be text.
    pub tables: Option<u32>,
    /// Search threads a game.
    pub threads: usize,
    /// Size of the transposition table in MB.
    pub table_megabytes: usize,
}

/// What makes two runs search the same.
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

    /// What all that is asked for comes to, as a short word: it changes when anything of it does.
    pub(super) fn id(&self, text: &str) -> String {
        let AnalysisTask { settings, player, pages, one_file, json, .. } = self;
        // Names of files need not be text; in the form for debugging any two of them differ.
        let asked = (self.identity(text), settings, player, pages, one_file, json);
        format!("{:08x}", crc32fast::hash(format!("{asked:?}").as_bytes()))
    }

    /// Whether the output is there already, and the lines of JSON, with all of this in them, and
    /// the file for all pages.
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
        let is_sent_or_has =
            |path: &PathBuf| atomic_write::is_stream(path) || has(path, &format!("\"{id}\""));
        let has_one_file = self.one_file.as_ref().is_none_or(is_sent_or_has);
        has_json && has_one_file && self.output.as_ref().is_some_and(|output| has(output, &tag))
    }

    /// Whether there is a place for pages: beside the output, or in a folder that is named.
    pub fn makes_pages(&self) -> bool {
        self.page_files(1).is_some()
    }

    /// The page of all games, if there are so many that there is one.
    pub fn overview(&self, games: usize) -> Option<PathBuf> {
        self.page_files(games)?.overview()
    }

    /// The files of the pages of so many games.
    pub(super) fn page_files(&self, games: usize) -> Option<PageFiles> {
        let named = |behind: &str| named_after(&self.input, behind);
        let folder = match (&self.pages, &self.output) {
            (PageChoice::None, _) | (PageChoice::Beside, None) => return None,
            (PageChoice::Beside, Some(output)) if atomic_write::is_stream(output) => return None,
            (PageChoice::Beside, Some(output)) if games < 2 => {
                let folder = output.parent().unwrap_or(Path::new("")).to_owned();
                return Some(PageFiles::single(folder, named("")));
            }
            (PageChoice::Beside, Some(output)) => output.with_file_name(named("-pages")),
            (PageChoice::Folder(folder), _) => folder.clone(),
        };
        Some(PageFiles::many(folder, named("")))
    }
}

/// The name of a file that is made from one with games: without `.pgn`, and with something behind it.
/// Any other ending stays, so that files that differ in nothing else do not share what is made of them.
pub fn named_after(input: &Path, behind: &str) -> OsString {
    if input == Path::new(STANDARD_INPUT) {
        return ["games", behind].concat().into();
    }
    let is_usual = input.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    let name = if is_usual { input.file_stem() } else { input.file_name() };
    let mut name = name.unwrap_or_default().to_owned();
    name.push(behind);
    name
}
