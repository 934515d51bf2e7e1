use outrider_engine::position::Position;
use outrider_engine::position::notation::{format_move, parse_fen_any};
use outrider_engine::search::{Control, Engine, Limits};
use serde_json::json;
use shakmaty::CastlingMode;

use super::in_browser;
use crate::support::http::Server;

#[test]
fn a_complete_game_is_played_with_the_mouse() {
    in_browser(async |page| {
        page.begin("").await;
        let mut engine = Engine::new(1, 4).unwrap();
        loop {
            page.until("return play.game.ending || !play.game.thinking").await;
            let fen =
                page.run("return play.game.ending ? null : play.game.position.fen", &[]).await;
            let Some(fen) = fen.as_str() else {
                break;
            };
            let position = Position::new(parse_fen_any(fen).unwrap());
            let found =
                engine.go(&position, &Limits::depth(6), &Control::default(), &mut |_| {}).unwrap();
            let mv = format_move(found.best.unwrap(), CastlingMode::Standard);
            page.square(&mv[..2]).await;
            page.square(&mv[2..4]).await;
            if mv.len() > 4 {
                page.click("#promotion button").await;
            }
            page.until(&format!("return play.game.position.fen !== '{fen}'")).await;
        }
        let reason = page.text("#reason").await;
        assert!(reason.contains("White wins") || reason.contains("Draw"), "{reason}");
        let pgn = page.run("return gamePgn()", &[]).await;
        assert!(pgn.as_str().unwrap().contains("Elo 450"), "{pgn}");
    });
}

#[test]
fn a_pawn_promotes_to_the_chosen_piece() {
    in_browser(async |page| {
        page.begin("8/P6k/8/8/8/8/6PP/K7 w - - 0 1").await;
        page.square("a7").await;
        page.square("a8").await;
        page.click("#promotion [aria-label=rook]").await;
        page.until("return play.game.plies.length > 0").await;
        assert_eq!(page.moves().await[0], "a8=R");
        assert!(page.label("a8").await.starts_with("a8, white rook"));
    });
}

#[test]
fn in_chess960_castling_is_a_move_to_the_rook() {
    in_browser(async |page| {
        page.begin("5k2/8/8/8/8/8/8/1RK4R w BH - 0 1").await;
        page.square("c1").await;
        assert!(page.label("h1").await.contains("possible move"));
        page.square("h1").await;
        page.until("return play.game.plies.length > 0").await;
        assert_eq!(page.moves().await[0], "O-O+");
        assert!(page.label("g1").await.contains("white king"));
    });
}

#[test]
fn a_game_survives_a_reload_and_a_new_server() {
    in_browser(async |page| {
        page.begin("").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        let moves = page.moves().await;
        let client = page.run("return server.id", &[]).await;
        page.client.refresh().await.unwrap();
        page.until("return play.game?.plies.length === 2").await;
        assert_eq!(page.moves().await, moves);
        assert_eq!(page.run("return server.id", &[]).await, client, "it kept its place");
        let port = page.server.take().unwrap().address.port();
        page.until("return document.getElementById('connection').textContent !== ''").await;
        page.server = Some(Server::start_at(port, &[]));
        page.until("return document.getElementById('connection').textContent === ''").await;
        page.fill("#move-text", "d4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 4").await;
        assert_eq!(page.moves().await[..2], moves);
    });
}

#[test]
fn a_new_game_that_fails_keeps_the_current_one() {
    in_browser(async |page| {
        page.begin("").await;
        page.click("#new-game summary").await;
        page.fill("#fen", "no position").await;
        page.click("#setup [type=submit]").await;
        page.until("return document.querySelector('#message').textContent !== ''").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        let moves = page.moves().await;
        page.client.refresh().await.unwrap();
        page.until("return play.game?.plies.length === 2").await;
        assert_eq!(page.moves().await, moves);
        assert_eq!(page.run("return keptGames().length", &[]).await, 1);
    });
}

#[test]
fn two_tabs_have_separate_games() {
    in_browser(async |page| {
        page.begin("8/P6k/8/8/8/8/6PP/K7 w - - 0 1").await;
        let first = page.client.window().await.unwrap();
        let link = page.server.as_ref().unwrap().link.clone();
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.client.goto(&link).await.unwrap();
        page.until("return server.source?.readyState === 1").await;
        page.until("return play.game === null").await;
        page.begin("").await;
        page.client.switch_to_window(first).await.unwrap();
        let fen = page.run("return play.game.start.fen", &[]).await;
        assert!(fen.as_str().unwrap().starts_with("8/P6k"), "{fen}");
    });
}

#[test]
fn a_game_can_be_started_and_played_with_the_keyboard_alone() {
    in_browser(async |page| {
        page.run("document.querySelector('#setup [type=submit]').focus()", &[]).await;
        page.keys("\u{e007}").await;
        page.until("return play.game && !play.game.thinking").await;
        page.run("document.querySelector('#squares [tabindex=\"0\"]').focus()", &[]).await;
        // From e2: Enter picks the pawn up, two steps up, Enter puts it down.
        for key in ["\u{e007}", "\u{e013}", "\u{e013}", "\u{e007}"] {
            page.keys(key).await;
        }
        page.until("return play.game.plies.length === 2").await;
        assert_eq!(page.moves().await[0], "e4");
        let spoken = page.run("return document.getElementById('spoken').textContent", &[]).await;
        assert!(spoken.as_str().unwrap().starts_with("1..."), "{spoken}");
        page.keys("m").await;
        page.keys("d3\u{e007}").await;
        page.until("return play.game.plies.length === 4").await;
    });
}

#[test]
fn a_running_game_is_not_left_without_a_question() {
    in_browser(async |page| {
        page.begin("").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        let moves = page.moves().await;
        for accepts in [false, true] {
            page.run("document.querySelector('#new-game').open = true", &[]).await;
            page.click("#setup [type=submit]").await;
            let question = page.client.get_alert_text().await.expect("a question");
            assert!(question.contains("not over"), "{question}");
            if accepts {
                page.client.accept_alert().await.expect("an answer");
            } else {
                page.client.dismiss_alert().await.expect("an answer");
                assert_eq!(page.moves().await, moves);
            }
        }
        page.until("return play.game?.plies.length === 0").await;
        assert_eq!(page.run("return keptGames().length", &[]).await, 2, "the first is kept");
    });
}

#[test]
fn the_end_of_a_game_is_shown_with_what_can_be_done_next() {
    in_browser(async |page| {
        page.begin("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1").await;
        assert_eq!(page.client.title().await.unwrap(), "Your move – Outrider");
        page.square("b1").await;
        page.square("b8").await;
        page.until("return play.game.ending").await;
        assert_eq!(page.text("#outcome").await, "You won 1–0");
        assert_eq!(page.text("#reason").await, "White wins by checkmate.");
        assert_eq!(page.client.title().await.unwrap(), "You won – Outrider");
        page.click("#change-sides").await;
        page.until("return play.game && !play.game.ending").await;
        let game =
            page.run("return [play.game.person, play.game.start.fen, play.game.elo]", &[]).await;
        assert_eq!(game, serde_json::json!(["black", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", 450]));
        page.until("return play.game.ending || !play.game.thinking").await;
    });
}

#[test]
fn a_finished_game_is_reviewed_by_one_click() {
    in_browser(async |page| {
        page.begin("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1").await;
        page.square("b1").await;
        page.square("b8").await;
        page.until("return play.game.ending").await;
        page.click("#review-ended").await;
        page.until("return shownTab() === 'review' && review.work?.stage === 'done'").await;
    });
}

#[test]
fn captured_pieces_are_shown_with_the_difference() {
    in_browser(async |page| {
        page.begin("k7/8/8/3r4/4P3/8/8/K7 w - - 0 1").await;
        page.square("e4").await;
        page.square("d5").await;
        page.until("return play.game.plies.length > 0").await;
        page.run("document.querySelector('#back').click()", &[]).await;
        page.run("document.querySelector('#last').click()", &[]).await;
        let titles = "return ['above', 'below'].map((id) => document.querySelector(`#${id} .captured`).title)";
        assert_eq!(
            page.run(titles, &[]).await,
            serde_json::json!(["", "captured: rook; ahead by 1"])
        );
    });
}

#[test]
fn a_game_is_played_from_a_position_of_the_study_against_a_chosen_level() {
    in_browser(async |page| {
        page.begin("").await;
        page.fill("#move-text", "d4").await;
        page.click("#typed button").await;
        page.until("return play.game.plies.length === 2").await;
        page.click("#tab-analyse").await;
        page.fill("#move-text", "e4").await;
        page.click("#typed button").await;
        page.until("return study.node.san === 'e4' && study.node.position").await;
        page.click("#study-play").await;
        let asked = page.text("#play-from-text").await;
        assert!(asked.contains("You play Black") && asked.contains("not over"), "{asked}");
        page.click("#play-from-cancel").await;
        assert_eq!(
            page.run("return [shownTab(), play.game.plies.length]", &[]).await,
            json!(["analyse", 2])
        );
        page.click("#study-play").await;
        page.run("document.querySelector('#play-from-level').value = '750'", &[]).await;
        page.click("#play-from-start").await;
        page.until("return shownTab() === 'play' && play.game?.plies.length === 0").await;
        let game = page
            .run("return [play.game.start.fen.split(' ')[0], play.game.person, play.game.elo]", &[])
            .await;
        assert_eq!(game, json!(["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "black", 750]));
        assert_eq!(page.run("return keptGames().length", &[]).await, 2, "the other game is kept");
    });
}
