//! A position as the page names it: where the game began and what was played since.

use serde::Deserialize;

use outrider_engine::position::Position;
use outrider_protocol::session::{Message, PositionRequest, Start};

/// A start and moves in long algebraic notation.
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

    /// # Errors
    ///
    /// Fails if the start cannot be played or a move is not legal.
    pub(crate) fn play(&self) -> Result<Position, Message> {
        Ok(self.to_request().play(self.chess960)?.0)
    }
}
