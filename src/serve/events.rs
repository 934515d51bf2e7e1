//! Server-sent events of a client: the game on every change, analysis and work a few times a second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
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
    let mut listener = client.listen();
    // A new listener starts with the current values.
    listener.game.mark_changed();
    listener.analysis.mark_changed();
    listener.work.mark_changed();
    let now = Instant::now();
    let sent_rows = SentRows::default();
    let source = EventSource { listener, next_analysis: now, next_work: now, sent_rows };
    let stream = unfold(source, async |mut source| {
        let event = source.next().await?;
        Some((Ok(event), source))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

/// Source of the event stream of one connection.
struct EventSource {
    listener: Listener,
    /// Earliest time of the next analysis event.
    next_analysis: Instant,
    /// Earliest time of the next work event.
    next_work: Instant,
    sent_rows: SentRows,
}

impl EventSource {
    /// Waits for the next event. Returns `None` when the client no longer exists.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let Listener { game, analysis, work, .. } = &mut self.listener;
            let analysis_changed = async {
                sleep_until(self.next_analysis).await;
                analysis.changed().await
            };
            let work_changed = async {
                sleep_until(self.next_work).await;
                work.changed().await
            };
            let event = tokio::select! {
                biased;
                changed = game.changed() => {
                    changed.ok()?;
                    let view = game.borrow_and_update().clone();
                    let Some(view) = view else {
                        continue;
                    };
                    Event::default().event("game").json_data(&*view)
                }
                changed = analysis_changed => {
                    changed.ok()?;
                    let found = Arc::clone(&self.listener.analysis.borrow_and_update());
                    // The event for the start of an analysis must not delay its first lines.
                    if found.has_lines() {
                        self.next_analysis = Instant::now() + ANALYSIS_INTERVAL;
                    }
                    Event::default().event("analysis").json_data(found.view())
                }
                changed = work_changed => {
                    changed.ok()?;
                    self.next_work = Instant::now() + WORK_INTERVAL;
                    let view = Arc::clone(&self.listener.work.borrow_and_update());
                    Event::default().event("work").json_data(view.event(&mut self.sent_rows))
                }
            };
            if let Ok(event) = event {
                return Some(event);
            }
        }
    }
}
