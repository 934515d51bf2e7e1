//! Search of the positions of a game.

use std::collections::BTreeMap;

use shakmaty::{Move, Position as _};

use super::AnalysisSettings;
use crate::pgn::AnnotatedGame;
use outrider_engine::evaluation::wdl::{WDL_MODEL, Wdl, material, shown_score};
use outrider_engine::position::Position;
use outrider_engine::search::{Bound, Control, Engine, Limits, Line, Report, ThreadError};
use outrider_engine::units::{Depth, Ply, Score};

/// Search result of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExaminedPosition {
    /// Score for the side to move, in the scale shown to users.
    pub score: Score,
    /// WDL for the side to move.
    pub wdl: Wdl,
    /// Best line; empty if the game is over.
    pub line: Vec<Move>,
    /// Depth of the search; zero if there was nothing to search.
    pub depth: Depth,
    /// Further lines, if several were searched, from better to worse.
    pub others: Vec<FoundLine>,
}

/// A line found by a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundLine {
    /// Score for the side to move, in the scale shown to users.
    pub score: Score,
    /// WDL for the side to move.
    pub wdl: Wdl,
    pub line: Vec<Move>,
}

impl FoundLine {
    /// Creates a line from the engine's own score and the material on the board.
    pub(super) fn new(score: Score, material: u32, line: Vec<Move>) -> FoundLine {
        FoundLine { score: shown_score(score), wdl: WDL_MODEL.wdl(score, material), line }
    }
}

impl ExaminedPosition {
    /// Returns all lines with their scores, the best first.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (&[Move], Score)> {
        let others = self.others.iter().map(|other| (&*other.line, other.score));
        std::iter::once((&*self.line, self.score)).chain(others)
    }
}

/// Searches the positions of a game that are not known yet, from the last to the first: the hash table
/// then contains later positions when the earlier ones are searched, so that a fault is recognised where
/// it was made once its refutation is known. `known` has an entry for each position; `on_position` is
/// called after each search, with the ply. Returns `None` if `control` was stopped.
///
/// # Errors
///
/// Stops at the first error of `on_position`. Fails if a search thread cannot be started.
pub(super) fn examine<E: From<ThreadError>>(
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: AnalysisSettings,
    mut known: Vec<Option<ExaminedPosition>>,
    control: &Control,
    on_position: &mut dyn FnMut(usize, &ExaminedPosition) -> Result<(), E>,
) -> Result<Option<Vec<ExaminedPosition>>, E> {
    known.resize(game.moves.len() + 1, None);
    let mut position = position_at(game, game.moves.len());
    engine.new_game();
    let mut examined = Vec::new();
    for (ply, known) in known.into_iter().enumerate().rev() {
        let result = match known {
            Some(known) => known,
            None => {
                let result = search(&position, engine, settings, control)?;
                if control.is_stopped() {
                    return Ok(None);
                }
                on_position(ply, &result)?;
                result
            }
        };
        examined.push(result);
        if ply > 0 {
            position.pop();
        }
    }
    examined.reverse();
    Ok(Some(examined))
}

/// Returns the position after this number of plies, with its history.
///
/// # Panics
///
/// Panics if the game has fewer plies.
pub(super) fn position_at(game: &AnnotatedGame, plies: usize) -> Position {
    let mut position = Position::new(game.start.clone());
    game.moves[..plies].iter().for_each(|played| position.push(played.mv));
    position
}

/// Searches a position.
///
/// # Errors
///
/// Fails if a search thread cannot be started.
pub(super) fn search(
    position: &Position,
    engine: &mut Engine,
    settings: AnalysisSettings,
    control: &Control,
) -> Result<ExaminedPosition, ThreadError> {
    if position.board().legal_moves().is_empty() {
        return Ok(over(position));
    }
    let limits = Limits { lines: settings.multi_pv, ..settings.limit.limits() };
    let mut lines = BTreeMap::new();
    let outcome = engine.go(position, &limits, control, &mut |report| {
        if let Report::Line(line) = report {
            lines.insert(line.rank, line);
        }
    })?;
    let lines: Vec<Line> = lines.into_values().collect();
    let pieces = material(position.chess().board());
    // A search that was stopped within an iteration may have a new best move that it has not reported
    // with a line.
    let best_line = lines.first().map(|line| &line.moves);
    let line = match (best_line, outcome.best) {
        (Some(line), Some(best)) if line.first() == Some(&best) => line.clone(),
        (_, best) => best.into_iter().chain(outcome.ponder).collect(),
    };
    let is_other = |candidate: &&Line| {
        candidate.bound == Bound::Exact && candidate.moves.first() != line.first()
    };
    let others = lines.iter().skip(1).filter(is_other);
    let others =
        others.map(|other| FoundLine::new(other.score, pieces, other.moves.clone())).collect();
    let FoundLine { score, wdl, line } = FoundLine::new(outcome.score, pieces, line);
    Ok(ExaminedPosition { score, wdl, line, depth: outcome.depth, others })
}

/// Returns the result of a position without legal moves: checkmate or stalemate.
fn over(position: &Position) -> ExaminedPosition {
    let (score, wdl) = if position.chess().is_check() {
        (Score::mated_in(Ply::ROOT), Wdl { win: 0, draw: 0, loss: 1000 })
    } else {
        (Score::DRAW, Wdl { win: 0, draw: 1000, loss: 0 })
    };
    ExaminedPosition { score, wdl, line: Vec::new(), depth: Depth::ZERO, others: Vec::new() }
}
