//! Analysis of games: every position is searched, and every move is judged by the expected points that it
//! gave away.
//!
//! `examine` searches the positions, `judge` rates the moves, `missed` finds chances that were not taken,
//! `reason` explains faults, `prove` confirms the reasons with a longer search, and `summary` sums up each
//! player's moves. `annotate` writes the results into the game after `verdicts` has removed those of earlier
//! analyses, `json` into a line for programs; `graph` and `page` draw them, `page` with the parts of
//! `viewer`. `repertoire` finds the move that leaves a repertoire. `file` analyses all games of a `task`,
//! `stream` those of a pipe, `skipped` reports the others. `report` and `overview` show many games, and
//! `puzzles` turns faults into puzzles.

mod annotate;
mod clocks;
mod error;
mod examine;
mod file;
mod graph;
mod json;
mod judge;
mod missed;
mod moves;
mod openings;
mod overview;
mod page;
mod pages;
mod player;
mod prove;
mod puzzles;
mod reason;
mod record;
mod remarks;
mod repertoire;
mod report;
mod settings;
mod skipped;
mod stream;
mod summary;
mod task;
#[cfg(test)]
mod tests;
mod variations;
mod verdicts;
mod viewer;

use std::collections::BTreeMap;

use shakmaty::Chess;

use super::pgn::AnnotatedGame;
use outrider_engine::search::{Control, Engine, ThreadError};
use reason::FaultyMove;

pub use annotate::annotate;
pub use error::FileError;
pub(crate) use examine::{ExaminedPosition, FoundLine};
pub use file::{AnalysisEvent, DoneGame, analyse_games};
pub(crate) use graph::{is_picture, picture};
pub(crate) use json::{failed_line, game_line};
pub use judge::{Fault, JudgedMove};
pub use missed::{Lesson, MissedChance};
pub use openings::{BookMove, Opening, book_moves, opening, opening_of_position};
pub(crate) use page::is_page;
pub use page::{PageFrame, page};
pub use player::{PlayerKey, PlayerNames, ReportedSides};
pub use puzzles::{Puzzle, puzzles_of};
pub use reason::Reason;
pub use repertoire::{Departure, Repertoire, RepertoireCourse, RepertoireError};
pub(crate) use report::GameReport;
pub use report::PHASES;
pub use settings::{AnalysisSettings, ShownLines};
pub use skipped::SkipReason;
pub use stream::analyse_stream;
pub use summary::PlayerSummary;
pub(crate) use task::ANALYSIS_ID;
pub use task::{AnalysisTask, EngineIdentity, PageChoice, derived_name};
pub use verdicts::{RemovedVerdicts, without_verdicts};
pub use viewer::{GameView, VIEWER_STYLE};

/// The result of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedGame {
    /// Positions from the start to the end, one more than there are moves.
    pub examined: Vec<ExaminedPosition>,
    /// Judged moves, by ply.
    pub judged: Vec<JudgedMove>,
    /// Reasons of faults, by ply, where they are proven.
    pub reasons: Vec<Option<Reason>>,
    /// Number of plies at the start that belong to named openings.
    pub book_plies: usize,
    /// Missed chances, by ply.
    pub missed: Vec<Option<MissedChance>>,
    /// Sides whose faults are reported.
    pub reported: ReportedSides,
    /// Course of the game in the requested repertoire, if the game has a position of it.
    pub repertoire: Option<RepertoireCourse>,
}

impl AnalysedGame {
    /// Judges the moves of a game by the search results of its positions.
    ///
    /// # Panics
    ///
    /// Panics unless there is one more position than moves.
    fn new(game: &AnnotatedGame, examined: Vec<ExaminedPosition>) -> AnalysedGame {
        assert_eq!(examined.len(), game.moves.len() + 1, "there is one more position than moves");
        let judge = |(played, pair): (&super::pgn::PlayedMove, &[ExaminedPosition])| {
            // The position after the best move is in effect searched deeper. A lower score there does not
            // make the best move a fault.
            match pair[0].line.first() {
                Some(best) if *best == played.mv => JudgedMove::best(&pair[0]),
                _ => JudgedMove::new(&pair[0], &pair[1]),
            }
        };
        let mut judged: Vec<_> = game.moves.iter().zip(examined.windows(2)).map(judge).collect();
        let book_plies = openings::book_plies(game);
        for judged in &mut judged[..book_plies] {
            *judged = judged.in_book();
        }
        let reasons = reasons(game, &examined, &judged);
        let missed = missed::missed_chances(game, &examined, &judged);
        AnalysedGame {
            examined,
            judged,
            reasons,
            book_plies,
            missed,
            reported: ReportedSides::Both,
            repertoire: None,
        }
    }

    /// Returns the fault of a move, if it is reported.
    pub(crate) fn fault(&self, game: &AnnotatedGame, ply: usize) -> Option<Fault> {
        self.judged[ply].fault.filter(|_| self.reported.includes(game.mover(ply)))
    }

    /// Returns the reported faults with their plies.
    pub(crate) fn faults(
        &self,
        game: &AnnotatedGame,
    ) -> impl DoubleEndedIterator<Item = (usize, Fault)> {
        (0..game.moves.len()).filter_map(|ply| Some((ply, self.fault(game, ply)?)))
    }
}

/// Results of an earlier run for a game.
#[derive(Default)]
pub struct KnownGame {
    /// Search results, by ply.
    pub positions: Vec<Option<ExaminedPosition>>,
    /// Results of the longer searches for reasons, by ply: true if the reason is proven.
    pub reasons: BTreeMap<usize, bool>,
}

/// A result of a search, with its ply.
#[derive(Clone, Copy)]
pub enum Finding<'a> {
    /// A position was searched.
    Position(usize, &'a ExaminedPosition),
    /// A reason was searched longer; true if it is proven.
    Reason(usize, bool),
}

/// Searches the positions of a game that are not known yet, judges the moves, and finds the reasons of
/// faults. Calls `on_found` after each search. Returns `None` if `control` was stopped.
///
/// # Errors
///
/// Stops at the first error of `on_found`. Fails if a search thread cannot be started.
pub fn analyse<E: From<ThreadError>>(
    game: &AnnotatedGame,
    engine: &mut Engine,
    settings: AnalysisSettings,
    known: KnownGame,
    control: &Control,
    on_found: &mut dyn FnMut(Finding<'_>) -> Result<(), E>,
) -> Result<Option<AnalysedGame>, E> {
    let KnownGame { positions, reasons } = known;
    let on_position =
        &mut |ply: usize, found: &ExaminedPosition| on_found(Finding::Position(ply, found));
    let Some(examined) = examine::examine(game, engine, settings, positions, control, on_position)?
    else {
        return Ok(None);
    };
    let mut analysed = AnalysedGame::new(game, examined);
    let on_reason = &mut |ply, proven| on_found(Finding::Reason(ply, proven));
    prove::prove(game, &mut analysed, engine, settings, &reasons, control, on_reason)?;
    Ok((!control.is_stopped()).then_some(analysed))
}

/// Returns the reasons of faults, by ply.
fn reasons(
    game: &AnnotatedGame,
    examined: &[ExaminedPosition],
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

/// Collects the data about a move that its reason depends on.
fn faulty_move<'a>(
    game: &AnnotatedGame,
    boards: &'a [Chess],
    ply: usize,
    [found_before, found_after]: [&'a ExaminedPosition; 2],
) -> FaultyMove<'a> {
    FaultyMove {
        before: &boards[ply],
        mv: game.moves[ply].mv,
        last: ply.checked_sub(1).map(|last| game.moves[last].mv),
        found_before,
        found_after,
    }
}
