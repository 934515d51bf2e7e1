//! The page of a reviewed game, in windows of many sizes.

use std::fs;
use std::process::Command;

use super::in_browser;

/// Widths and heights of windows in pixels: laptops, desktops, and phones in both orientations.
const WINDOWS: [(u32, u32); 9] = [
    (1280, 600),
    (1366, 650),
    (1536, 730),
    (1440, 789),
    (1920, 950),
    (2560, 1320),
    (844, 390),
    (932, 430),
    (390, 844),
];

/// Analyses games; returns the page with this name.
fn analysed(games: &str, page: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("game.pgn"), games).unwrap();
    let mut analyse = Command::new(env!("CARGO_BIN_EXE_outrider"));
    analyse.args(["analyse", "game.pgn", "--depth", "3", "--hash", "1"]);
    assert!(analyse.current_dir(directory.path()).output().unwrap().status.success());
    fs::read_to_string(directory.path().join(page)).unwrap()
}

#[test]
fn the_board_uses_the_available_space_and_nothing_is_wider_than_the_window() {
    let game = "[Event \"A tournament\"]\n[White \"Ann of the Long Name\"]\n\
        [Black \"Bob of the Longer Name\"]\n\n1. e4 {[%clk 0:01:00]} f6 2. d4 g5 3. Qh5# 1-0\n";
    let html = analysed(game, "game-1.html");
    in_browser(async |page| {
        page.frame(html).await;
        for (width, height) in WINDOWS {
            page.resize_frame((width, height)).await;
            // Even with a long description, the board and the buttons keep their size.
            let measured = "const inner = document.getElementById('frame').contentDocument; \
                const box = (selector) => inner.querySelector(selector)?.getBoundingClientRect(); \
                if (!box('#board')?.width) return false; \
                inner.getElementById('description').textContent = 'so much is said '.repeat(60); \
                const { scrollWidth, clientWidth } = inner.documentElement; \
                return [box('#board').width, box('#board').bottom, scrollWidth, box('.controls').bottom, clientWidth]";
            let measured = page.until(measured).await;
            let at = |index: usize| measured[index].as_f64().expect("a length");
            let room = f64::from(width.min(height));
            assert!(at(0) >= 0.8 * room, "{width} × {height}: a board of {}", at(0));
            assert!(at(1) <= f64::from(height), "{width} × {height}: it ends at {}", at(1));
            // Scroll bars take a part of the width.
            assert!(at(2) <= at(4), "{width} × {height}: a page of {} in {}", at(2), at(4));
            assert!(at(3) <= f64::from(height), "{width} × {height}: buttons end at {}", at(3));
        }
    });
}

/// Three games of Ann; in two of them she makes the same mistake on the same move.
const OWN_GAMES: &str = "\
[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2025.01.03\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
[White \"Ann\"]\n[Black \"Cid Hamete\"]\n[Date \"2025.01.02\"]\n\n1. f3 e5 2. g4 Nc6 *\n\n\
[White \"Cid Hamete\"]\n[Black \"Ann\"]\n[Date \"2025.01.01\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

#[test]
fn the_owners_games_lead_to_the_owners_page_and_puzzles() {
    let index = analysed(OWN_GAMES, "game-pages/index.html");
    assert!(index.contains(r#"<a href="player-1.html">Games of Ann</a>"#));
    assert!(!index.contains(">Games of Cid Hamete</a>"), "who was met twice is no owner");
    let own = analysed(OWN_GAMES, "game-pages/player-1.html");
    assert!(own.contains(r#"<a href="puzzles.html#player=Ann">Find better moves: "#));
    let other = analysed(OWN_GAMES, "game-pages/player-3.html");
    assert!(other.contains(r#"<a href="puzzles.html#player=Cid%20Hamete">Find better moves: "#));
    let faultless = analysed(OWN_GAMES, "game-pages/player-2.html");
    assert!(faultless.contains("<h1>Bob</h1>") && !faultless.contains("Find better moves"));
}

#[test]
fn there_is_a_gap_between_the_tables_of_a_player_and_the_games() {
    let html = analysed(OWN_GAMES, "game-pages/player-1.html");
    in_browser(async |page| {
        page.frame(html).await;
        for width in [1400, 844, 390] {
            page.resize_frame((width, 900)).await;
            let gap = "const inner = document.getElementById('frame').contentDocument; \
                const box = (element) => element.getBoundingClientRect(); \
                const ends = [...inner.querySelectorAll('#tables .card')].map((card) => box(card).bottom); \
                return ends.length > 0 && box(inner.querySelector('[aria-label=Games]')).top - Math.max(...ends)";
            let gap = page.until(gap).await.as_f64().expect("a length");
            assert!((12.0..24.0).contains(&gap), "{width}: {gap}");
        }
    });
}

#[test]
fn the_mouse_wheel_over_the_board_steps_through_the_game() {
    let html = analysed("1. e4 e5 2. Nf3 *\n", "game-1.html");
    in_browser(async |page| {
        page.frame(html).await;
        let wheel = "const inner = document.getElementById('frame').contentDocument; \
            const turn = (deltaY) => inner.querySelector('[data-square=e4]')?.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true })); \
            if (!inner.getElementById('m1')) return false; \
            [120, 30, 30, 120, -120].forEach(turn); \
            return inner.getElementById('name').textContent";
        assert_eq!(page.until(wheel).await, "1... e5", "three forward, one back");
    });
}

#[test]
fn a_game_can_be_browsed_and_moves_made_without_a_pointer() {
    let html = analysed("1. e4 e5 2. Nf3 *\n", "game-1.html");
    in_browser(async |page| {
        page.frame(html).await;
        let typed = "const inner = document.getElementById('frame').contentDocument; \
            const find = (id) => inner.getElementById(id); \
            if (!find('m1')) return false; \
            inner.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true })); \
            const field = inner.activeElement; \
            const type = (text) => { field.value = text; find('typed').requestSubmit(); }; \
            type('e4'); \
            const current = inner.querySelector('#moves [aria-current=true]').id; \
            type('Ke4'); \
            return [current, find('name').textContent, find('refused').textContent]";
        let expected = ["m1", "1. e4", "\"Ke4\" is not a legal move here"];
        assert_eq!(page.until(typed).await, serde_json::json!(expected));
    });
}

#[test]
fn a_list_of_games_can_be_sorted_on_a_phone_and_links_to_players() {
    let html = analysed(OWN_GAMES, "game-pages/index.html");
    in_browser(async |page| {
        page.frame(html).await;
        page.resize_frame((390, 844)).await;
        let sorted = "const inner = document.getElementById('frame').contentDocument; \
            const sort = inner.getElementById('sort'); \
            if (!sort?.checkVisibility() || inner.querySelectorAll('#games tbody tr').length < 3) return false; \
            sort.selectedIndex = [...sort.options].findIndex((it) => it.text.startsWith('date')); \
            sort.dispatchEvent(new Event('change')); \
            const down = [...inner.querySelectorAll('#games td.date')].map((it) => it.textContent); \
            sort.selectedIndex = 0; \
            sort.dispatchEvent(new Event('change')); \
            return [down, inner.querySelector('#summary a').textContent]";
        let expected = [
            serde_json::json!(["2025-01-03", "2025-01-02", "2025-01-01"]),
            serde_json::json!("3 players"),
        ];
        assert_eq!(page.until(sorted).await, serde_json::json!(expected));
    });
}

#[test]
fn a_repeated_mistake_is_asked_once_and_the_next_is_one_click_away() {
    let html = analysed(OWN_GAMES, "game-pages/puzzles.html");
    in_browser(async |page| {
        page.frame(html).await;
        let asked = "const inner = document.getElementById('frame').contentDocument; \
            const find = (id) => inner.getElementById(id); \
            if (!find('puzzle-count')?.textContent) return false; \
            const said = []; \
            for (let more = true; more; ) { \
                said.push(find('puzzle-task').textContent.replace(/.* than /, '')); \
                find('puzzle-solve').click(); \
                more = !find('puzzle-next').hidden; \
                find('puzzle-next').click(); \
            } \
            return said";
        let asked: Vec<String> = serde_json::from_value(page.until(asked).await).unwrap();
        assert_eq!(asked.iter().filter(|it| *it == "2. g4").count(), 1, "{asked:?}");
        assert!(asked.contains(&"2... Ke7".to_owned()), "{asked:?}");
        let index = analysed(OWN_GAMES, "game-pages/index.html");
        let promised = format!("Find better moves: {} positions", asked.len());
        assert!(index.contains(&promised), "{promised}");
    });
}
