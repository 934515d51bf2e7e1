//! The opening explorer, and the panel that looks inside a search.

use serde_json::{Value, json};

use super::{Page, in_browser};

/// Stores games in the browser, each with its moves, and reloads the page.
async fn store_games(page: &Page, games: &[(&str, &[&str])]) {
    let games: Vec<Value> = games.iter().map(|(id, moves)| json!([id, moves])).collect();
    let script = "arguments[0].forEach(([id, moves], index) => localStorage.setItem('game:' + id, JSON.stringify({ time: index + 1, kept: { \
        fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', chess960: false, moves, white: true, elo: 450, seed: 1, \
        clock: null, ending: 'resignation', date: '2026.11.23' } })))";
    page.run(script, &[json!(games)]).await;
    page.client.refresh().await.unwrap();
    page.until("return server?.source?.readyState === 1").await;
}

/// Unfolds the explorer of a tab and waits for this number of the player's games.
async fn unfold(page: &Page, name: &str, note: &str) {
    page.click(&format!("#explorer-{name} summary")).await;
    page.until(&format!(
        "return document.querySelector('#explorer-{name} .note').textContent.startsWith('{note}')"
    ))
    .await;
}

/// Returns the cells of the row of a move.
async fn row(page: &Page, name: &str, san: &str) -> Value {
    let script = "const rows = [...document.querySelectorAll(`#explorer-${arguments[0]} tbody tr`)]; \
        const row = rows.find((row) => row.cells[0].textContent === arguments[1]); \
        return row ? [...row.cells].map((cell) => cell.textContent) : null";
    page.run(script, &[json!(name), json!(san)]).await
}

#[test]
fn the_explorer_of_analyse_shows_openings_and_own_games_and_plays_moves() {
    in_browser(async |page| {
        store_games(page, &[("one", &["e2e4", "c7c5"]), ("two", &["e2e4", "e7e5", "f2f4"])]).await;
        page.click("#tab-analyse").await;
        unfold(page, "analyse", "2 of your games").await;
        let e4 = row(page, "analyse", "e4").await;
        assert_eq!([&e4[1], &e4[2], &e4[3]], ["B00 King's Pawn Game", "2", "0 %"]);
        assert_eq!(row(page, "analyse", "d4").await[2], "");
        page.click("#explorer-analyse tbody tr:first-child .move").await;
        page.until("return study.node.san === 'e4'").await;
        page.until("return document.querySelector('#explorer-analyse tbody tr:first-child .move').textContent.match(/^(c5|e5)$/)").await;
        assert_eq!(row(page, "analyse", "c5").await[1], "B20 Sicilian Defense");
        let unnamed = "return [...document.querySelectorAll('#explorer-analyse button')].filter((button) => !button.ariaLabel).length";
        assert_eq!(page.run(unnamed, &[]).await, 0);
        let last = "[...document.querySelectorAll('#explorer-analyse tbody tr')].find((row) => row.cells[0].textContent === 'c5').querySelector('.step').click()";
        page.run(last, &[]).await;
        page.until("return shownTab() === 'play' && play.game?.plies.at(-1)?.san === 'c5'").await;
    });
}

#[test]
fn the_explorer_of_play_waits_for_the_end_and_knows_the_new_game() {
    in_browser(async |page| {
        page.begin("").await;
        page.fill("#move-text", "d4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        assert!(!page.find("#explorer-play").await.is_displayed().await.unwrap());
        page.run("window.confirm = () => true", &[]).await;
        page.click("#resign").await;
        page.until("return play.game.ending && !document.querySelector('#explorer-play').hidden")
            .await;
        page.click("#first").await;
        unfold(page, "play", "1 of your games").await;
        assert_eq!(row(page, "play", "d4").await[3], "0 %");
        page.run("[...document.querySelectorAll('#explorer-play .move')].find((button) => button.textContent === 'c4').click()", &[]).await;
        page.until("return shownTab() === 'analyse' && study.node.san === 'c4'").await;
        page.click("#tab-games").await;
        page.until("return document.querySelectorAll('.saved').length === 1").await;
        page.run("[...document.querySelectorAll('.saved button')].find((button) => button.textContent === 'Delete').click()", &[]).await;
        page.until("return document.querySelector('.gone')").await;
        page.click("#tab-analyse").await;
        page.click("#first").await;
        unfold(page, "analyse", "None of your games").await;
    });
}

#[test]
fn a_book_that_cannot_be_read_is_told_above_the_other_moves() {
    in_browser(async |page| {
        let damaged = "const fetched = window.fetch; \
            window.fetch = async (path, options) => { \
                const answer = await fetched(path, options); \
                if (!path.endsWith('/explorer')) return answer; \
                return Response.json({ ...await answer.json(), has_book: true, book_error: 'it is gone' }); }";
        page.run(damaged, &[]).await;
        page.click("#tab-analyse").await;
        let note =
            "None of your games has this position. The opening book cannot be read: it is gone.";
        unfold(page, "analyse", note).await;
        assert_eq!(row(page, "analyse", "d4").await.as_array().unwrap().len(), 2);
    });
}

#[test]
fn thousands_of_games_are_indexed_once() {
    in_browser(async |page| {
        let script = "for (let index = 0; index < 3000; index++) localStorage.setItem('game:' + index, JSON.stringify({ time: index, kept: { \
            fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', chess960: false, moves: ['e2e4', index % 2 ? 'e7e5' : 'c7c5'], white: true, elo: 450, seed: 1, \
            clock: null, ending: 'resignation', date: '2026.11.23' } }))";
        page.run(script, &[]).await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        let count = "const fetched = window.fetch; window.sent = 0; \
            window.fetch = (path, options) => { window.sent += path.endsWith('/explorer/games'); return fetched(path, options); }";
        page.run(count, &[]).await;
        page.click("#tab-analyse").await;
        unfold(page, "analyse", "3000 of your games").await;
        let sent = page.run("return window.sent", &[]).await;
        page.click("#explorer-analyse tbody tr:first-child .move").await;
        page.until("return document.querySelector('#explorer-analyse tbody tr:first-child td:nth-child(3)').textContent === '1500'").await;
        assert_eq!(page.run("return window.sent", &[]).await, sent, "the index is kept");
    });
}

#[test]
fn the_panel_inside_a_search_follows_the_board_and_plays_its_moves() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.click("#inside summary").await;
        page.until(
            "return document.querySelector('#inside-summary').textContent.includes('leaves here')",
        )
        .await;
        let text = page.text("#inside-summary").await;
        assert!(text.starts_with("The null window saved "), "{text}");
        let lengths = "return [document.querySelectorAll('#inside-tree > ul > li').length, document.querySelectorAll('#inside-tree li').length, \
            document.querySelectorAll('#inside-tree [aria-expanded=false]').length]";
        let lengths = page.run(lengths, &[]).await;
        assert!(lengths[0].as_u64() >= Some(20), "{lengths}");
        assert!(lengths[2].as_u64() >= Some(10), "the rest is folded: {lengths}");
        let unnamed = "return [...document.querySelectorAll('#inside-tree button')].filter((button) => !button.ariaLabel).length";
        assert_eq!(page.run(unnamed, &[]).await, 0);
        page.click("#inside-tree [aria-expanded=false]").await;
        page.until("return document.querySelectorAll('#inside-tree li').length > arguments.length && document.querySelectorAll('#inside-tree ul ul').length > 1").await;
        let first = page.text("#inside-tree li .move").await;
        page.click("#inside-tree li .move").await;
        page.until("return study.node.san").await;
        assert_eq!(page.run("return study.node.san", &[]).await, json!(first));
        let changed = format!(
            "const text = document.querySelector('#inside-summary').textContent; return text.includes('leaves here') && text !== {}",
            json!(text)
        );
        page.until(&changed).await;
        let link = page.find("#inside-replay").await.attr("href").await.unwrap().unwrap();
        let server = page.server.as_ref().unwrap().link.clone();
        page.client.goto(&format!("{}{link}", server.trim_end_matches('/'))).await.unwrap();
        page.until("return document.querySelector('.panel svg') !== null").await;
    });
}

#[test]
fn a_finished_game_has_nothing_inside_and_the_panel_says_so() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").await;
        page.click("#study-read").await;
        page.until("return study.root.fen.startsWith('8/8')").await;
        page.click("#inside summary").await;
        page.until("return document.querySelector('#inside-summary').textContent.startsWith('The game is over here')").await;
    });
}
