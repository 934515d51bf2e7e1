//! Games analysed: every position searched, every move judged by what it gave away.
//!
//! `examine` searches, `judge` says what a move cost and `reason` why, which `prove` searches again,
//! `summary` what the players' moves came to; `annotate` puts it into the game, `json` into a line for programs, `graph` and `page` draw it.
//! `file` does so with all games of a `task`, `stream` with those of a pipe as they come, and `report` and `overview` show many at once, `puzzles`
//! asks again where somebody went wrong.

mod annotate;
mod clocks;
mod error;
mod examine;
mod file;
mod graph;
mod json;
mod judge;
mod moves;
mod openings;
mod overview;
mod page;
mod pages;
mod prove;
mod puzzles;
mod reason;
mod record;
mod remarks;
mod report;
mod settings;
mod stream;
mod summary;
mod task;
#[cfg(test)]
mod tests;
mod variations;

use std::collections::BTreeMap;

use shakmaty::{Chess, Color};

use super::pgn::AnnotatedGame;
use outrider_engine::search::{Control, Engine, ThreadError};
use reason::FaultyMove;

pub use annotate::annotate;
pub use error::FileError;
pub(crate) use examine::{Examined, FoundLine};
pub use file::{AnalysisEvent, DoneGame, analyse_games, games_text, read_games};
pub(crate) use graph::{is_picture, picture};
pub(crate) use json::{failed_line, game_line};
pub use judge::{Fault, JudgedMove};
pub(crate) use page::is_page;
pub use page::{PageFrame, page};
pub use reason::Reason;
pub(crate) use report::GameReport;
pub use settings::{AnalysisSettings, ShownLines};
pub use stream::analyse_stream;
pub use summary::PlayerSummary;
pub(crate) use task::ANALYSIS_ID;
pub use task::{AnalysisTask, EngineIdentity, PageChoice, named_after};

/// What an analysis came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysed {
    /// The positions, from the start to the end: one more than there are moves.
    pub examined: Vec<Examined>,
    /// Judged moves, by ply.
    pub judged: Vec<JudgedMove>,
    /// Of each fault, why it is one, if that is proven.
    pub reasons: Vec<Option<Reason>>,
    /// Whose faults are reported: those of both players, unless one is named.
    pub of: Option<Color>,
}

impl Analysed {
    /// Judges the moves of a game by what was found in its positions.
    ///
    /// # Panics
    ///
    /// Panics unless there is one position more than moves.
    fn new(game: &AnnotatedGame, examined: Vec<Examined>) -> Analysed {
        assert_eq!(examined.len(), game.moves.len() + 1, "a position more than moves");
        let judge = |(played, pair): (&super::pgn::Played, &[Examined])| {
            // The position behind the best move is searched deeper; that is no fault of the move.
            match pair[0].line.first() {
                Some(best) if *best == played.mv => JudgedMove::best(&pair[0]),
                _ => JudgedMove::new(&pair[0], &pair[1]),
            }
        };
        let judged: Vec<_> = game.moves.iter().zip(examined.windows(2)).map(judge).collect();
        let reasons = reasons(game, &examined, &judged);
        Analysed { examined, judged, reasons, of: None }
    }

    /// The fault of a move, if it is reported.
    pub(crate) fn fault(&self, game: &AnnotatedGame, ply: usize) -> Option<Fault> {
        let is_reported = self.of.is_none_or(|color| color == game.mover(ply));
        self.judged[ply].fault.filter(|_| is_reported)
    }
}

/// What a run before has found in a game.
#[derive(Default)]
pub struct KnownGame {
    /// By ply.
    pub positions: Vec<Option<Examined>>,
    /// By ply, of reasons that were searched again, whether they are proven.
    pub reasons: BTreeMap<usize, bool>,
}

/// Something found in a game, with its ply.
#[derive(Clone, Copy)]
pub enum Found<'a> {
    /// A position was searched.
    Position(usize, &'a Examined),
    /// A reason was searched again, and is proven or not.
    Reason(usize, bool),
}

/// Searches the positions of a game that are not known yet, judges its moves, and says why faults are
/// faults. `on_found` is called for all that was searched. `None` once `control` says stop.
///
/// # Errors
///
/// Ends early with the error of the first call that failed, or if there is no thread to search with.
pub fn analyse<E: From<ThreadError>>(
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: AnalysisSettings,
    known: KnownGame,
    control: &Control,
    on_found: &mut dyn FnMut(Found<'_>) -> Result<(), E>,
) -> Result<Option<Analysed>, E> {
    let KnownGame { positions, reasons } = known;
    let on_position = &mut |ply: usize, it: &Examined| on_found(Found::Position(ply, it));
    let Some(examined) = examine::examine(game, engine, settings, positions, control, on_position)?
    else {
        return Ok(None);
    };
    let mut analysed = Analysed::new(game, examined);
    let on_reason = &mut |ply, proven| on_found(Found::Reason(ply, proven));
    prove::prove(game, &mut analysed, engine, settings, &reasons, control, on_reason)?;
    Ok((!control.is_stopped()).then_some(analysed))
}

/// Why the faults of a game are faults.
fn reasons(
    game: &AnnotatedGame,
    examined: &[Examined],
    judged: &[JudgedMove],
) -> Vec<Option<Reason>> {
    let boards = game.positions();
    let reason = |(ply, judged): (usize, &JudgedMove)| {
        judged.fault?;
        let found = [&examined[ply], &examined[ply + 1]];
        reason::reason(&faulty_move(game, &boards, ply, found))
    };
    judged.iter().enumerate().map(reason).collect()
}

/// A move with what was found before and behind it, and the positions of its game.
fn faulty_move<'a>(
    game: &AnnotatedGame,
    boards: &'a [Chess],
    ply: usize,
    [found_before, found_after]: [&'a Examined; 2],
) -> FaultyMove<'a> {
    FaultyMove {
        before: &boards[ply],
        mv: game.moves[ply].mv,
        last: ply.checked_sub(1).map(|last| game.moves[last].mv),
        found_before,
        found_after,
    }
}
