//! The page of `outrider serve` in a real browser. Without Chromium and its driver these tests are
//! skipped with a message.

mod analysing;
mod board;
mod drawn;
mod exploring;
mod focused;
mod games;
mod layout;
mod pictures;
mod playing;
mod puzzling;
mod reviewed;
mod reviewing;
mod settings;
mod studying;
mod windows;
mod worded;

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::panic::{self, AssertUnwindSafe};
use std::process::{Command, Stdio};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};

use crate::support::Running;
use crate::support::http::Server;

/// Maximum wait, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Flags of the browser: without a window, a sandbox and network requests of its own.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1000",
];

/// Names of the page's module that tests use. Static pages have none of them.
const NAMES: &str = "const { gamePgn, keepGame, keptGames, leaveEventsWorker, listen, \
    play, positionOf, puzzles, review, server, shownTab, squares, study, studyPgn, suite, textOf } = window.outrider ?? {};";

/// One browser at a time: each needs a processor.
static TURN: Mutex<()> = Mutex::new(());

/// A page of a server.
struct Page {
    client: Client,
    /// Address of the browser's driver.
    driver: String,
    server: Option<Server>,
}

/// Starts the browser's driver, if it is installed; returns its address.
fn driver() -> Option<(Running, String)> {
    let mut command = Command::new("chromedriver");
    let mut child = command.arg("--port=0").stdout(Stdio::piped()).spawn().ok()?;
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let driver = Running(child);
    for line in output.lines().map_while(Result::ok) {
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return Some((driver, format!("http://127.0.0.1:{}", port.trim_end_matches('.'))));
        }
    }
    None
}

/// Opens the page of a new server and runs a test on it.
fn in_browser(test: impl AsyncFnOnce(&mut Page)) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((_driver, address)) = driver() else {
        return report_skipped("there is no chromedriver");
    };
    let profile = tempfile::tempdir().expect("a directory");
    let own = format!("--user-data-dir={}", profile.path().display());
    let flags: Vec<&str> = FLAGS.into_iter().chain([own.as_str()]).collect();
    let browser = json!({ "browserName": "chrome", "goog:chromeOptions": { "args": flags } });
    let Value::Object(browser) = browser else { unreachable!("an object") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let connector = hyper_util::client::legacy::connect::HttpConnector::new();
    let mut connecting = ClientBuilder::new(connector);
    let client = runtime.block_on(connecting.capabilities(browser).connect(&address));
    let client = match client {
        Err(error) if error.to_string().contains("cannot find Chrome binary") => {
            return report_skipped("there is a chromedriver, but no Chromium");
        }
        other => other.expect("the browser starts"),
    };
    let tried = panic::catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            let server = Server::start(&[]);
            client.goto(&server.link).await.expect("the page opens");
            let mut page =
                Page { client: client.clone(), driver: address.clone(), server: Some(server) };
            let ready = "return server?.source?.readyState === 1";
            page.until(ready).await;
            test(&mut page).await;
        });
    }));
    // The driver does not end the browser when it is killed, so the browser is closed after failed
    // tests too.
    let closed = runtime.block_on(client.close());
    if let Err(failure) = tried {
        panic::resume_unwind(failure);
    }
    closed.expect("the browser ends");
}

/// Prints once that the browser tests are skipped. Not with a macro, because the test harness
/// captures the output of macros.
fn report_skipped(why: &str) {
    static REPORTED: Once = Once::new();
    REPORTED.call_once(|| {
        let _ = writeln!(io::stderr(), "Browser tests are skipped: {why}.");
    });
}

impl Page {
    /// Runs a script in the page.
    async fn run(&self, script: &str, arguments: &[Value]) -> Value {
        let named = format!("{NAMES}\n{script}");
        let result = self.client.execute(&named, arguments.to_vec()).await;
        result.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until a script returns a value that JavaScript takes for true: an empty text is not.
    async fn until(&self, script: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let value = self.run(script, &[]).await;
            let is_true = match &value {
                Value::Null => false,
                Value::Bool(value) => *value,
                Value::String(text) => !text.is_empty(),
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::Array(_) | Value::Object(_) => true,
            };
            if is_true {
                return value;
            }
            if Instant::now() > end {
                let text = "return document.querySelector('main').innerText";
                panic!("never: {script}\n{}", self.run(text, &[]).await);
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    async fn find(&self, selector: &str) -> Element {
        let found = self.client.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}"))
    }

    /// Clicks an element with the mouse.
    async fn click(&self, selector: &str) {
        let clicked = self.find(selector).await.click().await;
        clicked.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    async fn text(&self, selector: &str) -> String {
        self.find(selector).await.text().await.expect("a text")
    }

    /// Returns the text of an element with single blanks between its words.
    async fn words(&self, selector: &str) -> String {
        self.text(selector).await.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Shows a page in a frame with an exact size; a window has borders.
    async fn frame(&self, html: String) {
        let frame = "document.body.innerHTML = '<iframe id=frame style=\"border:0\"></iframe>'; \
            document.getElementById('frame').srcdoc = arguments[0]";
        self.client.goto("about:blank").await.expect("an empty page");
        self.run(frame, &[html.into()]).await;
        self.until("return frame.contentDocument.readyState === 'complete' && frame.contentDocument.body.children.length > 0").await;
    }

    /// Sets the width and height of the frame in pixels.
    async fn resize_frame(&self, (width, height): (u32, u32)) {
        let size = "Object.assign(document.getElementById('frame').style, \
            { width: arguments[0] + 'px', height: arguments[1] + 'px' })";
        self.run(size, &[width.into(), height.into()]).await;
    }

    /// Sets the width and height of the window's content in pixels, also to sizes of phones.
    async fn resize(&self, (width, height): (u32, u32)) {
        let session = self.client.session_id().await.expect("an answer").expect("a session");
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let body =
            json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": size }).to_string();
        let place = self.driver.trim_start_matches("http://");
        let request = format!(
            "POST /session/{session}/goog/cdp/execute HTTP/1.1\r\nhost: {place}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(place).expect("the driver takes connections");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 200");
        self.until(&format!("return innerWidth === {width} && innerHeight === {height}")).await;
    }

    /// Types text or presses keys in the focused element.
    async fn keys(&self, keys: &str) {
        let focused = self.client.active_element().await.expect("a focus");
        focused.send_keys(keys).await.expect("keys are taken");
    }

    /// Sets the text of a field.
    async fn fill(&self, selector: &str, text: &str) {
        let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
            field.dispatchEvent(new Event('input', { bubbles: true }))";
        self.run(script, &[json!(selector), json!(text)]).await;
    }

    /// Drops a file on the board.
    async fn drop_file(&self, name: &str, text: &str) {
        let script = "const dataTransfer = new DataTransfer(); \
            dataTransfer.items.add(new File([arguments[1]], arguments[0])); \
            const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }); \
            document.getElementById('board').dispatchEvent(event)";
        self.run(script, &[json!(name), json!(text)]).await;
    }

    async fn square(&self, name: &str) {
        self.click(&format!("[data-square={name}]")).await;
    }

    /// Returns the label of a square: its name and piece.
    async fn label(&self, square: &str) -> String {
        let label = self.find(&format!("[data-square={square}]")).await.attr("aria-label").await;
        label.expect("an attribute").expect("a label")
    }

    /// Begins a game against the weakest level, from a position if `fen` is not empty.
    async fn begin(&self, fen: &str) {
        self.run("document.querySelector('#new-game').open = true", &[]).await;
        self.fill("#elo", "450").await;
        if !fen.is_empty() {
            self.fill("#fen", fen).await;
        }
        self.click("#setup [type=submit]").await;
        self.until("return play.game && !play.game.thinking").await;
    }

    /// Returns the moves of the game so far.
    async fn moves(&self) -> Vec<String> {
        let moves = self.run("return play.game.plies.map(({ san }) => san)", &[]).await;
        serde_json::from_value(moves).expect("names of moves")
    }
}
