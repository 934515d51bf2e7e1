//! Contents of remarks: the text, and the commands that programs write into it (`[%clk]`, `[%emt]`,
//! `[%eval]`, and in studies of Lichess `[%cal]` for arrows and `[%csl]` for circles).

use serde_json::{Value as Json, json};

use crate::pgn::Remark;
use crate::pgn::comment::{self, EngineNote};

/// Removes commands and an engine's note from a comment.
pub(super) fn without_commands(text: &str) -> String {
    EngineNote::read(text).map_or_else(|| comment::without_commands(text), |(_, rest)| rest)
}

/// Returns an engine's note on its own move.
pub(super) fn engine_note(remarks: &[Remark]) -> Option<EngineNote> {
    comments(remarks).find_map(|text| EngineNote::read(text).map(|(note, _)| note))
}

/// Returns the values of all commands `[%name ...]` of this name.
fn commands<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    text.split("[%").skip(1).filter_map(move |command| {
        command
            .strip_prefix(name)?
            .strip_prefix(' ')?
            .split_once(']')
            .map(|(value, _)| value.trim())
    })
}

fn comments(remarks: &[Remark]) -> impl Iterator<Item = &str> {
    remarks.iter().filter_map(|remark| match remark {
        Remark::Comment(text) => Some(text.as_str()),
        _ => None,
    })
}

/// Returns the player's clock after the move.
pub(super) fn clock(remarks: &[Remark]) -> Option<&str> {
    comments(remarks).find_map(|text| commands(text, "clk").next())
}

/// Returns the time used for the move, if a comment gives it (`[%emt]`).
pub(super) fn elapsed(remarks: &[Remark]) -> Option<&str> {
    comments(remarks).find_map(|text| commands(text, "emt").next())
}

/// Returns the remarks on a move or a position for the page's script: `comment`, `arrows` as
/// [from, to, colour], `circles` as [square, colour], and `score` of an analysis; `None` if there are
/// none.
pub(super) fn remarks_for_page(remarks: &[Remark]) -> Option<Json> {
    let mut found = serde_json::Map::new();
    let texts: Vec<_> =
        comments(remarks).map(without_commands).filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        found.insert("comment".to_owned(), texts.join("\n").into());
    }
    let marks = |name, squares| {
        let lists = comments(remarks).flat_map(move |text| commands(text, name));
        let marks = lists.flat_map(|list| list.split(','));
        marks.filter_map(move |mark| parse_mark(mark.trim(), squares)).collect::<Vec<_>>()
    };
    for (key, marks) in [("arrows", marks("cal", 2)), ("circles", marks("csl", 1))] {
        if !marks.is_empty() {
            found.insert(key.to_owned(), marks.into());
        }
    }
    if let Some(score) = comments(remarks).find_map(|text| commands(text, "eval").next()) {
        found.insert("score".to_owned(), score.replace('-', "−").into());
    }
    (!found.is_empty()).then(|| found.into())
}

/// Parses an arrow or a circle, `Ge2e4` or `Rd5`; returns its squares and the name of its colour.
fn parse_mark(mark: &str, squares: usize) -> Option<Json> {
    let (colour, places) = mark.split_at_checked(1)?;
    let colour = match colour {
        "G" => "green",
        "R" => "red",
        "B" => "blue",
        "Y" => "yellow",
        _ => return None,
    };
    let is_square = |place: &str| place.parse::<shakmaty::Square>().is_ok();
    let places: Vec<_> = (0..squares).map(|at| places.get(2 * at..2 * at + 2)).collect();
    let fits = mark.len() == 1 + 2 * squares;
    let places: Option<Vec<&str>> = places.into_iter().collect();
    let places = places.filter(|places| fits && places.iter().all(|place| is_square(place)))?;
    Some(json!([places, vec![colour]].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> Vec<Remark> {
        vec![Remark::Glyph(1), Remark::Comment(text.to_owned())]
    }

    #[test]
    fn arrows_circles_and_text_of_a_study_are_read() {
        let text = "[%csl Ge4,Rd5] a pin [%cal Ge2e4, Bg1f3][%eval -0.31]";
        let remarks = remarks_for_page(&comment(text)).unwrap();
        assert_eq!(remarks["comment"], "a pin");
        assert_eq!(remarks["circles"], json!([["e4", "green"], ["d5", "red"]]));
        assert_eq!(remarks["arrows"], json!([["e2", "e4", "green"], ["g1", "f3", "blue"]]));
        assert_eq!(remarks["score"], "−0.31");
    }

    #[test]
    fn invalid_arrows_and_circles_are_ignored() {
        for text in ["[%cal ]", "[%cal Xe2e4,Ge2,Ge2e9,Ge2e4e5,é]", "[%csl", "[%clk 0:01:00]", ""]
        {
            assert_eq!(remarks_for_page(&comment(text)), None, "{text}");
        }
        assert_eq!(clock(&comment("[%clk 0:01:00]")), Some("0:01:00"));
    }
}
