//! The operations of a line: how the text is divided, and what each operation says.

use std::str::FromStr;

use shakmaty::Chess;

use super::{EpdError, Operation, Skipped};
use crate::position::san::parse_san;
use crate::text::shorten;

/// An operation as text.
pub(super) struct RawOperation<'a> {
    pub(super) opcode: &'a str,
    pub(super) operands: &'a str,
}

/// Splits a text at the semicolons outside of quotes. A quote that is never closed does not count. Parts
/// that are no operations go to `skipped`.
pub(super) fn split_operations<'a>(
    text: &'a str,
    skipped: &mut Vec<Skipped>,
) -> Vec<RawOperation<'a>> {
    let mut operations = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, is_open) = next_part(rest);
        rest = rest[part.len()..].strip_prefix(';').unwrap_or_default();
        let operation = RawOperation::new(part);
        if operation.opcode.is_empty() {
            continue;
        }
        if !operation.has_opcode() {
            skipped.push(Skipped::Opcode(shorten(operation.opcode)));
        } else if is_open && !operation.is_answer() {
            skipped.push(Skipped::OpenQuote(operation.opcode.to_owned()));
        } else {
            operations.push(operation);
        }
    }
    operations
}

/// Returns the text up to the first semicolon outside of quotes, and if a quote before it stays open.
fn next_part(text: &str) -> (&str, bool) {
    let mut quoted = false;
    let end = text.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    match end {
        Some(end) => (&text[..end], false),
        None if quoted => (text.split(';').next().unwrap_or(text), true),
        None => (text, false),
    }
}

impl<'a> RawOperation<'a> {
    /// Splits opcode and operands. The opcode is empty if the text is.
    fn new(text: &'a str) -> RawOperation<'a> {
        let text = text.trim();
        let (opcode, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        RawOperation { opcode, operands: operands.trim() }
    }

    /// Returns true if the first word can be the name of an operation.
    fn has_opcode(&self) -> bool {
        self.opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !self.opcode.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Returns true if the operation is a condition that the answer must meet.
    fn is_answer(&self) -> bool {
        matches!(self.opcode, "bm" | "am" | "dm")
    }

    /// Parses the operands and appends the operation if it is known.
    ///
    /// # Errors
    ///
    /// Fails if the operation is a condition on the answer and cannot be read.
    pub(super) fn parse(
        &self,
        chess: &Chess,
        operations: &mut Vec<Operation>,
        skipped: &mut Vec<Skipped>,
    ) -> Result<(), EpdError> {
        match self.opcode {
            "bm" => self.best_moves(chess, operations, skipped)?,
            "am" => {
                let words: Vec<&str> = self.words(skipped).collect();
                operations.push(Operation::AvoidMoves(self.moves(chess, &words)?));
            }
            "dm" => operations.push(self.mate(self.operands, self.operands)?),
            "id" => match self.string() {
                Ok(text) => operations.push(Operation::Id(text)),
                Err(part) => skipped.push(part),
            },
            opcode => match comment_number(opcode).map(|number| (number, self.string())) {
                Some((number, Ok(text))) => operations.push(Operation::Comment { number, text }),
                Some((_, Err(part))) => skipped.push(part),
                None => {}
            },
        }
        Ok(())
    }

    /// Parses the best moves. Collections of mates write `#3` or `#-3` in their place.
    fn best_moves(
        &self,
        chess: &Chess,
        operations: &mut Vec<Operation>,
        skipped: &mut Vec<Skipped>,
    ) -> Result<(), EpdError> {
        let (mates, words): (Vec<&str>, Vec<&str>) =
            self.words(skipped).partition(|word| word.starts_with('#'));
        for word in &mates {
            operations.push(self.mate(word, &word[1..])?);
        }
        if mates.is_empty() || !words.is_empty() {
            operations.push(Operation::BestMoves(self.moves(chess, &words)?));
        }
        Ok(())
    }

    /// Returns the words of a list of moves. Those without letters and digits are skipped.
    fn words(&self, skipped: &mut Vec<Skipped>) -> impl Iterator<Item = &'a str> {
        let words = self.operands.split(|c: char| c.is_whitespace() || c == ',');
        let (words, noise): (Vec<_>, Vec<_>) = words
            .filter(|word| !word.is_empty())
            .partition(|word| word.contains(char::is_alphanumeric));
        let opcode = || self.opcode.to_owned();
        skipped.extend(
            noise.into_iter().map(|word| Skipped::Word { opcode: opcode(), word: shorten(word) }),
        );
        words.into_iter()
    }

    fn moves(&self, chess: &Chess, words: &[&str]) -> Result<Vec<shakmaty::Move>, EpdError> {
        let opcode = || self.opcode.to_owned();
        let moves = words.iter().map(|word| {
            parse_san(chess, word).map_err(|reason| EpdError::Move { opcode: opcode(), reason })
        });
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        if moves.is_empty() { Err(EpdError::NoMove(opcode())) } else { Ok(moves) }
    }

    /// Reads a number of moves to a mate; `operand` is the text for the error.
    fn mate(&self, operand: &str, number: &str) -> Result<Operation, EpdError> {
        match i32::from_str(number) {
            Ok(moves) if moves != 0 => Ok(Operation::DirectMate(moves)),
            _ => Err(EpdError::Operand {
                opcode: self.opcode.to_owned(),
                operand: shorten(operand),
                wanted: "a number of moves to a mate",
            }),
        }
    }

    /// Returns the only operand as a string. Suites sometimes leave out the quotes.
    fn string(&self) -> Result<String, Skipped> {
        let quoted = self.operands.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let text = quoted.unwrap_or(self.operands);
        if text.contains('"') { Err(self.skip("one quoted string")) } else { Ok(text.to_owned()) }
    }

    /// Returns the operation as a skipped part, since its operand is not `wanted`.
    pub(super) fn skip(&self, wanted: &'static str) -> Skipped {
        let (opcode, operand) = (self.opcode.to_owned(), shorten(self.operands));
        Skipped::Operand { opcode, operand, wanted }
    }
}

fn comment_number(opcode: &str) -> Option<u8> {
    match opcode.as_bytes() {
        [b'c', digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}
