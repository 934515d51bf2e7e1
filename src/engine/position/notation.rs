//! Positions and moves as text: FEN, including the castling fields of X-FEN and Shredder-FEN, and moves
//! in the long algebraic notation of UCI.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, PositionError, PositionErrorKinds};
use thiserror::Error;

use super::MAX_PIECES_OF_A_SIDE;
use crate::text::shorten;

/// Reasons why a FEN is refused.
#[derive(Debug, Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error("\"{fen}\" is not a FEN: {reason}")]
    Malformed {
        /// The text, shortened for messages.
        fen: String,
        /// The parser's error.
        reason: ParseFenError,
    },
    /// The text is a FEN, but chess cannot be played from the position.
    #[error("\"{fen}\" is not a playable position: {reason}")]
    Unplayable {
        /// The text, shortened for messages.
        fen: String,
        /// The rule that the position breaks.
        reason: String,
    },
}

/// Reasons why a move is refused.
#[derive(Debug, Error)]
pub enum MoveError {
    /// The text is not in the form of a move.
    #[error("\"{0}\" is not a move in long algebraic notation such as e2e4 or e7e8q")]
    Malformed(String),
    /// The move is not legal in the position.
    #[error("{0} is not legal here")]
    Illegal(String),
}

/// Reads a FEN. The counters may be missing, as in EPD. Castling may be in X-FEN or Shredder-FEN; if
/// its letters are files and king or rook are not on their standard squares, it needs
/// [`CastlingMode::Chess960`].
///
/// Positions with more promoted pieces than a game can produce and with impossible checks are accepted:
/// people set them up, and they can be searched. More than sixteen pieces of a side are refused.
/// Castling rights without king and rook on their squares are dropped, since position editors often
/// forget to clear them. En passant squares on which no capture is possible are dropped too.
///
/// # Errors
///
/// Fails if the text is not a FEN or the position is not playable.
pub fn parse_fen(text: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    build_position(read_fen(text)?, text, mode)
}

/// Reads a FEN like [`parse_fen`], in Chess960 mode if its castling rights need that mode.
///
/// # Errors
///
/// Fails as [`parse_fen`] does.
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
    // Letters `KQkq` for a king or rook off its square were probably left by mistake; letters of files
    // were not.
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
        let mut reason = broken_rules(error.kinds());
        if needs_chess960 {
            reason += " (castling from these squares is Chess960: set UCI_Chess960 first)";
        }
        unplayable(reason)
    })
}

/// Returns the rules that a position breaks, as a part of a sentence.
fn broken_rules(kinds: PositionErrorKinds) -> String {
    let rules = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has several kings"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn is on the first or last rank"),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "king or rook cannot castle as the rights say",
        ),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
    ];
    let broken: Vec<&str> =
        rules.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, rule)| *rule).collect();
    if broken.is_empty() { "it breaks a rule of chess".to_owned() } else { broken.join(", ") }
}

/// Returns the castling rights in a FEN and those that were kept; `None` if all were kept.
pub fn dropped_castling_rights(fen: &str, chess: &Chess) -> Option<(String, String)> {
    let (given, kept) =
        (castling_field(fen).to_owned(), castling_field(&format_fen(chess)).to_owned());
    let count = |field: &str| field.chars().filter(char::is_ascii_alphabetic).count();
    (count(&given) > count(&kept)).then_some((given, kept))
}

/// Returns the castling field of a FEN.
fn castling_field(fen: &str) -> &str {
    fen.split_whitespace().nth(2).unwrap_or("-")
}

/// Returns the FEN of a position. The en passant square is included only if the capture is legal.
pub fn format_fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Returns the EPD of a position: the first four fields of its FEN, and both counters as operations
/// `hmvc` and `fmvn`, which match runners and test suites read.
pub fn format_epd(chess: &Chess) -> String {
    let fen = format_fen(chess);
    match fen.split(' ').collect::<Vec<_>>()[..] {
        [board, turn, castling, en_passant, halfmoves, number] => {
            format!("{board} {turn} {castling} {en_passant} hmvc {halfmoves}; fmvn {number};")
        }
        _ => fen,
    }
}

/// Reads a move in long algebraic notation. Castling may be the king's move by two squares or king takes
/// own rook.
///
/// # Errors
///
/// Fails if the text is not in the form of a move or the move is not legal.
pub fn parse_move(chess: &Chess, text: &str) -> Result<Move, MoveError> {
    let uci: UciMove = text.parse().map_err(|_| MoveError::Malformed(shorten(text)))?;
    uci.to_move(chess).map_err(|_| MoveError::Illegal(shorten(text)))
}

/// Writes a move in long algebraic notation. Castling is the king's move by two squares in standard mode
/// and king takes own rook in Chess960 mode.
pub fn format_move(mv: Move, mode: CastlingMode) -> String {
    UciMove::from_move(mv, mode).to_string()
}
