//! Games analysed: every position searched, every move judged by what it gave away.
//!
//! `examine` searches, `judge` says what a move cost, `summary` what the players' moves came to;
//! `annotate` puts it into the game, `graph` and `page` draw it.

mod annotate;
mod clocks;
mod examine;
mod file;
mod graph;
mod judge;
mod moves;
mod page;
mod record;
mod remarks;
mod summary;
#[cfg(test)]
mod tests;
mod variations;

use super::pgn::Game;

pub(crate) use annotate::annotate;
pub(crate) use examine::{Examined, examine};
pub(crate) use file::{AnalysisEvent, AnalysisTask, FileError, analyse_file, named_after};
pub(crate) use graph::{is_picture, picture};
pub(crate) use judge::{Fault, JudgedMove};
pub(crate) use page::{PageFrame, is_page, page};
pub(crate) use record::PositionRecord;
pub(crate) use summary::PlayerSummary;

/// What an analysis came to.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Analysed {
    /// The positions, from the start to the end: one more than there are moves.
    pub examined: Vec<Examined>,
    pub judged: Vec<JudgedMove>,
}

impl Analysed {
    /// Judges the moves of a game by what was found in its positions.
    ///
    /// # Panics
    ///
    /// Panics if these are not as many as the moves.
    pub(crate) fn new(game: &Game, examined: Vec<Examined>) -> Analysed {
        assert_eq!(examined.len(), game.moves.len() + 1, "a position more than moves");
        let judge = |(played, pair): (&super::pgn::Played, &[Examined])| {
            // The position behind the best move is searched deeper; that is no fault of the move.
            match pair[0].line.first() {
                Some(best) if *best == played.mv => JudgedMove::BEST,
                _ => JudgedMove::new(&pair[0], &pair[1]),
            }
        };
        let judged = game.moves.iter().zip(examined.windows(2)).map(judge).collect();
        Analysed { examined, judged }
    }
}
