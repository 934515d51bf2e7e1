//! Splits a file into games, each as tags, moves and remarks in the order of the text.
//!
//! PGN files are written by people and by many programs, so the scanner is tolerant: it accepts many
//! forms of moves, results and marks. It skips no move silently, since all later moves would then be
//! played on the wrong board. A word that cannot be a move becomes a comment; a word that was perhaps
//! meant as a move is a flaw of the game.

use shakmaty::Outcome;
use shakmaty::san::{San, SanPlus, Suffix};
use thiserror::Error;

use super::game::{Element, Remark};
use outrider_engine::position::san::strip_marks;
use outrider_engine::text::shorten;

/// A game of a file.
#[derive(Clone, Debug)]
pub struct GameText<'a> {
    /// First line of the game, counted from 1.
    pub line: usize,
    /// Text of the game, as in the file.
    pub text: &'a str,
    /// Names and values of the tags.
    pub tags: Vec<(String, String)>,
    /// Moves as they were written, and remarks.
    pub(super) elements: Vec<Element>,
    /// Line number of each move of the main line.
    pub(super) move_lines: Vec<usize>,
    /// Move numbers in the main line.
    pub(super) numbers: Vec<MoveNumber>,
    /// Result in the movetext, if there is one.
    pub(super) outcome: Option<Outcome>,
    /// First flaw that makes the game unreadable, with its line.
    pub(super) flaw: Option<(usize, PgnFlaw)>,
}

impl GameText<'_> {
    /// Returns the moves as they were written, and the remarks.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Returns true if the text has no flaw. The moves need not be legal.
    pub fn is_sound(&self) -> bool {
        self.flaw.is_none()
    }
}

/// A move number in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveNumber {
    /// Index of the move after it in the main line.
    pub ply: usize,
    pub number: u32,
    pub line: usize,
}

/// A flaw that makes a game unreadable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFlaw {
    /// A word that was perhaps meant as a move.
    #[error("\"{0}\" is not a move")]
    Word(String),
    /// A comment without a closing brace.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation without a closing parenthesis.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A closing parenthesis without a variation.
    #[error("a variation is closed but was not opened")]
    StrayBracket,
    /// Too many nested variations.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// Too many moves and remarks.
    #[error("the game has more than {MAX_ELEMENTS} moves and remarks")]
    TooLong,
}

/// Maximum nesting depth of variations. The code that processes them is recursive and needs a limit.
const MAX_NESTING: usize = 200;

/// Returns the games of a file in their order.
pub fn games(text: &str) -> Vec<GameText<'_>> {
    games_from(text, 1)
}

/// Returns the games of a part of a file; `line` is the number of its first line.
pub(crate) fn games_from(text: &str, line: usize) -> Vec<GameText<'_>> {
    let mut scanner = Scanner { rest: text.trim_start_matches(MARKS), line };
    if scanner.rest.starts_with('%') {
        scanner.take_until('\n');
    }
    std::iter::from_fn(|| scanner.game()).collect()
}

/// Byte-order mark, and Ctrl-Z, which ends old files of DOS. A file that was joined from several ones has
/// such marks inside.
const MARKS: [char; 2] = ['\u{feff}', '\u{1a}'];

/// Finds the start of the next game: the tag `Event` after an empty line, which comments do not contain.
fn next_event_start(text: &str) -> Option<usize> {
    let follows_empty_line =
        |at: usize| text[..at].trim_end_matches([' ', '\t', '\r']).ends_with('\n');
    let mut lines = text.match_indices("\n[Event \"").map(|(at, _)| at);
    lines.find(|&at| follows_empty_line(at)).map(|at| at + 1)
}

/// Reads a file from start to end.
struct Scanner<'a> {
    rest: &'a str,
    /// Line number of the start of `rest`.
    line: usize,
}

/// The movetext of a game, as far as it was read.
#[derive(Default)]
struct Movetext {
    elements: Vec<Element>,
    /// Open variations, the innermost last.
    variations: Vec<Vec<Element>>,
    /// Number of open variations beyond the maximum depth.
    excess_depth: usize,
    /// Number of all elements.
    length: usize,
    /// Line of the current token.
    line: usize,
    /// Move number before the next move of the main line.
    number: Option<u32>,
    move_lines: Vec<usize>,
    numbers: Vec<MoveNumber>,
    /// Result; after it only comments belong to the game.
    outcome: Option<Outcome>,
    flaw: Option<(usize, PgnFlaw)>,
}

/// Characters that end a word: the self-terminating tokens of the standard (8.2 and 7), quotes, and the
/// beginnings of comments and glyphs.
const DELIMITERS: &str = "{}()[]<>*.\";$!?\u{feff}\u{1a}";

/// Maximum number of moves and remarks in a game, so that a game without an end does not fill the memory.
const MAX_ELEMENTS: usize = 1_000_000;

/// Results written with spaces, and their standard forms.
const SPACED_RESULTS: [(&str, &str); 3] =
    [("1/2 - 1/2", "1/2-1/2"), ("1 - 0", "1-0"), ("0 - 1", "0-1")];

impl<'a> Scanner<'a> {
    /// Reads the next game.
    fn game(&mut self) -> Option<GameText<'a>> {
        self.skip_blank();
        if self.rest.is_empty() {
            return None;
        }
        let (line, begin) = (self.line, self.rest);
        let mut movetext = Movetext::default();
        let mut tags = self.tags();
        self.movetext(&mut movetext);
        while movetext.has_only_comments()
            && let Some(more) = self.more_tags(&tags)
        {
            tags.extend(more);
            self.movetext(&mut movetext);
        }
        if tags.is_empty() && movetext.has_only_comments() {
            return None;
        }
        if !movetext.variations.is_empty() {
            movetext.flaw.get_or_insert((self.line, PgnFlaw::OpenVariation));
        }
        let text = begin[..begin.len() - self.rest.len()].trim_end();
        let tags = tags.into_iter().filter_map(name_and_value).collect();
        let Movetext { elements, move_lines, numbers, outcome, flaw, .. } = movetext;
        Some(GameText { line, text, tags, elements, move_lines, numbers, outcome, flaw })
    }

    fn movetext(&mut self, movetext: &mut Movetext) {
        while !self.is_at_end_of_game(movetext.outcome.is_some()) {
            self.token(movetext);
            self.skip_blank();
        }
    }

    /// Returns true if the next game begins here: with a tag or, after a result, with a number, a move or
    /// another result.
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
        let (word, after) = self.rest.split_at(end);
        // The first full stop in "exd6e.p." does not end the move.
        if after.starts_with(".p.") { word.strip_suffix('e').unwrap_or(word) } else { word }
    }

    /// Reads the tags. A second `Event` tag belongs to the next game.
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

    /// Reads tags after comments if they belong to the game of the tags before: comments may come before
    /// and between the tags of a game. A second tag of a name, and an `Event` tag after others, belong
    /// to the next game.
    fn more_tags(&mut self, before: &[&str]) -> Option<Vec<&'a str>> {
        let mut ahead = Scanner { ..*self };
        let more = ahead.tags();
        let is_known = |name| before.iter().any(|tag| tag_name(tag) == Some(name));
        let is_next = |name| !before.is_empty() && (name == "Event" || is_known(name));
        if more.is_empty() || more.iter().filter_map(|tag| tag_name(tag)).any(is_next) {
            return None;
        }
        *self = ahead;
        Some(more)
    }

    /// Reads a tag up to its closing bracket. If the bracket is missing, moves may follow the value.
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

    /// Reads the next token of the movetext.
    fn token(&mut self, movetext: &mut Movetext) {
        movetext.line = self.line;
        match self.rest.chars().next() {
            Some('{') => self.comment(movetext),
            Some(';') => {
                let text = self.take_until('\n');
                movetext.comment(&text[1..]);
            }
            Some('(') => {
                self.take(1);
                movetext.open_variation();
            }
            Some(')') => {
                self.take(1);
                movetext.close_variation();
            }
            Some('*') => movetext.word(self.take(1)),
            Some('<' | '>') => {
                let is_part = |c: char| "<>=-+".contains(c);
                let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
                movetext.comment(self.take(end));
            }
            Some('"') => self.string(movetext),
            Some('!' | '?') => {
                let (glyph, length) = glyph_of_marks(self.rest);
                self.take(length);
                movetext.remark(Remark::Glyph(glyph));
            }
            Some('$') => {
                let is_number = |c: char| c.is_ascii_digit();
                let end = self.rest[1..].find(|c| !is_number(c)).unwrap_or(self.rest.len() - 1);
                // A number above 255 is not a glyph.
                if let Ok(glyph) = self.take(end + 1)[1..].parse() {
                    movetext.remark(Remark::Glyph(glyph));
                }
            }
            Some(delimiter) if DELIMITERS.contains(delimiter) => {
                self.take(delimiter.len_utf8());
            }
            _ if self.rest.starts_with("e.p.") => {
                self.take("e.p.".len());
            }
            _ => {
                let spaced = SPACED_RESULTS.iter().find(|(text, _)| self.rest.starts_with(text));
                if let Some((text, result)) = spaced {
                    self.take(text.len());
                    return movetext.word(result);
                }
                let word = self.take(self.word().len());
                movetext.word(word);
            }
        }
    }

    /// Reads a comment. An unclosed comment ends at the next game or at the end of the file.
    fn comment(&mut self, movetext: &mut Movetext) {
        let end = self.rest.find('}');
        let before = &self.rest[..end.unwrap_or(self.rest.len())];
        match (end, next_event_start(before)) {
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

    /// Reads a string among the moves as a comment. Without a second quote on its line, only the quote is
    /// skipped.
    fn string(&mut self, movetext: &mut Movetext) {
        let line = self.rest.lines().next().unwrap_or_default();
        let string = line[1..].find('"').map(|end| self.take(end + 2));
        match string {
            Some(string) => movetext.comment(string.trim_matches('"')),
            None => drop(self.take(1)),
        }
    }

    /// Skips white space, byte-order marks and marks of the end of a file, and lines that begin with a
    /// percent sign, which are for programs.
    fn skip_blank(&mut self) {
        loop {
            let is_blank = |c: char| c.is_whitespace() || MARKS.contains(&c);
            let text = self.rest.trim_start_matches(is_blank);
            let blank = &self.rest[..self.rest.len() - text.len()];
            let at_line_start = blank.trim_end_matches(MARKS).ends_with('\n');
            self.take(self.rest.len() - text.len());
            if !(at_line_start && self.rest.starts_with('%')) {
                return;
            }
            self.take_until('\n');
        }
    }

    /// Consumes the next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Consumes everything before the character `end`.
    fn take_until(&mut self, end: char) -> &'a str {
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }
}

impl Movetext {
    /// Adds an element to the innermost variation, or else to the main line.
    fn add(&mut self, element: Element) {
        self.length += 1;
        if self.length > MAX_ELEMENTS {
            self.flaw.get_or_insert((self.line, PgnFlaw::TooLong));
            return;
        }
        self.variations.last_mut().unwrap_or(&mut self.elements).push(element);
    }

    fn open_variation(&mut self) {
        if self.variations.len() < MAX_NESTING {
            self.variations.push(Vec::new());
        } else {
            self.excess_depth += 1;
            self.flaw.get_or_insert((self.line, PgnFlaw::TooDeep));
        }
    }

    fn close_variation(&mut self) {
        if self.excess_depth > 0 {
            self.excess_depth -= 1;
            return;
        }
        match self.variations.pop() {
            Some(variation) => self.remark(Remark::Variation(variation)),
            None => drop(self.flaw.get_or_insert((self.line, PgnFlaw::StrayBracket))),
        }
    }

    fn remark(&mut self, remark: Remark) {
        self.add(Element::Remark(remark));
    }

    fn comment(&mut self, text: &str) {
        // Only a comment that ends with its line can contain a brace. The writer has no form for it.
        let text = text.trim().replace('}', ")");
        if !text.is_empty() {
            // Line breaks of the file are not part of the text.
            self.remark(Remark::Comment(text.replace("\r\n", " ").replace(['\r', '\n'], " ")));
        }
    }

    /// Returns true if there are only comments and glyphs.
    fn has_only_comments(&self) -> bool {
        self.move_lines.is_empty() && self.outcome.is_none() && self.flaw.is_none()
    }

    /// Handles a result, a number, a move, or another word.
    fn word(&mut self, word: &str) {
        // Books and web pages use different dashes.
        let word = &word.replace(['\u{2010}', '\u{2011}', '–', '—', '−'], "-");
        let spelled = if matches!(word.as_str(), "1/2" | "½-½") { "1/2-1/2" } else { word };
        if let Ok(outcome) = spelled.parse() {
            // A result in a variation is not the result of the game.
            if self.variations.is_empty() {
                self.outcome = Some(outcome);
            }
        } else if matches!(word.as_str(), "0000" | "@@@@") {
            self.mv("--");
        } else if ["0-0", "0-O", "00"].iter().any(|castling| word.starts_with(castling)) {
            self.mv(word);
        } else {
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = &word[..word.len() - unnumbered.len()];
            if self.variations.is_empty() && !number.is_empty() {
                // A number that does not fit is wrong in any case.
                self.number = Some(number.parse().unwrap_or(u32::MAX));
            }
            match move_and_result(unnumbered) {
                _ if unnumbered.is_empty() => {}
                Some((mv, result)) => {
                    self.mv(mv);
                    self.word(result);
                }
                None => self.mv(unnumbered),
            }
        }
    }

    fn mv(&mut self, word: &str) {
        if let Some(san) = san(word) {
            self.add_move(SanPlus { san, suffix: check_sign(word) });
        } else if word == "--" {
            // A null move, which shows a threat.
            self.add_move(SanPlus { san: San::Null, suffix: None });
        } else if word.contains(|c: char| c.is_ascii_digit()) {
            self.flaw.get_or_insert((self.line, PgnFlaw::Word(shorten(word))));
        } else {
            self.comment(word);
        }
    }

    fn add_move(&mut self, san: SanPlus) {
        if self.variations.is_empty() && self.length < MAX_ELEMENTS {
            let (ply, line) = (self.move_lines.len(), self.line);
            self.numbers.extend(self.number.map(|number| MoveNumber { ply, number, line }));
            self.move_lines.push(line);
            self.number = None;
        }
        self.add(Element::Move(san));
    }
}

/// Divides a move and the result of the game if there is no blank between them.
fn move_and_result(word: &str) -> Option<(&str, &str)> {
    let result = ["1-0", "0-1", "1/2-1/2"].into_iter().find(|result| word.ends_with(result))?;
    let (mv, result) = word.split_at(word.len() - result.len());
    (san(word).is_none() && san(mv).is_some()).then_some((mv, result))
}

/// Returns the sign of check or mate after a move. The plus sign of "-+" is part of an evaluation.
fn check_sign(word: &str) -> Option<Suffix> {
    let judges = ["-+", "/+", "=+"].iter().any(|judgement| word.ends_with(judgement));
    match word.chars().last() {
        Some('+') if !judges => Some(Suffix::Check),
        Some('#') => Some(Suffix::Checkmate),
        _ => None,
    }
}

/// Returns the number of the glyph (`!`, `?!` and so on) at the start of a text, and its length.
fn glyph_of_marks(text: &str) -> (u8, usize) {
    let pairs = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];
    let pair = pairs.into_iter().find(|(marks, _)| text.starts_with(marks));
    let single = if text.starts_with('!') { 1 } else { 2 };
    pair.map_or((single, 1), |(_, glyph)| (glyph, 2))
}

/// Returns the name and the value of a tag, which may be cut off after the value; `None` without a value.
fn name_and_value(tag: &str) -> Option<(String, String)> {
    let (name, (_, text)) = (tag_name(tag)?, tag.split_once('"')?);
    // Some programs do not escape the quotes of a nickname.
    let text = text.rsplit_once('"').map_or(text.trim_end(), |(value, _)| value);
    let mut value = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|&next| c == '\\' && matches!(next, '\\' | '"'));
        value.push(escaped.unwrap_or(c));
    }
    Some((name.to_owned(), value))
}

/// Returns the name of the tag at the start of a text: the part of its line before the value.
fn tag_name(text: &str) -> Option<&str> {
    let (name, _) = text.lines().next()?.split_once('"')?;
    Some(name.trim_start_matches(|c: char| c == '[' || c.is_whitespace()).trim_end())
}

/// Parses a word as a move.
fn san(word: &str) -> Option<San> {
    San::from_ascii(strip_marks(word).as_bytes()).ok()
}
