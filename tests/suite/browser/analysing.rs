use serde_json::json;

use super::in_browser;

#[test]
fn an_analysis_shows_its_lines_and_stops() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.click("#analysis-switch").await;
        page.until("return document.querySelectorAll('#found-lines b:not(:empty)').length === 3")
            .await;
        page.until("return document.querySelector('#figures').textContent.includes('depth')").await;
        page.click("#found-lines button").await;
        page.until("return study.node.parent !== null && study.view?.fen === study.node.fen").await;
        page.click("#analysis-switch").await;
        page.until("return study.view?.activity === 'off'").await;
        let pgn = page.run("return studyPgn()", &[]).await;
        assert!(pgn.as_str().unwrap().contains("1. "), "{pgn}");
    });
}

#[test]
fn a_hidden_tab_disconnects_from_the_server_and_reconnects_when_shown() {
    in_browser(async |page| {
        // Shortens the delay, and reports to the tab that it is hidden.
        let hide = "const wait = window.setTimeout; \
            window.setTimeout = (call, time) => wait(call, Math.min(time, 20)); \
            window.tabIsHidden = true; \
            Object.defineProperty(document, 'hidden', { get: () => window.tabIsHidden }); \
            document.dispatchEvent(new Event('visibilitychange'))";
        page.click("#tab-analyse").await;
        page.click("#analysis-switch").await;
        page.until("return study.view?.activity === 'searching'").await;
        page.run(hide, &[]).await;
        page.until("return server.source === null").await;
        let show =
            "window.tabIsHidden = false; document.dispatchEvent(new Event('visibilitychange'))";
        page.run(show, &[]).await;
        page.until("return server.source?.readyState === 1").await;
        page.click("#analysis-switch").await;
        page.until("return study.view?.activity === 'off'").await;
    });
}

#[test]
fn a_pasted_game_is_shown_with_its_variations() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "1. e4 e5 (1... c5 2. Nf3 Ke3 { no }) 2. f4 -- 3. fxe5 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 5").await;
        page.click("#last").await;
        page.until("return study.node.san === 'f4'").await;
        let shown = page.words("#study-moves").await;
        assert_eq!(shown, "1. e4 e5 1... c5 2. Nf3 2... Ke3 { no } 2. f4 2... -- 3. fxe5");
        page.fill("#move-text", "exf4").await;
        page.click("#typed button").await;
        page.until("return study.node.san === 'exf4'").await;
        let pgn = page.run("return studyPgn()", &[]).await;
        let kept = "1. e4 e5 (1... c5 2. Nf3 Ke3 { no }) 2. f4 exf4 (2... -- 3. fxe5) *";
        assert!(pgn.as_str().unwrap().contains(kept), "{pgn}");
    });
}

#[test]
fn a_comment_before_the_first_move_is_shown() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "{ A game of mine. } 1. e4 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 1").await;
        assert_eq!(page.words("#study-moves").await, "A game of mine. 1. e4");
    });
}

#[test]
fn latin_1_files_are_read_in_their_encoding() {
    in_browser(async |page| {
        let text = "return textOf(new Blob([new Uint8Array(arguments[0])]))";
        for bytes in [json!([77, 0xfc]), json!([77, 0xc3, 0xbc])] {
            assert_eq!(page.run(text, std::slice::from_ref(&bytes)).await, "Mü", "{bytes}");
        }
    });
}

#[test]
fn a_dropped_file_that_cannot_be_read_says_why() {
    in_browser(async |page| {
        let drop = "const dataTransfer = new DataTransfer(); \
            dataTransfer.items.add(new File([new Uint8Array([40, 181, 47, 253])], 'a.pgn.zst')); \
            document.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))";
        page.run(drop, &[]).await;
        page.until("return document.querySelector('#message').textContent.includes('Zstandard')")
            .await;
    });
}

#[test]
fn each_tab_remembers_which_side_is_at_the_bottom() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.click("#flip").await;
        for (tab, is_turned) in
            [("#tab-play", false), ("#tab-analyse", true), ("#tab-review", false)]
        {
            page.click(tab).await;
            assert_eq!(page.run("return squares.flipped", &[]).await, is_turned, "{tab}");
        }
        page.click("#tab-analyse").await;
        page.click("#study-edit").await;
        assert_eq!(page.run("return squares.flipped", &[]).await, true, "the edited position");
    });
}

#[test]
fn glyphs_are_shown_by_their_usual_signs() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "1. e4 $14 $44 e5 $2 $138 2. f4 $9 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 3").await;
        let texts = "return [...document.querySelectorAll('#study-moves .move')].map((move) => move.textContent)";
        let expected = json!(["e4 ⩲ =∞", "e5? ⊕", "f4"]);
        assert_eq!(page.run(texts, &[]).await, expected);
    });
}

#[test]
fn the_current_move_is_announced_and_keeps_the_keyboard_focus() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        page.fill("#study-text", "1. e4 e5 2. f4 *").await;
        page.click("#study-read").await;
        page.until("return document.querySelectorAll('#study-moves .move').length === 3").await;
        assert_eq!(
            page.run("return document.querySelector('[aria-current=true]')", &[]).await,
            json!(null)
        );
        let focus = "[...document.querySelectorAll('#study-moves .move')][1].focus()";
        page.run(focus, &[]).await;
        page.keys("\u{e007}").await;
        page.until("return study.node.san === 'e5' && study.node.position").await;
        let told = "return document.querySelector('#study-moves [aria-current=true]').textContent";
        let focused = "return document.activeElement.textContent";
        for script in [told, focused] {
            assert_eq!(page.run(script, &[]).await, "e5", "{script}");
        }
        page.keys("\u{e014}").await;
        page.until("return document.activeElement.textContent === 'f4'").await;
    });
}

#[test]
fn a_text_is_copied_or_the_page_reports_a_failure() {
    in_browser(async |page| {
        page.click("#tab-analyse").await;
        let copying = "window.copied = ''; navigator.clipboard.write = async ([item]) => { \
            window.copied = await (await item.getType('text/plain')).text(); }";
        page.run(copying, &[]).await;
        page.click("#study-copy").await;
        page.until("return document.querySelector('#study-copy').textContent === 'Copied'").await;
        let copied = page.run("return window.copied", &[]).await;
        assert!(copied.as_str().unwrap().contains("[White"), "{copied}");
        let refusing = "navigator.clipboard.write = () => Promise.reject(new Error('no')); \
            document.execCommand = () => false";
        page.run(refusing, &[]).await;
        page.click("#study-copy-fen").await;
        page.until("return document.querySelector('#message').textContent.includes('not allow')")
            .await;
        assert_eq!(page.text("#study-copy-fen").await, "Copy FEN");
    });
}

#[test]
fn a_dropped_suite_is_solved_and_its_report_grows() {
    in_browser(async |page| {
        page.click("#tab-suites").await;
        let epd = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n";
        page.drop_file("back.epd", epd).await;
        page.until("return document.querySelector('#suite-text').value !== ''").await;
        page.fill("#suite-time", "100").await;
        page.click("#suite-start").await;
        page.until("return suite.work?.stage === 'done'").await;
        assert_eq!(page.text("#suite-sum").await, "1 of 1 solved");
        assert!(page.text("#suite-rows").await.contains("back rank"));
        page.run("document.querySelector('#suite-rows button').focus()", &[]).await;
        page.keys("\u{e007}").await;
        page.until("return shownTab() === 'analyse' && study.root.fen.startsWith('6k1/5ppp')")
            .await;
        let report = page.run("return document.getElementById('suite-page').href", &[]).await;
        page.client.goto(report.as_str().unwrap()).await.unwrap();
        page.until("return document.title.includes('back.epd')").await;
    });
}

#[test]
fn the_page_inside_a_search_draws_it() {
    in_browser(async |page| {
        let link = page.server.as_ref().unwrap().link.clone();
        let fen = "8/8/8/8/8/4k3/4p3/4K3%20w%20-%20-%200%201";
        page.client.goto(&format!("{link}inside?fen={fen}")).await.unwrap();
        page.until("return document.title.length > 0 && document.querySelector('svg') !== null")
            .await;
        assert!(
            page.run("return document.body.innerText", &[]).await.to_string().contains("negascout")
        );
    });
}
