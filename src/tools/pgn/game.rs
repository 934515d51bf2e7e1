//! A game with what is said about it.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position as _};

/// A game: tags, a start, moves and remarks on them.
#[derive(Clone, Debug)]
pub struct AnnotatedGame {
    /// Names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Chess,
    /// What stands before the first move.
    pub preface: Vec<Remark>,
    /// Moves of the main line.
    pub moves: Vec<Played>,
    /// What follows from a move on that was passed (`--`), which no board can follow; else nothing.
    pub rest: Vec<Element>,
    /// How it ended: `1-0`, `0-1`, `1/2-1/2`, or `*` if that is not known.
    pub result: String,
}

/// A move of the main line with its remarks.
#[derive(Clone, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What is said about it, in the order of the text.
    pub remarks: Vec<Remark>,
}

/// Something said about a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A numeric annotation glyph; 1 to 6 are `!`, `?`, `!!`, `??`, `!?` and `?!`.
    Glyph(u8),
    /// A text, without its braces.
    Comment(String),
    /// Moves that could have been played instead, as they were written: they need not be legal.
    Variation(Vec<Element>),
}

/// A part of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A move, which need not be legal.
    Move(SanPlus),
    /// A remark on the move before, or on the variation if none stands before.
    Remark(Remark),
}

impl AnnotatedGame {
    /// The value of a tag, if it says anything.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let is_unknown = |value: &str| matches!(value.trim(), "" | "?" | "-" | "????.??.??");
        let value = self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
        value.filter(|value| !is_unknown(value))
    }

    /// Gives a tag a value, after the others if it is new.
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

    /// The positions, from the start to the end: one more than there are moves.
    pub fn positions(&self) -> Vec<Chess> {
        let mut positions = vec![self.start.clone()];
        for played in &self.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(played.mv);
            positions.push(next);
        }
        positions
    }

    /// The number of a move with its dots, `12.` or `12...`, of a ply counted from 0.
    pub fn number(&self, ply: usize) -> String {
        let halfmoves = ply + usize::from(self.start.turn().is_black());
        let dots = if halfmoves.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", self.start.fullmoves().get() as usize + halfmoves / 2)
    }

    /// The number before a move where one is due: that of each move of White, and of one of Black
    /// that begins a line or stands behind words. Else it is empty.
    pub(crate) fn number_where_due(&self, ply: usize, begins: bool) -> String {
        if begins || self.mover(ply).is_white() { self.number(ply) } else { String::new() }
    }

    /// Who plays the move of a ply counted from 0.
    pub fn mover(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.start.turn() } else { self.start.turn().other() }
    }
}
