//! Conversion of a game's text to legal moves.

use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Outcome, Position as _};
use thiserror::Error;

use super::game::{AnnotatedGame, Element, PlayedMove, WrongNumber};
use super::scan::{GameText, PgnFlaw};
use outrider_engine::position::chess960;
use outrider_engine::position::notation::{FenError, parse_fen, parse_fen_any};
use outrider_engine::position::san::{SanError, parse_san};
use outrider_engine::text::shorten;

/// Number of the standard starting position in Chess960.
const STANDARD_START: u32 = 518;

/// Error of a game that cannot be read. Lines are counted from the start of the file.
#[derive(Debug, Error)]
pub enum GameError {
    /// The text is flawed.
    #[error("{reason}")]
    Text {
        /// Line of the flaw.
        line: usize,
        /// The flaw.
        reason: PgnFlaw,
    },
    /// A move is not legal or is ambiguous.
    #[error("move {number} {reason}")]
    Move {
        /// Line of the move.
        line: usize,
        /// The number of the move, with its dots.
        number: String,
        /// Why the move cannot be played.
        reason: SanError,
    },
    /// The starting position is not valid.
    #[error("the tag FEN: {reason}")]
    Start {
        /// First line of the game.
        line: usize,
        /// Error in the FEN.
        reason: FenError,
    },
    /// The variant is not supported.
    #[error("the tag Variant: \"{name}\" is not supported")]
    Variant {
        /// First line of the game.
        line: usize,
        /// Name of the variant, shortened.
        name: String,
    },
}

impl GameError {
    /// Returns the line of the error in the file.
    pub fn line(&self) -> usize {
        match *self {
            GameError::Text { line, .. }
            | GameError::Move { line, .. }
            | GameError::Start { line, .. }
            | GameError::Variant { line, .. } => line,
        }
    }
}

/// Converts the text of a game to legal moves.
///
/// # Errors
///
/// Fails if the text is flawed, a move is not legal, the starting position is not valid, or the variant
/// is neither standard chess nor Chess960.
pub fn read(source: &GameText<'_>) -> Result<AnnotatedGame, GameError> {
    let line = source.line;
    if let Some((line, reason)) = source.flaw.clone() {
        return Err(GameError::Text { line, reason });
    }
    let mut game = AnnotatedGame {
        start: start(&source.tags, line)?,
        tags: source.tags.clone(),
        preface: Vec::new(),
        moves: Vec::new(),
        rest: Vec::new(),
        result: result(source),
        wrong_number: None,
    };
    let mut chess = game.start.clone();
    for (index, element) in source.elements.iter().enumerate() {
        match (element, game.moves.last_mut()) {
            (Element::Move(san), _) if san.san == San::Null => {
                game.rest = source.elements[index..].to_vec();
                break;
            }
            (Element::Move(san), _) => {
                let mv = parse_san(&chess, &san.to_string()).map_err(|reason| {
                    let ply = game.moves.len();
                    let line = source.move_lines.get(ply).copied().unwrap_or(line);
                    GameError::Move { line, number: game.number(ply), reason }
                })?;
                chess.play_unchecked(mv);
                game.moves.push(PlayedMove { mv, remarks: Vec::new() });
            }
            (Element::Remark(remark), Some(played)) => played.remarks.push(remark.clone()),
            (Element::Remark(remark), None) => game.preface.push(remark.clone()),
        }
    }
    game.wrong_number = wrong_number(source, &game);
    Ok(game)
}

/// Returns the first move number that does not fit the moves before it. A game from another position than
/// the usual one may begin with any number, since many programs count from 1 there.
fn wrong_number(source: &GameText<'_>, game: &AnnotatedGame) -> Option<WrongNumber> {
    let from_first = |ply: usize| (ply + usize::from(game.start.turn().is_black())) / 2;
    let begins_as_usual = game.start.board() == Chess::default().board();
    let first = match source.numbers.first() {
        Some(first) if !begins_as_usual => {
            first.number.saturating_sub(from_first(first.ply) as u32)
        }
        _ => game.start.fullmoves().get(),
    };
    let played = source.numbers.iter().take_while(|number| number.ply < game.moves.len());
    let mut numbers = played.map(|number| {
        let expected = first.saturating_add(from_first(number.ply) as u32);
        WrongNumber { line: number.line, found: number.number, expected }
    });
    numbers.find(|number| number.found != number.expected)
}

/// Returns the starting position given by the tags.
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

/// Returns the result from the movetext, or else from the tag.
fn result(source: &GameText<'_>) -> String {
    let tag = source.tags.iter().find(|(name, _)| name == "Result");
    let value = tag.map(|(_, value)| value.as_str());
    let known = value.filter(|value| ["1-0", "0-1", "1/2-1/2"].contains(value));
    match source.outcome {
        Some(outcome @ Outcome::Known(_)) => outcome.to_string(),
        _ => known.unwrap_or("*").to_owned(),
    }
}
