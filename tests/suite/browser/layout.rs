//! The size of the board in windows of many sizes.

use super::in_browser;

/// Widths and heights of windows in pixels: laptops and desktops, then phones, on which the board reaches
/// from edge to edge.
const WINDOWS: [(u32, u32); 8] = [
    (1280, 720),
    (1366, 650),
    (1400, 900),
    (1920, 1080),
    (2560, 1440),
    (1024, 768),
    (844, 390),
    (390, 844),
];

#[test]
fn the_board_uses_the_window_and_nothing_is_wider_than_it() {
    in_browser(async |page| {
        page.begin("").await;
        for window @ (width, height) in WINDOWS {
            page.resize(window).await;
            let measured = "const { width, bottom } = document.getElementById('board').getBoundingClientRect(); \
                const { scrollWidth, clientWidth } = document.documentElement; \
                return [width, bottom, scrollWidth, clientWidth]";
            let measured = page.until(measured).await;
            let at = |index: usize| measured[index].as_f64().expect("a length");
            let share = if width.min(height) < 500 { 1.0 } else { 0.8 };
            // Scroll bars take a part of the width.
            let room = at(3).min(f64::from(height));
            assert!(at(0) >= share * room - 0.5, "{width} × {height}: a board of {}", at(0));
            assert!(at(1) <= f64::from(height), "{width} × {height}: it ends at {}", at(1));
            assert!(at(2) <= at(3), "{width} × {height}: a page of {} in {}", at(2), at(3));
        }
    });
}

#[test]
fn no_tab_is_wider_than_a_window_with_scroll_bars() {
    in_browser(async |page| {
        // Browsers without a window may hide scroll bars. A bar of the test's own takes the same room.
        let bar = "document.documentElement.style.cssText = 'width: calc(100% - 17px)'";
        page.run(bar, &[]).await;
        for window @ (width, height) in [(320, 600), (390, 844), (820, 700), (844, 390)] {
            page.resize(window).await;
            for tab in ["play", "games", "analyse", "review", "puzzles", "suites"] {
                page.click(&format!("#tab-{tab}")).await;
                let right = "return Math.max(...[...document.querySelectorAll('main, .left, .right > :not([hidden])')] \
                    .map((part) => part.getBoundingClientRect().right)) - document.documentElement.getBoundingClientRect().right";
                let over = page.run(right, &[]).await.as_f64().expect("a length");
                assert!(over < 0.5, "{width} × {height}, {tab}: {over} too wide");
            }
        }
    });
}

#[test]
fn all_tabs_are_in_one_row_in_windows_of_all_sizes() {
    in_browser(async |page| {
        for window @ (width, height) in WINDOWS.into_iter().chain([(320, 600)]) {
            page.resize(window).await;
            let rows = "return new Set([...document.querySelectorAll('[role=tab]')] \
                .map((tab) => tab.getBoundingClientRect().top)).size";
            assert_eq!(page.run(rows, &[]).await, 1, "{width} × {height}");
            let over = "const { scrollWidth, clientWidth } = document.querySelector('.tabs'); return scrollWidth - clientWidth";
            assert_eq!(page.run(over, &[]).await, 0, "{width} × {height}");
        }
    });
}

#[test]
fn names_and_figures_are_not_cut_in_a_narrow_column() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        let game = "[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
        page.fill("#review-text", game).await;
        page.fill("#review-time", "100").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        for window @ (width, height) in [(1024, 768), (390, 844), (844, 390)] {
            page.resize(window).await;
            let narrowest = "return Math.min(...[...document.querySelectorAll('.summary tbody th')].map((name) => name.clientWidth))";
            let narrowest = page.run(narrowest, &[]).await.as_u64().expect("a length");
            assert!(narrowest >= 80, "{width} × {height}: {narrowest}");
        }
        page.click("#tab-analyse").await;
        page.click("#analysis-switch").await;
        page.until("return document.querySelector('#figures').textContent.includes('wins')").await;
        page.resize((1024, 768)).await;
        let cut = "const { scrollHeight, clientHeight } = document.querySelector('#figures'); return scrollHeight - clientHeight";
        assert_eq!(page.run(cut, &[]).await, 0);
    });
}

#[test]
fn a_started_game_is_visible_on_a_phone_and_the_form_is_folded() {
    in_browser(async |page| {
        page.resize((390, 844)).await;
        page.run("document.querySelector('#setup [type=submit]').scrollIntoView()", &[]).await;
        page.begin("").await;
        let top = "return document.getElementById('board').getBoundingClientRect().top";
        let top = page.run(top, &[]).await.as_f64().expect("a length");
        assert!((0.0..844.0 - 390.0).contains(&top), "{top}");
        let is_open = "return document.getElementById('new-game').open";
        assert_eq!(page.run(is_open, &[]).await, false);
    });
}

#[test]
fn the_page_weighs_less_than_120_kilobytes() {
    in_browser(async |page| {
        let weight = "const parts = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
            const files = parts.filter(({ name }) => !name.includes('/api/')); \
            const sum = (size) => files.reduce((total, file) => total + file[size], 0); \
            return [files.length, sum('transferSize'), sum('encodedBodySize'), sum('decodedBodySize')]";
        let weight = page.run(weight, &[]).await;
        let [files, transferred, encoded, decoded] =
            [0, 1, 2, 3].map(|index| weight[index].as_u64().unwrap());
        assert!(files >= 3, "{weight}");
        assert!(transferred < 120_000 && encoded < decoded / 2, "{weight}");
    });
}

#[test]
fn the_opening_is_named_next_to_the_moves() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "1. e4 c5 2. Nf3 h5 3. h4 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 5").await;
        page.click("#last").await;
        page.until("return study.node.san === 'h4'").await;
        assert_eq!(page.text("#study-opening").await, "B27 Sicilian Defense");
        page.click("#tab-play").await;
        page.begin("").await;
        page.fill("#move-text", "d4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        page.run("document.querySelector('#play-moves .move').click()", &[]).await;
        assert_eq!(page.text("#play-opening").await, "A40 Queen's Pawn Game");
        let pgn = page.run("return gamePgn()", &[]).await;
        assert!(pgn.as_str().unwrap().contains("[ECO \""), "{pgn}");
    });
}
