//! The date of a game.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use outrider_tools::pgn::AnnotatedGame;

/// A date in PGN notation, `2026.11.23`; unknown parts are question marks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct PgnDate(String);

/// The text is not a date in PGN notation.
#[derive(Debug, Error)]
#[error("the date is not in the form 2026.11.23 or ????.??.??")]
pub(crate) struct DateError;

impl PgnDate {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the date of a game; an unknown one if its tag is missing or no date.
    pub(crate) fn of(game: &AnnotatedGame) -> PgnDate {
        let date = game.tag("Date").map(|date| PgnDate::try_from(date.to_owned()));
        date.and_then(Result::ok).unwrap_or_else(PgnDate::unknown)
    }

    pub(crate) fn unknown() -> PgnDate {
        PgnDate("????.??.??".to_owned())
    }
}

impl TryFrom<String> for PgnDate {
    type Error = DateError;

    fn try_from(text: String) -> Result<PgnDate, DateError> {
        let parts: Vec<&str> = text.split('.').collect();
        let [year, month, day] = parts[..] else {
            return Err(DateError);
        };
        let fits = |part: &str, length: usize, max: u32| {
            let is_unknown = part.bytes().all(|byte| byte == b'?');
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            let in_range = || part.parse().is_ok_and(|number| (1..=max).contains(&number));
            part.len() == length && (is_unknown || (is_number && in_range()))
        };
        if fits(year, 4, 9999) && fits(month, 2, 12) && fits(day, 2, 31) {
            Ok(PgnDate(text))
        } else {
            Err(DateError)
        }
    }
}

impl From<PgnDate> for String {
    fn from(date: PgnDate) -> String {
        date.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_in_pgn_notation_are_accepted() {
        let accepts = |text: &str| PgnDate::try_from(text.to_owned()).is_ok();
        for date in ["2026.11.23", "2026.??.??", "????.??.??", "0001.01.31"] {
            assert!(accepts(date), "{date}");
        }
        for text in [
            "",
            "2026",
            "2026.11",
            "2026.11.23.1",
            "2026-11-23",
            "2026.1.2",
            "2026.13.01",
            "2026.00.01",
            "2026.11.32",
            "2026.11.2\n",
            "2026.11\n.23",
            "2026.11.+3",
            "2026.11.\"]",
            "２026.11.23",
        ] {
            assert!(!accepts(text), "{text:?}");
        }
    }
}
