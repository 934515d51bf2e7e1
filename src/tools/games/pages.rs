//! Files of pages: a page and a picture of each game, a page of puzzles and, for several games, a page of
//! all games and one of each player.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty::{ByColor, Color};

use super::overview::{INDEX, Overview, PLAYER, PUZZLES, is_overview, player_page};
use super::puzzles::{is_puzzle_page, puzzle_page};
use super::{
    AnalysedGame, AnalysisSettings, FileError, GameReport, PageFrame, PlayerNames, ReportedSides,
    is_page, is_picture, page, picture,
};
use crate::input::MAX_TEXT;
use crate::pages::address;
use crate::pages::bundle::{NamedPage, bundle};
use crate::paths::is_same_file;
use crate::pgn::AnnotatedGame;
use outrider_engine::{atomic_write, bounded_read};

/// Folder and names of the pages.
#[derive(Debug)]
pub(super) struct PageFiles {
    folder: PathBuf,
    /// Start of the file names of the games' pages.
    stem: OsString,
    /// There is a page of all games.
    has_overview: bool,
    /// File name of the page of puzzles.
    puzzles: OsString,
    /// Numbers of the games that have a page, from 1, in order.
    games: Vec<usize>,
    /// Spellings of the players' names.
    names: PlayerNames,
    /// File names of the players' pages, by the usual spelling of the name.
    players: BTreeMap<String, String>,
}

/// Returns true if a text was written by this program as a page of one kind.
type OwnFileCheck = fn(&str) -> bool;

impl PageFiles {
    /// Creates the names for a single game, whose folder contains other files.
    pub(super) fn single(folder: PathBuf, stem: OsString) -> PageFiles {
        let mut puzzles = stem.clone();
        puzzles.push("-");
        puzzles.push(PUZZLES);
        PageFiles::without_games(folder, stem, false, puzzles)
    }

    /// Creates the names for several games, in a folder of their own. If the stem equals that of the
    /// players' pages, another is used.
    pub(super) fn many(folder: PathBuf, stem: OsString) -> PageFiles {
        let stem = if stem.eq_ignore_ascii_case(PLAYER) { "games".into() } else { stem };
        PageFiles::without_games(folder, stem, true, PUZZLES.into())
    }

    fn without_games(
        folder: PathBuf,
        stem: OsString,
        has_overview: bool,
        puzzles: OsString,
    ) -> PageFiles {
        let (names, players) = (PlayerNames::default(), BTreeMap::new());
        PageFiles { folder, stem, has_overview, puzzles, games: Vec::new(), names, players }
    }

    /// Adds games, given with their numbers. Each player who made a move gets a page.
    pub(super) fn with_games<'a>(
        mut self,
        games: impl Iterator<Item = (usize, &'a AnnotatedGame)>,
    ) -> PageFiles {
        let mut players = Vec::new();
        for (number, game) in games {
            self.games.push(number);
            for ply in 0..game.moves.len().min(2) {
                let name = game.player(game.mover(ply));
                self.names.add(name);
                players.push(name);
            }
        }
        let usual = players.into_iter().map(|name| self.names.usual(name).to_owned());
        self.players = usual.map(|name| (name, String::new())).collect();
        for (number, page) in (1..).zip(self.players.values_mut()) {
            *page = player_page(number);
        }
        self
    }

    /// Returns the path of a game's page.
    pub(super) fn page(&self, number: usize) -> PathBuf {
        self.file(number, "html")
    }

    fn file(&self, number: usize, ending: &str) -> PathBuf {
        let mut name = self.stem.clone();
        name.push(format!("-{number}.{ending}"));
        self.folder.join(name)
    }

    /// Returns the files of the games, each with the function that recognises files of an earlier run.
    fn game_files(&self) -> impl Iterator<Item = (PathBuf, OwnFileCheck)> {
        self.games.iter().flat_map(|&number| {
            let is_own_file = [("svg", is_picture as OwnFileCheck), ("html", is_page)];
            is_own_file.map(|(ending, is_own_file)| (self.file(number, ending), is_own_file))
        })
    }

    /// Returns the pages of all games and of the players, if there are any.
    fn overview_files(&self) -> impl Iterator<Item = (PathBuf, OwnFileCheck)> {
        let names = self.players.values().map(String::as_str).chain([INDEX]);
        let names = names.filter(|_| self.has_overview);
        names.map(|name| (self.folder.join(name), is_overview as OwnFileCheck))
    }

    /// Returns true if all files exist. The page of puzzles does not count, since there may be no
    /// puzzles.
    pub(super) fn are_there(&self) -> bool {
        self.game_files().chain(self.overview_files()).all(|(path, _)| path.exists())
    }

    /// Fails if one of the files or their folder is also another output, or if a file exists that was not
    /// written by an earlier run.
    pub(super) fn check(&self, others: &[&Path]) -> Result<(), FileError> {
        let is_folder =
            |other: &&&Path| self.folder.ancestors().any(|folder| is_same_file(folder, other));
        if let Some(other) = others.iter().find(is_folder) {
            return Err(FileError::NameConflict { path: other.to_path_buf() });
        }
        let puzzles = (self.folder.join(&self.puzzles), is_puzzle_page as OwnFileCheck);
        let mut all = self.game_files().chain(self.overview_files()).chain([puzzles]);
        all.try_for_each(|(path, is_own_file)| {
            if others.iter().any(|other| is_same_file(other, &path)) {
                return Err(FileError::NameConflict { path });
            }
            match bounded_read::read_file(&path, MAX_TEXT) {
                Ok(bytes) if is_own_file(&String::from_utf8_lossy(&bytes)) => Ok(()),
                Ok(_) => Err(FileError::ForeignFile { path }),
                Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(()),
                Err(reason) => Err(FileError::Io { path, reason }),
            }
        })
    }

    /// Returns the path of the page of all games, if there is one.
    pub(super) fn overview(&self) -> Option<PathBuf> {
        self.has_overview.then(|| self.folder.join(INDEX))
    }

    /// Creates the folder of the pages of several games.
    pub(super) fn make_folder(&self) -> Result<(), FileError> {
        if !self.has_overview {
            return Ok(());
        }
        let failed = |reason| FileError::Io { path: self.folder.clone(), reason };
        fs::create_dir_all(&self.folder).map_err(failed)
    }

    /// Writes the page and the picture of a game.
    pub(super) fn write(
        &self,
        number: usize,
        game: &AnnotatedGame,
        analysed: &AnalysedGame,
        settings: AnalysisSettings,
        has_puzzles: bool,
    ) -> Result<(), FileError> {
        write(&self.file(number, "svg"), &picture(game, analysed))?;
        let frame = PageFrame {
            black_below: analysed.reported == ReportedSides::Only(Color::Black),
            links: self.links(number, has_puzzles),
            players: ByColor::new_with(|color| self.player_page(game.player(color))),
        };
        write(&self.page(number), &page(game, analysed, settings, &frame))
    }

    /// Returns the file name of a player's page, if there is one.
    fn player_page(&self, name: &str) -> Option<String> {
        self.players.get(self.usual_name(name)).filter(|_| self.has_overview).cloned()
    }

    /// Returns the spelling of a player's name that the pages use.
    pub(super) fn usual_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.names.usual(name)
    }

    /// Returns the links of a game's page: to the page of all games and to the previous and next game, or
    /// for a single game to its puzzles.
    fn links(&self, number: usize, has_puzzles: bool) -> Vec<(String, String)> {
        if !self.has_overview {
            let puzzles = ("Find better moves".to_owned(), address(Path::new(&self.puzzles)));
            return has_puzzles.then_some(puzzles).into_iter().collect();
        }
        let all = ("All games".to_owned(), format!("{INDEX}#{number}"));
        let at = self.games.partition_point(|&other| other < number);
        let to = |number: usize| address(&self.page(number));
        let before = self.games[..at].last().map(|&game| (format!("‹ Game {game}"), to(game)));
        let next = self.games.get(at + 1).map(|&game| (format!("Game {game} ›"), to(game)));
        [Some(all), before, next].into_iter().flatten().collect()
    }

    /// Writes the pages that need all games.
    pub(super) fn write_overview(&self, reports: &[GameReport]) -> Result<(), FileError> {
        let title = self.stem.to_string_lossy();
        if has_puzzles(reports) {
            let puzzles: Vec<_> = reports.iter().flat_map(|report| &report.puzzles).collect();
            let page = puzzle_page(&title, &puzzles, &self.back_from_puzzles());
            write(&self.folder.join(&self.puzzles), &page)?;
        }
        if !self.has_overview {
            return Ok(());
        }
        let overview = Overview::new(reports, &title, &self.players);
        write(&self.folder.join(INDEX), &overview.page())?;
        overview.players().try_for_each(|(name, page)| write(&self.folder.join(name), &page))
    }

    /// Returns the name and the address of the link back from the puzzles.
    fn back_from_puzzles(&self) -> (&'static str, String) {
        match self.games[..] {
            [number] if !self.has_overview => ("The game", address(&self.page(number))),
            _ => ("All games", INDEX.to_owned()),
        }
    }

    /// Writes all pages into one file; `mark` identifies the task.
    pub(super) fn write_bundle(
        &self,
        path: &Path,
        mark: &str,
        reports: &[GameReport],
    ) -> Result<(), FileError> {
        let title = self.stem.to_string_lossy();
        let overview = self.overview();
        let puzzles = has_puzzles(reports).then(|| self.folder.join(&self.puzzles));
        let players = self.players.values().filter(|_| self.has_overview);
        let players = players.map(|name| self.folder.join(name));
        let games = reports.iter().map(|report| self.page(report.number));
        let read = |path: PathBuf| {
            let name = address(&path);
            let html =
                fs::read_to_string(&path).map_err(|reason| FileError::Io { path, reason })?;
            Ok(NamedPage { name, html })
        };
        // The file opens with the first page.
        let pages = overview.into_iter().chain(players).chain(games).chain(puzzles);
        let pages: Vec<NamedPage> = pages.map(read).collect::<Result<_, FileError>>()?;
        write(path, &bundle(&title, mark, &pages))
    }
}

/// Returns true if there are puzzles, and therefore a page of puzzles with links to it.
fn has_puzzles(reports: &[GameReport]) -> bool {
    reports.iter().any(|report| !report.puzzles.is_empty())
}

/// Replaces a file by this text.
pub(super) fn write(path: &Path, text: &str) -> Result<(), FileError> {
    atomic_write::replace(path, text.as_bytes())
        .map_err(|reason| FileError::Io { path: path.to_owned(), reason })
}
