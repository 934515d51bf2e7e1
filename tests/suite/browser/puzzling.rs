//! Puzzles from the player's own games.

use serde_json::{Value, json};

use super::{Page, in_browser};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// Stores two puzzles of the start position and opens the tab. The time is 0.
async fn open(page: &Page, players: &[&str]) {
    let known = |san: &str, loss: u32, good: bool| json!({ "san": san, "loss": loss, "good": good, "score": "+0.30" });
    let moves = json!([
        known("e4", 0, true),
        known("d4", 4, true),
        known("a4", 13, false),
        known("f3", 21, false)
    ]);
    let puzzles: serde_json::Map<String, Value> = players.iter().enumerate().map(|(index, player)| {
        let id = format!("p{index}");
        let puzzle = json!({
            "id": id, "player": player, "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "moved": null,
            "before": null, "played": "1. f3", "squares": ["f2", "f3"], "fault": "mistake", "loss": 21, "by_black": false,
            "mate": null, "moves": moves, "line": ["e4", "e5"], "game": "A – B", "address": "#1",
        });
        (id, puzzle)
    }).collect();
    page.run(
        "localStorage.setItem('puzzles', JSON.stringify(arguments[0]))",
        &[Value::Object(puzzles)],
    )
    .await;
    page.client.refresh().await.unwrap();
    page.until("return server?.source?.readyState === 1").await;
    at_day(page, 0).await;
}

/// Sets the clock of the puzzles and opens them anew.
async fn at_day(page: &Page, day: u64) {
    page.run("puzzles.now = () => arguments[0]", &[json!(day * DAY)]).await;
    page.click("#tab-puzzles").await;
    page.run("document.querySelector('#puzzle-which').dispatchEvent(new Event('change'))", &[])
        .await;
}

async fn answer(page: &Page, san: &str) {
    page.fill("#move-text", san).await;
    page.click("#typed button").await;
}

/// Returns the days on which the puzzles are due.
async fn due(page: &Page) -> Value {
    let script = "return Object.values(JSON.parse(localStorage.getItem('puzzle-progress') ?? '{}')).map(({ due }) => due / arguments[0])";
    page.run(script, &[json!(DAY)]).await
}

#[test]
fn the_faults_of_a_reviewed_game_become_puzzles() {
    in_browser(async |page| {
        page.click("#tab-puzzles").await;
        assert!(page.text("#puzzle-task").await.starts_with("Review one of your games"));
        page.click("#puzzle-to-review").await;
        page.fill(
            "#review-text",
            "[White \"Player\"]\n[Black \"Outrider, Elo 450\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
        )
        .await;
        page.fill("#review-time", "300").await;
        page.click("#review-start").await;
        page.until("return review.work?.stage === 'done' && review.shown").await;
        page.click("#tab-puzzles").await;
        page.until("return puzzles.list.some(({ played }) => played === '2. g4')").await;
        assert!(
            page.run("return puzzles.list.every(({ player }) => player === 'Player')", &[]).await
                == true
        );
        for _ in 0..4 {
            if page.text("#puzzle-task").await.ends_with("2. g4") {
                break;
            }
            page.click("#forward").await;
        }
        assert!(page.text("#puzzle-task").await.starts_with("White to move: "));
        let best = page.run("return puzzles.list[puzzles.at].moves[0].san", &[]).await;
        answer(page, best.as_str().unwrap()).await;
        page.until(
            "return document.querySelector('#puzzle-answer').textContent.includes('the best move')",
        )
        .await;
        page.click("#puzzle-analyse").await;
        page.until("return shownTab() === 'analyse' && study.root.fen !== 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'").await;
    });
}

#[test]
fn a_solved_puzzle_comes_again_after_one_three_and_seven_days_and_a_failed_one_after_one() {
    in_browser(async |page| {
        open(page, &["Player"]).await;
        let mut day = 0;
        for next in [1, 4, 11] {
            at_day(page, day).await;
            assert!(page.text("#puzzle-count").await.contains("1 due of 1"));
            answer(page, "e4").await;
            page.until("return puzzles.isOver").await;
            assert_eq!(due(page).await, json!([next]));
            day = next;
        }
        at_day(page, 10).await;
        assert_eq!(
            page.text("#puzzle-task").await,
            "Nothing is due now. The next puzzle is due within a day."
        );
        at_day(page, 11).await;
        answer(page, "a4").await;
        page.until("return document.querySelector('#puzzle-answer').textContent.startsWith('a4 loses 13 %')").await;
        assert_eq!(due(page).await, json!([12]));
        page.click("#puzzle-again").await;
        answer(page, "d4").await;
        page.until("return document.querySelector('#puzzle-answer').textContent.startsWith('d4: good enough, e4 is best')").await;
        assert_eq!(due(page).await, json!([12]), "only the first answer counts");
        assert!(page.text("#puzzle-count").await.contains("streak 0, best 3"));
    });
}

#[test]
fn a_hint_shows_the_piece_and_then_the_move_and_counts_as_a_failure() {
    in_browser(async |page| {
        open(page, &["Player"]).await;
        page.click("#puzzle-hint").await;
        assert!(page.text("#puzzle-answer").await.starts_with("Hint: the piece on e2."));
        let drawn = "return [squares.board.view.circles, squares.board.view.arrows.map((arrow) => arrow.join(' '))]";
        let drawn = page.run(drawn, &[]).await;
        assert_eq!(drawn[0], json!([["e2", "green"]]));
        assert!(!drawn[1].to_string().contains("e4"), "{drawn}");
        page.run("document.activeElement.blur()", &[]).await;
        page.keys("h").await;
        assert!(page.text("#puzzle-answer").await.starts_with("Hint: e4."));
        page.square("e2").await;
        page.square("e4").await;
        page.until("return puzzles.isOver").await;
        assert_eq!(due(page).await, json!([1]));
        assert!(page.text("#puzzle-line").await.contains("1. e4"));
    });
}

#[test]
fn the_solution_is_shown_and_puzzles_are_chosen_by_player() {
    in_browser(async |page| {
        open(page, &["Ann", "Bob"]).await;
        assert!(page.text("#puzzle-count").await.starts_with("1 of 2 · 2 due of 2"));
        page.run("const field = document.querySelector('#puzzle-player'); field.value = 'Bob'; field.dispatchEvent(new Event('change'))", &[]).await;
        assert!(page.text("#puzzle-count").await.starts_with("1 of 1"));
        page.click("#puzzle-solve").await;
        assert_eq!(page.text("#puzzle-answer").await, "e4 or d4 were good enough.");
        assert_eq!(due(page).await, json!([1]));
        page.client.refresh().await.unwrap();
        page.until("return server?.source?.readyState === 1 && shownTab() === 'puzzles'").await;
        page.run("puzzles.now = () => 0; document.querySelector('#puzzle-which').dispatchEvent(new Event('change'))", &[]).await;
        assert!(
            page.text("#puzzle-count").await.contains("1 due of 2"),
            "the schedule survives a reload"
        );
    });
}

#[test]
fn a_puzzle_that_another_tab_has_answered_is_no_longer_due() {
    in_browser(async |page| {
        open(page, &["Ann", "Bob"]).await;
        assert!(page.text("#puzzle-count").await.starts_with("1 of 2 · 2 due of 2"));
        let task = page.run("return puzzles.current().id", &[]).await;
        let answered = "localStorage.setItem('puzzle-progress', JSON.stringify({ p1: { solved: 1, due: arguments[0], failed: false } })); \
            window.dispatchEvent(new StorageEvent('storage', { key: 'puzzle-progress' }))";
        page.run(answered, &[json!(DAY)]).await;
        assert!(page.text("#puzzle-count").await.starts_with("1 of 2 · 1 due of 2"));
        assert_eq!(page.run("return puzzles.current().id", &[]).await, task);
        page.click("#tab-play").await;
        page.click("#tab-puzzles").await;
        assert!(page.text("#puzzle-count").await.starts_with("1 of 1 · 1 due of 2"));
    });
}

#[test]
fn a_game_is_played_from_the_position_of_a_puzzle() {
    in_browser(async |page| {
        open(page, &["Player"]).await;
        page.click("#puzzle-play").await;
        assert!(page.text("#play-from-text").await.contains("You play White"));
        page.run("document.querySelector('#play-from-level').value = '450'", &[]).await;
        page.click("#play-from-start").await;
        page.until("return shownTab() === 'play' && play.game?.plies.length === 0").await;
        let game = page.run("return [play.game.person, play.game.elo]", &[]).await;
        assert_eq!(game, json!(["white", 450]));
        assert_eq!(due(page).await, json!([]), "the puzzle is not answered");
    });
}
