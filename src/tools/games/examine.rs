//! Searching the positions of a game.

use std::io;

use shakmaty::Position as _;

use shakmaty::Move;

use crate::engine::evaluation::wdl::{WDL_MODEL, Wdl, material, shown_score};
use crate::engine::position::Position;
use crate::engine::search::{Control, Engine, Report};
use crate::engine::units::{Depth, Ply, Score};
use crate::tools::limit::PositionLimit;
use crate::tools::pgn::Game;

/// What a search found in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Examined {
    /// The score for the side to move, as people are shown it.
    pub score: Score,
    /// The chances of the side to move.
    pub wdl: Wdl,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The depth of the search; zero if there was nothing to search.
    pub depth: Depth,
}

/// Searches the positions of a game that are not known yet, from the last to the first: what the
/// table has learned from later positions helps in the earlier ones, and a fault is seen where it
/// was made as soon as its refutation is known. `known` has a place for each position; `on_position`
/// is called for each that was searched, with its number from 0.
///
/// # Errors
///
/// Ends early with the error of the first call that failed.
pub(crate) fn examine(
    game: &Game,
    engine: &mut Engine,
    limit: PositionLimit,
    mut known: Vec<Option<Examined>>,
    on_position: &mut dyn FnMut(usize, &Examined) -> io::Result<()>,
) -> io::Result<Vec<Examined>> {
    known.resize(game.moves.len() + 1, None);
    let mut position = Position::new(game.start.clone());
    game.moves.iter().for_each(|played| position.push(played.mv));
    engine.new_game();
    let mut examined = Vec::new();
    for (ply, known) in known.into_iter().enumerate().rev() {
        let result = match known {
            Some(known) => known,
            None => {
                let result = search(&position, engine, limit);
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
    Ok(examined)
}

fn search(position: &Position, engine: &mut Engine, limit: PositionLimit) -> Examined {
    if position.board().legal_moves().is_empty() {
        let (score, wdl) = if position.chess().is_check() {
            (Score::mated_in(Ply::ROOT), Wdl { win: 0, draw: 0, loss: 1000 })
        } else {
            (Score::DRAW, Wdl { win: 0, draw: 1000, loss: 0 })
        };
        return Examined { score, wdl, line: Vec::new(), depth: Depth::ZERO };
    }
    let mut last_line = Vec::new();
    let outcome = engine.go(position, &limit.limits(), &Control::default(), &mut |report| {
        if let Report::Line(line) = report {
            last_line = line.moves;
        }
    });
    // A search that is ended amidst an iteration may have changed its mind since the last line.
    let line = match outcome.best {
        best if last_line.first() == best.as_ref() => last_line,
        best => best.into_iter().chain(outcome.ponder).collect(),
    };
    let wdl = WDL_MODEL.wdl(outcome.score, material(position.chess().board()));
    Examined { score: shown_score(outcome.score), wdl, line, depth: outcome.depth }
}
