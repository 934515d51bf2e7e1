//! An analysed game as the parts of a page: the text about a position with the moves, the overview with the
//! curve, and the data for `viewer.js`. The pages of `analyse` and the page of `serve` show them.

use serde::Serialize;
use serde_json::{Value as Json, json};
use shakmaty::{ByColor, Chess, Color, Move, Position as _};

use super::annotate::{MAX_LINE_PLIES, sentence};
use super::clocks::{self, duration_text, move_times};
use super::graph::{self, Area};
use super::moves::move_list;
use super::remarks::{clock, engine_note, remarks_for_page};
use super::report::{PHASES, Tally, date, opening_name, phases};
use super::variations::step;
use super::{
    AnalysedGame, Departure, ExaminedPosition, Fault, FoundLine, MissedChance, PlayerSummary,
};
use crate::pages::{board, escape, fill};
use crate::pgn::AnnotatedGame;
use crate::pgn::comment::EngineNote;
use crate::score_record::ScoreRecord;
use outrider_engine::position::notation::format_fen;

const TEXT: &str = include_str!("viewer_text.html");
const OVERVIEW: &str = include_str!("viewer_overview.html");

/// Styles of the parts, besides [`crate::pages::NOTES_STYLE`].
pub const VIEWER_STYLE: &str = include_str!("viewer.css");

/// Size of the curve; the page stretches it.
const CURVE: Area = Area { width: 1000.0, height: 200.0 };

/// Size of the bars of times below the curve.
const TIMES: Area = Area { width: 1000.0, height: 100.0 };

/// An analysed game as the parts of a page.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Players and result, as plain text.
    pub title: String,
    /// Event, site, round, date and opening, as far as they are known, as plain text.
    pub occasion: String,
    /// HTML of the text about a position and of the moves.
    pub text: String,
    /// HTML of the summary and the curve.
    pub overview: String,
    /// Positions and variations for the script.
    pub data: Json,
}

impl GameView {
    /// Makes the parts of a game. `tools` is HTML that follows the lines of a position.
    pub fn new(game: &AnnotatedGame, analysed: &AnalysedGame, tools: &str) -> GameView {
        let (moves, variations) = move_list(game, analysed);
        let ticks: String = graph::ticks(game)
            .into_iter()
            .map(|(number, share)| {
                format!(r#"<text x="{:.2}%" y="1em">{number}</text>"#, 100.0 * share)
            })
            .collect();
        let summary = PlayerSummary::by_color(game, analysed);
        let places = [
            ("curve", graph::curve(game, analysed, CURVE).to_string()),
            ("ticks", ticks),
            ("summary", rows(game, &summary, summary_cells)),
            ("phases", rows(game, &phases(game, analysed), phase_cells)),
            ("clocks", times(game, analysed)),
        ];
        let places = places.each_ref().map(|(name, text)| (*name, text.as_str()));
        GameView {
            title: graph::title(game),
            occasion: occasion(game),
            text: fill(TEXT, &[("moves", &moves), ("tools", tools)]),
            overview: fill(OVERVIEW, &places),
            data: json!({
                "positions": positions(game, analysed),
                "variations": variations.into_json(),
                "chess960": game.start.castles().mode().is_chess960(),
            }),
        }
    }
}

/// Returns event, site, round, date and opening, as far as they are known.
fn occasion(game: &AnnotatedGame) -> String {
    let round = game.tag("Round").map(|round| format!("round {round}"));
    let tag = |name| game.tag(name).map(str::to_owned);
    let parts = [tag("Event"), tag("Site"), round, date(game), opening_name(game)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns a table's rows, one for each player with a move.
fn rows<T>(
    game: &AnnotatedGame,
    results: &ByColor<Option<T>>,
    cells: impl Fn(&T) -> String,
) -> String {
    let row = |color: Color| {
        let cells = cells(results[color].as_ref()?);
        let (man, name) = (color.fold_wb("of-white", "of-black"), escape(game.player(color)));
        Some(format!(
            r#"<tr><th scope="row"><span class="man {man}" aria-hidden="true"></span>{name}</th>{cells}</tr>
"#
        ))
    };
    Color::ALL.into_iter().filter_map(row).collect()
}

fn summary_cells(summary: &PlayerSummary) -> String {
    let counts = Fault::ALL
        .map(|fault| format!(r#"<td class="{}">{}</td>"#, fault.name(), summary.count(fault)));
    let PlayerSummary { accuracy, centipawn_loss, missed, .. } = summary;
    let (counts, missed) = (counts.concat(), missed.iter().sum::<usize>());
    format!("<td>{accuracy:.1} %</td><td>{centipawn_loss:.0}</td>{counts}<td>{missed}</td>")
}

fn phase_cells(tallies: &[Tally; PHASES.len()]) -> String {
    let cell = |tally: &Tally| match tally.accuracy() {
        Some(accuracy) => format!("<td>{accuracy:.1} %</td>"),
        None => "<td>–</td>".to_owned(),
    };
    tallies.iter().map(cell).collect()
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
