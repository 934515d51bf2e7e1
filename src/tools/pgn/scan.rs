//! From a file to its games, each as text that `pgn-reader` takes in without leaving anything out.
//!
//! That reader passes over words it does not know, and over comments that a semicolon begins. A
//! move passed over would put all that follow on the wrong board, so the words are looked at
//! here: a move gets its standard spelling, what cannot be a move becomes a comment, and what may
//! have been one is a flaw of the game.

use shakmaty::san::San;
use thiserror::Error;

use crate::engine::position::san::undecorated;
use crate::engine::text::shorten;

/// A game of a file.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// The line that it begins on, from 1.
    pub line: usize,
    /// Its text as it stands in the file.
    pub text: &'a str,
    /// The same in the reader's spelling.
    pub(super) spelled: String,
    /// The lines that the moves of the game stand on, those of variations left out.
    pub(super) move_lines: Vec<usize>,
    /// The first thing that makes it unreadable, with its line.
    pub(super) flaw: Option<(usize, Flaw)>,
}

/// What makes a game unreadable.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Flaw {
    /// A word that may have been meant for a move.
    #[error("\"{0}\" is not a move")]
    Word(String),
    /// A comment without its end.
    #[error("the comment that begins here is not closed")]
    OpenComment,
    /// A variation without its end.
    #[error("a variation is not closed")]
    OpenVariation,
    /// The end of a variation that was not begun.
    #[error("a variation is closed that was not opened")]
    StrayBracket,
}

/// The games of a file, in their order.
pub fn games(text: &str) -> Vec<Source<'_>> {
    let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line: 1 };
    if scanner.rest.starts_with('%') {
        scanner.take_until('\n');
    }
    std::iter::from_fn(|| scanner.game()).collect()
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
    /// How many variations are open.
    depth: usize,
    /// Whether the result was told, after which only comments belong to the game.
    finished: bool,
    spelled: String,
    move_lines: Vec<usize>,
    flaw: Option<(usize, Flaw)>,
}

/// What ends a word.
const DELIMITERS: &str = "{}()[];$!?.";

/// Results with blanks in them, and what they are meant for.
const SPACED_RESULTS: [(&str, &str); 3] =
    [("1/2 - 1/2", "1/2-1/2"), ("1 - 0", "1-0"), ("0 - 1", "0-1")];

impl<'a> Scanner<'a> {
    /// Takes the next game.
    fn game(&mut self) -> Option<Source<'a>> {
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
        if movetext.depth > 0 {
            movetext.flaw.get_or_insert((self.line, Flaw::OpenVariation));
        }
        let text = begin[..begin.len() - self.rest.len()].trim_end();
        let Movetext { spelled, move_lines, flaw, .. } = movetext;
        Some(Source { line, text, spelled: format!("{tags}\n{spelled}\n"), move_lines, flaw })
    }

    fn movetext(&mut self, movetext: &mut Movetext) {
        while !self.is_at_end_of_game(movetext.finished) {
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

    /// The word that comes next.
    fn word(&self) -> &'a str {
        let is_end = |c: char| c.is_whitespace() || DELIMITERS.contains(c);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, behind) = self.rest.split_at(end);
        // The full stops of "exd6e.p." do not end a word.
        if behind.starts_with(".p.") { word.strip_suffix('e').unwrap_or(word) } else { word }
    }

    /// Takes the tags. A second event is that of another game.
    fn tags(&mut self) -> String {
        let mut tags = String::new();
        while self.rest.starts_with('[') {
            let is_event = |text: &str| text.trim_start_matches(['[', ' ']).starts_with("Event ");
            if !tags.is_empty() && is_event(self.rest) && is_event(&tags) {
                break;
            }
            let tag = self.tag();
            tags.push_str(tag.trim());
            tags.push('\n');
            self.skip_blank();
        }
        tags
    }

    /// Takes a tag to its closing bracket, or where it has none to the end of the line.
    fn tag(&mut self) -> &'a str {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let end = self.rest.find(|c| {
            is_quoted ^= c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            c == '\n' || (c == ']' && !is_quoted)
        });
        let end = end.unwrap_or(self.rest.len());
        let bracket = usize::from(self.rest[end..].starts_with(']'));
        self.take(end + bracket)
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
                movetext.depth += 1;
                movetext.add("(");
            }
            Some(')') => {
                self.take(1);
                if movetext.depth == 0 {
                    movetext.flaw.get_or_insert((line, Flaw::StrayBracket));
                } else {
                    movetext.depth -= 1;
                    movetext.add(")");
                }
            }
            Some('!' | '?') => {
                let end = self.rest.find(|c| c != '!' && c != '?').unwrap_or(self.rest.len());
                let glyph = self.take(end);
                movetext.add(glyph);
            }
            Some('$') => {
                let is_number = |c: char| c.is_ascii_digit();
                let end = self.rest[1..].find(|c| !is_number(c)).unwrap_or(self.rest.len() - 1);
                let glyph = self.take(end + 1);
                movetext.add(glyph);
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

    fn comment(&mut self, movetext: &mut Movetext) {
        match self.rest.find('}') {
            Some(end) => {
                let comment = self.take(end + 1);
                movetext.comment(&comment[1..end]);
            }
            None => {
                movetext.flaw.get_or_insert((self.line, Flaw::OpenComment));
                self.take(self.rest.len());
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
    fn add(&mut self, token: &str) {
        self.spelled.push_str(token);
        self.spelled.push(' ');
    }

    fn comment(&mut self, text: &str) {
        // Only comments to the end of a line can have a brace in them.
        let text = text.replace('}', ")");
        self.add(&format!("{{{text}}}"));
    }

    /// Whether there is nothing in it but comments.
    fn is_only_talk(&self) -> bool {
        self.move_lines.is_empty() && !self.finished && self.flaw.is_none()
    }

    /// A result, a number, a move, or something else.
    fn word(&mut self, word: &str, line: usize) {
        match word {
            "1/2" => return self.word("1/2-1/2", line),
            "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*" => {
                self.finished |= self.depth == 0;
                return self.add(word);
            }
            _ if word.starts_with("0-0") => return self.mv(word, line),
            _ => {}
        }
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if !unnumbered.is_empty() {
            self.mv(unnumbered, line);
        }
    }

    fn mv(&mut self, word: &str, line: usize) {
        if let Some(san) = san(word) {
            self.add(&format!("{san}{}", check_sign(word)));
            if self.depth == 0 {
                self.move_lines.push(line);
            }
        } else if word == "--" && self.depth > 0 {
            // A move that is passed, to show a threat.
            self.add(word);
        } else if word.contains(|c: char| c.is_ascii_digit()) {
            self.flaw.get_or_insert((line, Flaw::Word(shorten(word))));
        } else {
            self.comment(word);
        }
    }
}

/// The sign of check or mate behind a move; that of "-+" says who stands better.
fn check_sign(word: &str) -> &str {
    let judges = ["-+", "/+", "=+"].iter().any(|judgement| word.ends_with(judgement));
    if !judges && word.ends_with(['+', '#']) { &word[word.len() - 1..] } else { "" }
}

/// The move that a word stands for.
fn san(word: &str) -> Option<San> {
    San::from_ascii(undecorated(word).as_bytes()).ok()
}
