//! States and labels of the page in words: empty parts, errors, and what a button will do.

use serde_json::json;

use super::in_browser;

#[test]
fn empty_parts_say_what_belongs_there() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        assert!(page.text("#figures").await.starts_with("The engine is off."));
        assert!(page.text("#study-moves").await.starts_with("No moves yet."));
        page.click("#tab-suites").await;
        let is_shown = "return document.querySelector(arguments[0]).checkVisibility()";
        for hidden in ["#suite-rows", "#suite-bar", "#suite-stop"] {
            assert_eq!(page.run(is_shown, &[json!(hidden)]).await, false, "{hidden}");
        }
        page.click("#tab-puzzles").await;
        for hidden in ["#puzzle-answer", "#puzzle-which"] {
            assert_eq!(page.run(is_shown, &[json!(hidden)]).await, false, "{hidden}");
        }
        let names = "return ['back', 'forward'].map((id) => document.getElementById(id).ariaLabel)";
        assert_eq!(page.run(names, &[]).await, json!(["Previous puzzle", "Next puzzle"]));
        page.click("#tab-play").await;
        assert_eq!(page.run(names, &[]).await, json!(["Previous move", "Next move"]));
        page.begin("").await;
        assert_eq!(page.text("#play-moves").await, "No moves yet.");
    });
}

#[test]
fn a_failed_review_shows_its_reason_and_no_bar() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.fill("#review-text", "zzz").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'failed'").await;
        assert_eq!(page.text("#review-state").await, "The text contains no game.");
        for hidden in ["#review-bar", "#review-stop"] {
            let is_shown = "return document.querySelector(arguments[0]).checkVisibility()";
            assert_eq!(page.run(is_shown, &[json!(hidden)]).await, false, "{hidden}");
        }
    });
}

#[test]
fn a_game_from_a_position_says_with_which_clock() {
    in_browser(async |page| {
        page.click("[data-clock='3+2']").await;
        page.click("#tab-analyse").await;
        page.click("#study-play").await;
        let expected = "Clock: 3 minutes plus 2 seconds per move, as chosen in Play.";
        assert_eq!(page.text("#play-from-clock").await, expected);
        page.click("#play-from-cancel").await;
        page.click("#tab-play").await;
        page.click("[data-clock=none]").await;
        page.click("#tab-analyse").await;
        page.click("#study-play").await;
        assert_eq!(page.text("#play-from-clock").await, "Without a clock, as chosen in Play.");
    });
}

#[test]
fn the_chances_in_percent_add_up_to_a_hundred() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        let words = "study.view = { fen: study.node.fen, lines: [{ wdl: arguments[0], moves: [], score: '', depth: 1, seldepth: 1 }], nodes: 1, nodes_per_second: 1, hashfull: 0 }; \
            document.querySelector('#lines').dispatchEvent(new Event('change')); \
            return document.querySelector('#figures').textContent.match(/\\d+(?= %)/g).slice(-3).map(Number)";
        for wdl in [[245, 565, 190], [335, 330, 335], [5, 990, 5]] {
            let shown = page.run(words, &[json!(wdl)]).await;
            let shown: Vec<i32> = serde_json::from_value(shown).unwrap();
            assert_eq!(shown.iter().sum::<i32>(), 100, "{shown:?}");
        }
    });
}

#[test]
fn an_explorer_without_own_games_has_no_columns_for_them() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.run("document.querySelector('#explorer-analyse').open = true", &[]).await;
        page.until("return document.querySelector('#explorer-analyse th')").await;
        let heads = "return [...document.querySelectorAll('#explorer-analyse th')].map((head) => head.textContent)";
        let heads: Vec<String> = serde_json::from_value(page.run(heads, &[]).await).unwrap();
        assert_eq!(heads, ["Move", "Opening"]);
    });
}
