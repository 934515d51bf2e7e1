//! Games as text in the export format of the standard: lines of at most 80 characters, with move numbers
//! for White and after each interruption.

use std::mem;

use shakmaty::Position as _;

use super::game::{AnnotatedGame, Element, Remark};
use outrider_engine::position::san::format_san;

/// Maximum number of characters in a line.
const WIDTH: usize = 80;

/// Returns a game as PGN, followed by an empty line.
pub fn write(game: &AnnotatedGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        // A line break would end the tag for most programs.
        let value = value.replace(['\n', '\r', '\t'], " ");
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    if !game.tags.is_empty() {
        text.push('\n');
    }
    let mut lines = Lines { text, column: 0, opening: String::new() };
    MovetextWriter { game, lines: &mut lines, needs_number: true }.write();
    lines.word(&game.result);
    lines.text.push_str("\n\n");
    lines.text
}

/// Text with line breaks between words.
struct Lines {
    text: String,
    /// Number of characters in the last line.
    column: usize,
    /// Opening parentheses to write before the next word.
    opening: String,
}

impl Lines {
    /// Writes a word, on a new line if it does not fit.
    fn word(&mut self, word: &str) {
        let word = &(mem::take(&mut self.opening) + word);
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// Appends to the last word.
    fn join(&mut self, tail: &str) {
        self.text.push_str(&mem::take(&mut self.opening));
        self.text.push_str(tail);
        self.column += tail.chars().count();
    }

    /// Writes a text in braces.
    fn comment(&mut self, text: &str) {
        self.word("{");
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // Some programs do not find a command that is split between lines.
            while word.starts_with("[%") && !word.ends_with(']') {
                let Some(next) = words.next() else {
                    break;
                };
                word = format!("{word} {next}");
            }
            self.word(&word);
        }
        self.word("}");
    }
}

struct MovetextWriter<'a> {
    game: &'a AnnotatedGame,
    lines: &'a mut Lines,
    /// The next move needs a number even if it is Black's.
    needs_number: bool,
}

impl MovetextWriter<'_> {
    fn write(&mut self) {
        let mut chess = self.game.start.clone();
        self.remarks(&self.game.preface, 0);
        for (ply, played) in self.game.moves.iter().enumerate() {
            self.mv(&format_san(&chess, played.mv), ply);
            chess.play_unchecked(played.mv);
            self.remarks(&played.remarks, ply);
        }
        self.elements(&self.game.rest, self.game.moves.len());
    }

    fn mv(&mut self, san: &str, ply: usize) {
        let number = self.game.number_if_needed(ply, self.needs_number);
        self.lines.word(format!("{number} {san}").trim_start());
        self.needs_number = false;
    }

    /// Writes the remarks on the move of a ply.
    fn remarks(&mut self, remarks: &[Remark], ply: usize) {
        remarks.iter().for_each(|remark| self.remark(remark, ply));
    }

    fn remark(&mut self, remark: &Remark, ply: usize) {
        match remark {
            Remark::Glyph(glyph) => self.lines.word(&format!("${glyph}")),
            Remark::Comment(text) => {
                self.lines.comment(text);
                self.needs_number = true;
            }
            Remark::Variation(elements) => {
                self.variation(elements, ply);
                self.needs_number = true;
            }
        }
    }

    /// Writes a variation that replaces the move of a ply.
    fn variation(&mut self, elements: &[Element], ply: usize) {
        self.lines.opening.push('(');
        self.needs_number = true;
        self.elements(elements, ply);
        self.lines.join(")");
    }

    /// Writes a line of moves; the first is played at `ply`.
    fn elements(&mut self, elements: &[Element], ply: usize) {
        let mut next = ply;
        for element in elements {
            match element {
                Element::Move(san) => {
                    self.mv(&san.to_string(), next);
                    next += 1;
                }
                Element::Remark(remark) => self.remark(remark, next.saturating_sub(1).max(ply)),
            }
        }
    }
}
