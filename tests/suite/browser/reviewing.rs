//! Reviews of games on the board.

use serde_json::json;

use super::{Page, in_browser};
use crate::support::http::Server;

const FOOLS_MATE: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// Reviews the first game of a text, with a short search.
async fn review(page: &Page, pgn: &str) {
    page.click("#tab-review").await;
    page.fill("#review-text", pgn).await;
    page.fill("#review-time", "100").await;
    page.click("#review-start").await;
    page.until("return review.work?.stage === 'done' && review.shown").await;
}

/// Presses a key outside a field.
async fn press(page: &Page, key: &str) {
    page.run("document.activeElement.blur()", &[]).await;
    page.keys(key).await;
}

/// Goes to the fault 2. g4 with the key for the next fault.
async fn go_to_fault(page: &Page) {
    for _ in 0..3 {
        press(page, "n").await;
        if page.text("#name").await.starts_with("2. g4") {
            return;
        }
    }
    panic!("2. g4 is a fault, but {} is shown", page.text("#name").await);
}

#[test]
fn a_reviewed_game_is_stepped_through_on_the_board() {
    in_browser(async |page| {
        review(page, &format!("{FOOLS_MATE}\n1. e4 *")).await;
        assert_eq!(page.text("#review-state").await, "done, game 1 of 2");
        assert_eq!(page.text("#review-title").await, "Ann – Bob, 0–1");
        assert_eq!(page.text("#above b").await, "Bob");
        assert!(page.text("#review-occasion").await.contains("Barnes Opening"));
        let scores = "return [...document.querySelectorAll('#moves .score')].map((score) => score.textContent)";
        let scores = page.run(scores, &[]).await;
        assert_eq!(scores.as_array().unwrap().len(), 4, "{scores}");
        // A short search on a busy machine may rate 1. f3 so badly that 2. g4 is only a mistake.
        assert!(page.text("#m3").await.contains("g4?"), "{}", page.text("#m3").await);
        for (key, name) in [("\u{e014}", "1. f3"), ("\u{e010}", "2... Qh4#"), ("\u{e012}", "2. g4")]
        {
            press(page, key).await;
            assert!(page.text("#name").await.starts_with(name), "{}", page.text("#name").await);
        }
        assert!(page.label("g4").await.contains("white pawn"));
        press(page, "\u{e011}").await;
        go_to_fault(page).await;
        assert!(page.text("#description").await.contains("mate"), "it says why");
        let drawn = "return [document.querySelector('.plot .curve') !== null, document.querySelectorAll('.plot .blunder, .plot .mistake').length, \
            document.querySelectorAll('.phases tbody tr').length, document.querySelector('#chances').getAttribute('aria-label')]";
        let drawn = page.run(drawn, &[]).await;
        assert_eq!((&drawn[0], &drawn[2]), (&json!(true), &json!(2)));
        assert!(drawn[1].as_u64() >= Some(1), "{drawn}");
        assert!(drawn[3].as_str().unwrap().starts_with("White’s winning chance"), "{drawn}");
        page.click("#m1").await;
        assert!(page.label("f3").await.contains("white pawn"));
        let plot = "const plot = document.getElementById('plot').getBoundingClientRect(); \
            document.getElementById('plot').dispatchEvent(new PointerEvent('pointerdown', { clientX: plot.right - 1, clientY: plot.top + 5, bubbles: true }))";
        page.run(plot, &[]).await;
        assert!(page.label("h4").await.contains("black queen"));
    });
}

#[test]
fn the_game_of_a_file_is_chosen() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.drop_file("two.pgn", &format!("[White \"Cid\"]\n\n1. e4 *\n\n{FOOLS_MATE}")).await;
        page.until("return !document.querySelector('#review-games').hidden").await;
        page.run("document.querySelector('#review-games').value = '1'", &[]).await;
        page.fill("#review-time", "100").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        assert_eq!(page.text("#review-state").await, "done, game 2 of 2");
        assert_eq!(page.text("#review-title").await, "Ann – Bob, 0–1");
        // The list belongs to the text.
        page.fill("#review-text", FOOLS_MATE).await;
        let is_listed = "return !document.querySelector('#review-games').hidden";
        assert_eq!(page.run(is_listed, &[]).await, false);
    });
}

#[test]
fn a_better_move_is_found_in_place_of_a_fault() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        go_to_fault(page).await;
        page.click("#ask").await;
        assert_eq!(page.text("#name").await, "Find a better move than 2. g4");
        let hidden =
            "return getComputedStyle(document.querySelector('#moves .verdict')).visibility";
        assert_eq!(page.run(hidden, &[]).await, "hidden", "the list does not tell the solution");
        assert!(page.label("g2").await.contains("white pawn"));
        page.square("g2").await;
        page.square("g4").await;
        let wrong =
            "return document.querySelector('#description').textContent.includes('mate in 1')";
        page.until(wrong).await;
        page.until("return document.querySelector('[data-square=g2]').getAttribute('aria-label').includes('pawn')").await;
        page.square("e2").await;
        page.square("e4").await;
        page.until("return /good|best/.test(document.querySelector('#description').textContent)")
            .await;
        assert!(page.label("e4").await.contains("white pawn"));
        assert_ne!(page.run(hidden, &[]).await, "hidden");
        press(page, "\u{e00c}").await;
        assert!(page.text("#name").await.starts_with("2. g4"), "Escape returns to the game");
    });
}

#[test]
fn a_solution_is_drawn_and_played_through_with_the_keyboard() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        go_to_fault(page).await;
        press(page, "b").await;
        assert_eq!(page.text("#name").await, "Find a better move than 2. g4");
        press(page, "s").await;
        assert_eq!(page.text("#name").await, "Better than 2. g4");
        let arrows = "return [...document.querySelectorAll('#board .arrow')].map((arrow) => arrow.classList[1])";
        assert_eq!(page.run(arrows, &[]).await, json!(["good"]));
        let line =
            "return review.view.game.data.positions[2].line.map(([, san, fen]) => [san, fen])";
        let line = page.run(line, &[]).await;
        for step in line.as_array().unwrap().iter().take(2) {
            press(page, "\u{e014}").await;
            assert_eq!(page.run("return squares.board.view.fen", &[]).await, step[1]);
        }
        let current = "return document.querySelector('#better [aria-current=true]').textContent";
        let current = page.run(current, &[]).await;
        assert!(current.as_str().unwrap().ends_with(line[1][0].as_str().unwrap()), "{current}");
    });
}

#[test]
fn a_late_judgement_does_not_count_for_the_next_position() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        let held = "const fetched = window.fetch; \
            window.fetch = (path, options) => !path.endsWith('/judge') ? fetched(path, options) \
                : new Promise((judge) => { window.judge = (answer) => judge(Response.json(answer)); });";
        page.run(held, &[]).await;
        go_to_fault(page).await;
        press(page, "b").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return window.judge").await;
        press(page, "\u{e011}").await;
        let judge = "window.judge({ san: 'e4', score: '0', best: true, fault: null, line: '', squares: ['e2', 'e4'] })";
        page.run(judge, &[]).await;
        page.until("return document.querySelector('#spoken').textContent.startsWith('e4')").await;
        assert_eq!(page.text("#name").await, "The start");
        assert!(page.label("e2").await.contains("white pawn"));
    });
}

#[test]
fn the_players_own_faults_are_visited() {
    in_browser(async |page| {
        let game = FOOLS_MATE.replace("Ann", "Outrider, Elo 450").replace("Bob", "Player");
        review(page, &game).await;
        assert_eq!(page.run("return squares.flipped", &[]).await, true, "Black is at the bottom");
        let faults = "return review.view.game.data.positions.filter(({ fault, name }) => fault && name.includes('...')).length";
        let own = page.run(faults, &[]).await;
        press(page, "\u{e011}").await;
        let is_disabled = "return document.querySelector('#fault').disabled";
        assert_eq!(page.run(is_disabled, &[]).await, json!(own == 0));
        page.run("const side = document.querySelector('#fault-side'); side.value = '0'; side.dispatchEvent(new Event('change'))", &[]).await;
        assert_eq!(page.run(is_disabled, &[]).await, false);
    });
}

#[test]
fn a_review_survives_a_reload_and_is_saved_as_a_page_and_as_pgn() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1 && review?.shown").await;
        page.click("#tab-review").await;
        assert_eq!(page.text("#review-title").await, "Ann – Bob, 0–1");
        let links = "return ['review-page', 'review-pgn'].map((id) => { const link = document.getElementById(id); return [link.href, link.download]; })";
        let links = page.run(links, &[]).await;
        assert_eq!((&links[0][1], &links[1][1]), (&json!("review.html"), &json!("reviewed.pgn")));
        page.click("#review-analyse").await;
        page.until("return shownTab() === 'analyse' && document.querySelectorAll('#study-moves .move').length >= 4").await;
        page.client.goto(links[0][0].as_str().unwrap()).await.unwrap();
        page.until("return document.querySelectorAll('#board use').length > 20").await;
        page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))", &[]).await;
        assert_eq!(page.text("#name").await, "2... Qh4#", "the saved page has the same viewer");
    });
}

#[test]
fn a_game_is_played_from_a_position_of_the_review() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        go_to_fault(page).await;
        press(page, "\u{e012}").await;
        page.until("return document.querySelector('#name').textContent.startsWith('1... e5')")
            .await;
        page.click("#review-play").await;
        page.run("document.querySelector('#play-from-level').value = ''", &[]).await;
        page.click("#play-from-start").await;
        page.until("return shownTab() === 'play' && play.game").await;
        let game =
            page.run("return [play.game.start.fen, play.game.person, play.game.elo]", &[]).await;
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(game, json!([fen, "white", null]));
    });
}

#[test]
fn a_review_can_be_stopped() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.fill("#review-text", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *").await;
        page.fill("#review-time", "3000").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'running'").await;
        page.click("#review-stop").await;
        page.until("return review.work?.stage === 'stopped'").await;
        assert_eq!(page.text("#review-state").await, "stopped");
    });
}

#[test]
fn a_review_fits_windows_of_all_sizes() {
    in_browser(async |page| {
        review(page, FOOLS_MATE).await;
        for window @ (width, height) in [(1280, 720), (1920, 1080), (844, 390), (390, 844)] {
            page.resize(window).await;
            let measured = "const box = (selector) => document.querySelector(selector).getBoundingClientRect(); \
                return [box('#board').width, document.documentElement.scrollWidth, box('#moves').width]";
            let measured = page.until(measured).await;
            let at = |index: usize| measured[index].as_f64().expect("a length");
            let room = f64::from(width.min(height));
            assert!(at(0) >= 0.8 * room, "{width} × {height}: a board of {}", at(0));
            assert!(at(1) <= f64::from(width), "{width} × {height}: a page of {}", at(1));
            assert!(at(2) >= 250.0, "{width} × {height}: a list of {}", at(2));
        }
    });
}

#[test]
fn a_review_that_a_new_server_does_not_know_can_be_restarted() {
    in_browser(async |page| {
        page.click("#tab-review").await;
        page.fill("#review-text", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *").await;
        page.fill("#review-time", "3000").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'running'").await;
        let port = page.server.take().unwrap().address.port();
        page.until("return document.getElementById('connection').textContent !== ''").await;
        page.server = Some(Server::start_at(port, &[]));
        page.until("return review.work.stage === 'failed'").await;
        page.until("return !document.querySelector('#review-start').disabled").await;
        assert!(page.text("#review-state").await.contains("has lost this work"));
        assert!(page.text("#review-form").await.contains("Time per position"), "the form is open");
    });
}
