//! The board: moves by the pointer, before the server has confirmed them, and marks.

use fantoccini::actions::{
    InputSource as _, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT, MouseActions, PointerAction,
};
use fantoccini::elements::Element;
use serde_json::json;

use super::{Page, in_browser};

/// Position after 1. e4, and after 1. e4 e5.
const BLACK_TO_MOVE: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const WHITE_TO_MOVE: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

/// Makes the server's answer to the next moves wait for `window.answer(status)`.
const HOLD_MOVES: &str = "const fetched = window.fetch; \
    window.fetch = (path, options) => !path.endsWith('/move') ? fetched(path, options) \
        : new Promise((answer) => { \
            window.answer = (status) => answer(Response.json({ error: 'refused' }, { status })); })";

/// Presses a mouse button on a square and moves to another one.
fn press(button: u64, from: Element, to: Element) -> MouseActions {
    MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveToElement { element: from, duration: None, x: 0., y: 0. })
        .then(PointerAction::Down { button })
        .then(PointerAction::MoveToElement { element: to, duration: None, x: 0., y: 0. })
}

/// Drags with a mouse button from a square to another.
pub(super) async fn drag(page: &Page, button: u64, from: &str, to: &str) {
    let [from, to] = [from, to].map(|square| format!("[data-square={square}]"));
    let (from, to) = (page.find(&from).await, page.find(&to).await);
    let actions = press(button, from, to).then(PointerAction::Up { button });
    page.client.perform_actions(actions).await.expect("a drag");
}

/// Shows a position in which White may move, or choose a move in advance.
async fn show(page: &Page, fen: &str) {
    let script = "window.made = window.made ?? []; \
        squares.onMove = async (san) => window.made.push(san); \
        squares.board.show({ fen: arguments[0], movable: 'w', premovable: 'w' })";
    page.run(script, &[json!(fen)]).await;
}

#[test]
fn a_dropped_piece_stays_until_the_move_is_refused() {
    in_browser(async |page| {
        page.begin("").await;
        page.run(HOLD_MOVES, &[]).await;
        drag(page, MOUSE_BUTTON_LEFT, "e2", "e4").await;
        assert!(page.label("e4").await.starts_with("e4, white pawn"));
        assert_eq!(page.label("e2").await, "e2, empty");
        page.run("window.answer(422)", &[]).await;
        page.until("return document.querySelector('#message').textContent === 'Refused.'").await;
        assert!(page.label("e2").await.starts_with("e2, white pawn"));
        assert_eq!(page.label("e4").await, "e4, empty");
    });
}

#[test]
fn while_a_piece_is_dragged_it_is_faded_on_its_square() {
    in_browser(async |page| {
        page.begin("").await;
        let (from, to) = (page.find("[data-square=e2]").await, page.find("[data-square=e4]").await);
        page.client.perform_actions(press(MOUSE_BUTTON_LEFT, from, to)).await.expect("a press");
        let count = "return ['faded', 'dragged'].map((name) => document.getElementsByClassName(name).length)";
        assert_eq!(page.run(count, &[]).await, json!([1, 1]));
        let up = PointerAction::Up { button: MOUSE_BUTTON_LEFT };
        let release = MouseActions::new("mouse".to_owned()).then(up);
        page.client.perform_actions(release).await.expect("a release");
        page.until("return play.game.plies.length === 2").await;
        assert_eq!(page.run(count, &[]).await, json!([0, 0]));
    });
}

#[test]
fn a_piece_keeps_its_element_and_glides_unless_motion_is_reduced() {
    in_browser(async |page| {
        let places = "return [...document.querySelectorAll('#board .piece')] \
            .map((piece) => (piece.dataset.number ??= Math.random()) + piece.style.transform).sort()";
        show(page, BLACK_TO_MOVE).await;
        let before: Vec<String> = serde_json::from_value(page.run(places, &[]).await).unwrap();
        show(page, WHITE_TO_MOVE).await;
        let after: Vec<String> = serde_json::from_value(page.run(places, &[]).await).unwrap();
        assert_eq!(after.len(), 32);
        assert_eq!(before.iter().zip(&after).filter(|(old, new)| old != new).count(), 1);
        let time =
            "return getComputedStyle(document.querySelector('#board .piece')).transitionDuration";
        let reduced =
            page.run("return matchMedia('(prefers-reduced-motion: reduce)').matches", &[]);
        let expected = if reduced.await == true { "0s" } else { "0.15s" };
        assert_eq!(page.run(time, &[]).await, expected);
    });
}

#[test]
fn a_premove_is_made_if_it_is_legal_after_the_reply() {
    in_browser(async |page| {
        show(page, BLACK_TO_MOVE).await;
        page.square("d2").await;
        page.square("d4").await;
        assert!(page.label("d4").await.ends_with("premove"));
        show(page, WHITE_TO_MOVE).await;
        assert_eq!(page.run("return window.made", &[]).await, json!(["d4"]));
        assert!(page.label("d4").await.starts_with("d4, white pawn"));
        show(page, BLACK_TO_MOVE).await;
        page.square("e4").await;
        page.square("e5").await;
        assert!(page.label("e5").await.ends_with("premove"));
        show(page, WHITE_TO_MOVE).await;
        assert_eq!(page.run("return window.made", &[]).await, json!(["d4"]), "e5 is blocked");
        assert!(!page.label("e5").await.ends_with("premove"));
    });
}

#[test]
fn a_tap_on_an_empty_square_or_escape_cancels_a_premove() {
    in_browser(async |page| {
        for by_key in [false, true] {
            show(page, BLACK_TO_MOVE).await;
            page.square("d2").await;
            page.square("d4").await;
            assert!(page.label("d4").await.ends_with("premove"));
            if by_key {
                page.keys("\u{e00c}").await;
            } else {
                page.square("h5").await;
            }
            assert_eq!(page.label("d4").await, "d4, empty");
            show(page, WHITE_TO_MOVE).await;
        }
        assert_eq!(page.run("return window.made", &[]).await, json!([]));
    });
}

#[test]
fn the_right_button_draws_arrows_and_circles_and_a_left_click_removes_them() {
    in_browser(async |page| {
        let count = "return ['arrow', 'circle'].map((name) => document.querySelectorAll(`#board .${name}`).length)";
        drag(page, MOUSE_BUTTON_RIGHT, "b1", "c3").await;
        drag(page, MOUSE_BUTTON_RIGHT, "e4", "e4").await;
        assert_eq!(page.run(count, &[]).await, json!([1, 1]));
        drag(page, MOUSE_BUTTON_RIGHT, "b1", "c3").await;
        assert_eq!(page.run(count, &[]).await, json!([0, 1]), "the same arrow again removes it");
        page.square("h5").await;
        assert_eq!(page.run(count, &[]).await, json!([0, 0]));
    });
}

#[test]
fn a_typed_promotion_without_its_piece_asks_for_it() {
    in_browser(async |page| {
        page.begin("8/P6k/8/8/8/8/6PP/K7 w - - 0 1").await;
        page.fill("#move-text", "A8").await;
        page.click("#typed button").await;
        page.click("#promotion [aria-label=knight]").await;
        page.until("return play.game.plies.length > 0").await;
        assert_eq!(page.moves().await[0], "a8=N");
    });
}
