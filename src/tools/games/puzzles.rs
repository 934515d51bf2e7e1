//! Puzzles made from faults: a page that asks for a better move in each position.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use serde_json::json;
use shakmaty::{Chess, Color, Move, Position as _};

use super::annotate::MAX_LINE_PLIES;
use super::examine::position_at;
use super::judge::percent;
use super::{AnalysedGame, ExaminedPosition, Fault, FoundLine, Lesson, MissedChance, graph};
use crate::modules;
use crate::pages::{board, escape, fill, has_mark, script, stage_page};
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

/// Markup that occurs only on pages of puzzles.
const MARK: &str = "<main id=\"puzzles\">";

/// Number of moves of a position that are searched and can be accepted.
const SEARCHED_MOVES: usize = 6;

/// Returns true if a text is a page made by [`puzzle_page`].
pub(crate) fn is_puzzle_page(text: &str) -> bool {
    has_mark(text, MARK)
}

/// Searches the best moves of a position; returns their lines, the best first.
///
/// # Errors
///
/// Fails if a search thread cannot be started.
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

/// A position in which a player made a fault.
#[derive(Clone, Debug, Serialize)]
pub struct Puzzle {
    /// Checksum of position and move; equal in all files.
    id: String,
    fen: String,
    /// Squares of the previous move, if there was one.
    moved: Option<[String; 2]>,
    /// Previous move with its number.
    before: Option<String>,
    /// Fault, as a move with its number.
    played: String,
    /// Squares of the fault.
    squares: [String; 2],
    /// Kind of the fault or of the missed chance.
    fault: &'static str,
    /// Number of moves of the missed mate, if the move was no fault.
    mate: Option<i32>,
    /// Loss of the fault in percent of a point.
    loss: u32,
    /// Player who made the fault.
    player: String,
    by_black: bool,
    /// Moves that were searched, the best first.
    moves: Vec<KnownMove>,
    /// Moves of the best line, by name. The page's script knows the rules.
    line: Vec<String>,
    /// Title of the game.
    game: String,
    /// Address of the game's page, with the ply.
    address: String,
}

impl Puzzle {
    /// Returns the player who made the fault.
    pub(super) fn player(&self) -> &str {
        &self.player
    }

    /// Replaces the name of the player.
    pub(super) fn name_player(&mut self, usual: impl Fn(&str) -> String) {
        self.player = usual(&self.player);
    }
}

/// Counts distinct puzzles: a fault that occurs in several games counts once.
pub(super) fn distinct<'a>(puzzles: impl Iterator<Item = &'a Puzzle>) -> usize {
    puzzles.map(|puzzle| &*puzzle.id).collect::<HashSet<_>>().len()
}

/// A move of a puzzle's position.
#[derive(Clone, Debug, Serialize)]
struct KnownMove {
    san: String,
    /// Score from the player's point of view.
    score: String,
    /// Loss against the best move, in percent of a point.
    loss: u32,
    good: bool,
}

/// Searches the better moves for the reported faults of a game and returns its puzzles. Calls `before_each`
/// before each search.
///
/// # Errors
///
/// Stops at the first error of `before_each`. Fails if a search thread cannot be started.
pub fn puzzles_of<E: From<ThreadError>>(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    engine: &mut Engine,
    limit: PositionLimit,
    control: &Control,
    before_each: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Vec<Puzzle>, E> {
    puzzles(game, analysed, "", &mut |ply| {
        before_each()?;
        Ok(alternatives(&position_at(game, ply), engine, limit, control)?)
    })
}

/// Returns the puzzles of a game. `page` is the address of its page; `alternatives` returns the best moves
/// of the position before a ply.
///
/// # Errors
///
/// Stops at the first error of `alternatives`.
pub(crate) fn puzzles<E>(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    page: &str,
    alternatives: &mut dyn FnMut(usize) -> Result<Vec<FoundLine>, E>,
) -> Result<Vec<Puzzle>, E> {
    let boards = game.positions();
    let mut puzzles = Vec::new();
    for (ply, lesson) in analysed.lessons(game) {
        let known = alternatives(ply)?;
        let played = game.moves[ply].mv;
        let played_loss = analysed.judged[ply].loss;
        let accepts = |found: &FoundLine, loss| accepts(lesson, played_loss, found, loss);
        let moves = known_moves(&boards[ply], played, &analysed.examined[ply], &known, accepts);
        // Without a known better move there is nothing to find.
        if moves.iter().any(|mv| mv.good) {
            puzzles.push(puzzle(game, analysed, page, ply, lesson, moves));
        }
    }
    Ok(puzzles)
}

fn puzzle(
    game: &AnnotatedGame,
    analysed: &AnalysedGame,
    page: &str,
    ply: usize,
    lesson: Lesson,
    moves: Vec<KnownMove>,
) -> Puzzle {
    let boards = game.positions();
    let (chess, mv) = (&boards[ply], game.moves[ply].mv);
    let name = |ply: usize| game.move_name(ply, &boards[ply]);
    let (fen, before) = (format_fen(chess), ply.checked_sub(1));
    let played = name(ply);
    Puzzle {
        id: format!("{:08x}", crc32fast::hash(format!("{fen} {played}").as_bytes())),
        fen,
        moved: before.map(|before| board::squares(game.moves[before].mv)),
        before: before.map(name),
        played,
        squares: board::squares(mv),
        fault: lesson.name(),
        mate: lesson.missed().and_then(MissedChance::mate_moves),
        loss: analysed.judged[ply].percent(),
        player: game.player(game.mover(ply)).to_owned(),
        by_black: game.mover(ply) == Color::Black,
        moves,
        line: names(chess, &analysed.examined[ply].line),
        game: graph::title(game),
        address: format!("{page}#{}", ply + 1),
    }
}

/// Returns true if a move other than the best solves the puzzle: it is no fault and takes the missed
/// chance.
fn accepts(lesson: Lesson, played_loss: f64, found: &FoundLine, loss: f64) -> bool {
    match lesson.missed() {
        None => loss < Fault::Inaccuracy.min_loss(),
        Some(MissedChance::Win) => loss < played_loss / 2.0,
        Some(chance @ MissedChance::Mate(_)) => chance.is_mate_taken(found.score.mate_moves()),
    }
}

/// Returns the moves with their losses. The best move is accepted, and each other move that `accepts`
/// approves of; the played move is never accepted.
fn known_moves(
    chess: &Chess,
    played: Move,
    examined: &ExaminedPosition,
    alternatives: &[FoundLine],
    accepts: impl Fn(&FoundLine, f64) -> bool,
) -> Vec<KnownMove> {
    let ExaminedPosition { score, wdl, line, .. } = examined.clone();
    let own = FoundLine { score, wdl, line };
    let points = |line: &FoundLine| line.wdl.expected_points();
    let is_best = |line: &&FoundLine| line.line.first() == own.line.first();
    // The best move of the analysis comes first, even if the search of several moves prefers another.
    let first = (!own.line.is_empty()).then_some(&own);
    let others = alternatives.iter().filter(|line| !is_best(line));
    let top = alternatives.iter().map(points).fold(points(&own), f64::max);
    let listed = first.into_iter().chain(others).enumerate();
    let known = listed.filter_map(|(index, found)| {
        let &mv = found.line.first()?;
        let loss = if index == 0 { 0.0 } else { (top - points(found)).max(0.0) };
        let is_good = mv != played && (index == 0 || accepts(found, loss));
        Some(KnownMove {
            san: format_san(chess, mv),
            score: ScoreRecord::from(found.score).to_string(),
            loss: percent(loss),
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

/// Returns the page of puzzles; `back` is the name and the address of the page that links to it.
pub(crate) fn puzzle_page(title: &str, puzzles: &[&Puzzle], back: &(&str, String)) -> String {
    let title = format!("{title}: find better moves");
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
    let script = script("tools/games/puzzles.js", &modules!("tools/games", ["puzzles.js"]));
    stage_page(&title, &content, json!({ "puzzles": puzzles }), STYLE, &script)
}
