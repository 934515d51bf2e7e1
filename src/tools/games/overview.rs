//! Overview of several games: a page with one row per game, and a page of each player.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use shakmaty::{ByColor, Color};

use super::puzzles::distinct;
use super::report::{DEPARTURES, PHASES, SideReport, Tally};
use super::{Fault, GameReport, PlayerSummary};
use crate::ENGINE;
use crate::modules;
use crate::pages::{Page, escape, escaped_address, fill, has_mark, script};

const CONTENT: &str = include_str!("overview.html");
const STYLE: &str = include_str!("overview.css");

/// File name of the page of all games.
pub(super) const INDEX: &str = "index.html";

/// File name of the page of puzzles.
pub(super) const PUZZLES: &str = "puzzles.html";

/// Markup that occurs only on the pages of all games and of players.
const MARK: &str = "<main class=\"games-overview\">";

/// Returns true if a text is a page of all games or of a player.
pub(super) fn is_overview(text: &str) -> bool {
    has_mark(text, MARK)
}

/// Start of the file names of the players' pages.
pub(super) const PLAYER: &str = "player";

/// Returns the file name of a player's page; players are counted from 1.
pub(super) fn player_page(number: usize) -> String {
    format!("{PLAYER}-{number}.html")
}

/// Overview of the games of a file.
pub(super) struct Overview<'a> {
    title: &'a str,
    reports: &'a [GameReport],
    /// Players by name.
    players: BTreeMap<&'a str, PlayerReport<'a>>,
}

/// A player's results in all games.
#[derive(Default)]
struct PlayerReport<'a> {
    /// File name of the page.
    page: &'a str,
    games: Vec<&'a GameReport>,
    points: f64,
    /// Number of games with a known result.
    finished: usize,
    all: PlayerSummary,
    colors: ByColor<GameGroup>,
    openings: BTreeMap<&'a str, GameGroup>,
    phases: [Tally; 3],
    clock: [Tally; 2],
    /// Games by the way in which they left the repertoire, in the order of [`DEPARTURES`].
    repertoire: [GameGroup; 3],
}

/// Statistics of some games of a player.
#[derive(Default)]
struct GameGroup {
    games: usize,
    points: f64,
    summary: PlayerSummary,
}

/// A table of a player's page: its name, and rows with name, games or moves, points, accuracy and faults.
type Table = (&'static str, Vec<Json>);

impl<'a> Overview<'a> {
    /// Creates the overview; `pages` maps players to the file names of their pages.
    pub(super) fn new(
        reports: &'a [GameReport],
        title: &'a str,
        pages: &'a BTreeMap<String, String>,
    ) -> Overview<'a> {
        let mut players: BTreeMap<&str, PlayerReport<'_>> = BTreeMap::new();
        for report in reports {
            for (color, name) in Color::ALL.into_iter().zip(&report.players) {
                if let Some(side) = &report.sides[color] {
                    players.entry(name).or_default().add(report, color, side);
                }
            }
        }
        for (name, player) in &mut players {
            player.page = pages.get(*name).map_or("", String::as_str);
        }
        Overview { title, reports, players }
    }

    /// Returns the page of all games.
    pub(super) fn page(&self) -> String {
        let players = self.players.iter().map(|(name, player)| {
            json!({
                "name": name, "page": player.page, "games": player.games.len(),
                "points": player.points, "finished": player.finished, "moves": player.all.moves,
                "accuracy": player.all.accuracy, "faults": player.all.faults,
                "missed": player.all.missed,
            })
        });
        let data = json!({
            "games": self.reports.iter().map(|report| self.row(report)).collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
        });
        let owners = self.players.iter().filter(|(_, player)| self.is_likely_owner(player));
        let owners: String = owners
            .map(|(name, player)| {
                format!(r#" <a href="{}">Games of {}</a>"#, escape(player.page), escape(name))
            })
            .collect();
        let link = format!("<p>{}{owners}</p>", self.puzzles_link(""));
        page(self.title, &link, data)
    }

    /// Returns true if the file is probably a collection of this player's games.
    fn is_likely_owner(&self, player: &PlayerReport<'_>) -> bool {
        player.games.len() > 2 && 2 * player.games.len() > self.reports.len()
    }

    /// Returns a link to a player's puzzles, or to all if `player` is empty. Without puzzles it is empty.
    fn puzzles_link(&self, player: &str) -> String {
        let puzzles = self.reports.iter().flat_map(|report| &report.puzzles);
        let own = puzzles.filter(|puzzle| player.is_empty() || puzzle.player() == player);
        let count = distinct(own);
        if count == 0 {
            return String::new();
        }
        let place = if player.is_empty() { "" } else { "#player=" };
        let name = escaped_address(player);
        let positions = if count == 1 { "position" } else { "positions" };
        format!(r#"<a href="{PUZZLES}{place}{name}">Find better moves: {count} {positions}</a>"#)
    }

    /// Returns the file names and contents of the players' pages.
    pub(super) fn players(&self) -> impl Iterator<Item = (&str, String)> {
        self.players.iter().map(|(name, player)| {
            let games: Vec<Json> = player.games.iter().map(|report| self.row(report)).collect();
            let tables = player.tables().into_iter().filter(|(_, rows)| !rows.is_empty());
            let tables = tables.map(|(name, rows)| json!({ "name": name, "rows": rows }));
            let data = json!({
                "games": games,
                "tables": tables.collect::<Vec<_>>(),
                "points": player.points,
                "finished": player.finished,
                "accuracy": player.all.accuracy,
            });
            let puzzles = self.puzzles_link(name);
            let back = format!(r#"<p><a href="{INDEX}">All games</a> {puzzles}</p>"#);
            (player.page, page(name, &back, data))
        })
    }

    fn row(&self, report: &GameReport) -> Json {
        let mut row = json!(report);
        let page = |name: &String| self.players.get(name.as_str()).map(|player| player.page);
        row["playerPages"] = json!(report.players.each_ref().map(page));
        row
    }
}

impl<'a> PlayerReport<'a> {
    fn add(&mut self, report: &'a GameReport, color: Color, side: &SideReport) {
        self.games.push(report);
        self.points += side.points.unwrap_or_default();
        self.finished += usize::from(side.points.is_some());
        self.all.add(&side.summary);
        self.colors[color].add(side);
        if let Some(opening) = &report.opening {
            // Variations of an opening count together; the name before the colon is that of the opening.
            let family = opening.split(':').next().unwrap_or(opening);
            self.openings.entry(family).or_default().add(side);
        }
        self.phases.iter_mut().zip(&side.phases).for_each(|(sum, tally)| sum.add(tally));
        self.clock.iter_mut().zip(&side.clock).for_each(|(sum, tally)| sum.add(tally));
        if let Some(departure) = side.departure {
            self.repertoire[departure].add(side);
        }
    }

    fn tables(&self) -> Vec<Table> {
        let tally_row = |(name, tally): (&str, &Tally)| {
            let accuracy = tally.accuracy()?;
            Some(json!({
                "name": name, "moves": tally.moves, "accuracy": accuracy, "faults": tally.faults,
                "missed": tally.missed,
            }))
        };
        let colors = ["With White", "With Black"].into_iter();
        let colors = colors.zip([&self.colors.white, &self.colors.black]);
        let repertoire = DEPARTURES.into_iter().zip(&self.repertoire);
        let clock = ["With time", "In time trouble"].into_iter().zip(&self.clock);
        let mut openings: Vec<_> =
            self.openings.iter().map(|(name, group)| (*name, group)).collect();
        openings.sort_by_key(|(_, group)| std::cmp::Reverse(group.games));
        let has_clock = self.clock.iter().any(|tally| tally.moves > 0);
        vec![
            ("Colour", colors.filter_map(GameGroup::row).collect()),
            ("Phase", PHASES.into_iter().zip(&self.phases).filter_map(tally_row).collect()),
            ("Clock", clock.filter(|_| has_clock).filter_map(tally_row).collect()),
            ("Opening", openings.into_iter().filter_map(GameGroup::row).collect()),
            ("Repertoire", repertoire.filter_map(GameGroup::row).collect()),
        ]
    }
}

impl GameGroup {
    fn add(&mut self, side: &SideReport) {
        self.games += 1;
        self.points += side.points.unwrap_or_default();
        self.summary.add(&side.summary);
    }

    fn row((name, group): (&str, &GameGroup)) -> Option<Json> {
        (group.games > 0).then(|| {
            json!({
                "name": name, "games": group.games, "points": group.points,
                "moves": group.summary.moves, "accuracy": group.summary.accuracy,
                "faults": group.summary.faults, "missed": group.summary.missed,
            })
        })
    }
}

fn page(title: &str, back: &str, data: Json) -> String {
    let faults: String = Fault::ALL
        .map(|fault| format!(r#"<span class="{0}">{1}</span> {0}"#, fault.name(), fault.sign()))
        .join(", ");
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(title)),
            ("back", back),
            ("mark", MARK),
            ("faults", &faults),
            ("engine", ENGINE),
        ],
    );
    let page = Page {
        title,
        class: "",
        style: STYLE,
        content: &content,
        data,
        script: &script("tools/games/overview.js", &modules!("tools/games", ["overview.js"])),
        has_boards: true,
    };
    page.to_html()
}
