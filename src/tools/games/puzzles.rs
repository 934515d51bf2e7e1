//! Puzzles from one's own mistakes: a page that asks the positions again in which a move was a fault.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::json;
use shakmaty::{Chess, Color, Move, Position as _};

use super::annotate::MAX_LINE_PLIES;
use super::{Analysed, Examined, Fault, FileError, FoundLine, graph};
use crate::pages::{Page, board, escape, fill};
use crate::pgn::AnnotatedGame;
use crate::score_record::ScoreRecord;
use crate::{ENGINE, PositionLimit};
use outrider_engine::evaluation::wdl::material;
use outrider_engine::position::Position;
use outrider_engine::position::notation::format_fen;
use outrider_engine::position::san::format_san;
use outrider_engine::search::{Bound, Control, Engine, Limits, Line, Report, ThreadError};

const CONTENT: &str = include_str!("puzzles.html");
const STYLE: &str = include_str!("puzzles.css");
const SCRIPT: &str = include_str!("puzzles.js");

/// What stands on each page of puzzles and on no other.
const MARK: &str = "<main id=\"puzzles\">";

/// How many moves of a position are searched for those that are good enough.
const SEARCHED_MOVES: usize = 6;

/// Whether a text is a page that [`puzzle_page`] made.
pub(crate) fn is_puzzle_page(text: &str) -> bool {
    text.starts_with("<!DOCTYPE html>") && text.contains(MARK)
}

/// The best moves of a position with their lines, the best first.
///
/// # Errors
///
/// Fails if there is no thread to search with.
pub(crate) fn alternatives(
    position: &Position,
    engine: &mut Engine,
    limit: PositionLimit,
    control: &Control,
) -> Result<Vec<FoundLine>, ThreadError> {
    let limits = Limits { lines: SEARCHED_MOVES, ..limit.limits() };
    let mut lines = BTreeMap::new();
    engine.go(position, &limits, control, &mut |report| {
        if let Report::Line(line) = report
            && line.bound == Bound::Exact
        {
            lines.insert(line.rank, line);
        }
    })?;
    let pieces = material(position.chess().board());
    let found = |line: Line| FoundLine::new(line.score, pieces, line.moves);
    Ok(lines.into_values().map(found).collect())
}

/// A position that somebody went wrong in.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Puzzle {
    /// The same for the same position and move, in whatever file.
    id: String,
    fen: String,
    /// Where the move before began and ended, if there was one, and its name.
    moved: Option<[String; 2]>,
    before: Option<String>,
    /// The fault: its name with the number, its squares, its kind and the percent of a point that it lost.
    played: String,
    squares: [String; 2],
    fault: &'static str,
    loss: u32,
    player: String,
    by_black: bool,
    /// The moves that were searched, the best first.
    moves: Vec<KnownMove>,
    /// The names of the best line's moves: the page knows the rules.
    line: Vec<String>,
    /// The game: its title, and its page with the place in it.
    game: String,
    address: String,
}

impl Puzzle {
    /// Who went wrong.
    pub(super) fn player(&self) -> &str {
        &self.player
    }
}

/// How many positions puzzles ask: what happened in several games is asked once.
pub(super) fn distinct<'a>(puzzles: impl Iterator<Item = &'a Puzzle>) -> usize {
    puzzles.map(|it| &*it.id).collect::<HashSet<_>>().len()
}

/// A move of a puzzle's position.
#[derive(Clone, Debug, Serialize)]
struct KnownMove {
    san: String,
    /// For the player.
    score: String,
    /// The percent of a point that it loses against the best.
    loss: u32,
    good: bool,
}

/// The puzzles of a game; `page` is the address of its page, `alternatives` what the moves of the
/// position before a ply are worth.
///
/// # Errors
///
/// Ends with the first error of `alternatives`.
pub(crate) fn puzzles(
    game: &AnnotatedGame,
    analysed: &Analysed,
    page: &str,
    alternatives: &mut dyn FnMut(usize) -> Result<Vec<FoundLine>, FileError>,
) -> Result<Vec<Puzzle>, FileError> {
    let boards = game.positions();
    let mut puzzles = Vec::new();
    let faults =
        (0..game.moves.len()).filter_map(|ply| analysed.fault(game, ply).map(|fault| (ply, fault)));
    for (ply, fault) in faults {
        let known = alternatives(ply)?;
        let played = game.moves[ply].mv;
        let moves = known_moves(&boards[ply], played, &analysed.examined[ply], &known);
        // Where nothing better is known there is nothing to find.
        if moves.iter().any(|mv| mv.good) {
            puzzles.push(puzzle(game, analysed, page, ply, fault, moves));
        }
    }
    Ok(puzzles)
}

fn puzzle(
    game: &AnnotatedGame,
    analysed: &Analysed,
    page: &str,
    ply: usize,
    fault: Fault,
    moves: Vec<KnownMove>,
) -> Puzzle {
    let boards = game.positions();
    let (chess, mv) = (&boards[ply], game.moves[ply].mv);
    let name = |ply: usize| {
        format!("{} {}", game.number(ply), format_san(&boards[ply], game.moves[ply].mv))
    };
    let (fen, before) = (format_fen(chess), ply.checked_sub(1));
    let played = name(ply);
    Puzzle {
        id: format!("{:08x}", crc32fast::hash(format!("{fen} {played}").as_bytes())),
        fen,
        moved: before.map(|before| board::squares(game.moves[before].mv)),
        before: before.map(name),
        played,
        squares: board::squares(mv),
        fault: fault.name(),
        loss: analysed.judged[ply].percent(),
        player: game.player(game.mover(ply)).to_owned(),
        by_black: game.mover(ply) == Color::Black,
        moves,
        line: names(chess, &analysed.examined[ply].line),
        game: graph::title(game),
        address: format!("{page}#{}", ply + 1),
    }
}

/// The moves with what they lose: good enough is each that is no fault, and the best one; what was
/// played is not.
fn known_moves(
    chess: &Chess,
    played: Move,
    examined: &Examined,
    alternatives: &[FoundLine],
) -> Vec<KnownMove> {
    let Examined { score, wdl, line, .. } = examined.clone();
    let own = FoundLine { score, wdl, line };
    let points = |it: &FoundLine| it.wdl.expected_points();
    let is_best = |it: &&FoundLine| it.line.first() == own.line.first();
    // What the analysis held for best comes first, whatever the search of several moves thinks.
    let first = (!own.line.is_empty()).then_some(&own);
    let others = alternatives.iter().filter(|it| !is_best(it));
    let top = alternatives.iter().map(points).fold(points(&own), f64::max);
    let listed = first.into_iter().chain(others).enumerate();
    let known = listed.filter_map(|(index, it)| {
        let &mv = it.line.first()?;
        let loss = if index == 0 { 0.0 } else { (top - points(it)).max(0.0) };
        let is_good = mv != played && (index == 0 || loss < Fault::Inaccuracy.min_loss());
        Some(KnownMove {
            san: format_san(chess, mv),
            score: ScoreRecord::from(it.score).to_string(),
            loss: (100.0 * loss + 1e-7) as u32,
            good: is_good,
        })
    });
    known.collect()
}

fn names(chess: &Chess, line: &[Move]) -> Vec<String> {
    let mut chess = chess.clone();
    let names = line.iter().take(MAX_LINE_PLIES).map(|&mv| {
        let name = format_san(&chess, mv);
        chess.play_unchecked(mv);
        name
    });
    names.collect()
}

/// The page that asks the puzzles; `back` is the name and the address of the page that leads to it.
pub(crate) fn puzzle_page(title: &str, puzzles: &[&Puzzle], back: &(&str, String)) -> String {
    let title = format!("{title}: find better");
    let back = format!(r#"<a href="{}">{}</a>"#, escape(&back.1), escape(back.0));
    let content = fill(
        CONTENT,
        &[
            ("mark", MARK),
            ("title", &escape(&title)),
            ("back", &back),
            ("count", &distinct(puzzles.iter().copied()).to_string()),
            ("percent", &format!("{:.0}", 100.0 * Fault::Inaccuracy.min_loss())),
            ("engine", ENGINE),
        ],
    );
    let page = Page {
        title: &title,
        class: "",
        style: &[board::STAGE, STYLE].concat(),
        content: &content,
        data: json!({ "puzzles": puzzles }),
        script: &[board::MOVING, SCRIPT].join("\n"),
        has_boards: true,
    };
    page.to_html()
}
