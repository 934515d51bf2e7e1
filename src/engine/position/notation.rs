//! Positions and moves as text: FEN (with X-FEN and Shredder-FEN castling) and the protocol's
//! long algebraic moves, with errors that say what is wrong.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, PositionError};
use thiserror::Error;

use super::MAX_PIECES_OF_A_SIDE;
use crate::text::shorten;

/// Why a FEN was not accepted.
#[derive(Debug, Error)]
pub enum FenError {
    /// The text is no FEN.
    #[error("\"{fen}\" is not a FEN: {reason}")]
    Malformed {
        /// The text, shortened for messages.
        fen: String,
        /// What the parser did not expect.
        reason: ParseFenError,
    },
    /// The text is a FEN, but chess cannot be played from the position.
    #[error("\"{fen}\" is not a playable position: {reason}")]
    Unplayable {
        /// The text, shortened for messages.
        fen: String,
        /// Which rule the position breaks.
        reason: String,
    },
}

/// Why a move was not accepted.
#[derive(Debug, Error)]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error("\"{0}\" is not a move in long algebraic notation such as e2e4 or e7e8q")]
    Malformed(String),
    /// The move is none of the position's legal moves.
    #[error("{0} is not legal here")]
    Illegal(String),
}

/// Reads a FEN; the counters may be missing, as in EPD. Both X-FEN and Shredder-FEN castling
/// letters are understood, but castling with rooks that are named by their files, from other than
/// the standard squares, needs [`CastlingMode::Chess960`].
///
/// More promoted pieces than a game can produce and impossible double checks are accepted: people
/// set up such positions, and they can be searched. More than sixteen pieces a side are not.
/// Castling rights without king and rook on their squares are dropped, since position editors often
/// forget to clear them, and so are en passant squares on which nothing can be captured.
pub fn parse_fen(text: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    build_position(read_fen(text)?, text, mode)
}

/// Reads a FEN like [`parse_fen`], in Chess960 mode if its castling rights need that.
pub fn parse_fen_any(text: &str) -> Result<Chess, FenError> {
    let fen = read_fen(text)?;
    let mode = CastlingMode::detect(fen.as_setup());
    build_position(fen, text, mode)
}

fn read_fen(text: &str) -> Result<Fen, FenError> {
    Fen::from_ascii(text.trim().as_bytes())
        .map_err(|reason| FenError::Malformed { fen: shorten(text), reason })
}

fn build_position(fen: Fen, text: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    // The letters `KQkq` beside a king or rook that has moved were most probably forgotten.
    let names_files = castling_field(text).bytes().any(|letter| !b"KQkq-".contains(&letter));
    let needs_chess960 =
        names_files && !mode.is_chess960() && CastlingMode::detect(fen.as_setup()).is_chess960();
    let unplayable = |reason| FenError::Unplayable { fen: shorten(text), reason };
    let board = &fen.as_setup().board;
    if board.white().count().max(board.black().count()) > MAX_PIECES_OF_A_SIDE {
        return Err(unplayable(format!("a side has more than {MAX_PIECES_OF_A_SIDE} pieces")));
    }
    let read = fen
        .into_position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square);
    let read = if needs_chess960 {
        read
    } else {
        read.or_else(PositionError::ignore_invalid_castling_rights)
    };
    read.map_err(|error| {
        let mut reason = error.to_string();
        if needs_chess960 {
            reason += " (castling from these squares is Chess960: set UCI_Chess960 first)";
        }
        unplayable(reason)
    })
}

/// The castling rights that a FEN gives and those that were kept, if some were dropped.
pub fn dropped_castling_rights(fen: &str, chess: &Chess) -> Option<(String, String)> {
    let (given, kept) =
        (castling_field(fen).to_owned(), castling_field(&format_fen(chess)).to_owned());
    let count = |field: &str| field.chars().filter(char::is_ascii_alphabetic).count();
    (count(&given) > count(&kept)).then_some((given, kept))
}

/// The castling rights as a FEN has them.
fn castling_field(fen: &str) -> &str {
    fen.split_whitespace().nth(2).unwrap_or("-")
}

/// The FEN of a position, with the en passant square only if the capture is legal.
pub fn format_fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// The EPD of a position: the fields of its FEN, with both counts as operations, which match runners
/// and test suites read.
pub fn format_epd(chess: &Chess) -> String {
    let fen = format_fen(chess);
    match fen.split(' ').collect::<Vec<_>>()[..] {
        [board, turn, castling, en_passant, halfmoves, number] => {
            format!("{board} {turn} {castling} {en_passant} hmvc {halfmoves}; fmvn {number};")
        }
        _ => fen,
    }
}

/// Reads a move in long algebraic notation. Castling is understood both as the king's two steps
/// and as king takes own rook.
pub fn parse_move(chess: &Chess, text: &str) -> Result<Move, MoveError> {
    let uci: UciMove = text.parse().map_err(|_| MoveError::Malformed(shorten(text)))?;
    uci.to_move(chess).map_err(|_| MoveError::Illegal(shorten(text)))
}

/// Writes a move in long algebraic notation, castling as the mode asks: the king's two steps, or
/// king takes own rook in Chess960.
pub fn format_move(mv: Move, mode: CastlingMode) -> String {
    UciMove::from_move(mv, mode).to_string()
}
