//! Moves in standard algebraic notation (SAN). Writing is strict; reading also accepts the variants that
//! test suites and people write.

use shakmaty::san::{San, SanError as Mismatch, SanPlus};
use shakmaty::{Chess, Move};
use thiserror::Error;

use super::notation::{MoveError, parse_move};
use crate::text::shorten;

/// Reasons why a move is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// The text is not in the form of a move.
    #[error("\"{0}\" is not a move")]
    Malformed(String),
    /// The move is not legal in the position.
    #[error("{0} is not legal here")]
    Illegal(String),
    /// The text fits several legal moves.
    #[error("{0} is ambiguous here")]
    Ambiguous(String),
}

/// Writes a legal move in standard algebraic notation, with the mark of check or mate.
pub fn format_san(chess: &Chess, mv: Move) -> String {
    SanPlus::from_move(chess.clone(), mv).to_string()
}

/// Reads a move in standard algebraic notation. The marks of check, mate, quality, capture and promotion
/// may be missing or wrong. Castling may be written with zeros. Long algebraic notation, with or without
/// a dash, is read too.
///
/// # Errors
///
/// Fails if the text is not a move, or does not fit exactly one legal move.
pub fn parse_san(chess: &Chess, text: &str) -> Result<Move, SanError> {
    let text = text.trim();
    let bare = strip_marks(text);
    let san = San::from_ascii(bare.as_bytes()).ok();
    match san.map(|san| find_legal(chess, san)) {
        Some(Ok(mv)) => return Ok(mv),
        Some(Err(Mismatch::AmbiguousSan)) => return Err(SanError::Ambiguous(shorten(text))),
        // A text such as "g1f3" parses as a pawn move in SAN, but may be a piece's move in long notation.
        Some(Err(Mismatch::IllegalSan)) | None => {}
    }
    parse_move(chess, &bare.replace('x', "")).map_err(|error| match error {
        MoveError::Malformed(_) if san.is_none() => SanError::Malformed(shorten(text)),
        _ => SanError::Illegal(shorten(text)),
    })
}

/// Marks after a move: quality, check, mate, and the judgement of the position.
const MARKS: &[char] = &['!', '?', '+', '#', '-', '/', '=', '±', '∓', '∞'];

/// Removes the marks after a move and normalises castling to `O-O` or `O-O-O`, promotion to `=Q`, and long
/// notation to the form without a dash.
pub fn strip_marks(text: &str) -> String {
    let bare = text.trim_end_matches(MARKS).trim_end_matches("e.p.");
    match bare {
        "0-0" | "o-o" | "0-O" | "00" | "OO" | "oo" => "O-O".to_owned(),
        "0-0-0" | "o-o-o" | "000" | "OOO" | "ooo" => "O-O-O".to_owned(),
        "O-O" | "O-O-O" => bare.to_owned(),
        _ => mark_promotion(bare.replace('-', "")),
    }
}

/// Inserts the missing `=` before the piece of a promotion.
fn mark_promotion(mut bare: String) -> String {
    let after_rank = bare.trim_end_matches(['Q', 'R', 'B', 'N', 'q', 'r', 'b', 'n']);
    if after_rank.len() + 1 == bare.len() && after_rank.ends_with(['1', '8']) {
        bare.insert(after_rank.len(), '=');
    }
    bare
}

/// Finds the legal move that fits. If there is none, the mark of a capture is added or removed.
fn find_legal(chess: &Chess, san: San) -> Result<Move, Mismatch> {
    san.to_move(chess).or_else(|mismatch| match mismatch {
        Mismatch::IllegalSan => toggle_capture(san).to_move(chess),
        Mismatch::AmbiguousSan => Err(mismatch),
    })
}

/// Adds the mark of a capture, or removes it.
fn toggle_capture(mut san: San) -> San {
    if let San::Normal { capture, .. } = &mut san {
        *capture = !*capture;
    }
    san
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen_any;

    fn read(fen: &str, text: &str) -> Result<String, SanError> {
        let chess = parse_fen_any(fen).unwrap();
        parse_san(&chess, text).map(|mv| format_san(&chess, mv))
    }

    const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

    #[test]
    fn a_move_with_missing_or_wrong_marks_is_understood() {
        for text in ["Bxf7+", "Bxf7", "Bf7", "Bxf7#", "Bxf7+!", "Bxf7??", "Bxf7+!?", " Bxf7 "] {
            assert_eq!(read(ITALIAN, text).as_deref(), Ok("Bxf7+"), "{text}");
        }
        assert_eq!(read(ITALIAN, "Nxd4").as_deref(), Ok("Nd4"));
    }

    #[test]
    fn a_move_may_be_in_long_algebraic_notation() {
        for text in ["c4f7", "Bc4xf7", "Bc4-f7", "c4xf7", "c4-f7"] {
            assert_eq!(read(ITALIAN, text).as_deref(), Ok("Bxf7+"), "{text}");
        }
        assert_eq!(read(ITALIAN, "b1c3").as_deref(), Ok("Nc3"));
        assert_eq!(read(ITALIAN, "d2-d4").as_deref(), Ok("d4"));
    }

    #[test]
    fn castling_is_understood_in_all_its_spellings() {
        for text in ["O-O", "0-0", "o-o", "e1g1", "e1h1", "0-0!"] {
            assert_eq!(read(ITALIAN, text).as_deref(), Ok("O-O"), "{text}");
        }
        let chess960 = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
        assert_eq!(read(chess960, "O-O-O").as_deref(), Ok("O-O-O"));
        assert_eq!(read(chess960, "e1b1").as_deref(), Ok("O-O-O"));
    }

    #[test]
    fn promotions_and_en_passant_captures_are_understood() {
        let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        for text in ["a8=N", "a8N", "a7a8n", "a7-a8=N"] {
            assert_eq!(read(promotion, text).as_deref(), Ok("a8=N"), "{text}");
        }
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for text in ["exd6", "exd6e.p.", "ed6", "e5d6"] {
            assert_eq!(read(en_passant, text).as_deref(), Ok("exd6"), "{text}");
        }
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_move() {
        let knights = "4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1";
        let error = |text| read(knights, text).unwrap_err();
        assert_eq!(error("Ne4"), SanError::Ambiguous("Ne4".into()));
        assert_eq!(error("Qe4"), SanError::Illegal("Qe4".into()));
        assert_eq!(error("e2e4"), SanError::Illegal("e2e4".into()));
        assert_eq!(error("N@e5"), SanError::Illegal("N@e5".into()));
        assert_eq!(error("--"), SanError::Malformed("--".into()));
        assert_eq!(error("best"), SanError::Malformed("best".into()));
        assert_eq!(error(""), SanError::Malformed(String::new()));
    }

    #[test]
    fn a_written_move_is_read_as_the_same_move() {
        let chess = parse_fen_any(ITALIAN).unwrap();
        for mv in shakmaty::Position::legal_moves(&chess) {
            assert_eq!(parse_san(&chess, &format_san(&chess, mv)), Ok(mv));
        }
    }
}
