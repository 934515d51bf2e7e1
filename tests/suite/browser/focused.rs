//! The keyboard's focus when the focused control disappears, and what the arrow keys do after a click.

use serde_json::json;

use super::{Page, in_browser};

/// Focuses a control and activates it with the Enter key.
async fn press(page: &Page, selector: &str) {
    page.run("document.querySelector(arguments[0]).focus()", &[json!(selector)]).await;
    page.keys("\u{e007}").await;
}

/// Waits until a control has the focus.
async fn focused(page: &Page, id: &str) {
    page.until(&format!("return document.activeElement.id === '{id}'")).await;
}

#[test]
fn the_focus_stays_in_the_game_when_it_begins_and_ends() {
    in_browser(async |page| {
        page.fill("#elo", "450").await;
        press(page, "#setup [type=submit]").await;
        focused(page, "play-moves").await;
        page.until("return play.game && !play.game.thinking").await;
        page.run("window.confirm = () => true", &[]).await;
        press(page, "#resign").await;
        focused(page, "rematch").await;
        press(page, "#analyse-ended").await;
        focused(page, "panel-analyse").await;
        press(page, "#study-edit").await;
        focused(page, "panel-edit").await;
        press(page, "#edit-cancel").await;
        focused(page, "panel-analyse").await;
    });
}

#[test]
fn the_focus_stays_in_a_review_and_its_exercises() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.fill("#review-text", "1. f3 e5 2. g4 Qh4# 0-1").await;
        page.fill("#review-time", "100").await;
        press(page, "#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        focused(page, "panel-review").await;
        page.keys("n").await;
        page.until("return !document.querySelector('#ask').hidden").await;
        press(page, "#ask").await;
        focused(page, "solve").await;
        press(page, "#solve").await;
        focused(page, "moves").await;
        press(page, "#next .step, #better .step").await;
        page.until("return document.activeElement.matches('.step.shown')").await;
    });
}

#[test]
fn the_focus_stays_in_the_explorer_after_a_move_from_it() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.run("document.querySelector('#explorer-analyse').open = true", &[]).await;
        page.until("return document.querySelector('#explorer-analyse .move')").await;
        press(page, "#explorer-analyse .move").await;
        page.until(
            "return study.node.parent && document.activeElement.closest('#explorer-analyse')",
        )
        .await;
    });
}

#[test]
fn arrow_keys_step_through_the_moves_after_a_click_on_a_tab() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "1. e4 e5 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 2").await;
        page.click("#tab-puzzles").await;
        page.click("#tab-analyse").await;
        page.keys("\u{e014}").await;
        page.until("return study.node.san === 'e4'").await;
        assert_eq!(page.run("return shownTab()", &[]).await, "analyse");
        // With the keyboard they go through the tabs.
        page.run("document.querySelector('#tab-analyse').focus()", &[]).await;
        page.keys("\u{e014}").await;
        page.until("return shownTab() === 'review'").await;
        focused(page, "tab-review").await;
    });
}

#[test]
fn the_focus_stays_in_the_puzzles() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.fill("#review-text", "1. f3 e5 2. g4 Qh4# 0-1").await;
        page.fill("#review-time", "100").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        page.click("#tab-puzzles").await;
        let wrong = "return puzzles.list[0].played.split(' ').at(-1)";
        let wrong = page.until(wrong).await;
        page.fill("#move-text", wrong.as_str().unwrap()).await;
        page.click("#typed button").await;
        page.until("return puzzles.tried").await;
        press(page, "#puzzle-again").await;
        focused(page, "puzzle-solve").await;
        press(page, "#puzzle-solve").await;
        page.until("return puzzles.isOver && ['puzzle-next', 'puzzle-which'].includes(document.activeElement.id)")
            .await;
        press(page, "#puzzle-line .step").await;
        page.until("return document.activeElement.matches('.step.shown')").await;
    });
}
