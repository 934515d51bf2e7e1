//! A game with its annotations.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position as _};
use thiserror::Error;

use outrider_engine::position::san::format_san;

/// A game: tags, starting position, moves and remarks.
#[derive(Clone, Debug)]
pub struct AnnotatedGame {
    /// Names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Chess,
    /// Remarks before the first move.
    pub preface: Vec<Remark>,
    /// Moves of the main line.
    pub moves: Vec<PlayedMove>,
    /// Everything from the first null move (`--`) on, which cannot be played on a board; empty if there is
    /// none.
    pub rest: Vec<Element>,
    /// Result: `1-0`, `0-1`, `1/2-1/2`, or `*` if it is unknown.
    pub result: String,
    /// First move number in the text that cannot be right.
    pub wrong_number: Option<WrongNumber>,
}

/// A move number that does not fit its move. Perhaps moves are missing, or the text of two games is mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("move number {found} where {expected} is expected; moves may be missing")]
pub struct WrongNumber {
    /// Line in the file.
    pub line: usize,
    /// Number in the text.
    pub found: u32,
    /// Number of the move by its position in the game.
    pub expected: u32,
}

/// A move of the main line with its remarks.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// Remarks on the move, in the order of the text.
    pub remarks: Vec<Remark>,
}

/// A remark on a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A numeric annotation glyph; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
    Glyph(u8),
    /// Text, without the braces.
    Comment(String),
    /// Alternative moves, as they were written; they need not be legal.
    Variation(Vec<Element>),
}

/// An element of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A move, which need not be legal.
    Move(SanPlus),
    /// A remark on the previous move, or on the variation if there is no previous move.
    Remark(Remark),
}

impl AnnotatedGame {
    /// Returns the value of a tag; `None` if it is missing, empty or a placeholder such as `?`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let is_unknown = |value: &str| matches!(value.trim(), "" | "?" | "-" | "????.??.??");
        let value = self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
        value.filter(|value| !is_unknown(value))
    }

    /// Sets the value of a tag; a new tag is added at the end.
    pub fn set_tag(&mut self, name: &str, value: String) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Returns a player's name, or the name of the color if the tag is missing.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black")).unwrap_or(color.fold_wb("White", "Black"))
    }

    /// Returns the positions from the start to the end, one more than there are moves.
    pub fn positions(&self) -> Vec<Chess> {
        let mut positions = vec![self.start.clone()];
        for played in &self.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(played.mv);
            positions.push(next);
        }
        positions
    }

    /// Returns the move number of a ply (counted from 0) with its dots: `12.` or `12...`.
    pub fn number(&self, ply: usize) -> String {
        let halfmoves = ply + usize::from(self.start.turn().is_black());
        let dots = if halfmoves.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", self.start.fullmoves().get() as usize + halfmoves / 2)
    }

    /// Returns the name of the move of a ply with its number, such as `12... Nf6`; `before` is the position
    /// before it.
    pub(crate) fn move_name(&self, ply: usize, before: &Chess) -> String {
        format!("{} {}", self.number(ply), format_san(before, self.moves[ply].mv))
    }

    /// Returns the move number if PGN writes one here: before each move of White, and before a move of
    /// Black that begins a line or follows a comment (`after_break`). Otherwise returns an empty string.
    pub(crate) fn number_if_needed(&self, ply: usize, after_break: bool) -> String {
        if after_break || self.mover(ply).is_white() { self.number(ply) } else { String::new() }
    }

    /// Returns the side that plays the move of a ply (counted from 0).
    pub fn mover(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.start.turn() } else { self.start.turn().other() }
    }
}
