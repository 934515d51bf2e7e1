//! Text format of an explicit tree: nested brackets with integers as leaves.
//!
//! ```text
//! # Brackets are interior nodes, integers are leaves, from the root player's side.
//! [[5 7] [[7 -3] [-2 -9]]]
//! 42              # A leaf alone is a tree too.
//! ```
//!
//! Leaves are separated by blanks; a comma is an error, like everything else that is neither
//! bracket nor integer. A text may contain many trees, one per line, so a missing bracket affects
//! no other line. Blank lines are skipped, and so are comments, from `#` to the end of the line.
//! Reading is one pass over the lines, without recursion.

use std::fmt;
use std::io::{self, BufRead};
use std::mem;
use std::str::FromStr;

use thiserror::Error;

use super::explicit::{ExplicitTree, TreeBuilder};
use super::tree::GameTree;
use super::value::{LIMIT, Value};

/// Maximum depth of a leaf: every machine has enough stack for recursion over it.
const MAX_DEPTH: usize = 250_000;

/// Maximum number of characters of a wrong word in an error message.
const SHOWN: usize = 24;

/// Reason why a text is not a tree, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct SyntaxError {
    /// Line, counted from 1.
    pub line: u64,
    /// Column in characters, counted from 1.
    pub column: u64,
    /// Kind of error.
    pub kind: SyntaxErrorKind,
}

/// Kind of syntax error in a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxErrorKind {
    /// A bracket is closed that was not opened.
    #[error("this ] closes nothing")]
    Unopened,
    /// A bracket is still open at the end of the line.
    #[error("this [ is not closed: a tree must end on the line where it begins")]
    Unclosed,
    /// An interior node has no children.
    #[error("empty node: [] needs a leaf or a node inside")]
    Empty,
    /// Text follows a tree on the same line.
    #[error("{0:?} after the end of the tree: only one tree per line")]
    Trailing(String),
    /// A second tree, on another line, where only one is allowed.
    #[error("a second tree, but only one is allowed")]
    Second,
    /// Neither a bracket nor an integer.
    #[error("{0:?} is neither a bracket nor an integer")]
    Stray(String),
    /// A comma between leaves.
    #[error("unexpected comma: separate leaves by blanks")]
    Comma,
    /// An integer beyond ±[`LIMIT`].
    #[error("{0} is out of range: leaf values are from -1,000,000,000 to 1,000,000,000")]
    OutOfRange(String),
    /// Too many nested brackets.
    #[error("nodes are nested deeper than the limit of {0}")]
    TooDeep(usize),
    /// More nodes than can be numbered.
    #[error("more nodes than the limit of {0}")]
    TooLarge(usize),
    /// Only blanks and comments.
    #[error("a tree is expected, but the text ends here")]
    Missing,
}

/// Reason why no tree could be read.
#[derive(Debug, Error)]
pub enum TreeReadError {
    /// The text is not a tree.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The text could not be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

/// A tree with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedTree {
    /// Line of the tree, counted from 1.
    pub line: u64,
    /// Column of its first character, counted from 1.
    pub column: u64,
    /// The tree.
    pub tree: ExplicitTree,
}

/// Reads trees one after the other. After an error it returns no more trees. A text without a tree
/// is an error too.
#[derive(Debug)]
pub struct TreeReader<R> {
    input: R,
    /// The current line.
    line: Vec<u8>,
    line_number: u64,
    builder: TreeBuilder,
    /// Locations of the open brackets.
    open: Vec<Location>,
    /// Number of trees read so far.
    trees: u64,
    ended: bool,
    max_depth: usize,
    max_nodes: usize,
}

/// A location in the text, line and column counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    line: u64,
    column: u64,
}

impl Location {
    fn error(self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { line: self.line, column: self.column, kind }
    }
}

impl<R: BufRead> TreeReader<R> {
    /// Creates a reader of a text.
    pub fn new(input: R) -> TreeReader<R> {
        TreeReader {
            input,
            line: Vec::new(),
            line_number: 0,
            builder: TreeBuilder::default(),
            open: Vec::new(),
            trees: 0,
            ended: false,
            max_depth: MAX_DEPTH,
            max_nodes: u32::MAX as usize,
        }
    }

    /// Returns the tree of a text with exactly one tree.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read, is not a tree, or contains several.
    pub fn only(mut self) -> Result<ExplicitTree, TreeReadError> {
        let first = self.read_tree()?.ok_or_else(|| self.missing())?;
        match self.read_tree()? {
            None => Ok(first.tree),
            Some(LocatedTree { line, column, .. }) => {
                Err(Location { line, column }.error(SyntaxErrorKind::Second).into())
            }
        }
    }

    fn read_tree(&mut self) -> Result<Option<LocatedTree>, TreeReadError> {
        loop {
            let mut line = mem::take(&mut self.line);
            line.clear();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                return if self.trees > 0 { Ok(None) } else { Err(self.missing().into()) };
            }
            self.line_number += 1;
            let tree = self.read_line(&line)?;
            self.line = line;
            if tree.is_some() {
                self.trees += 1;
                return Ok(tree);
            }
        }
    }

    /// Reads the tree of a line, if there is one.
    fn read_line(&mut self, line: &[u8]) -> Result<Option<LocatedTree>, SyntaxError> {
        let mut tokens = Tokens::new(line, self.line_number);
        let Some(first) = tokens.next() else { return Ok(None) };
        let begin = first.location;
        self.take(first)?;
        while let Some(bracket) = self.open.last() {
            let token = tokens.next().ok_or_else(|| bracket.error(SyntaxErrorKind::Unclosed))?;
            self.take(token)?;
        }
        if let Some(next) = tokens.next() {
            let kind = match next.text {
                b"]" => SyntaxErrorKind::Unopened,
                text => SyntaxErrorKind::Trailing(excerpt(text)),
            };
            return Err(next.location.error(kind));
        }
        let tree =
            mem::take(&mut self.builder).finish().expect("all nodes are closed and have children");
        Ok(Some(LocatedTree { line: begin.line, column: begin.column, tree }))
    }

    fn take(&mut self, Token { location, text }: Token<'_>) -> Result<(), SyntaxError> {
        let error = |kind| Err(location.error(kind));
        if text != b"]" && self.builder.nodes() >= self.max_nodes {
            return error(SyntaxErrorKind::TooLarge(self.max_nodes));
        }
        match text {
            b"[" if self.open.len() >= self.max_depth => {
                return error(SyntaxErrorKind::TooDeep(self.max_depth));
            }
            b"[" => {
                self.open.push(location);
                self.builder.open();
            }
            b"]" => {
                let Some(begin) = self.open.pop() else {
                    return error(SyntaxErrorKind::Unopened);
                };
                if !self.builder.has_children() {
                    return Err(begin.error(SyntaxErrorKind::Empty));
                }
                self.builder.close();
            }
            b"," => return error(SyntaxErrorKind::Comma),
            word => match parse_value(word) {
                Ok(value) => self.builder.leaf(value),
                Err(kind) => return error(kind),
            },
        }
        Ok(())
    }

    fn missing(&self) -> SyntaxError {
        Location { line: self.line_number.max(1), column: 1 }.error(SyntaxErrorKind::Missing)
    }
}

impl<R: BufRead> Iterator for TreeReader<R> {
    type Item = Result<LocatedTree, TreeReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read_tree().transpose();
        self.ended = !matches!(read, Some(Ok(_)));
        read
    }
}

/// Tokens of a line: brackets, commas, and words between those and blanks.
struct Tokens<'a> {
    rest: &'a [u8],
    location: Location,
}

struct Token<'a> {
    location: Location,
    text: &'a [u8],
}

impl<'a> Tokens<'a> {
    fn new(line: &'a [u8], line_number: u64) -> Tokens<'a> {
        // Files that were joined have byte-order marks at the start of any line.
        let rest = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        Tokens { rest, location: Location { line: line_number, column: 1 } }
    }

    /// Splits off the first `length` bytes.
    fn advance(&mut self, length: usize) -> &'a [u8] {
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        // Every character of UTF-8 has exactly one byte that is not a continuation byte.
        self.location.column += text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
        text
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let blanks = self.rest.iter().position(|byte| !is_blank(byte))?;
        self.advance(blanks);
        let ends_word = |byte: &u8| is_blank(byte) || b"[],#".contains(byte);
        let length = match self.rest.first()? {
            b'#' => return None,
            b'[' | b']' | b',' => 1,
            _ => self.rest.iter().position(ends_word).unwrap_or(self.rest.len()),
        };
        let location = self.location;
        Some(Token { location, text: self.advance(length) })
    }
}

fn parse_value(word: &[u8]) -> Result<Value, SyntaxErrorKind> {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(SyntaxErrorKind::Stray(excerpt(word)));
    }
    str::from_utf8(word)
        .ok()
        .and_then(|text| text.parse().ok())
        .filter(|value| (-LIMIT..=LIMIT).contains(value))
        .ok_or_else(|| SyntaxErrorKind::OutOfRange(excerpt(word)))
}

/// Returns the beginning of a wrong word.
fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

impl FromStr for ExplicitTree {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<ExplicitTree, SyntaxError> {
        match TreeReader::new(text.as_bytes()).only() {
            Ok(tree) => Ok(tree),
            Err(TreeReadError::Syntax(error)) => Err(error),
            Err(TreeReadError::Unreadable(error)) => unreachable!("bytes in memory: {error}"),
        }
    }
}

/// One line, in the format of the reader.
impl fmt::Display for ExplicitTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.subtree(self.root()).fmt(f)
    }
}

impl ExplicitTree {
    /// Formats the subtree of a node as a tree.
    pub(super) fn subtree(&self, root: u32) -> impl fmt::Display {
        Subtree { tree: self, root }
    }
}

struct Subtree<'a> {
    tree: &'a ExplicitTree,
    root: u32,
}

impl fmt::Display for Subtree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subtree { tree, root } = *self;
        // Nodes with an open bracket, each with the number of its children so far.
        let mut open: Vec<(u32, usize)> = Vec::new();
        let mut next = Some(root);
        while let Some(node) = next {
            if tree.is_leaf(&node) {
                write!(f, "{}", tree.value(&node))?;
            } else {
                f.write_str("[")?;
                open.push((node, 0));
            }
            while let Some((node, index)) = open.last_mut()
                && *index == tree.width(node)
            {
                f.write_str("]")?;
                open.pop();
            }
            next = match open.last_mut() {
                None => None,
                Some((node, index)) => {
                    f.write_str(if *index > 0 { " " } else { "" })?;
                    *index += 1;
                    Some(tree.child(node, *index - 1))
                }
            };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
