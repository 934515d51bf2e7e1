//! Many windows of one browser.

use fantoccini::wd::WindowHandle;

use super::{Page, in_browser};
use crate::support::http::Server;

/// More windows than a browser has connections to a server.
const WINDOWS: usize = 7;

/// Opens the page in another window.
async fn open_window(page: &Page) -> WindowHandle {
    let link = page.server.as_ref().expect("a server").link.clone();
    let window = page.client.new_window(false).await.expect("a window").handle;
    page.client.switch_to_window(window.clone()).await.expect("the window is shown");
    page.client.goto(&link).await.expect("the page opens");
    page.until("return server.source?.readyState === 1").await;
    window
}

/// Moves in the shown window and waits for the reply.
async fn play(page: &Page, text: &str, plies: usize) {
    page.fill("#move-text", text).await;
    page.click("#typed button").await;
    page.until(&format!("return play.game.plies.length === {plies} && !play.game.thinking")).await;
}

#[test]
fn a_move_can_be_made_in_each_of_seven_windows() {
    in_browser(async |page| {
        let mut windows = vec![page.client.window().await.unwrap()];
        page.begin("").await;
        for _ in 1..WINDOWS {
            windows.push(open_window(page).await);
            page.begin("").await;
        }
        // All windows are open now, and all are visible.
        for (index, text) in ["a3", "b3", "c3", "d3", "e3", "f3", "g3"].into_iter().enumerate() {
            page.client.switch_to_window(windows[index].clone()).await.unwrap();
            let hidden = page.run("return document.hidden", &[]).await;
            assert_eq!(hidden, false, "window {index}");
            play(page, text, 2).await;
            assert_eq!(page.moves().await[0], text);
            let source = page.run("return server.source.constructor.name", &[]).await;
            assert_eq!(source, "SharedEvents");
        }
        for window in windows.drain(1..) {
            page.client.switch_to_window(window).await.unwrap();
            page.client.close_window().await.unwrap();
        }
        page.client.switch_to_window(windows[0].clone()).await.unwrap();
        // The closed windows have freed their places: there are eight.
        open_window(page).await;
        open_window(page).await;
        page.client.switch_to_window(windows[0].clone()).await.unwrap();
        play(page, "h3", 4).await;
    });
}

#[test]
fn two_windows_find_a_new_server_again() {
    in_browser(async |page| {
        let first = page.client.window().await.unwrap();
        page.begin("").await;
        play(page, "a3", 2).await;
        let second = open_window(page).await;
        page.begin("").await;
        play(page, "b3", 2).await;
        let port = page.server.take().unwrap().address.port();
        page.until("return document.getElementById('connection').textContent !== ''").await;
        page.server = Some(Server::start_at(port, &["--sessions", "2"]));
        for (window, own, next) in [(second, "b3", "b4"), (first, "a3", "a4")] {
            page.client.switch_to_window(window).await.unwrap();
            page.until("return document.getElementById('connection').textContent === ''").await;
            play(page, next, 4).await;
            assert_eq!(page.moves().await[0], own);
        }
    });
}

#[test]
fn a_browser_without_shared_workers_has_a_stream_for_each_page() {
    in_browser(async |page| {
        page.run("leaveEventsWorker(); server.source.close(); listen()", &[]).await;
        page.until("return server.source.readyState === 1").await;
        let source = page.run("return server.source.constructor.name", &[]).await;
        assert_eq!(source, "EventSource");
        page.begin("").await;
        play(page, "a3", 2).await;
    });
}
