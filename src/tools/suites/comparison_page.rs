//! The comparison of two runs as an HTML page, with a diagram for each position won or lost.

use serde_json::{Value as Json, json};
use shakmaty::{Chess, Move, Position as _};

use super::comparison::Comparison;
use super::record::AnswerRecord;
use super::report::{ENLARGE, STYLE, TABLE, cell, figure, file_name, picture};
use crate::modules;
use crate::pages::board::{arrow, placement};
use crate::pages::{Page, escape, fill, script};
use outrider_engine::position::notation::parse_fen_any;
use outrider_engine::position::san::parse_san;

const CONTENT: &str = include_str!("comparison.html");

/// Creates the page of a comparison. `a` and `b` are the file name and the description of each run.
pub fn comparison_page(comparison: &Comparison<'_>, a: [&str; 2], b: [&str; 2]) -> String {
    let won = comparison.won.iter().map(|pair| ("won", pair));
    let lost = comparison.lost.iter().map(|pair| ("lost", pair));
    let differing: Vec<_> = won.chain(lost).collect();
    let rows: String = (0..)
        .zip(&differing)
        .map(|(index, (result, pair))| row(index, result, pair.0, pair.1))
        .collect();
    let title = format!("{} and {}", file_name(a[0]), file_name(b[0]));
    let content = fill(
        CONTENT,
        &[
            ("title", &escape(&title)),
            ("a", &escape(&a.join(": "))),
            ("b", &escape(&b.join(": "))),
            ("total", &figures(comparison)),
            ("significance", &escape(&comparison.significance())),
            ("positions", &differing.len().to_string()),
            ("rows", &rows),
            ("enlarge", ENLARGE),
        ],
    );
    let [comparison] = modules!("tools/suites", ["comparison.js"]);
    let page = Page {
        title: &title,
        class: "without-points",
        style: STYLE,
        content: &content,
        data: differing.iter().map(|(_, pair)| drawn(pair.0, pair.1)).collect(),
        script: &script("tools/suites/comparison.js", &[TABLE, comparison]),
        has_boards: true,
    };
    page.to_html()
}

/// Creates the figures at the top.
fn figures(comparison: &Comparison<'_>) -> String {
    let Comparison { won, lost, both, neither, alone } = comparison;
    let count = |count: usize, words: &str| figure(&count.to_string(), words);
    let mut figures = count(won.len(), "won: solved only by B")
        + &count(lost.len(), "lost: solved only by A")
        + &count(*both, "solved by both")
        + &count(*neither, "solved by neither");
    for (letter, alone) in ["A", "B"].into_iter().zip(alone).filter(|(_, alone)| **alone > 0) {
        figures += &count(*alone, &format!("only in {letter}, not counted"));
    }
    figures
}

/// Creates the row of a position that only one run solved.
fn row(index: usize, result: &str, before: &AnswerRecord, after: &AnswerRecord) -> String {
    let name = escape(&after.name());
    let theme = after.theme.as_deref().unwrap_or_default();
    let played = |record: &AnswerRecord| {
        let played = record.played.as_deref().unwrap_or("none");
        format!("{} <span class=\"note\">{}</span>", escape(played), record.score)
    };
    let cells = [
        cell("name", "", &format!("<b>{name}</b><span class=\"note\">{}</span>", escape(theme))),
        cell("verdict", "", &format!("<span class=\"{result}\">{result}</span>")),
        cell("wanted", "expected", &escape(&after.wanted())),
        cell("before", "A", &played(before)),
        cell("after", "B", &played(after)),
    ];
    format!(
        r#"<tr data-name="{name}" data-result="{result}">{picture}{cells}</tr>
"#,
        picture = picture(&name, &after.fen, index),
        cells = cells.concat(),
    )
}

/// Creates the data of a diagram. The board is empty if the FEN is invalid.
fn drawn(before: &AnswerRecord, after: &AnswerRecord) -> Json {
    let Ok(chess) = parse_fen_any(&after.fen) else {
        return json!({ "placement": "8/8/8/8/8/8/8/8" });
    };
    let best = moves(&chess, &after.bm);
    let wrong = [before, after].into_iter().filter(|record| !record.is_solved());
    let wrong = wrong.filter_map(|record| parse_san(&chess, record.played.as_deref()?).ok());
    let arrows: Vec<_> = best.iter().map(|&mv| arrow(mv, "good")).collect();
    let arrows = arrows.into_iter().chain(wrong.map(|mv| arrow(mv, "bad")));
    json!({
        "placement": placement(&chess),
        "flipped": chess.turn().is_black(),
        "arrows": arrows.collect::<Vec<_>>(),
    })
}

fn moves(chess: &Chess, names: &[String]) -> Vec<Move> {
    names.iter().filter_map(|name| parse_san(chess, name).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn a_page_shows_positions_won_and_lost_with_both_answers() {
        let answer = |played: &str, solved| AnswerRecord {
            fen: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1".to_owned(),
            bm: vec!["Ra8#".to_owned()],
            played: Some(played.to_owned()),
            solved: Some(solved),
            ..record("<b>.1")
        };
        let (wrong, right) = (answer("Ra7", false), answer("Ra8#", true));
        let comparison = Comparison {
            won: vec![(&wrong, &right)],
            lost: vec![],
            both: 7,
            neither: 2,
            alone: [0, 3],
        };
        let page = comparison_page(&comparison, ["x/a.json", "1 of 10"], ["b.json", "2 of 10"]);
        for promise in [
            "<h1>a.json and b.json</h1>",
            "<b>7</b>",
            "only in B, not counted",
            "A: x/a.json: 1 of 10",
            "Ra7 <span",
            "data-result=\"won\"",
            &escape(&comparison.significance()),
        ] {
            assert!(page.contains(promise), "{promise}");
        }
        let board = drawn(&wrong, &right);
        assert_eq!(board["arrows"], json!([["a1", "a8", "good"], ["a1", "a7", "bad"]]));
        assert!(
            roxmltree::Document::parse_with_options(
                &page,
                roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() }
            )
            .is_ok()
        );
    }
}
