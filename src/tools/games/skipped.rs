//! Games that are not analysed: those without moves, and those without the requested player.

use std::io;

use super::player::SimilarNames;
use super::{AnalysisEvent, AnalysisTask, FileError, ReportedSides, failed_line};
use crate::pgn::{self, AnnotatedGame, GameError};

/// Reason why a readable game is not analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkipReason {
    /// It has no moves.
    NoMoves,
    /// The requested player does not play in it.
    OtherPlayers,
}

impl SkipReason {
    /// Returns the reason why a task skips a game, if it does.
    pub(super) fn of(task: &AnalysisTask, game: &AnnotatedGame) -> Option<SkipReason> {
        if game.moves.is_empty() {
            return Some(SkipReason::NoMoves);
        }
        let sides = ReportedSides::of(task.player.as_deref(), game);
        (sides == ReportedSides::Neither).then_some(SkipReason::OtherPlayers)
    }
}

/// Reports a game that is not analysed; returns its text and its line of JSON.
pub(super) fn report_unanalysed(
    task: &AnalysisTask,
    number: usize,
    source: &str,
    game: &Result<AnnotatedGame, GameError>,
    on_event: &mut dyn FnMut(AnalysisEvent<'_>) -> io::Result<()>,
) -> Result<(String, String), FileError> {
    let (text, json) = match game {
        Ok(game) if game.moves.is_empty() => {
            (pgn::write(game), failed_line(number, None, "the game has no moves"))
        }
        Ok(_) => {
            let player = task.player.as_deref().unwrap_or_default();
            let json = failed_line(number, None, &format!("{player} does not play in this game"));
            (format!("{source}\n\n"), json)
        }
        Err(error) => {
            let json = failed_line(number, Some(error.line()), &error.to_string());
            (format!("{source}\n\n"), json)
        }
    };
    let event = match game {
        Ok(game) => {
            let reason = SkipReason::of(task, game).unwrap_or(SkipReason::NoMoves);
            AnalysisEvent::Skipped { reason, text: &text, json: &json }
        }
        Err(error) => AnalysisEvent::Unreadable { number, error, text: &text, json: &json },
    };
    on_event(event).map_err(FileError::Output)?;
    Ok((text, json))
}

/// Fails if the task names a player who occurs in no game.
pub(super) fn check_player<'a>(
    task: &AnalysisTask,
    games: impl Iterator<Item = &'a AnnotatedGame>,
) -> Result<(), FileError> {
    let Some(player) = &task.player else {
        return Ok(());
    };
    let mut similar = SimilarNames::new(player);
    for game in games {
        if ReportedSides::of(Some(player), game) != ReportedSides::Neither {
            return Ok(());
        }
        similar.add_game(game);
    }
    Err(no_player(task, player, similar))
}

/// Returns the error that the requested player occurs in no game.
pub(super) fn no_player(task: &AnalysisTask, player: &str, similar: SimilarNames) -> FileError {
    FileError::NoPlayer {
        path: task.input.clone(),
        player: player.to_owned(),
        nearest: similar.into_names(),
    }
}
