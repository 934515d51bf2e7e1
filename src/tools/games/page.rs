//! A game as an HTML page: the board, the annotated moves and the curve.

use serde_json::{Value as Json, json};
use shakmaty::{ByColor, Chess, Color, Move, Position as _};

use super::annotate::{MAX_LINE_PLIES, sentence};
use super::clocks::{self, duration_text, move_times};
use super::graph::{self, Area};
use super::moves::move_list;
use super::remarks::{clock, engine_note, remarks_for_page};
use super::report::{date, opening_name};
use super::variations::step;
use super::{
    AnalysedGame, AnalysisSettings, Departure, ExaminedPosition, Fault, FoundLine, MissedChance,
    PlayerSummary, annotate,
};
use crate::ENGINE;
use crate::pages::{board, escape, fill, has_mark, stage_page};
use crate::pgn::comment::EngineNote;
use crate::pgn::{self, AnnotatedGame};
use crate::score_record::ScoreRecord;
use outrider_engine::position::notation::format_fen;

const CONTENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Size of the curve; the page stretches it.
const CURVE: Area = Area { width: 1000.0, height: 200.0 };

/// Size of the bars of times below the curve.
const TIMES: Area = Area { width: 1000.0, height: 100.0 };

/// Markup that occurs only on pages of games.
const MARK: &str =
    "<section class=\"card graph\" aria-label=\"White’s winning chance after each move\">";

/// True if a text is a page made by [`page`].
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
    let summary = PlayerSummary::by_color(game, analysed);
    let rows: String = Color::ALL
        .into_iter()
        .filter_map(|color| Some(summary_row(game, color, summary[color].as_ref()?)))
        .collect();
    let ticks: String = graph::ticks(game)
        .into_iter()
        .map(|(number, share)| {
            format!(r#"<span style="left:{:.2}%">{number}</span>"#, 100.0 * share)
        })
        .collect();
    let title = graph::title(game);
    let (moves, variations) = move_list(game, analysed);
    let data = json!({
        "positions": positions(game, analysed),
        "variations": variations.into_json(),
        "blackBelow": frame.black_below,
        "chess960": game.start.castles().mode().is_chess960(),
        "pgn": pgn::write(&annotate(game, analysed, settings)),
    });
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("occasion", &escape(&occasion(game))),
            ("repertoire", &repertoire(game, analysed)),
            ("links", &links(&frame.links)),
            ("white", &player_bar(game, Color::White, frame)),
            ("black", &player_bar(game, Color::Black, frame)),
            ("curve", &graph::curve(game, analysed, CURVE).to_string()),
            ("ticks", &ticks),
            ("summary", &rows),
            ("clocks", &times(game, analysed)),
            ("moves", &moves),
            ("limit", &escape(&settings.limit.to_string())),
            ("engine", ENGINE),
        ],
    );
    stage_page(&title, &content, data, STYLE, SCRIPT)
}

/// Returns event, site, round, date and opening, as far as they are known.
fn occasion(game: &AnnotatedGame) -> String {
    let round = game.tag("Round").map(|round| format!("round {round}"));
    let tag = |name| game.tag(name).map(str::to_owned);
    let parts = [tag("Event"), tag("Site"), round, date(game), opening_name(game)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns the course of the game in the repertoire as HTML; an empty string without a repertoire.
fn repertoire(game: &AnnotatedGame, analysed: &AnalysedGame) -> String {
    let Some(course) = &analysed.repertoire else {
        return String::new();
    };
    format!("<p class=\"note\" id=\"repertoire\">{}.</p>\n", escape(&course.words(game)))
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

/// Returns the bars of times as HTML; an empty string if no time is known.
fn times(game: &AnnotatedGame, analysed: &AnalysedGame) -> String {
    let Some(bars) = clocks::bars(game, analysed, TIMES) else {
        return String::new();
    };
    let Area { width, height } = TIMES;
    format!(
        r#"<h2 class="note">Time used: White above, Black below; faults in time trouble are coloured</h2>
<svg class="times" viewBox="0 0 {width} {height}" preserveAspectRatio="none" aria-hidden="true">
{bars}</svg>
"#
    )
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

/// Returns a player's row of the summary.
fn summary_row(game: &AnnotatedGame, color: Color, summary: &PlayerSummary) -> String {
    let counts = Fault::ALL
        .map(|fault| format!(r#"<td class="{}">{}</td>"#, fault.name(), summary.count(fault)));
    format!(
        r#"<tr><th scope="row"><span class="man {}" aria-hidden="true"></span>{}</th><td>{:.1} %</td><td>{:.0}</td>{}<td>{}</td></tr>
"#,
        color.fold_wb("of-white", "of-black"),
        escape(game.player(color)),
        summary.accuracy,
        summary.centipawn_loss,
        counts.concat(),
        summary.missed.iter().sum::<usize>()
    )
}

/// Returns the positions for the page's script, each with the move that led to it.
fn positions(game: &AnnotatedGame, analysed: &AnalysedGame) -> Json {
    let boards = game.positions();
    let times = move_times(game);
    let points = analysed.white_expected_points(game);
    let each = boards.iter().zip(&analysed.examined).enumerate();
    let positions = each.map(|(ply, (chess, examined))| {
        let mut position = json!({
            "fen": format_fen(chess),
            "score": ScoreRecord::for_white(examined.score, chess.turn()).to_string(),
            "chance": rounded(points[ply]),
            "depth": examined.depth.plies(),
            "line": line(game, ply, chess, &examined.line),
            "others": others(game, ply, chess, examined),
        });
        if let Some(before) = ply.checked_sub(1) {
            let (mv, judged) = (game.moves[before].mv, &analysed.judged[before]);
            position["moved"] = json!(board::squares(mv));
            position["name"] = game.move_name(before, &boards[before]).into();
            position["best"] = (analysed.examined[before].line.first() == Some(&mv)).into();
            position["loss"] = judged.percent().into();
            position["fault"] = analysed.fault(game, before).map(Fault::name).into();
            position["verdict"] = sentence(game, &boards[before], analysed, before).into();
            position["missed"] =
                analysed.missed_chance(game, before).map(MissedChance::words).into();
            position["book"] = (before < analysed.book_plies).into();
            position["repertoire"] = departure(analysed, before).map(Departure::sentence).into();
            position["missedWin"] = judged.missed_win.into();
            position["onlyMove"] = judged.only_move.into();
            let note = engine_note(&game.moves[before].remarks);
            position["engine"] = note.map(|note| note_record(note, game.mover(before))).into();
            position["clock"] = clock(&game.moves[before].remarks).map(clocks::clock_text).into();
            if let Some(time) = times[before] {
                position["spent"] = duration_text(time.used).into();
                position["trouble"] = time.in_trouble.into();
            }
        }
        let remarks =
            ply.checked_sub(1).map_or(&game.preface, |before| &game.moves[before].remarks);
        if let Some(remarks) = remarks_for_page(remarks) {
            position["remarks"] = remarks;
        }
        position
    });
    positions.collect()
}

/// Returns the departure from the repertoire, if the move of this ply is the one.
fn departure(analysed: &AnalysedGame, ply: usize) -> Option<&Departure> {
    let departure = analysed.repertoire.as_ref()?.departure.as_ref()?;
    (departure.ply == ply).then_some(departure)
}

/// Returns a line that begins at a ply, as steps for the page's script.
fn line(game: &AnnotatedGame, ply: usize, chess: &Chess, moves: &[Move]) -> Vec<Json> {
    let mut chess = chess.clone();
    let numbered = |(index, &mv): (usize, &Move)| {
        step(&game.number_if_needed(ply + index, index == 0), &mut chess, mv).into()
    };
    moves.iter().take(MAX_LINE_PLIES).enumerate().map(numbered).collect()
}

/// Rounds a chance to three decimal places.
fn rounded(chance: f64) -> f64 {
    (1000.0 * chance).round() / 1000.0
}

/// Returns the lines other than the best.
fn others(
    game: &AnnotatedGame,
    ply: usize,
    chess: &Chess,
    examined: &ExaminedPosition,
) -> Vec<Json> {
    let record = |other: &FoundLine| {
        let score = ScoreRecord::for_white(other.score, chess.turn()).to_string();
        let points = other.wdl.expected_points();
        let chance = rounded(chess.turn().fold_wb(points, 1.0 - points));
        json!({ "score": score, "chance": chance, "line": line(game, ply, chess, &other.line) })
    };
    examined.others.iter().map(record).collect()
}

/// Returns an engine's note on its own move, with the score from White's point of view.
fn note_record(note: EngineNote, mover: Color) -> Json {
    let score = if mover.is_white() { note.score } else { note.score.for_opponent() };
    json!({ "score": score.to_string(), "depth": note.depth, "seconds": note.seconds })
}
