//! The files that show games: a page and a picture of each, and for several a page of all, one of
//! each player, and one of the puzzles.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty::Color;

use super::overview::{INDEX, Overview, PUZZLES, is_overview, player_page};
use super::puzzles::{is_puzzle_page, puzzle_page};
use super::{
    Analysed, AnalysisSettings, FileError, GameReport, PageFrame, is_page, is_picture, page,
    picture,
};
use crate::engine::atomic_write;
use crate::tools::pages::bundle::{NamedPage, bundle};
use crate::tools::pgn::Game;

/// Where pages go.
#[derive(Debug)]
pub(super) struct PageFiles {
    folder: PathBuf,
    /// What the names of the games' pages begin with.
    stem: OsString,
    /// Whether there is a page of all games.
    has_overview: bool,
}

/// Whether a text was written by this program, as a page of some kind.
type IsOurs = fn(&str) -> bool;

impl PageFiles {
    /// A single page, among other files.
    pub(super) fn single(folder: PathBuf, stem: OsString) -> PageFiles {
        PageFiles { folder, stem, has_overview: false }
    }

    /// The pages of several games, in a folder of their own.
    pub(super) fn many(folder: PathBuf, stem: OsString) -> PageFiles {
        PageFiles { folder, stem, has_overview: true }
    }

    fn file(&self, number: usize, ending: &str) -> PathBuf {
        let mut name = self.stem.clone();
        name.push(format!("-{number}.{ending}"));
        self.folder.join(name)
    }

    /// Fails if one of the files of these games, counted from 0, and of so many players is the
    /// output, or is there and was not written by an earlier run.
    pub(super) fn check(
        &self,
        games: &[usize],
        players: usize,
        output: Option<&Path>,
    ) -> Result<(), FileError> {
        let each = games.iter().flat_map(|index| {
            let is_ours = [("svg", is_picture as IsOurs), ("html", is_page)];
            is_ours.map(|(ending, is_ours)| (self.file(index + 1, ending), is_ours))
        });
        let players = (1..=players).map(player_page);
        let overviews = players.chain([INDEX.to_owned()]).filter(|_| self.has_overview);
        let overviews = overviews.map(|name| (self.folder.join(name), is_overview as IsOurs));
        let puzzles = (self.folder.join(PUZZLES), is_puzzle_page as IsOurs);
        let all = each.chain(overviews).chain(self.has_overview.then_some(puzzles));
        all.into_iter().try_for_each(|(path, is_ours)| {
            if output.is_some_and(|output| is_same(output, &path)) {
                return Err(FileError::NamedTwice { path });
            }
            match fs::read(&path) {
                Ok(bytes) if is_ours(&String::from_utf8_lossy(&bytes)) => Ok(()),
                Ok(_) => Err(FileError::NoPage { path }),
                Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(reason) => Err(FileError::Io { path, reason }),
            }
        })
    }

    /// The page of all games.
    pub(super) fn overview(&self) -> Option<PathBuf> {
        self.has_overview.then(|| self.folder.join(INDEX))
    }

    pub(super) fn make_folder(&self) -> Result<(), FileError> {
        if !self.has_overview {
            return Ok(());
        }
        let failed = |reason| FileError::Io { path: self.folder.clone(), reason };
        fs::create_dir_all(&self.folder).map_err(failed)
    }

    /// Writes the page and the picture of a game; returns where the page is.
    pub(super) fn write(
        &self,
        number: usize,
        game: &Game,
        analysed: &Analysed,
        settings: AnalysisSettings,
    ) -> Result<PathBuf, FileError> {
        let html = self.file(number, "html");
        write(&self.file(number, "svg"), &picture(game, analysed))?;
        let frame =
            PageFrame { black_below: analysed.of == Some(Color::Black), links: self.links(number) };
        write(&html, &page(game, analysed, settings, &frame))?;
        Ok(html)
    }

    /// The links of a game's page to the page of all.
    fn links(&self, number: usize) -> Vec<(String, String)> {
        let address = format!("{INDEX}#{number}");
        self.has_overview.then(|| ("All games".to_owned(), address)).into_iter().collect()
    }

    /// Writes the pages that need all games.
    pub(super) fn write_overview(&self, reports: &[GameReport]) -> Result<(), FileError> {
        if !self.has_overview {
            return Ok(());
        }
        let title = self.stem.to_string_lossy();
        let overview = Overview::of(reports, &title);
        write(&self.folder.join(INDEX), &overview.page())?;
        let puzzles: Vec<_> = reports.iter().flat_map(|report| &report.puzzles).collect();
        write(&self.folder.join(PUZZLES), &puzzle_page(&title, &puzzles, Some(INDEX)))?;
        overview.players().try_for_each(|(name, page)| write(&self.folder.join(name), &page))
    }

    /// Writes all pages into one file.
    pub(super) fn write_in_one(
        &self,
        path: &Path,
        reports: &[GameReport],
    ) -> Result<(), FileError> {
        let title = self.stem.to_string_lossy();
        let players = Overview::of(reports, &title).player_pages();
        let shared = [INDEX.to_owned(), PUZZLES.to_owned()].into_iter().chain(players);
        let shared = shared.filter(|_| self.has_overview);
        let names = shared.chain(reports.iter().map(|report| report.page.clone()));
        let read = |name: String| {
            let path = self.folder.join(&name);
            let html =
                fs::read_to_string(&path).map_err(|reason| FileError::Io { path, reason })?;
            Ok(NamedPage { name, html })
        };
        let pages: Vec<NamedPage> = names.map(read).collect::<Result<_, FileError>>()?;
        write(path, &bundle(&title, &pages))
    }
}

/// Whether two names are those of one file, which need not be there.
fn is_same(one: &Path, other: &Path) -> bool {
    let folder = |path: &Path| path.parent().map(|folder| folder.join(".").canonicalize().ok());
    one.file_name() == other.file_name() && folder(one) == folder(other)
}

fn write(path: &Path, text: &str) -> Result<(), FileError> {
    atomic_write::replace(path, text.as_bytes())
        .map_err(|reason| FileError::Io { path: path.to_owned(), reason })
}
