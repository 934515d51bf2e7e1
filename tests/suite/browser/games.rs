//! The list of the player's games.

use serde_json::json;

use super::{Page, in_browser};

/// A position in which the queen mates on b8.
const MATE_IN_ONE: &str = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";

/// Plays a won game, then two plies of an unfinished one.
async fn play_two_games(page: &Page) {
    page.begin(MATE_IN_ONE).await;
    page.square("b1").await;
    page.square("b8").await;
    page.until("return play.game.ending").await;
    page.run("document.querySelector('[name=start][value=standard]').checked = true", &[]).await;
    page.run("document.querySelector('#fen').value = ''", &[]).await;
    page.begin("").await;
    page.fill("#move-text", "e4").await;
    page.click("#typed button").await;
    page.until("return play.game.plies.length === 2").await;
}

/// Opens the list and waits for this number of entries.
async fn open_list(page: &Page, count: usize) {
    page.click("#tab-games").await;
    page.until(&format!("return document.querySelectorAll('.saved').length === {count}")).await;
}

/// Clicks a button of an entry, counted from 1.
async fn click_button(page: &Page, entry: usize, label: &str) {
    let script = "const buttons = document.querySelectorAll(`.saved:nth-child(${arguments[0]}) button`); \
        [...buttons].find((button) => button.textContent === arguments[1]).click()";
    page.run(script, &[json!(entry), json!(label)]).await;
}

#[test]
fn every_game_is_listed_with_its_result_strength_opening_and_board() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        let entries =
            "return [...document.querySelectorAll('.saved')].map((entry) => entry.innerText)";
        let entries = page.run(entries, &[]).await;
        let (first, second) = (entries[0].as_str().unwrap(), entries[1].as_str().unwrap());
        assert!(first.starts_with("Not finished"), "the latest is first: {first}");
        assert!(first.contains("White against Newcomer, Elo 450"), "{first}");
        assert!(first.contains("1 move") && first.contains("Go on"), "{first}");
        assert!(second.starts_with("You won 1–0"), "{second}");
        assert!(second.contains("White wins by checkmate") && second.contains("Open"), "{second}");
        let year = page.run("return String(new Date().getFullYear())", &[]).await;
        assert!(first.contains(year.as_str().unwrap()), "{first}");
        let opening = "return play.game.plies[1].san === 'e5' ? 'C20' : '1.'";
        let opening = page.run(opening, &[]).await;
        assert!(opening == "1." || first.contains("C20 King's Pawn Game"), "{first}");
        let pieces = "return [...document.querySelectorAll('.saved .board')].map((board) => board.querySelectorAll('.piece').length)";
        assert_eq!(page.run(pieces, &[]).await[1], 3);
        // The large board shows the game that has the focus.
        page.run("document.querySelectorAll('.saved button')[4].focus()", &[]).await;
        assert!(page.label("b8").await.contains("white queen"));
    });
}

#[test]
fn a_game_is_continued_from_the_list_and_the_other_stays() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        click_button(page, 2, "Open").await;
        page.until("return shownTab() === 'play' && play.game?.ending").await;
        assert_eq!(page.text("#outcome").await, "You won 1–0");
        open_list(page, 2).await;
        click_button(page, 1, "Go on").await;
        page.until("return shownTab() === 'play' && play.game?.plies.length === 2").await;
        page.fill("#move-text", "d3").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 4").await;
        open_list(page, 2).await;
    });
}

#[test]
fn a_rematch_is_like_the_game_that_is_shown_not_like_the_last_one_that_was_started() {
    in_browser(async |page| {
        page.click("[data-clock='3+2']").await;
        page.begin(MATE_IN_ONE).await;
        page.square("b1").await;
        page.square("b8").await;
        page.until("return play.game.ending").await;
        page.click("[data-clock=none]").await;
        page.click("[name=start][value=standard]").await;
        page.fill("#elo", "1100").await;
        page.click("#setup [type=submit]").await;
        page.until("return play.game && !play.game.ending && !play.game.thinking").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        open_list(page, 2).await;
        click_button(page, 2, "Open").await;
        page.until("return shownTab() === 'play' && play.game?.ending").await;
        page.click("#rematch").await;
        page.until("return play.game && !play.game.ending").await;
        let game = "const { start, elo, person, kept: { clock } } = play.game; \
            return [start.fen, elo, person, clock.initial, clock.increment]";
        let expected = json!([MATE_IN_ONE, 450, "white", 180_000, 2_000]);
        assert_eq!(page.run(game, &[]).await, expected);
    });
}

#[test]
fn a_deleted_game_can_be_put_back_until_the_list_is_left() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        for entry in [1, 2] {
            click_button(page, entry, "Delete").await;
            page.until("return document.activeElement.textContent === 'Undo'").await;
            page.keys("\u{e007}").await;
            page.until("return document.querySelectorAll('.saved.gone').length === 0").await;
            assert_eq!(page.run("return keptGames().length", &[]).await, 2);
        }
        click_button(page, 1, "Go on").await;
        page.until("return shownTab() === 'play' && play.game?.plies.length === 2").await;
        open_list(page, 2).await;
        click_button(page, 1, "Delete").await;
        page.until("return document.querySelectorAll('.saved.gone').length === 1").await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        open_list(page, 1).await;
        assert!(page.text(".saved").await.starts_with("You won"));
        assert_eq!(page.run("return play.game", &[]).await, json!(null), "it is not open");
    });
}

/// Returns the text of the file in which the page saves all games.
async fn export(page: &Page) -> String {
    let catch = "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.file = text; }); return '#'; }";
    page.run(catch, &[]).await;
    page.click("#export-games").await;
    page.until("return window.file").await.as_str().unwrap().to_owned()
}

#[test]
fn all_games_are_saved_as_one_pgn() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        let text = export(page).await;
        let games = outrider_tools::pgn::games(&text);
        let results: Vec<_> = games
            .iter()
            .map(|game| game.tags.iter().find(|(name, _)| name == "Result").unwrap().1.as_str())
            .collect();
        assert_eq!(results, ["*", "1-0"]);
    });
}

/// Opens a text as a file of saved games, and waits for what the page says about it.
async fn import(page: &Page, text: &str, words: &str) {
    let choose = "const dataTransfer = new DataTransfer(); \
        dataTransfer.items.add(new File([arguments[0]], 'games.pgn')); \
        const input = document.querySelector('#import-games'); \
        input.files = dataTransfer.files; input.dispatchEvent(new Event('change'))";
    page.run(choose, &[json!(text)]).await;
    page.until(&format!("return document.querySelector('#import-note').textContent === '{words}'"))
        .await;
}

#[test]
fn saved_games_are_added_to_the_list_once() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        let file = export(page).await;
        import(page, &file, "0 games added, 2 here already.").await;
        click_button(page, 2, "Delete").await;
        page.until("return keptGames().length === 1").await;
        let other = "[Event \"?\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 *\n";
        let words = "1 game added, 1 here already, 1 of others left out.";
        import(page, &format!("{file}{other}"), words).await;
        open_list(page, 2).await;
        assert!(page.text(".saved:last-child").await.starts_with("You won 1–0"));
        click_button(page, 2, "Open").await;
        page.until("return shownTab() === 'play' && play.game?.ending").await;
        let game = "return [play.game.start.fen, play.game.elo, play.game.person]";
        assert_eq!(page.run(game, &[]).await, json!([MATE_IN_ONE, 450, "white"]));
    });
}

#[test]
fn a_game_of_the_list_is_analysed_and_reviewed() {
    in_browser(async |page| {
        play_two_games(page).await;
        open_list(page, 2).await;
        click_button(page, 1, "Analyse").await;
        page.until("return shownTab() === 'analyse' && document.querySelectorAll('#study-moves .move').length === 2")
            .await;
        open_list(page, 2).await;
        click_button(page, 2, "Review").await;
        page.until("return shownTab() === 'review' && review.work?.stage === 'done'").await;
    });
}

#[test]
fn no_game_is_dropped_and_those_of_earlier_versions_are_kept() {
    in_browser(async |page| {
        play_two_games(page).await;
        let earlier = "const [latest] = keptGames(); \
            localStorage.setItem('games', JSON.stringify(Array.from({ length: 48 }, (_, index) => ({ id: `old${index}`, kept: latest.kept })))); \
            localStorage.setItem('game:broken', JSON.stringify({ kept: { moves: ['e2e4'] }, time: 1 }))";
        page.run(earlier, &[]).await;
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1").await;
        open_list(page, 30).await;
        let shown = "return squares.board.view.moved?.length === 2";
        assert_eq!(page.run(shown, &[]).await, true, "the latest game is on the board");
        assert_eq!(page.text("#saved-count").await, "51 games");
        page.click("#more-games").await;
        page.until("return document.querySelectorAll('.saved').length === 51").await;
        let last = page.text(".saved:last-child").await;
        assert!(last.starts_with("This game cannot be read"), "{last}");
        click_button(page, 51, "Delete").await;
        page.until("return keptGames().length === 50").await;
        assert_eq!(page.text("#saved-count").await, "50 games");
    });
}

#[test]
fn the_list_fits_a_phone_and_says_if_it_is_empty() {
    in_browser(async |page| {
        page.resize((390, 844)).await;
        page.click("#tab-games").await;
        let empty =
            "return document.querySelector('#saved-count').textContent.includes('none yet')";
        page.until(empty).await;
        page.click("#tab-play").await;
        play_two_games(page).await;
        open_list(page, 2).await;
        let widths = "return [document.documentElement.scrollWidth, document.querySelector('.saved').getBoundingClientRect().top]";
        let widths = page.run(widths, &[]).await;
        assert!(widths[0].as_f64() <= Some(390.0) && widths[1].as_f64() < Some(200.0), "{widths}");
    });
}
