//! Ends of games.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Position as _};

use outrider_engine::position::Position;
use outrider_engine::units::Ply;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EndReason {
    Checkmate,
    Stalemate,
    /// The position occurred for the third time.
    Repetition,
    FiftyMoves,
    /// Neither side has mating material.
    Material,
    Resignation,
    Time,
    Agreement,
}

/// The end of a game: reason and winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ending {
    pub reason: EndReason,
    /// `None` after a draw.
    pub winner: Option<Color>,
}

impl Ending {
    /// Returns the end by the rules of chess, if the position is final.
    pub(crate) fn by_rule(position: &Position) -> Option<Ending> {
        let chess = position.chess();
        let drawn = |reason| Some(Ending { reason, winner: None });
        if chess.legal_moves().is_empty() {
            return if chess.is_check() {
                Some(Ending { reason: EndReason::Checkmate, winner: Some(chess.turn().other()) })
            } else {
                drawn(EndReason::Stalemate)
            };
        }
        if position.board().is_insufficient_material() {
            drawn(EndReason::Material)
        } else if position.is_repetition(Ply::ROOT) {
            drawn(EndReason::Repetition)
        } else if position.is_drawn_by_fifty_moves() {
            drawn(EndReason::FiftyMoves)
        } else {
            None
        }
    }

    /// Returns the end on time: the opponent of `loser` wins, or draws without mating material.
    pub(crate) fn by_time(position: &Position, loser: Color) -> Ending {
        let can_win = !position.chess().has_insufficient_material(loser.other());
        Ending { reason: EndReason::Time, winner: can_win.then_some(loser.other()) }
    }

    pub(crate) fn by_resignation(loser: Color) -> Ending {
        Ending { reason: EndReason::Resignation, winner: Some(loser.other()) }
    }

    pub(crate) fn by_agreement() -> Ending {
        Ending { reason: EndReason::Agreement, winner: None }
    }

    /// Returns the result in PGN notation.
    pub(crate) fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Returns the value of the PGN tag `Termination`.
    pub(crate) fn termination(&self) -> &'static str {
        match self.reason {
            EndReason::Time => "time forfeit",
            _ => "normal",
        }
    }

    /// Returns a text for the player.
    pub(crate) fn text(&self) -> String {
        let winner = self.winner.map_or("", |color| color.fold_wb("White wins", "Black wins"));
        match (self.reason, self.winner) {
            (EndReason::Checkmate, _) => format!("{winner} by checkmate"),
            (EndReason::Stalemate, _) => "Draw by stalemate".to_owned(),
            (EndReason::Repetition, _) => "Draw by threefold repetition".to_owned(),
            (EndReason::FiftyMoves, _) => "Draw by the fifty-move rule".to_owned(),
            (EndReason::Material, _) => "Draw by insufficient material".to_owned(),
            (EndReason::Resignation, _) => format!("{winner} by resignation"),
            (EndReason::Time, Some(_)) => format!("{winner} on time"),
            (EndReason::Time, None) => "Draw: out of time, but the opponent cannot mate".to_owned(),
            (EndReason::Agreement, _) => "Draw by agreement".to_owned(),
        }
    }
}
