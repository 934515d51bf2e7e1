//! Extended Position Description (EPD): a position and operations on it in one line, the format of test
//! suites (Edwards, "Portable Game Notation Specification and Implementation Guide", 1994, section
//! 16.2).
//!
//! ```text
//! 8/8/8/4k3/8/8/4P3/4K3 w - - bm Kd2; id "endgame.01"; c0 "opposition; with a pawn";
//! ```
//!
//! Reading accepts common deviations: moves in any notation, the counters of a FEN before the
//! operations, a missing last semicolon, a mate among the best moves (`bm #3`, `bm #-3`). Unknown
//! operations are ignored. Parts that say nothing about the expected answer and cannot be read are
//! skipped and kept as [`Skipped`].

mod operations;

use std::str::FromStr;

use shakmaty::{Chess, Move};
use thiserror::Error;

use super::notation::{FenError, parse_fen_any};
use super::san::{SanError, parse_san};
use operations::split_operations;

/// A position and the known operations on it. The move counters are part of the position; a line gives
/// them as in a FEN or by the operations `hmvc` and `fmvn`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub chess: Chess,
    /// Parts of the line that were skipped.
    pub skipped: Vec<Skipped>,
    operations: Vec<Operation>,
}

/// A known operation.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Operation {
    /// `bm`: the best moves, at least one.
    BestMoves(Vec<Move>),
    /// `am`: moves to avoid, at least one.
    AvoidMoves(Vec<Move>),
    /// `dm`: full moves to a mate, not zero; negative if the side to move is mated.
    DirectMate(i32),
    /// `id`: the name of the position.
    Id(String),
    /// `c0` to `c9`: comments.
    Comment { number: u8, text: String },
}

/// A part of a line that cannot be read. It is skipped, since it does not change the expected answer.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Skipped {
    /// An operation does not begin with an opcode. Only its first word is named.
    #[error("\"{0}\" is not the name of an operation")]
    Opcode(String),
    /// A word among moves has neither letters nor digits.
    #[error("operation {opcode}: \"{word}\" is not a move")]
    Word { opcode: String, word: String },
    /// The line ends within a quoted string.
    #[error("operation {0}: the closing quote is missing")]
    OpenQuote(String),
    /// An operation has an operand of the wrong kind.
    #[error("operation {opcode}: \"{operand}\" is not {wanted}")]
    Operand { opcode: String, operand: String, wanted: &'static str },
}

/// Reasons why a line is refused.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EpdError {
    /// The position has fewer than four fields.
    #[error("a position has four fields (pieces, side to move, castling, en passant), not {found}")]
    Fields { found: usize },
    /// The position is refused.
    #[error(transparent)]
    Position(#[from] FenError),
    /// An operation needs a move but has none.
    #[error("operation {0}: a move is missing")]
    NoMove(String),
    /// A move of an operation is refused.
    #[error("operation {opcode}: {reason}")]
    Move { opcode: String, reason: SanError },
    /// An operation has an operand of the wrong kind.
    #[error("operation {opcode}: \"{operand}\" is not {wanted}")]
    Operand { opcode: String, operand: String, wanted: &'static str },
}

impl Epd {
    /// Returns the best moves, from all operations `bm`.
    pub fn best_moves(&self) -> Vec<Move> {
        self.collect(|operation| match operation {
            Operation::BestMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// Returns the moves to avoid, from all operations `am`.
    pub fn avoid_moves(&self) -> Vec<Move> {
        self.collect(|operation| match operation {
            Operation::AvoidMoves(moves) => Some(moves),
            _ => None,
        })
    }

    /// Returns the full moves to the mate (`dm`); negative if the side to move is mated.
    pub fn direct_mate(&self) -> Option<i32> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::DirectMate(moves) => Some(*moves),
            _ => None,
        })
    }

    /// Returns the name of the position (`id`).
    pub fn id(&self) -> Option<&str> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::Id(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the comment with this number, 0 to 9 (`c0` to `c9`).
    pub fn comment(&self, wanted: u8) -> Option<&str> {
        self.operations.iter().find_map(|operation| match operation {
            Operation::Comment { number, text } if *number == wanted => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the points for moves from the comment `c0`, in the form of the Strategic Test Suite
    /// (Corbit and Natarajan): `c0 "f5=100, Bf2=46"`. Empty if there is no comment of this form.
    ///
    /// # Errors
    ///
    /// Fails if points are given for a move that is not legal.
    pub fn points(&self) -> Result<Vec<(Move, u32)>, EpdError> {
        let awards = self.comment(0).map(|text| text.split(',').map(move_and_points).collect());
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

/// Splits a move from its points at the last equals sign, since a promotion has one too.
fn move_and_points(text: &str) -> Option<(&str, u32)> {
    let (mv, points) = text.rsplit_once('=')?;
    Some((mv, points.trim().parse().ok()?))
}

/// Returns the content of a line of a file; `None` if the line is empty or a comment, which begins with
/// `#`. A byte-order mark at the start is removed, and Ctrl-Z, which ends old files of DOS; files that were
/// joined have such marks inside.
pub fn line_content(line: &str) -> Option<&str> {
    let line = line.trim_matches(['\u{feff}', '\u{1a}']);
    (!line.trim().is_empty() && !line.starts_with('#')).then_some(line)
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let (fields, rest) = position_fields(line)?;
        let (mut halfmoves, rest) = take_number(rest);
        let (mut fullmoves, rest) = take_number(rest);
        let mut skipped = Vec::new();
        let raw = split_operations(rest, &mut skipped);
        for operation in &raw {
            let (counter, wanted) = match operation.opcode {
                "hmvc" => (&mut halfmoves, "a number of halfmoves"),
                "fmvn" => (&mut fullmoves, "the number of a move"),
                _ => continue,
            };
            match operation.operands.parse() {
                Ok(number) => *counter = Some(number),
                Err(_) => skipped.push(operation.skip(wanted)),
            }
        }
        let (halfmoves, fullmoves) = (halfmoves.unwrap_or(0), fullmoves.unwrap_or(1));
        let chess = parse_fen_any(&format!("{} {halfmoves} {fullmoves}", fields.join(" ")))?;
        let mut operations = Vec::new();
        for operation in &raw {
            operation.parse(&chess, &mut operations, &mut skipped)?;
        }
        Ok(Epd { chess, skipped, operations })
    }
}

/// Splits a line into the four fields of the position and the rest.
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

/// Splits off the first word. A semicolon ends a word and stays in the rest.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
    text.split_at(end)
}

/// Splits off a number at the start of the text, if there is one.
fn take_number(text: &str) -> (Option<u32>, &str) {
    let (word, rest) = split_word(text);
    match word.parse() {
        Ok(number) => (Some(number), rest),
        Err(_) => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Position as _;

    use super::*;
    use crate::position::notation::format_fen;
    use crate::position::san::format_san;

    const SAMPLE: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - -";

    fn epd(text: &str) -> Epd {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn refusal(operations: &str) -> String {
        let line = format!("{SAMPLE} {operations}");
        line.parse::<Epd>().unwrap_err().to_string()
    }

    fn names(epd: &Epd, moves: &[Move]) -> Vec<String> {
        moves.iter().map(|&mv| format_san(&epd.chess, mv)).collect()
    }

    #[test]
    fn best_moves_and_moves_to_avoid_are_legal_moves() {
        let epd = epd(&format!("{SAMPLE} bm f5 Bf2+; am d1a1, Kh1!; id \"a test\";"));
        assert_eq!(names(&epd, &epd.best_moves()), ["f5", "Bf2"]);
        assert_eq!(names(&epd, &epd.avoid_moves()), ["Ra1", "Kh1"]);
        assert_eq!(epd.id(), Some("a test"));
        assert_eq!(epd.direct_mate(), None);
    }

    #[test]
    fn unknown_operations_are_ignored() {
        let epd = epd(&format!("{SAMPLE} acd 20; dm -3; pv f5 \"x;y\"; D1 4"));
        assert_eq!(epd.operations, [Operation::DirectMate(-3)]);
        assert_eq!((epd.direct_mate(), epd.skipped), (Some(-3), Vec::new()));
    }

    #[test]
    fn a_quoted_string_may_hold_semicolons() {
        let epd = epd(&format!("{SAMPLE} c0 \"one; two\"; c9 \"\"; id \"a;b\""));
        assert_eq!(epd.comment(0), Some("one; two"));
        assert_eq!(epd.comment(9), Some(""));
        assert_eq!(epd.comment(1), None);
        assert_eq!(epd.id(), Some("a;b"));
    }

    #[test]
    fn a_name_may_be_written_without_quotes() {
        assert_eq!(epd(&format!("{SAMPLE} id WAC.001 ;")).id(), Some("WAC.001"));
    }

    #[test]
    fn the_counters_may_come_as_in_a_fen_or_as_operations() {
        for line in [
            format!("{SAMPLE} 12 40 bm f5;"),
            format!("{SAMPLE} bm f5; hmvc 12; fmvn 40;"),
            format!("{SAMPLE} 3 4 ;hmvc 12;bm f5; fmvn 40"),
        ] {
            let epd = epd(&line);
            assert_eq!(format_fen(&epd.chess), format!("{SAMPLE} 12 40"));
            assert_eq!(names(&epd, &epd.best_moves()), ["f5"]);
        }
        assert_eq!(format_fen(&epd(SAMPLE).chess), format!("{SAMPLE} 0 1"));
    }

    #[test]
    fn a_line_of_a_perft_file_is_accepted() {
        let line = "8/8/8/4B2b/6nN/8/5P2/2R1K2k w C - 0 1 ;D1 34 ;D2 318";
        let epd = epd(line);
        assert_eq!(epd.operations, []);
        assert!(epd.chess.castles().mode().is_chess960());
    }

    #[test]
    fn castling_in_chess960_can_be_a_best_move() {
        let line = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - bm O-O-O;";
        assert_eq!(epd(line).best_moves(), epd(&line.replace("O-O-O", "e1b1")).best_moves());
    }

    #[test]
    fn points_for_moves_are_read_from_the_first_comment() {
        let epd = epd(&format!("{SAMPLE} bm f5; c0 \"f5=100, Bf2=46, fxg5+=22,h3= 1\";"));
        let points = epd.points().unwrap();
        let (moves, points): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        assert_eq!(names(&epd, &moves), ["f5", "Bf2", "fxg5", "h3"]);
        assert_eq!(points, [100, 46, 22, 1]);
    }

    #[test]
    fn points_for_a_promotion_follow_the_second_equals_sign() {
        let epd = epd("8/P6k/8/8/8/8/8/K7 w - - c0 \"a8=Q=90, a8=N=5\";");
        let points: Vec<u32> =
            epd.points().unwrap().into_iter().map(|(_, points)| points).collect();
        assert_eq!(points, [90, 5]);
    }

    #[test]
    fn other_comments_give_no_points() {
        for comment in ["Fischer - Spassky, 1972", "elo=2400", "", "f5=many", "f5=100, and more"] {
            let epd = epd(&format!("{SAMPLE} c0 \"{comment}\";"));
            assert_eq!(epd.points().unwrap(), [], "{comment}");
        }
        let epd = epd(&format!("{SAMPLE} c0 \"f5=100, f6=3\";"));
        assert_eq!(epd.points().unwrap_err().to_string(), "operation c0: f6 is not legal here");
    }

    #[test]
    fn an_error_says_what_is_wrong_with_an_operation() {
        for (operations, reason) in [
            ("bm Qh9;", "operation bm: \"Qh9\" is not a move"),
            ("am f5 Ra8;", "operation am: Ra8 is not legal here"),
            ("bm ;", "operation bm: a move is missing"),
            ("dm 0;", "operation dm: \"0\" is not a number of moves to a mate"),
            ("dm soon;", "operation dm: \"soon\" is not a number of moves to a mate"),
            ("bm #0;", "operation bm: \"#0\" is not a number of moves to a mate"),
            ("bm #soon;", "operation bm: \"#soon\" is not a number of moves to a mate"),
            ("am #3;", "operation am: \"#3\" is not a move"),
            ("bm +-;", "operation bm: a move is missing"),
        ] {
            assert_eq!(refusal(operations), reason);
        }
    }

    #[test]
    fn a_mate_among_the_best_moves_is_a_mate_to_announce() {
        for (operations, mate, best) in [
            ("bm #3;", 3, &[][..]),
            ("bm #-12;", -12, &[]),
            ("bm #+2", 2, &[]),
            ("bm f5 #4; id \"both\";", 4, &["f5"]),
        ] {
            let epd = epd(&format!("{SAMPLE} {operations}"));
            assert_eq!(epd.direct_mate(), Some(mate), "{operations}");
            assert_eq!(names(&epd, &epd.best_moves()), best, "{operations}");
            assert_eq!(epd.skipped, [], "{operations}");
        }
    }

    #[test]
    fn what_does_not_change_the_answer_is_skipped_and_named() {
        for (operations, reason) in [
            ("bm f5; ep; 00:00;", "\"00:00\" is not the name of an operation"),
            ("PV: d1a1 e6a6; bm f5", "\"PV:\" is not the name of an operation"),
            ("3 40 50 bm f5; bm f5;", "\"50\" is not the name of an operation"),
            ("99999999999; bm f5;", "\"99999999999\" is not the name of an operation"),
            ("bm f5; +-;", "\"+-\" is not the name of an operation"),
            ("bm f5 +-;", "operation bm: \"+-\" is not a move"),
            ("bm f5; hmvc x;", "operation hmvc: \"x\" is not a number of halfmoves"),
            ("id \"a\" \"b\"; bm f5", "operation id: \"\"a\" \"b\"\" is not one quoted string"),
            ("bm f5; c0 \"open;", "operation c0: the closing quote is missing"),
            ("c0 \"open; bm f5;", "operation c0: the closing quote is missing"),
        ] {
            let epd = epd(&format!("{SAMPLE} {operations}"));
            let skipped: Vec<String> = epd.skipped.iter().map(ToString::to_string).collect();
            assert_eq!(skipped, [reason]);
            assert_eq!(names(&epd, &epd.best_moves()), ["f5"], "{operations}");
        }
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_position() {
        let error = |line: &str| line.parse::<Epd>().unwrap_err().to_string();
        assert!(error("").contains("not 0"));
        assert!(error("8/8/8/8/8/8/8/8 w -; bm e4;").contains("not 3"));
        assert!(error("8/8/8/8 w - - bm e4;").contains("is not a FEN"));
        assert!(error("8/8/8/8/8/8/8/8 w - - bm e4;").contains("not a playable position"));
    }

    proptest! {
        #[test]
        fn random_text_does_not_panic(noise in any::<String>(), tail in any::<String>()) {
            let _ = noise.parse::<Epd>();
            let _ = format!("{SAMPLE} {tail}").parse::<Epd>();
            let _ = format!("{SAMPLE} bm {noise}; c0 \"{tail}=1\"").parse::<Epd>().map(|epd| epd.points());
        }
    }
}
