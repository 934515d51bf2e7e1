//! The words of a line: numbers, and what stands before and after a word.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::engine::text::shorten;

/// What is wrong with a number.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NumberError {
    /// It is missing.
    #[error("{parameter} needs a number")]
    Missing {
        /// Of which parameter.
        parameter: &'static str,
    },
    /// Something else stands where it should.
    #[error("{parameter} needs a number, not \"{}\"", shorten(.found))]
    NotANumber {
        /// Of which parameter.
        parameter: &'static str,
        /// What stands there.
        found: String,
    },
    /// It is less than zero and must not be.
    #[error("{parameter} must not be negative as {number} is")]
    Negative {
        /// Of which parameter.
        parameter: &'static str,
        /// The number.
        number: i64,
    },
    /// It is not one of those that make sense.
    #[error("{parameter} must be from {least} to {greatest}, not {number}")]
    OutOfRange {
        /// Of which parameter.
        parameter: &'static str,
        /// The least number that makes sense.
        least: u32,
        /// The greatest number that makes sense.
        greatest: u32,
        /// The number.
        number: i64,
    },
}

/// The number at the head of `words`, which must lie in the range.
pub fn within(
    parameter: &'static str,
    words: &[&str],
    range: RangeInclusive<u32>,
) -> Result<u32, NumberError> {
    let number = integer(parameter, words)?;
    let (least, greatest) = (*range.start(), *range.end());
    let in_range = u32::try_from(number).ok().filter(|n| range.contains(n));
    in_range.ok_or(NumberError::OutOfRange { parameter, least, greatest, number })
}

/// The number at the head of `words`, which must not be negative.
pub fn count(parameter: &'static str, words: &[&str]) -> Result<u64, NumberError> {
    let number = integer(parameter, words)?;
    u64::try_from(number).map_err(|_| NumberError::Negative { parameter, number })
}

/// The whole number at the head of `words`. One that is too large for an `i64` is taken for the
/// largest, and likewise below zero.
pub fn integer(parameter: &'static str, words: &[&str]) -> Result<i64, NumberError> {
    let [word, ..] = words else {
        return Err(NumberError::Missing { parameter });
    };
    let (digits, limit) = match word.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (word.strip_prefix('+').unwrap_or(word), i64::MAX),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::NotANumber { parameter, found: (*word).to_owned() });
    }
    // Nothing but digits is left, so only the size can be wrong.
    Ok(word.parse().unwrap_or(limit))
}

/// What stands before the first `separator` and, if there is one, what follows it.
pub fn split_at<'a, 'b>(
    words: &'a [&'b str],
    separator: &str,
) -> (&'a [&'b str], Option<&'a [&'b str]>) {
    match words.iter().position(|&word| word == separator) {
        Some(index) => (&words[..index], Some(&words[index + 1..])),
        None => (words, None),
    }
}
