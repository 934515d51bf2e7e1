//! A position given by a start position and the moves played from it.

use serde::Deserialize;

use outrider_engine::position::Position;
use outrider_protocol::session::{PositionError, PositionRequest, Start};

/// A start position and moves in long algebraic notation, so that repetitions are known.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionSpec {
    pub fen: String,
    pub chess960: bool,
    pub moves: Vec<String>,
}

impl PositionSpec {
    pub(crate) fn to_request(&self) -> PositionRequest {
        PositionRequest { start: Start::Fen(self.fen.clone()), moves: self.moves.clone() }
    }

    /// Plays the moves and returns the position.
    ///
    /// # Errors
    ///
    /// Fails if the start position is invalid or a move is illegal.
    pub(crate) fn play(&self) -> Result<Position, PositionError> {
        Ok(self.to_request().play(self.chess960)?.0)
    }
}
