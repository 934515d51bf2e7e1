//! From the text of a game to its moves.

use std::mem;
use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _};
use thiserror::Error;

use super::game::{Element, Game, Played, Remark};
use super::scan::{Flaw, Source};
use crate::engine::position::chess960;
use crate::engine::position::notation::{FenError, parse_fen, parse_fen_any};
use crate::engine::position::san::{SanError, parse_san};
use crate::engine::text::shorten;

/// The number of the standard start among those of Chess960.
const STANDARD_START: u32 = 518;

/// Tags may be that long, in bytes.
const LONGEST_TAG: usize = 1 << 14;

/// Why a game cannot be read. The line is that of the file.
#[derive(Debug, Error)]
pub enum GameError {
    /// The text is not understood.
    #[error("{reason}")]
    Text {
        /// Where.
        line: usize,
        /// What is wrong.
        reason: Flaw,
    },
    /// A move cannot be played.
    #[error("move {number} {reason}")]
    Move {
        /// Where.
        line: usize,
        /// The number of the move, with its dots.
        number: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// The game begins from a position that is none.
    #[error("the tag FEN: {reason}")]
    Start {
        /// Where the game begins.
        line: usize,
        /// What is wrong with it.
        reason: FenError,
    },
    /// It is not chess that is played.
    #[error("the tag Variant: \"{name}\" is not played here")]
    Variant {
        /// Where the game begins.
        line: usize,
        /// What is played.
        name: String,
    },
    /// The reader gives up.
    #[error("{reason}")]
    Reader {
        /// Where the game begins.
        line: usize,
        /// What it says.
        reason: String,
    },
}

impl GameError {
    /// Where in the file it is.
    pub fn line(&self) -> usize {
        match *self {
            GameError::Text { line, .. }
            | GameError::Move { line, .. }
            | GameError::Start { line, .. }
            | GameError::Variant { line, .. }
            | GameError::Reader { line, .. } => line,
        }
    }
}

/// Reads a game.
///
/// # Errors
///
/// Fails if the text is flawed, a move is not legal, or it is not standard chess or Chess960.
pub fn read(source: &Source<'_>) -> Result<Game, GameError> {
    let line = source.line;
    if let Some((line, reason)) = source.flaw.clone() {
        return Err(GameError::Text { line, reason });
    }
    let mut reader = Reader::build(source.spelled.as_bytes())
        .set_supported_tag_line_length(LONGEST_TAG)
        .finish();
    let parts = match reader.read_game(&mut Collector) {
        Ok(parts) => parts.unwrap_or_default(),
        Err(error) => return Err(GameError::Reader { line, reason: error.to_string() }),
    };
    let start = start(&parts.tags, line)?;
    let mut game = Game {
        start,
        preface: Vec::new(),
        moves: Vec::new(),
        result: parts.result(),
        tags: parts.tags,
    };
    let mut chess = game.start.clone();
    for element in parts.lines.into_iter().flatten() {
        match (element, game.moves.last_mut()) {
            (Element::Move(san), _) => {
                let mv = parse_san(&chess, &san.to_string()).map_err(|reason| {
                    let ply = game.moves.len();
                    let line = source.move_lines.get(ply).copied().unwrap_or(line);
                    GameError::Move { line, number: game.number(ply), reason }
                })?;
                chess.play_unchecked(mv);
                game.moves.push(Played { mv, remarks: Vec::new() });
            }
            (Element::Remark(remark), Some(played)) => played.remarks.push(remark),
            (Element::Remark(remark), None) => game.preface.push(remark),
        }
    }
    Ok(game)
}

/// The position that the tags say the game begins from.
fn start(tags: &[(String, String)], line: usize) -> Result<Chess, GameError> {
    let value = |name: &str| {
        let tag = tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && *value != "?")
    };
    let variant = value("Variant").unwrap_or("Standard").to_lowercase();
    let is_chess960 = variant.contains("960") || variant.contains("fischer");
    let is_standard = ["standard", "chess", "normal", "from position"].contains(&&*variant);
    let read = match (value("FEN"), is_chess960) {
        _ if !is_chess960 && !is_standard => {
            let name = shorten(value("Variant").unwrap_or_default());
            return Err(GameError::Variant { line, name });
        }
        (Some(fen), true) => parse_fen(fen, CastlingMode::Chess960),
        (Some(fen), false) => parse_fen_any(fen),
        (None, true) => Ok(chess960::start(STANDARD_START)),
        (None, false) => Ok(Chess::default()),
    };
    read.map_err(|reason| GameError::Start { line, reason })
}

/// What the reader told.
#[derive(Default)]
struct Parts {
    tags: Vec<(String, String)>,
    /// The moves played and, behind them, the variations that are open, the innermost last.
    lines: Vec<Vec<Element>>,
    /// The beginning of a comment that comes in parts.
    comment: String,
    outcome: Option<Outcome>,
}

impl Parts {
    fn add(&mut self, element: Element) {
        if let Some(line) = self.lines.last_mut() {
            line.push(element);
        }
    }

    fn add_remark(&mut self, remark: Remark) {
        self.add(Element::Remark(remark));
    }

    /// How the game ended: as the movetext says, or else the tags.
    fn result(&self) -> String {
        let told = self.tags.iter().find(|(tag, _)| tag == "Result");
        let told = told.map(|(_, value)| value.as_str());
        let told = told.filter(|value| ["1-0", "0-1", "1/2-1/2"].contains(value));
        match self.outcome {
            Some(outcome @ Outcome::Known(_)) => outcome.to_string(),
            _ => told.unwrap_or("*").to_owned(),
        }
    }
}

/// Takes down what the reader tells.
struct Collector;

impl Visitor for Collector {
    type Tags = Vec<(String, String)>;
    type Movetext = Parts;
    type Output = Parts;

    fn begin_tags(&mut self) -> ControlFlow<Parts, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Parts> {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Parts, Parts> {
        ControlFlow::Continue(Parts { tags, lines: vec![Vec::new()], ..Parts::default() })
    }

    fn san(&mut self, parts: &mut Parts, san: SanPlus) -> ControlFlow<Parts> {
        parts.add(Element::Move(san));
        ControlFlow::Continue(())
    }

    fn nag(&mut self, parts: &mut Parts, Nag(glyph): Nag) -> ControlFlow<Parts> {
        parts.add_remark(Remark::Glyph(glyph));
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        parts: &mut Parts,
        comment: RawComment<'_>,
    ) -> ControlFlow<Parts> {
        parts.comment.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, parts: &mut Parts, comment: RawComment<'_>) -> ControlFlow<Parts> {
        let mut text = mem::take(&mut parts.comment);
        text.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        let text = text.trim();
        if !text.is_empty() {
            // Where a line of the file ends says nothing about the text.
            parts.add_remark(Remark::Comment(text.replace("\r\n", " ").replace(['\r', '\n'], " ")));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, parts: &mut Parts) -> ControlFlow<Parts, Skip> {
        parts.lines.push(Vec::new());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, parts: &mut Parts) -> ControlFlow<Parts> {
        // The scan has seen to it that a variation is open.
        let variation = parts.lines.pop().unwrap_or_default();
        parts.add_remark(Remark::Variation(variation));
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, parts: &mut Parts, outcome: Outcome) -> ControlFlow<Parts> {
        if parts.lines.len() == 1 {
            parts.outcome = Some(outcome);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, parts: Parts) -> Parts {
        parts
    }
}
