//! The words of a line: numbers, and what stands before and after a word.

use std::ops::RangeInclusive;

use super::error::CommandError;

/// The number at the head of `words`, which must lie in the range.
pub fn within(
    parameter: &'static str,
    words: &[&str],
    range: RangeInclusive<u32>,
) -> Result<u32, CommandError> {
    let (number, _) = integer(parameter, words)?;
    let (least, greatest) = (*range.start(), *range.end());
    let in_range = u32::try_from(number).ok().filter(|n| range.contains(n));
    in_range.ok_or(CommandError::OutOfRange { parameter, least, greatest, number })
}

/// The whole number at the head of `words`, and what follows it. One that is too large for an
/// `i64` is taken for the largest, and likewise below zero.
pub fn integer<'a>(
    parameter: &'static str,
    words: &'a [&'a str],
) -> Result<(i64, &'a [&'a str]), CommandError> {
    let [word, rest @ ..] = words else {
        return Err(CommandError::NumberMissing { parameter });
    };
    let (digits, limit) = match word.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (word.strip_prefix('+').unwrap_or(word), i64::MAX),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber { parameter, found: (*word).to_owned() });
    }
    // Nothing but digits is left, so only the size can be wrong.
    Ok((word.parse().unwrap_or(limit), rest))
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
