//! Parses the words of a line: numbers, and lists split at a word.

use std::ops::RangeInclusive;

use thiserror::Error;

use outrider_engine::text::shorten;

/// Error in the number of a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum NumberError {
    #[error("{parameter} needs a number")]
    Missing { parameter: &'static str },
    #[error("{parameter} needs a number, not \"{}\"", shorten(.found))]
    NotANumber { parameter: &'static str, found: String },
    #[error("{parameter} must not be negative, but is {number}")]
    Negative { parameter: &'static str, number: i64 },
    #[error("{parameter} must be from {least} to {greatest}, not {number}")]
    OutOfRange { parameter: &'static str, least: u32, greatest: u32, number: i64 },
}

/// Splits a line at blanks.
pub(super) fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Splits a line into its first word and the rest without blanks around it. Both may be empty.
pub(super) fn split_first(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace)
        .map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

/// Parses the number at the head of `words`, which must be within the range.
pub(super) fn parse_in_range(
    parameter: &'static str,
    words: &[&str],
    range: RangeInclusive<u32>,
) -> Result<u32, NumberError> {
    let number = parse_integer(parameter, words)?;
    let (least, greatest) = (*range.start(), *range.end());
    let in_range = u32::try_from(number).ok().filter(|n| range.contains(n));
    in_range.ok_or(NumberError::OutOfRange { parameter, least, greatest, number })
}

/// Parses the number at the head of `words`, which must not be negative.
pub(super) fn parse_count(parameter: &'static str, words: &[&str]) -> Result<u64, NumberError> {
    let number = parse_integer(parameter, words)?;
    u64::try_from(number).map_err(|_| NumberError::Negative { parameter, number })
}

/// Parses the whole number at the head of `words`. Saturates at the limits of `i64`.
pub(super) fn parse_integer(parameter: &'static str, words: &[&str]) -> Result<i64, NumberError> {
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
    // The digits are valid, so only overflow can fail.
    Ok(word.parse().unwrap_or(limit))
}

/// Splits the words at the first `separator`. The second part is `None` without a separator.
pub(super) fn split_at_word<'a, 'b>(
    words: &'a [&'b str],
    separator: &str,
) -> (&'a [&'b str], Option<&'a [&'b str]>) {
    match words.iter().position(|&word| word == separator) {
        Some(index) => (&words[..index], Some(&words[index + 1..])),
        None => (words, None),
    }
}
