//! Extended Position Description: a position and operations on it in one line, the form of test
//! suites (Edwards, "Portable Game Notation Specification and Implementation Guide", 1994, section
//! 16.2).
//!
//! ```text
//! 8/8/8/4k3/8/8/4P3/4K3 w - - bm Kd2; id "endgame.01"; c0 "opposition; with a pawn";
//! ```
//!
//! Reading is lenient where suites are sloppy (moves in any notation, counters of a FEN before the
//! operations, a missing last semicolon); what is printed is strict.

use std::fmt;
use std::str::FromStr;

use shakmaty::fen::Epd as PositionFields;
use shakmaty::{Chess, EnPassantMode, Move, Position as _};
use thiserror::Error;

use super::notation::{FenError, parse_fen_any};
use super::san::{SanError, format_san, parse_san};
use crate::engine::text::shorten;

/// A position and the operations on it. The move counters, whether they are given as in a FEN or by
/// the operations `hmvc` and `fmvn`, are part of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub chess: Chess,
    /// The operations other than those that set the counters, in their order.
    pub operations: Vec<Operation>,
}

/// A statement about a position: an opcode and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `bm`: the best moves, at least one.
    BestMoves(Vec<Move>),
    /// `am`: moves to avoid, at least one.
    AvoidMoves(Vec<Move>),
    /// `dm`: full moves to a mate, not zero; negative if the side to move is mated.
    DirectMate(i32),
    /// `id`: the name of the position.
    Id(String),
    /// `c0` to `c9`: comments.
    Comment {
        /// Which of them.
        number: u8,
        /// What it says.
        text: String,
    },
    /// `acd`: depth of an analysis in plies.
    AnalysisDepth(u32),
    /// `acn`: nodes of an analysis.
    AnalysisNodes(u64),
    /// `ce`: evaluation in centipawns for the side to move.
    Evaluation(i32),
    /// Any other operation, kept as it was written.
    Other {
        /// The opcode.
        opcode: String,
        /// The operands, quotes and all.
        operands: String,
    },
}

/// Why a line was not accepted.
#[derive(Debug, Error)]
pub enum EpdError {
    /// The position is not complete.
    #[error("a position has four fields (pieces, side to move, castling, en passant), not {found}")]
    Fields {
        /// The fields that there are.
        found: usize,
    },
    /// The position is not accepted.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation does not begin with an opcode.
    #[error("\"{0}\" does not begin with the name of an operation")]
    Opcode(String),
    /// The line ends within a quoted string.
    #[error("operation {0}: the closing quote is missing")]
    OpenQuote(String),
    /// An operation has none of the moves that it needs.
    #[error("operation {0}: a move is missing")]
    NoMove(String),
    /// An operation has a move that is not accepted.
    #[error("operation {opcode}: {reason}")]
    Move {
        /// The operation.
        opcode: String,
        /// What is wrong with the move.
        reason: SanError,
    },
    /// An operation has an operand of the wrong kind.
    #[error("operation {opcode}: \"{operand}\" is not {wanted}")]
    Operand {
        /// The operation.
        opcode: String,
        /// What it has.
        operand: String,
        /// What it needs.
        wanted: &'static str,
    },
}

impl Epd {
    /// The best moves, from all operations `bm`.
    pub fn best_moves(&self) -> Vec<Move> {
        self.collect(|operation| match operation {
            Operation::BestMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// The moves to avoid, from all operations `am`.
    pub fn avoid_moves(&self) -> Vec<Move> {
        self.collect(|operation| match operation {
            Operation::AvoidMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// Full moves to the mate; negative if the side to move is mated.
    pub fn direct_mate(&self) -> Option<i32> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::DirectMate(moves) => Some(*moves),
            _ => None,
        })
    }

    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::Id(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The comment of this number, 0 to 9.
    pub fn comment(&self, wanted: u8) -> Option<&str> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::Comment { number, text } if *number == wanted => Some(text.as_str()),
            _ => None,
        })
    }

    /// The points that the Strategic Test Suite (Corbit and Natarajan) gives for moves, from
    /// `c0 "f5=100, Bf2=46"`. Empty if there is no such comment or it says something else.
    ///
    /// # Errors
    ///
    /// Fails if points are given for a move that cannot be played.
    pub fn points(&self) -> Result<Vec<(Move, u32)>, EpdError> {
        let awards = self.comment(0).map(|text| text.split(',').map(award).collect());
        let awards: Vec<(&str, u32)> = awards.flatten().unwrap_or_default();
        let read = awards
            .into_iter()
            .map(|(mv, points)| parse_san(&self.chess, mv).map(|mv| (mv, points)));
        match read.collect() {
            Ok(points) => Ok(points),
            Err(SanError::Malformed(_)) => Ok(Vec::new()),
            Err(reason) => Err(EpdError::Move { opcode: "c0".to_owned(), reason }),
        }
    }

    fn collect(&self, moves_of: impl Fn(&Operation) -> Option<&Vec<Move>>) -> Vec<Move> {
        self.operations.iter().filter_map(moves_of).flatten().copied().collect()
    }
}

/// A move and its points. The points follow the last equals sign, since a promotion has one too.
fn award(text: &str) -> Option<(&str, u32)> {
    let (mv, points) = text.rsplit_once('=')?;
    Some((mv, points.trim().parse().ok()?))
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let (fields, rest) = position_fields(line)?;
        let (mut halfmoves, rest) = take_number(rest);
        let (mut fullmoves, rest) = take_number(rest);
        let mut raw = split_operations(rest)?;
        raw.retain(|operation| !operation.opcode.is_empty());
        for operation in &raw {
            match operation.opcode {
                "hmvc" => halfmoves = Some(operation.number("a number of halfmoves")?),
                "fmvn" => fullmoves = Some(operation.number("the number of a move")?),
                _ => {}
            }
        }
        let (halfmoves, fullmoves) = (halfmoves.unwrap_or(0), fullmoves.unwrap_or(1));
        let chess = parse_fen_any(&format!("{} {halfmoves} {fullmoves}", fields.join(" ")))?;
        raw.retain(|operation| !matches!(operation.opcode, "hmvc" | "fmvn"));
        let operations: Result<_, _> =
            raw.iter().map(|operation| operation.typed(&chess)).collect();
        Ok(Epd { operations: operations?, chess })
    }
}

/// The four fields of the position and what follows them.
fn position_fields(line: &str) -> Result<([&str; 4], &str), EpdError> {
    let mut fields = [""; 4];
    let mut rest = line;
    for (found, field) in fields.iter_mut().enumerate() {
        (*field, rest) = split_word(rest);
        if field.is_empty() {
            return Err(EpdError::Fields { found });
        }
    }
    Ok((fields, rest))
}

/// The first word and what follows it; a semicolon ends a word and is left.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
    text.split_at(end)
}

/// The number that the text begins with, if it does, and what follows it.
fn take_number(text: &str) -> (Option<u32>, &str) {
    let (word, rest) = split_word(text);
    match word.parse() {
        Ok(number) => (Some(number), rest),
        Err(_) => (None, text),
    }
}

/// An operation as it is written.
struct RawOperation<'a> {
    opcode: &'a str,
    operands: &'a str,
}

/// Splits at the semicolons outside of quotes.
fn split_operations(text: &str) -> Result<Vec<RawOperation<'_>>, EpdError> {
    let mut quoted = false;
    let parts = text.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    let operations = parts.map(RawOperation::new).collect::<Result<Vec<_>, _>>()?;
    match operations.last() {
        Some(last) if quoted => Err(EpdError::OpenQuote(last.opcode.to_owned())),
        _ => Ok(operations),
    }
}

impl<'a> RawOperation<'a> {
    /// The opcode is empty if nothing is there.
    fn new(text: &'a str) -> Result<RawOperation<'a>, EpdError> {
        let text = text.trim();
        let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let is_named = opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !opcode.starts_with(|c: char| c.is_ascii_digit());
        if !is_named {
            return Err(EpdError::Opcode(shorten(text)));
        }
        Ok(RawOperation { opcode, operands: operands.trim() })
    }

    fn typed(&self, chess: &Chess) -> Result<Operation, EpdError> {
        Ok(match self.opcode {
            "bm" => Operation::BestMoves(self.moves(chess)?),
            "am" => Operation::AvoidMoves(self.moves(chess)?),
            "dm" => match self.number("a number of moves to a mate")? {
                0 => return Err(self.unfit("a number of moves to a mate")),
                moves => Operation::DirectMate(moves),
            },
            "id" => Operation::Id(self.string()?),
            "acd" => Operation::AnalysisDepth(self.number("a depth in plies")?),
            "acn" => Operation::AnalysisNodes(self.number("a number of nodes")?),
            "ce" => Operation::Evaluation(self.number("an evaluation in centipawns")?),
            opcode => match comment_number(opcode) {
                Some(number) => Operation::Comment { number, text: self.string()? },
                None => Operation::Other {
                    opcode: opcode.to_owned(),
                    operands: self.operands.to_owned(),
                },
            },
        })
    }

    fn moves(&self, chess: &Chess) -> Result<Vec<Move>, EpdError> {
        let texts = self.operands.split(|c: char| c.is_whitespace() || c == ',');
        let moves = texts.filter(|text| !text.is_empty()).map(|text| {
            let opcode = || self.opcode.to_owned();
            parse_san(chess, text).map_err(|reason| EpdError::Move { opcode: opcode(), reason })
        });
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        if moves.is_empty() { Err(EpdError::NoMove(self.opcode.to_owned())) } else { Ok(moves) }
    }

    fn number<T: FromStr>(&self, wanted: &'static str) -> Result<T, EpdError> {
        self.operands.parse().map_err(|_| self.unfit(wanted))
    }

    /// One string; suites leave out the quotes where they can.
    fn string(&self) -> Result<String, EpdError> {
        let quoted = self.operands.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let text = quoted.unwrap_or(self.operands);
        if text.contains('"') { Err(self.unfit("one quoted string")) } else { Ok(text.to_owned()) }
    }

    fn unfit(&self, wanted: &'static str) -> EpdError {
        let (opcode, operand) = (self.opcode.to_owned(), shorten(self.operands));
        EpdError::Operand { opcode, operand, wanted }
    }
}

fn comment_number(opcode: &str) -> Option<u8> {
    match opcode.as_bytes() {
        [b'c', digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

/// One line. Counters other than those of a first move come first, as operations.
impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", PositionFields::from_position(&self.chess, EnPassantMode::Legal))?;
        let (halfmoves, fullmoves) = (self.chess.halfmoves(), self.chess.fullmoves().get());
        if halfmoves > 0 || fullmoves > 1 {
            write!(f, " hmvc {halfmoves}; fmvn {fullmoves};")?;
        }
        self.operations.iter().try_for_each(|operation| self.write_operation(f, operation))
    }
}

impl Epd {
    fn write_operation(&self, f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
        match operation {
            Operation::BestMoves(moves) => self.write_moves(f, "bm", moves),
            Operation::AvoidMoves(moves) => self.write_moves(f, "am", moves),
            Operation::DirectMate(moves) => write!(f, " dm {moves};"),
            Operation::Id(text) => write!(f, " id \"{text}\";"),
            Operation::Comment { number, text } => write!(f, " c{number} \"{text}\";"),
            Operation::AnalysisDepth(plies) => write!(f, " acd {plies};"),
            Operation::AnalysisNodes(nodes) => write!(f, " acn {nodes};"),
            Operation::Evaluation(centipawns) => write!(f, " ce {centipawns};"),
            Operation::Other { opcode, operands } if operands.is_empty() => {
                write!(f, " {opcode};")
            }
            Operation::Other { opcode, operands } => write!(f, " {opcode} {operands};"),
        }
    }

    fn write_moves(&self, f: &mut fmt::Formatter<'_>, opcode: &str, moves: &[Move]) -> fmt::Result {
        write!(f, " {opcode}")?;
        moves.iter().try_for_each(|&mv| write!(f, " {}", format_san(&self.chess, mv)))?;
        write!(f, ";")
    }
}

#[cfg(test)]
#[path = "epd_tests.rs"]
mod tests;
