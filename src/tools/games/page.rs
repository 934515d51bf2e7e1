//! A game as an HTML page: the board, the annotated moves and the curve.

use shakmaty::{ByColor, Color};

use super::viewer::{GameView, VIEWER_STYLE};
use super::{AnalysedGame, AnalysisSettings, annotate};
use crate::ENGINE;
use crate::modules;
use crate::pages::{escape, fill, has_mark, script, stage_page};
use crate::pgn::{self, AnnotatedGame};

const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

const TOOLS: &str = include_str!("page_tools.html");

/// Markup that occurs only on pages of games.
const MARK: &str =
    "<section class=\"card graph\" aria-label=\"White’s winning chance after each move\">";

/// Returns true if a text is a page made by [`page`].
pub(crate) fn is_page(text: &str) -> bool {
    has_mark(text, MARK)
}

/// Orientation and links of a game's page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PageFrame {
    /// The board is first shown with Black at the bottom.
    pub black_below: bool,
    /// Names and addresses of the links at the top.
    pub links: Vec<(String, String)>,
    /// Addresses of the players' pages, for the links of their names.
    pub players: ByColor<Option<String>>,
}

/// Returns the HTML page of an analysed game.
pub fn page(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    settings: AnalysisSettings,
    frame: &PageFrame,
) -> String {
    let GameView { title, occasion, text, overview, mut data } =
        GameView::new(game, analysed, TOOLS);
    data["blackBelow"] = frame.black_below.into();
    data["pgn"] = pgn::write(&annotate(game, analysed, settings)).into();
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("occasion", &escape(&occasion)),
            ("repertoire", &repertoire(game, analysed)),
            ("links", &links(&frame.links)),
            ("white", &player_bar(game, Color::White, frame)),
            ("black", &player_bar(game, Color::Black, frame)),
            ("text", &text),
            ("overview", &overview),
            ("limit", &escape(&settings.limit.to_string())),
            ("engine", ENGINE),
        ],
    );
    let style = [VIEWER_STYLE, STYLE].concat();
    let script = script("tools/games/page.js", &modules!("tools/games", ["page.js"]));
    stage_page(&title, &content, data, &style, &script)
}

/// Returns the course of the game in the repertoire as HTML; an empty string without a repertoire.
fn repertoire(game: &AnnotatedGame, analysed: &AnalysedGame) -> String {
    let Some(course) = &analysed.repertoire else {
        return String::new();
    };
    format!(
        "<p class=\"note\" id=\"repertoire\">{}.</p>\n",
        escape(&annotate::capitalised(&course.words(game)))
    )
}

/// Returns the links at the top as HTML.
fn links(links: &[(String, String)]) -> String {
    if links.is_empty() {
        return String::new();
    }
    let link = |(name, address): &(String, String)| {
        format!(r#"<a href="{}">{}</a>"#, escape(address), escape(name))
    };
    format!("<nav class=\"links\">{}</nav>\n", links.iter().map(link).collect::<String>())
}

/// Returns the bar above or below the board: the player's name, rating and clock.
fn player_bar(game: &AnnotatedGame, color: Color, frame: &PageFrame) -> String {
    let rating = game.tag(color.fold_wb("WhiteElo", "BlackElo")).unwrap_or_default();
    let name = escape(game.player(color));
    let name = frame.players[color].as_ref().map_or(name.clone(), |address| {
        format!(r#"<a href="{}" title="All games of {name}">{name}</a>"#, escape(address))
    });
    format!(
        r#"<span class="man {}" aria-hidden="true"></span><b>{}</b> <span class="note">{}</span><span class="clock"></span>"#,
        color.fold_wb("of-white", "of-black"),
        name,
        escape(rating)
    )
}
