//! Server-sent events of clients: the game on every change, analysis and work a few times a second.
//!
//! A browser opens at most six connections to a server, so its pages share one stream. There each event
//! begins with the id of its client on a line of its own.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, StreamExt as _, once, select_all, unfold};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::client::{Client, Listener};
use super::work::SentRows;

/// Minimum time between two analysis events.
const ANALYSIS_INTERVAL: Duration = Duration::from_millis(100);
/// Minimum time between two work events, which may carry many new rows.
const WORK_INTERVAL: Duration = Duration::from_millis(300);
/// Interval of keep-alive comments, which reveal a closed connection.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Streams the events of a client until the connection closes.
pub(crate) fn events(
    client: &Arc<Client>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    stream(updates(client).map(|update| Event::default().event(update.name).data(update.json)))
}

/// Streams the events of several clients, each given by its id, until the connection closes. An id without a
/// client gets the event `gone`.
pub(crate) fn shared_events(
    clients: Vec<(String, Option<Arc<Client>>)>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let streams =
        clients.into_iter().map(|(id, client)| -> Pin<Box<dyn Stream<Item = _> + Send>> {
            let event = move |update: Update| {
                Event::default().event(update.name).data(format!("{id}\n{}", update.json))
            };
            match client {
                Some(client) => Box::pin(updates(&client).map(event)),
                None => Box::pin(once(std::future::ready(event(Update::gone())))),
            }
        });
    stream(select_all(streams))
}

fn stream<S: Stream<Item = Event> + Send + 'static>(
    events: S,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S>> {
    Sse::new(events.map(Ok)).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// Returns the updates of a client, beginning with its current state.
fn updates(client: &Arc<Client>) -> impl Stream<Item = Update> + use<> {
    let mut listener = client.listen();
    // A new listener starts with the current values.
    listener.game.mark_changed();
    listener.analysis.mark_changed();
    listener.work.mark_changed();
    let now = Instant::now();
    let sent_rows = SentRows::default();
    let source = EventSource { listener, next_analysis: now, next_work: now, sent_rows };
    unfold(source, async |mut source| {
        let update = source.next().await?;
        Some((update, source))
    })
}

/// The content of an event.
struct Update {
    name: &'static str,
    json: String,
}

impl Update {
    fn new(name: &'static str, view: &impl Serialize) -> Option<Update> {
        serde_json::to_string(view).ok().map(|json| Update { name, json })
    }

    fn gone() -> Update {
        Update { name: "gone", json: "null".to_owned() }
    }
}

/// Source of the updates of a client for one connection.
struct EventSource {
    listener: Listener,
    /// Earliest time of the next analysis event.
    next_analysis: Instant,
    /// Earliest time of the next work event.
    next_work: Instant,
    sent_rows: SentRows,
}

impl EventSource {
    /// Waits for the next update. Returns `None` when newer connections have replaced this one.
    async fn next(&mut self) -> Option<Update> {
        loop {
            let Listener { game, analysis, work, listened, number, .. } = &mut self.listener;
            let update = tokio::select! {
                biased;
                () = Listener::replaced(listened, *number) => return None,
                changed = game.changed() => {
                    changed.ok()?;
                    let view = game.borrow_and_update().clone();
                    view.and_then(|view| Update::new("game", &*view))
                }
                changed = changed_after(self.next_analysis, analysis) => {
                    changed?;
                    let found = Arc::clone(&analysis.borrow_and_update());
                    // The event for the start of an analysis must not delay its first lines.
                    if found.has_lines() {
                        self.next_analysis = Instant::now() + ANALYSIS_INTERVAL;
                    }
                    Update::new("analysis", &found.view())
                }
                changed = changed_after(self.next_work, work) => {
                    changed?;
                    self.next_work = Instant::now() + WORK_INTERVAL;
                    let view = Arc::clone(&work.borrow_and_update());
                    Update::new("work", &view.event(&mut self.sent_rows))
                }
            };
            if update.is_some() {
                return update;
            }
        }
    }
}

/// Waits until a time and then for a change. Returns `None` if the client no longer exists.
async fn changed_after<T>(time: Instant, value: &mut watch::Receiver<T>) -> Option<()> {
    sleep_until(time).await;
    value.changed().await.ok()
}
