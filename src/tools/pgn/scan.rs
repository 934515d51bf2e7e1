//! From a file to its games, each as tags, moves and remarks in the order of the text.
//!
//! Files of games are written by people and by many programs, so this takes moves, results and marks
//! as they come. Nothing is skipped silently: a move passed over would put all that follow on the
//! wrong board. A word that cannot be a move becomes a comment, and one that may have been meant for
//! a move is a flaw of the game.

use shakmaty::Outcome;
use shakmaty::san::{San, SanPlus, Suffix};
use thiserror::Error;

use super::game::{Element, Remark};
use outrider_engine::position::san::strip_marks;
use outrider_engine::text::shorten;

/// A game of a file.
#[derive(Clone, Debug)]
pub struct GameText<'a> {
    /// The line that it begins on, from 1.
    pub line: usize,
    /// Its text as it stands in the file.
    pub text: &'a str,
    /// The names and values of its tags.
    pub tags: Vec<(String, String)>,
    /// Its moves, as they were written, and what is said about them.
    pub(super) elements: Vec<Element>,
    /// The lines that its moves stand on, those of variations left out.
    pub(super) move_lines: Vec<usize>,
    /// The result that the movetext has, if it has one.
    pub(super) outcome: Option<Outcome>,
    /// The first thing that makes it unreadable, with its line.
    pub(super) flaw: Option<(usize, PgnFlaw)>,
}

impl GameText<'_> {
    /// Its moves, as they were written, and what is said about them.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Whether nothing in the text makes it unreadable. Its moves need not be legal.
    pub fn is_sound(&self) -> bool {
        self.flaw.is_none()
    }
}

/// What makes a game unreadable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFlaw {
    /// A word that may have been meant for a move.
    #[error("\"{0}\" is not a move")]
    Word(String),
    #[error("the comment that begins here is not closed")]
    OpenComment,
    #[error("a variation is not closed")]
    OpenVariation,
    /// The end of a variation that was not begun.
    #[error("a variation is closed that was not opened")]
    StrayBracket,
    /// Variations within variations, more than a person can follow.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
}

/// The most variations within each other. All that walks through them calls itself, so that there
/// must be a limit.
const MAX_NESTING: usize = 200;

/// The games of a file, in their order.
pub fn games(text: &str) -> Vec<GameText<'_>> {
    games_from(text, 1)
}

/// The games of a part of a file that begins on this line of it.
pub(crate) fn games_from(text: &str, line: usize) -> Vec<GameText<'_>> {
    let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line };
    if scanner.rest.starts_with('%') {
        scanner.take_until('\n');
    }
    std::iter::from_fn(|| scanner.game()).collect()
}

/// Where a line behind an empty one begins the tags of a game, which nobody writes into a comment.
fn begin_of_event(text: &str) -> Option<usize> {
    let is_behind_empty_line =
        |at: usize| text[..at].trim_end_matches([' ', '\t', '\r']).ends_with('\n');
    let mut lines = text.match_indices("\n[Event \"").map(|(at, _)| at);
    lines.find(|&at| is_behind_empty_line(at)).map(|at| at + 1)
}

/// Walks through a file.
struct Scanner<'a> {
    rest: &'a str,
    /// The line that the rest begins on.
    line: usize,
}

/// The movetext of a game as far as it was walked through.
#[derive(Default)]
struct Movetext {
    elements: Vec<Element>,
    /// The variations that are open, the innermost last.
    variations: Vec<Vec<Element>>,
    /// The variations that are open within the deepest one that is kept.
    beyond: usize,
    move_lines: Vec<usize>,
    /// The result, after which only comments belong to the game.
    outcome: Option<Outcome>,
    flaw: Option<(usize, PgnFlaw)>,
}

/// What ends a word.
const DELIMITERS: &str = "{}()[];$!?.";

/// Results with blanks in them, and what they are meant for.
const SPACED_RESULTS: [(&str, &str); 3] =
    [("1/2 - 1/2", "1/2-1/2"), ("1 - 0", "1-0"), ("0 - 1", "0-1")];

impl<'a> Scanner<'a> {
    fn game(&mut self) -> Option<GameText<'a>> {
        self.skip_blank();
        if self.rest.is_empty() {
            return None;
        }
        let (line, begin) = (self.line, self.rest);
        let mut movetext = Movetext::default();
        let mut tags = self.tags();
        self.movetext(&mut movetext);
        if tags.is_empty() && movetext.is_only_talk() {
            // What is said before the tags belongs to their game.
            tags = self.tags();
            self.movetext(&mut movetext);
        }
        if tags.is_empty() && movetext.is_only_talk() {
            return None;
        }
        if !movetext.variations.is_empty() {
            movetext.flaw.get_or_insert((self.line, PgnFlaw::OpenVariation));
        }
        let text = begin[..begin.len() - self.rest.len()].trim_end();
        let tags = tags.into_iter().filter_map(name_and_value).collect();
        let Movetext { elements, move_lines, outcome, flaw, .. } = movetext;
        Some(GameText { line, text, tags, elements, move_lines, outcome, flaw })
    }

    fn movetext(&mut self, movetext: &mut Movetext) {
        while !self.is_at_end_of_game(movetext.outcome.is_some()) {
            self.token(movetext);
            self.skip_blank();
        }
    }

    /// A tag begins the next game; after the result so does a number, a move or another result.
    fn is_at_end_of_game(&self, finished: bool) -> bool {
        match self.rest.chars().next() {
            None | Some('[') => true,
            Some('0'..='9' | '*' | '½') => finished,
            Some(_) => finished && san(self.word()).is_some(),
        }
    }

    fn word(&self) -> &'a str {
        let is_end = |c: char| c.is_whitespace() || DELIMITERS.contains(c);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, behind) = self.rest.split_at(end);
        // The full stops of "exd6e.p." do not end a word.
        if behind.starts_with(".p.") { word.strip_suffix('e').unwrap_or(word) } else { word }
    }

    /// Takes the tags. A second event is that of another game.
    fn tags(&mut self) -> Vec<&'a str> {
        let (mut tags, mut has_event) = (Vec::new(), false);
        while self.rest.starts_with('[') {
            let is_event = tag_name(self.rest) == Some("Event");
            if is_event && has_event {
                break;
            }
            has_event |= is_event;
            tags.push(self.tag());
            self.skip_blank();
        }
        tags
    }

    /// Takes a tag to its closing bracket. Where that is missing, moves may follow the value.
    fn tag(&mut self) -> &'a str {
        let line = self.rest.find('\n').unwrap_or(self.rest.len());
        let (mut is_quoted, mut is_escaped, mut end_of_value) = (false, false, None);
        for (index, c) in self.rest[..line].char_indices() {
            match c {
                ']' if !is_quoted => return self.take(index + 1),
                '"' if !is_escaped && is_quoted => drop(end_of_value.get_or_insert(index + 1)),
                _ => {}
            }
            is_quoted ^= c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
        }
        let has_bracket = self.rest[..line].contains(']');
        self.take(end_of_value.filter(|_| !has_bracket).unwrap_or(line))
    }

    /// Takes the next part of the movetext.
    fn token(&mut self, movetext: &mut Movetext) {
        let line = self.line;
        match self.rest.chars().next() {
            Some('{') => self.comment(movetext),
            Some(';') => {
                let text = self.take_until('\n');
                movetext.comment(&text[1..]);
            }
            Some('(') => {
                self.take(1);
                movetext.open_variation(line);
            }
            Some(')') => {
                self.take(1);
                movetext.close_variation(line);
            }
            Some('!' | '?') => {
                let (glyph, length) = glyph_of_marks(self.rest);
                self.take(length);
                movetext.remark(Remark::Glyph(glyph));
            }
            Some('$') => {
                let is_number = |c: char| c.is_ascii_digit();
                let end = self.rest[1..].find(|c| !is_number(c)).unwrap_or(self.rest.len() - 1);
                // A number beyond those of the standard says nothing.
                if let Ok(glyph) = self.take(end + 1)[1..].parse() {
                    movetext.remark(Remark::Glyph(glyph));
                }
            }
            Some(delimiter) if DELIMITERS.contains(delimiter) => {
                self.take(1);
            }
            _ if self.rest.starts_with("e.p.") => {
                self.take("e.p.".len());
            }
            _ => {
                let spaced = SPACED_RESULTS.iter().find(|(text, _)| self.rest.starts_with(text));
                if let Some((text, result)) = spaced {
                    self.take(text.len());
                    return movetext.word(result, line);
                }
                let word = self.take(self.word().len());
                movetext.word(word, line);
            }
        }
    }

    /// Takes a comment. One that is not closed ends where the next game begins, or the file.
    fn comment(&mut self, movetext: &mut Movetext) {
        let end = self.rest.find('}');
        let before = &self.rest[..end.unwrap_or(self.rest.len())];
        match (end, begin_of_event(before)) {
            (Some(end), None) => {
                let comment = self.take(end + 1);
                movetext.comment(&comment[1..end]);
            }
            (_, next) => {
                movetext.flaw.get_or_insert((self.line, PgnFlaw::OpenComment));
                self.take(next.unwrap_or(before.len()));
            }
        }
    }

    /// Passes over blanks, and over lines that begin with a percent sign, which are for programs.
    fn skip_blank(&mut self) {
        loop {
            let text = self.rest.trim_start();
            let at_line_start = self.rest[..self.rest.len() - text.len()].ends_with('\n');
            self.take(self.rest.len() - text.len());
            if !(at_line_start && self.rest.starts_with('%')) {
                return;
            }
            self.take_until('\n');
        }
    }

    /// Takes the next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn take_until(&mut self, end: char) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }
}

impl Movetext {
    /// Adds to the innermost variation, or else to the game.
    fn add(&mut self, element: Element) {
        self.variations.last_mut().unwrap_or(&mut self.elements).push(element);
    }

    fn open_variation(&mut self, line: usize) {
        if self.variations.len() < MAX_NESTING {
            self.variations.push(Vec::new());
        } else {
            self.beyond += 1;
            self.flaw.get_or_insert((line, PgnFlaw::TooDeep));
        }
    }

    fn close_variation(&mut self, line: usize) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        match self.variations.pop() {
            Some(variation) => self.remark(Remark::Variation(variation)),
            None => drop(self.flaw.get_or_insert((line, PgnFlaw::StrayBracket))),
        }
    }

    fn remark(&mut self, remark: Remark) {
        self.add(Element::Remark(remark));
    }

    fn comment(&mut self, text: &str) {
        // Only comments to the end of a line can have a brace in them, which could not be written.
        let text = text.trim().replace('}', ")");
        if !text.is_empty() {
            // Where a line of the file ends says nothing about the text.
            self.remark(Remark::Comment(text.replace("\r\n", " ").replace(['\r', '\n'], " ")));
        }
    }

    /// Whether there is nothing in it but comments.
    fn is_only_talk(&self) -> bool {
        self.move_lines.is_empty() && self.outcome.is_none() && self.flaw.is_none()
    }

    /// A result, a number, a move, or something else.
    fn word(&mut self, word: &str, line: usize) {
        // Books and pages print dashes of all kinds.
        let word = &word.replace(['\u{2010}', '\u{2011}', '–', '—', '−'], "-");
        let spelled = if matches!(word.as_str(), "1/2" | "½-½") { "1/2-1/2" } else { word };
        if let Ok(outcome) = spelled.parse() {
            // A result within a variation says nothing about the game.
            if self.variations.is_empty() {
                self.outcome = Some(outcome);
            }
        } else if matches!(word.as_str(), "0000" | "@@@@") {
            self.mv("--", line);
        } else if ["0-0", "0-O", "00"].iter().any(|castling| word.starts_with(castling)) {
            self.mv(word, line);
        } else {
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            if !unnumbered.is_empty() {
                self.mv(unnumbered, line);
            }
        }
    }

    fn mv(&mut self, word: &str, line: usize) {
        if let Some(san) = san(word) {
            if self.variations.is_empty() {
                self.move_lines.push(line);
            }
            self.add(Element::Move(SanPlus { san, suffix: check_sign(word) }));
        } else if word == "--" {
            // A move that is passed, to show a threat.
            if self.variations.is_empty() {
                self.move_lines.push(line);
            }
            self.add(Element::Move(SanPlus { san: San::Null, suffix: None }));
        } else if word.contains(|c: char| c.is_ascii_digit()) {
            self.flaw.get_or_insert((line, PgnFlaw::Word(shorten(word))));
        } else {
            self.comment(word);
        }
    }
}

/// The sign of check or mate behind a move; that of "-+" says who stands better.
fn check_sign(word: &str) -> Option<Suffix> {
    let judges = ["-+", "/+", "=+"].iter().any(|judgement| word.ends_with(judgement));
    match word.chars().last() {
        Some('+') if !judges => Some(Suffix::Check),
        Some('#') => Some(Suffix::Checkmate),
        _ => None,
    }
}

/// The number of the glyph that a text of exclamation and question marks begins with, and its length.
fn glyph_of_marks(text: &str) -> (u8, usize) {
    let pairs = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];
    let pair = pairs.into_iter().find(|(marks, _)| text.starts_with(marks));
    let single = if text.starts_with('!') { 1 } else { 2 };
    pair.map_or((single, 1), |(_, glyph)| (glyph, 2))
}

/// The name and the value of a tag, which may lack all behind the value; `None` if it has none.
fn name_and_value(tag: &str) -> Option<(String, String)> {
    let (name, (_, text)) = (tag_name(tag)?, tag.split_once('"')?);
    // Some programs write the quotes of a nickname as they are.
    let text = text.rsplit_once('"').map_or(text.trim_end(), |(value, _)| value);
    let mut value = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|&next| c == '\\' && matches!(next, '\\' | '"'));
        value.push(escaped.unwrap_or(c));
    }
    Some((name.to_owned(), value))
}

/// The name of the tag that a text begins with: what stands on its line before the value.
fn tag_name(text: &str) -> Option<&str> {
    let (name, _) = text.lines().next()?.split_once('"')?;
    Some(name.trim_start_matches(|c: char| c == '[' || c.is_whitespace()).trim_end())
}

/// The move that a word stands for.
fn san(word: &str) -> Option<San> {
    San::from_ascii(strip_marks(word).as_bytes()).ok()
}
