//! The study of Analyse: what survives a reload, addresses, undoing, marks, and texts that it reads.

use fantoccini::actions::{MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT};
use serde_json::json;

use super::board::drag;
use super::{Page, in_browser};

const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *";

/// Loads a text in Analyse and waits for this number of moves.
async fn load(page: &Page, text: &str, moves: usize) {
    page.click("#tab-analyse").await;
    page.run("document.querySelector('#study-import').open = true", &[]).await;
    page.fill("#study-text", text).await;
    page.click("#study-read").await;
    let read = format!("return document.querySelectorAll('#study-moves .move').length === {moves}");
    page.until(&read).await;
}

#[test]
fn the_study_its_place_and_the_tab_survive_a_reload() {
    in_browser(async |page| {
        load(page, GAME, 5).await;
        page.run("[...document.querySelectorAll('#study-moves .move')][2].click()", &[]).await;
        page.until("return study.node.position && study.node.san").await;
        let place = page.run("return study.node.san", &[]).await;
        page.client.refresh().await.unwrap();
        page.until("return shownTab?.() === 'analyse' && study.node.position && study.node.san")
            .await;
        assert_eq!(page.run("return study.node.san", &[]).await, place);
        let pgn = page.run("return studyPgn()", &[]).await;
        for part in ["[White \"Ann\"]", "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"] {
            assert!(pgn.as_str().unwrap().contains(part), "{pgn}");
        }
        page.click("#tab-games").await;
        page.client.refresh().await.unwrap();
        page.until("return shownTab?.() === 'games'").await;
    });
}

#[test]
fn back_returns_to_the_previous_tab_and_a_link_opens_a_position() {
    in_browser(async |page| {
        load(page, GAME, 5).await;
        page.click("#last").await;
        page.until("return study.node.san === 'Nf3'").await;
        let address = page.run("return location.hash", &[]).await;
        let fen = "#analyse/rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_b_KQkq_-_1_2";
        assert_eq!(address, fen);
        page.click("#tab-play").await;
        page.client.back().await.unwrap();
        page.until("return shownTab() === 'analyse' && study.node.san === 'Nf3'").await;
        page.click("#back").await;
        page.until("return study.node.san === 'e5'").await;
        page.client.back().await.unwrap();
        page.until("return shownTab() === 'play'").await;
        // A position of the study keeps the study; another one begins a new one, which can be undone.
        page.run("location.hash = arguments[0]", &[address]).await;
        page.until("return shownTab() === 'analyse' && study.node.san === 'Nf3'").await;
        page.run("location.hash = '#analyse/4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1'", &[]).await;
        page.until("return study.root.fen.startsWith('4k3/8')").await;
        page.click("#study-undo").await;
        page.until("return study.node.san === 'Nf3'").await;
    });
}

#[test]
fn a_deletion_and_a_replaced_study_are_undone() {
    in_browser(async |page| {
        load(page, GAME, 5).await;
        assert!(!page.find("#study-undo").await.is_enabled().await.unwrap());
        page.run("document.querySelector('#study-moves .move').click()", &[]).await;
        page.until("return study.node.san === 'e4'").await;
        page.click("#study-remove").await;
        page.until("return study.root.children.length === 0").await;
        load(page, "1. d4 *", 1).await;
        page.click("#study-undo").await;
        page.until("return study.node.san === 'e4'").await;
        let pgn = page.run("return studyPgn()", &[]).await;
        assert!(pgn.as_str().unwrap().contains("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"), "{pgn}");
        assert!(!page.find("#study-undo").await.is_enabled().await.unwrap());
    });
}

#[test]
fn arrows_and_circles_are_read_drawn_and_kept_in_the_pgn() {
    in_browser(async |page| {
        load(page, "1. e4 { [%csl Rd5][%cal Ge2e4,Bg1f3] [%eval 0.3] [%clk 0:05:00] good } *", 1)
            .await;
        page.click("#last").await;
        page.until("return study.node.san === 'e4'").await;
        let drawn = "return [...document.querySelectorAll('#board .arrow, #board .circle')].map((mark) => mark.classList[1])";
        assert_eq!(page.run(drawn, &[]).await, json!(["green", "blue", "red"]));
        assert_eq!(page.words("#study-moves").await, "1. e4 +0.3 0:05:00 … good");
        // A left click keeps them; the right button changes a colour, removes one and adds one.
        page.square("h5").await;
        drag(page, MOUSE_BUTTON_RIGHT, "d5", "d5").await;
        assert_eq!(page.run(drawn, &[]).await, json!(["green", "blue", "green"]));
        drag(page, MOUSE_BUTTON_RIGHT, "d5", "d5").await;
        assert_eq!(page.run(drawn, &[]).await, json!(["green", "blue"]));
        drag(page, MOUSE_BUTTON_RIGHT, "a1", "a8").await;
        assert_eq!(page.run(drawn, &[]).await, json!(["green", "blue", "green"]));
        let pgn = page.run("return studyPgn()", &[]).await.as_str().unwrap().replace('\n', " ");
        assert!(
            pgn.contains("{ [%cal Ge2e4,Bg1f3,Ga1a8] [%eval 0.3] [%clk 0:05:00] good }"),
            "{pgn}"
        );
        page.client.refresh().await.unwrap();
        page.until("return study?.node.san === 'e4'").await;
        assert_eq!(page.run(drawn, &[]).await, json!(["green", "blue", "green"]));
        page.click("#tab-play").await;
        assert_eq!(page.run(drawn, &[]).await, json!([]));
    });
}

#[test]
fn positions_are_read_as_people_paste_them() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        let italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        for (text, fen, plies) in [
            (italian.replace(' ', "_"), italian, 0),
            (format!("position fen {italian}"), italian, 0),
            ("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4".to_owned(), italian, 5),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a\";".to_owned(),
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                0,
            ),
        ] {
            page.run("document.querySelector('#study-import').open = true", &[]).await;
            page.fill("#study-text", &text).await;
            page.click("#study-read").await;
            let read = "return [study.node.fen, study.node.position ? 1 : 0]";
            // The text is removed when all of it is read.
            page.until("return !document.querySelector('#study-text').value").await;
            assert_eq!(page.run(read, &[]).await, json!([fen, 1]), "{text}");
            let moves = "return document.querySelectorAll('#study-moves .move').length";
            assert_eq!(page.run(moves, &[]).await, plies, "{text}");
        }
    });
}

#[test]
fn a_position_is_set_up_with_taps_drags_and_keys_and_analysed() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.click("#study-edit").await;
        page.click("#edit-clear").await;
        page.click("[data-piece=K]").await;
        page.square("e1").await;
        page.click("[data-piece=k]").await;
        // Enter places the piece on the square with the focus.
        page.run("document.querySelector('[data-square=e8]').focus()", &[]).await;
        page.keys("\u{e007}").await;
        page.click("[data-piece=P]").await;
        for square in ["a2", "b2", "b2"] {
            page.square(square).await;
        }
        page.click("[data-piece=null]").await;
        drag(page, MOUSE_BUTTON_LEFT, "a2", "a6").await;
        page.run("const turn = document.querySelector('#edit-turn'); turn.value = 'b'; turn.dispatchEvent(new Event('change'))", &[]).await;
        let fen = "4k3/8/P7/8/8/8/8/4K3 b - - 0 1";
        let field = "return document.querySelector('#edit-fen').value";
        assert_eq!(page.run(field, &[]).await, fen);
        page.client.refresh().await.unwrap();
        page.until(
            "return shownTab?.() === 'edit' && document.querySelector('#edit-fen').value !== ''",
        )
        .await;
        assert_eq!(page.run(field, &[]).await, fen, "it survives a reload");
        page.click("#edit-analyse").await;
        page.until(&format!(
            "return shownTab() === 'analyse' && study.root.fen === '{fen}' && study.node.position"
        ))
        .await;
        page.fill("#move-text", "Kd7").await;
        page.click("#typed button").await;
        page.until("return study.node.san === 'Kd7'").await;
    });
}

#[test]
fn an_impossible_position_is_refused_and_a_possible_one_is_played() {
    in_browser(async |page| {
        page.click("#setup-edit").await;
        page.click("[data-piece='']").await;
        page.square("e1").await;
        page.click("#edit-play").await;
        page.until("return document.querySelector('#message').textContent !== ''").await;
        assert_eq!(page.run("return shownTab()", &[]).await, "edit");
        page.click("#edit-start").await;
        page.square("d8").await;
        page.click("#edit-play").await;
        page.until("return shownTab() === 'play'").await;
        page.click("#setup [type=submit]").await;
        page.until("return play.game").await;
        let fen = page.run("return play.game.start.fen", &[]).await;
        assert_eq!(fen, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    });
}

/// Goes to the move of the study with this text.
async fn pick(page: &Page, san: &str) {
    let click = "[...document.querySelectorAll('#study-moves .move')] \
        .find((move) => move.textContent.includes(arguments[0])).click()";
    page.run(click, &[san.into()]).await;
    page.until(&format!("return study.node.san === '{san}' && study.node.position")).await;
}

async fn pgn(page: &Page) -> String {
    let pgn = page.run("return studyPgn()", &[]).await;
    pgn.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_main_line_has_two_columns_with_values_and_below_them_comments_and_variations() {
    in_browser(async |page| {
        let game = "{ Ours. } 1. e4 { [%eval 0.3] [%clk 0:05:00] } e5 (1... c5 2. Nf3 (2. Nc3 { closed } Nc6) 2... d6) \
            (1... e6) 2. Nf3 $1 { [%eval -0.25,12] good } Nc6 { [%eval #-3] } *";
        load(page, game, 10).await;
        assert_eq!(
            page.words("#study-moves").await,
            "Ours. 1. e4 +0.3 0:05:00 e5 1... c5 2. Nf3 (2. Nc3 closed 2... Nc6 ) 2... d6 1... e6 \
             2. Nf3! −0.25 … good 2. … Nc6 #−3"
        );
        let lefts = "return [...document.querySelectorAll('#study-moves > span > .move')] \
            .map((move) => Math.round(move.getBoundingClientRect().left))";
        let lefts = page.run(lefts, &[]).await;
        let left = |ply: usize| lefts[ply].as_i64().unwrap();
        assert!(left(0) == left(2) && left(1) == left(3) && left(0) + 60 < left(1), "{lefts}");
    });
}

#[test]
fn a_sign_and_a_comment_are_written_kept_and_undone() {
    in_browser(async |page| {
        load(page, "1. e4 { [%clk 0:05:00] } e5 $2 $14 *", 2).await;
        pick(page, "e5").await;
        page.click("[data-glyph='1']").await;
        page.click("#study-comment").await;
        page.keys("well {played}").await;
        let annotated = "1. e4 { [%clk 0:05:00] } 1... e5 $1 $14 { well played } *";
        assert!(pgn(page).await.contains(annotated), "{}", pgn(page).await);
        page.client.refresh().await.unwrap();
        page.until("return study?.node.san === 'e5' && study.node.position").await;
        assert!(pgn(page).await.contains(annotated), "{}", pgn(page).await);
        // A text next to commands replaces only the text.
        pick(page, "e4").await;
        page.click("#study-comment").await;
        page.keys("best by test").await;
        assert!(pgn(page).await.contains("{ [%clk 0:05:00] best by test }"));
        page.click("[data-glyph='3']").await;
        page.click("[data-glyph='3']").await;
        page.click("[data-glyph='4']").await;
        assert!(pgn(page).await.contains("1. e4 $4 { [%clk 0:05:00] best by test }"));
        for undone in
            ["1. e4 {", "1. e4 $3 {", "1. e4 { [%clk 0:05:00] best", "1. e4 { [%clk 0:05:00] }"]
        {
            page.click("#study-undo").await;
            until_pgn_has(page, undone).await;
        }
    });
}

#[test]
fn a_variation_is_promoted_deleted_and_brought_back() {
    in_browser(async |page| {
        load(page, "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nc3 *", 6).await;
        pick(page, "e5").await;
        assert!(!page.find("#study-promote").await.is_enabled().await.unwrap());
        pick(page, "d6").await;
        page.click("#study-promote").await;
        let promoted = "1. e4 c5 (1... e5 2. Nc3) 2. Nf3 d6 *";
        assert!(pgn(page).await.contains(promoted), "{}", pgn(page).await);
        assert!(!page.find("#study-promote").await.is_enabled().await.unwrap());
        pick(page, "e5").await;
        page.click("#study-remove").await;
        page.until("return study.node.san === 'e4'").await;
        assert!(pgn(page).await.contains("1. e4 c5 2. Nf3 d6 *"), "{}", pgn(page).await);
        page.client.refresh().await.unwrap();
        page.until("return study?.node.san === 'e4' && study.node.position").await;
        assert!(pgn(page).await.contains("1. e4 c5 2. Nf3 d6 *"), "it survives a reload");
        load(page, "1. e4 e5 (1... c5) *", 3).await;
        pick(page, "c5").await;
        page.click("#study-promote").await;
        page.click("#study-undo").await;
        page.until("return study.node.san === 'c5' && study.node.parent.children[0].san === 'e5'")
            .await;
    });
}

/// Waits until the PGN of the study has this part.
async fn until_pgn_has(page: &Page, part: &str) {
    page.until(&format!(
        "return studyPgn().then((pgn) => pgn.replace(/\\s+/g, ' ').includes('{part}'))"
    ))
    .await;
}

#[test]
fn moves_signs_and_marks_are_undone_one_by_one_and_made_again() {
    in_browser(async |page| {
        load(page, "1. e4 *", 1).await;
        pick(page, "e4").await;
        page.click("[data-glyph='1']").await;
        for san in ["e5", "Nf3", "e5", "Nf3"] {
            page.fill("#move-text", san).await;
            page.click("#typed button").await;
            page.until(&format!("return study.node.san === '{san}' && study.node.position")).await;
            // The second time the moves are only followed, which is no change.
            if san == "Nf3" {
                pick(page, "e4").await;
            }
        }
        pick(page, "Nf3").await;
        drag(page, MOUSE_BUTTON_RIGHT, "a1", "a8").await;
        let states = [
            "1. e4 *",
            "1. e4 $1 *",
            "1. e4 $1 e5 *",
            "1. e4 $1 e5 2. Nf3 *",
            "1. e4 $1 e5 2. Nf3 { [%cal Ga1a8] } *",
        ];
        until_pgn_has(page, states[4]).await;
        for state in states[..4].iter().rev() {
            page.click("#study-undo").await;
            until_pgn_has(page, state).await;
        }
        assert!(!page.find("#study-undo").await.is_enabled().await.unwrap());
        page.click("#study-redo").await;
        until_pgn_has(page, states[1]).await;
        page.run("document.activeElement.blur()", &[]).await;
        for (keys, state) in
            [("\u{e009}\u{e008}z", states[2]), ("\u{e009}y", states[3]), ("\u{e009}z", states[2])]
        {
            page.keys(keys).await;
            until_pgn_has(page, state).await;
        }
        // A change ends what could be made again.
        page.click("[data-glyph='2']").await;
        assert!(!page.find("#study-redo").await.is_enabled().await.unwrap());
    });
}

/// Shows the game of the file with this index, and waits until the PGN has this part.
async fn choose_game(page: &Page, index: usize, part: &str) {
    let choose = "const games = document.querySelector('#study-games'); \
        games.value = arguments[0]; games.dispatchEvent(new Event('change'))";
    page.run(choose, &[index.to_string().into()]).await;
    until_pgn_has(page, part).await;
}

#[test]
fn the_games_of_a_file_keep_their_changes_and_survive_a_reload_and_undo() {
    in_browser(async |page| {
        let list = "const games = document.querySelector('#study-games'); \
            return games.hidden ? null : [games.value, games.options.length]";
        load(page, "[White \"Ann\"]\n\n1. e4 *\n\n[White \"Cid\"]\n\n1. d4 d5 *", 1).await;
        assert_eq!(page.run(list, &[]).await, json!(["0", 2]));
        pick(page, "e4").await;
        page.click("[data-glyph='1']").await;
        choose_game(page, 1, "1. d4 d5 *").await;
        choose_game(page, 0, "1. e4 $1 *").await;
        page.until("return study.node.san === 'e4' && study.node.position").await;
        page.client.refresh().await.unwrap();
        page.until("return shownTab?.() === 'analyse' && study.node.san === 'e4'").await;
        assert_eq!(page.run(list, &[]).await, json!(["0", 2]));
        until_pgn_has(page, "1. e4 $1 *").await;
        choose_game(page, 1, "1. d4 d5 *").await;
        load(page, "1. c4 c5 2. g3 *", 3).await;
        assert_eq!(page.run(list, &[]).await, json!(null));
        for (game, part) in [("1", "1. d4 d5 *"), ("0", "1. e4 $1 *")] {
            page.click("#study-undo").await;
            until_pgn_has(page, part).await;
            page.until(&format!(
                "return document.querySelector('#study-games').value === '{game}'"
            ))
            .await;
            assert_eq!(page.run(list, &[]).await, json!([game, 2]));
        }
    });
}

#[test]
fn a_study_is_downloaded_with_its_variations() {
    in_browser(async |page| {
        load(page, GAME, 5).await;
        let catch = "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.file = text; }); return '#'; }";
        page.run(catch, &[]).await;
        page.click("#study-download").await;
        let file = page.until("return window.file").await;
        assert!(file.as_str().unwrap().contains("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"), "{file}");
    });
}

#[test]
fn loading_nothing_says_what_to_paste() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "nonsense").await;
        page.click("#study-read").await;
        page.until("return document.querySelector('#message').textContent !== ''").await;
        page.fill("#study-text", " ").await;
        page.click("#study-read").await;
        assert_eq!(page.text("#message").await, "Paste a game or a position first.");
    });
}
